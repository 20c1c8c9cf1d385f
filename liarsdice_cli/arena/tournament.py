"""A round robin: every combination of bots that fills a table plays the same number of games.

The deals of a table are cut into pieces. The seed of a piece follows from its position, so its result does not depend on
which process plays it. Results are added in the order of the pieces.
"""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from liarsdice_cli.arena.decisions import Decisions, adviser_of, valued
from liarsdice_cli.arena.games import AnyBot, Tally, play
from liarsdice_cli.arena.standings import elo, interval
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.system.cluster import Cluster
from liarsdice_cli.system.tasks import in_order

_PIECE, _CAREFUL_PIECE = 10_000, 250
"""Deals in a piece: if all bots at the table are policies, and otherwise."""


@dataclass(frozen=True)
class Tournament:
    """The settings of a tournament.

    rules    : the rules, with the dice of every seat
    bots     : at least as many as there are seats
    deals    : deals for every table; each is played from every seat, so there are deals x seats games
    match    : whether a game is a match, in which the loser of each round gives up a die; otherwise a game is one round
    seed     : the random seed
    match_rules : those of a match, or of single rounds, as `MatchRules.of` returns them
    """

    rules: Rules
    bots: tuple[AnyBot, ...]
    deals: int
    match: bool
    seed: int
    match_rules: MatchRules = PLAIN

    def check(self) -> None:
        """Raise LiarsDiceError if the tournament cannot be played. This starts every bot once and solves the games it needs."""
        if len(self.bots) < self.rules.players:
            raise UsageError(
                f"{self.rules.players} seats, but {len(self.bots)} bot(s): name {self.rules.players} or more, or change ",
                Argument("dice"),
            )
        for bot in self.bots:
            check(bot, self.rules, self.match)

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The bots at every table, as positions in `bots`."""
        return list(combinations(range(len(self.bots)), self.rules.players))

    @property
    def games(self) -> int:
        """The number of games of every table."""
        return self.deals * self.rules.players

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces in the order in which their results are added."""
        for table, bots in enumerate(self.tables):
            size = _PIECE if all(isinstance(self.bots[bot], Policy) for bot in bots) else _CAREFUL_PIECE
            for number, start in enumerate(range(0, self.deals, size)):
                yield Piece(table, number, min(size, self.deals - start))

    def play(self, piece: Piece) -> Tally:
        """Play a piece and return its counts."""
        bots = [self.bots[bot] for bot in self.tables[piece.table]]
        seed = np.random.SeedSequence(self.seed, spawn_key=(piece.table, piece.number))
        return play(self.rules, bots, piece.deals, self.match, seed, self.match_rules)


def check(bot: AnyBot, rules: Rules, match: bool) -> None:
    """Raise LiarsDiceError if a bot cannot play these rules, or if a user's bot cannot be started."""
    if isinstance(bot, UserBot):
        bot.begin([0])
        bot.close()
        return
    if bot.one_game and match and sum(rules.dice) > 2:
        raise UsageError(
            f"{bot.name} plays one game only, but the dice change in a match: leave ",
            Argument("match"),
            " out, or name equilibrium",
        )
    bot.check(rules)


def named(names: Sequence[str]) -> list[str]:
    """Return the names, with numbers after those that occur several times.

    >>> named(["honest", "random", "honest"])
    ['honest (1)', 'random', 'honest (2)']
    """
    return [f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name for place, name in enumerate(names)]


class Piece(NamedTuple):
    """A number of deals of one table."""

    table: int
    number: int
    deals: int


@dataclass(frozen=True)
class Standing:
    """The results of one bot in all its games; `low` and `high` are the 95 % interval of the rate.

    dice     : the mean number of dice left at the end of a match, 0 for lost matches; None in single rounds
    failures : the number of games that the bot forfeited, by reason
    """

    name: str
    games: int
    won: int
    rate: float
    low: float
    high: float
    elo: float
    dice: float | None
    failures: dict[str, int]


@dataclass(frozen=True)
class Result(Renderable):
    """The result of a tournament: a tally for every table."""

    tournament: Tournament
    tallies: list[Tally] = field(default_factory=list)

    def __repr__(self) -> str:
        rates = ", ".join(f"{one.name} {one.rate:.3f}" for one in self.standings())
        return f"Result({self.tournament.rules}: {rates})"

    @property
    def names(self) -> list[str]:
        """The names of the bots, numbered if a name occurs several times."""
        return named([bot.name for bot in self.tournament.bots])

    @property
    def ahead(self) -> Ints:
        """The number of games in which each bot (row) ended ahead of each other bot (column)."""
        count = len(self.tournament.bots)
        found = np.zeros((count, count), np.int64)
        for bots, tally in zip(self.tournament.tables, self.tallies, strict=True):
            found[np.ix_(bots, bots)] += tally.ahead
        return found

    def interval(self, one: int, other: int) -> tuple[float, float]:
        """Return the 95 % interval of the probability that one bot ends ahead of another, if either does."""
        ahead = deals = 0
        square, both, back = 0, 0, 0
        for bots, tally in zip(self.tournament.tables, self.tallies, strict=True):
            if one in bots and other in bots:
                first, second = bots.index(one), bots.index(other)
                deals += tally.deals
                square, back = square + int(tally.pairs[0, first, second]), back + int(tally.pairs[0, second, first])
                both += int(tally.pairs[1, first, second])
        ahead, behind = int(self.ahead[one, other]), int(self.ahead[other, one])
        share = ahead / (ahead + behind) if ahead + behind else 0.0
        spread = (1 - share) ** 2 * square - 2 * share * (1 - share) * both + share**2 * back
        return interval(ahead, ahead + behind, deals, spread)

    def shares(self) -> list[list[float | None]]:
        """Return how often a bot (row) ended ahead of another (column), as a share of their games without a tie, or None."""
        ahead = self.ahead
        met = ahead + ahead.T
        return [
            [int(ahead[row, column]) / int(met[row, column]) if met[row, column] else None for column in range(len(met))]
            for row in range(len(met))
        ]

    def standings(self) -> list[Standing]:
        """Return the standings of the bots, in the order of `Tournament.bots`."""
        ratings = elo(self.ahead)
        return [self._standing(bot, ratings) for bot in range(len(self.tournament.bots))]

    def decisions(self) -> dict[int, Decisions]:
        """Return the costs of the decisions of bots that are not policies, by the position of the bot.

        The solution is that of a bot `equilibrium` in the tournament; without one there is nothing to compare with, and the
        result is empty.
        """
        adviser = adviser_of(self.tournament.bots)
        made: defaultdict[int, Counter[tuple[View, int]]] = defaultdict(Counter)
        for bots, tally in zip(self.tournament.tables, self.tallies, strict=True):
            for (place, view, action), times in tally.decisions.items():
                made[bots[place]][view, action] += times
        return {} if adviser is None else {bot: valued(own, adviser) for bot, own in sorted(made.items())}

    def _standing(self, bot: int, ratings: Floats) -> Standing:
        games = deals = won = squares = dice = 0
        failures: dict[str, int] = {}
        for bots, tally in zip(self.tournament.tables, self.tallies, strict=True):
            if bot not in bots:
                continue
            row = bots.index(bot)
            games, deals, dice = games + tally.games, deals + tally.deals, dice + int(tally.dice[row])
            won, squares = won + int(tally.won[row].sum()), squares + int(tally.squares[row])
            for (failed, reason), count in sorted(tally.failures.items()):
                if failed == row:
                    failures[reason] = failures.get(reason, 0) + count
        left = dice / games if self.tournament.match and games else None
        bounds = interval(won, games, deals, squares - won * won / deals)
        return Standing(self.names[bot], games, won, won / games, *bounds, float(ratings[bot]), left, failures)


def run(tournament: Tournament, place: Cluster | None = None, progress: Progress = SILENT) -> Result:
    """Play a tournament in this process or on the workers of a cluster, with the same result.

    progress : counts the games

    Raises LiarsDiceError before the first game if the tournament cannot be played.
    """
    progress.begin("preparing the bots")
    tournament.check()
    if place is not None:
        _check_sendable(tournament.bots)
    progress.begin("playing", tournament.games * len(tournament.tables), "games")
    tallies = [Tally.empty(tournament.rules.players) for _ in tournament.tables]
    with closing(in_order(place, tournament.play, tournament.pieces())) as played:
        for piece, tally in zip(tournament.pieces(), played, strict=True):
            tallies[piece.table] += tally
            progress.advance(tally.games)
    return Result(tournament, tallies)


def _check_sendable(bots: Sequence[AnyBot]) -> None:
    """Raise LiarsDiceError for a bot that cannot be sent to another process, such as one made of a lambda."""
    for bot in bots:
        try:
            pickle.dumps(bot)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            cure = "define its functions and classes at the top of a module, or leave out "
            raise LiarsDiceError(f"{bot.name} cannot be sent to a worker ({error}): {cure}", Argument("cluster")) from error

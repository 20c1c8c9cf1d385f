"""Games of one round, or matches in which the loser of every round loses a die, with every deal played from every seat."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from liarsdice_cli.arena import one_by_one, vectorised
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Bools, Ints
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.table import Table

AnyBot = Policy | UserBot
_MAX_ENDINGS = 3
"""A bot whose process was ended this often forfeits the rest of its games in one call of `play`."""
_MAX_TABLES = 4_096
"""Pairs of a bot and a round's rules whose probabilities are kept."""
_MOST_ROUNDS = 10_000
"""Rounds of a match; only claims of spot-on that are always right can need more."""
_NO_SEAT = -1
"""The value instead of a seat if there is none."""
_STAYED = 1 << 30
"""The round in which a seat lost all its dice, for a seat that never did."""


@dataclass
class Tally:
    """The counts of some games at one table. Tallies can be added.

    games    : games played
    deals    : deals, each played from every seat
    rounds   : rounds in these games
    won      : games that a bot (row) won in a seat (column): it did not lose the round, or it won the match
    squares  : by bot, the sum over all deals of the square of the number of games that it won with that deal
    ahead    : games in which one bot (row) ended ahead of another (column)
    pairs    : for each two bots, the sums over all deals of the square of the number of games of the deal in which the first
               was ahead, and of its product with the number of those in which the second was; integers (2, bots, bots)
    dice     : by bot, the dice left at the end of all its games together
    failures : by bot and reason, the games that the bot forfeited
    decisions : by bot, view and action, the decisions of bots that are not policies
    """

    games: int
    deals: int
    rounds: int
    won: Ints
    squares: Ints
    ahead: Ints
    pairs: Ints
    dice: Ints
    failures: Counter[tuple[int, str]] = field(default_factory=Counter)
    decisions: Counter[tuple[int, View, int]] = field(default_factory=Counter)

    @classmethod
    def empty(cls, players: int) -> Tally:
        """Return the tally of no games."""
        square, row = np.zeros((players, players), np.int64), np.zeros(players, np.int64)
        return cls(0, 0, 0, square, row, square.copy(), np.zeros((2, players, players), np.int64), row.copy())

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.deals + other.deals,
            self.rounds + other.rounds,
            self.won + other.won,
            self.squares + other.squares,
            self.ahead + other.ahead,
            self.pairs + other.pairs,
            self.dice + other.dice,
            self.failures + other.failures,
            self.decisions + other.decisions,
        )


def play(
    rules: Rules,
    bots: Sequence[AnyBot],
    deals: int,
    match: bool,
    seed: np.random.SeedSequence,
    match_rules: MatchRules = PLAIN,
) -> Tally:
    """Play every deal once from each seat: in game r of a deal, bot b has seat (b + r) mod the number of players.

    rules    : the rules, with the dice of every seat; the first seat opens
    bots     : one for each seat
    match_rules : those of a match, or of single rounds, as `MatchRules.of` returns them

    In round k of a match all games of a deal use the same dice; a seat with fewer dice uses the first ones.
    Cost: 1 to 3 microseconds a round if all bots are policies.

    >>> from liarsdice_cli.bots.simple import Honest, Random
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> tally = play(rules("common", 6), [Honest(), Random()], 1000, False, np.random.SeedSequence(1))
    >>> tally.games, int(tally.won.sum()), bool(tally.ahead[0, 1] > 1200)
    (2000, 2000, True)
    """
    dealing, acting, making = seed.spawn(3)
    games = _Games(Table.start(rules, match_rules), deals, match)
    players = _Players(rules, bots, np.random.default_rng(acting), match_rules.by_any)
    with one_by_one.ready(bots, making.spawn(len(bots))):
        games.play(players, np.random.default_rng(dealing))
    return games.tally(players)


class _Games:
    """Games that are played at once. Those with the same rotation and the same table play a round together.

    out  : the round in which each seat (column) of a game (row) lost its game
    dice : the dice left of each seat (column) in a game (row)
    """

    def __init__(self, start: Table, deals: int, match: bool) -> None:
        self.deals, self.match = deals, match
        self.players = start.game.players
        self.groups: dict[tuple[int, Table], Ints] = {
            (turn, start): np.arange(turn * deals, (turn + 1) * deals) for turn in range(self.players)
        }
        self.out = np.full((self.players * deals, self.players), _STAYED)
        self.dice = np.tile(np.array(start.dice, np.int64), (self.players * deals, 1))

    def play(self, players: _Players, dealer: np.random.Generator) -> None:
        """Play all games to their end."""
        rules, rounds = players.rules, 0
        while self.groups:
            faces = dealer.integers(1, rules.sides + 1, size=(self.deals, self.players, max(rules.dice)))
            rounds += 1
            if rounds > _MOST_ROUNDS:
                raise LiarsDiceError(f"a match has not ended after {_MOST_ROUNDS:,} rounds: these bots win back every die")
            following: defaultdict[tuple[int, Table], list[Ints]] = defaultdict(list)
            for (rotation, table), games in self._ordered():
                found = players.round(rotation, table, faces[games % self.deals])
                for seat, ended, part in _outcomes(table, games, *found):
                    self.dice[part] = ended.dice_left
                    if not self.match or not ended.dice_left[seat]:
                        self.out[part, seat] = rounds
                    if self.match and not ended.is_over:
                        following[rotation, ended.next_round()].append(part)
            self.groups = {state: np.sort(np.concatenate(parts)) for state, parts in following.items()}

    def _ordered(self) -> list[tuple[tuple[int, Table], Ints]]:
        """Return the groups in an order that depends on the state of their games only, so that a seed repeats its games."""

        def key(group: tuple[tuple[int, Table], Ints]) -> tuple[int, int, bool, tuple[int, ...]]:
            (rotation, table), _ = group
            return rotation, table.opener, table.is_palifico, table.dice

        return sorted(self.groups.items(), key=key)

    def tally(self, players: _Players) -> Tally:
        """Return the counts by bot, from the results by seat."""
        tally = Tally.empty(self.players)
        tally.games, tally.deals, tally.rounds = len(self.out), self.deals, players.rounds
        tally.failures, tally.decisions = players.failures, players.decisions
        won_with = np.zeros((self.deals, self.players), np.int64)
        ahead_with = np.zeros((self.deals, self.players, self.players), np.int64)
        for turn in range(self.players):
            seat = (np.arange(self.players) + turn) % self.players
            games = slice(turn * self.deals, (turn + 1) * self.deals)
            ended = self.out[games][:, seat]
            won = ended == _STAYED
            tally.won[np.arange(self.players), seat] += np.count_nonzero(won, axis=0)
            won_with += won
            ahead_with += ended[:, :, None] > ended[:, None, :]
            if self.match:
                tally.dice += self.dice[games][:, seat].sum(axis=0)
        tally.squares, tally.ahead = (won_with**2).sum(axis=0), ahead_with.sum(axis=0)
        tally.pairs = np.stack([ahead_with**2, ahead_with * ahead_with.swapaxes(1, 2)]).sum(axis=1)
        return tally


def _outcomes(table: Table, games: Ints, lost: Ints, forfeited: Bools, gained: Ints) -> Iterator[tuple[int, Table, Ints]]:
    """Yield each loser of a round with the table after it and the games that it lost, and each player who won back a die."""
    for seat in table.seats:
        for forfeit in (False, True):
            part = games[(lost == seat) & (forfeited == forfeit)]
            if len(part):
                yield seat, table.lose(seat, forfeit), part
        part = games[gained == seat]
        if len(part):
            yield seat, table.gain(seat), part


class _Players:
    """The bots of some games: they play rounds, and their rounds and failures are counted."""

    def __init__(self, rules: Rules, bots: Sequence[AnyBot], generator: np.random.Generator, by_any: bool) -> None:
        self.rules, self.bots, self.generator = rules, bots, generator
        self.policies = [bot for bot in bots if isinstance(bot, Policy)]
        claiming = by_any and any(hasattr(bot, "claims") for bot in bots)
        self.vectorised = len(self.policies) == len(bots) and vectorised.is_small_enough(rules) and not claiming
        self.rounds = 0
        self.failures: Counter[tuple[int, str]] = Counter()
        self.decisions: Counter[tuple[int, View, int]] = Counter()
        self.endings: Counter[int] = Counter()
        cache = vectorised.TableCache()
        self.tables = lru_cache(_MAX_TABLES)(lambda bot, rules: vectorised.CumulativeTables(self.policies[bot], rules, cache))

    def round(self, rotation: int, table: Table, faces: Ints) -> tuple[Ints, Bools, Ints]:
        """Return the seats that lose a round of games at the same table, whether they forfeit, and those that win back a die.

        A game without a loser, or without a seat that wins back a die, has `_NO_SEAT` there.

        faces : the faces that every seat rolls, shape (games, seats, dice); a seat with fewer dice uses the first ones
        """
        bots = [(seat - rotation) % len(table.dice) for seat in table.seats]
        rolled = [faces[:, seat, : table.dice[seat]] for seat in table.seats]
        self.rounds += len(faces)
        if self.vectorised:
            tables = [self.tables(bot, table.rules) for bot in bots]
            claimed = np.zeros(len(faces), np.bool_)
            lost = vectorised.losers(table.rules, tables, rolled, self.generator, claimed)
            seats, gains = np.array(table.seats), claimed & table.match_rules.spot_on_gains
            losing = np.where(gains, _NO_SEAT, seats[lost])
            return losing, np.zeros(len(faces), np.bool_), np.where(gains, seats[(lost + 1) % len(seats)], _NO_SEAT)
        ends = [
            self._one_by_one(table, bots, [tuple(sorted(one[game].tolist())) for one in rolled]) for game in range(len(faces))
        ]
        losing = np.array([_NO_SEAT if end.loser is None else end.loser for end in ends])
        gaining = np.array([_NO_SEAT if end.gainer is None else end.gainer for end in ends])
        return losing, np.array([end.forfeited for end in ends]), gaining

    def _one_by_one(self, table: Table, bots: list[int], rolls: list[Roll]) -> Table:
        """Return the table after one round; a bot whose process was ended too often forfeits without being called."""
        for seat, bot in zip(table.seats, bots, strict=True):
            if self.endings[bot] >= _MAX_ENDINGS:
                self.failures[bot, f"no longer asked: its process had to be ended {_MAX_ENDINGS} times"] += 1
                return table.lose(seat, forfeit=True)

        def on_move(view: View, action: int) -> None:
            if isinstance(self.bots[bots[view.player]], UserBot) and view.claimer is None:
                self.decisions[bots[view.player], view, action] += 1

        end = one_by_one.play(table, [self.bots[bot] for bot in bots], rolls, self.generator, on_move)
        if end.failure is not None:
            assert end.loser is not None, "who fails loses"
            bot = bots[table.seats.index(end.loser)]
            self.failures[bot, str(end.failure)] += 1
            self.endings[bot] += end.failure.ended
        return end.table

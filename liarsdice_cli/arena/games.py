"""Games of one round, or matches in which the loser of every round loses a die, with every deal played from every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from liarsdice_cli.arena import one_by_one, vectorised
from liarsdice_cli.arena.matches import Matches
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.extensive.stream import Bools, Ints
from liarsdice_cli.games.liarsdice.rules import Rules

AnyBot = Policy | UserBot
_PATIENCE = 3
"""How often the process of a bot may have to be ended before it forfeits the rest of the deals played in one go."""
_MOST_GAMES = 4_096
"""Numbers of dice of all players whose rules and tables are kept."""
_STAYED = 1 << 30
"""The round in which who never lost all dice is taken to have lost them."""


@dataclass
class Tally:
    """What came of some games at one table; everything adds up.

    games    : games played
    rounds   : rounds in them
    won      : by bot (row) and the seat that it had (column), the games won: a round not lost, a match with the last dice
    ahead    : by bot (row) and other bot (column), the games that the first ended ahead of the second
    dice     : by bot, the dice left at the end of all its games together
    failures : by bot and reason, the games that it forfeited
    """

    games: int
    rounds: int
    won: Ints
    ahead: Ints
    dice: Ints
    failures: Counter[tuple[int, str]] = field(default_factory=Counter)

    @classmethod
    def empty(cls, players: int) -> Tally:
        """Nothing played yet."""
        square = np.zeros((players, players), np.int64)
        return cls(0, 0, square, square.copy(), np.zeros(players, np.int64))

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.rounds + other.rounds,
            self.won + other.won,
            self.ahead + other.ahead,
            self.dice + other.dice,
            self.failures + other.failures,
        )


def play(
    rules: Rules, bots: Sequence[AnyBot], deals: int, match: bool, seed: np.random.SeedSequence, palifico: bool = False
) -> Tally:
    """Play so many deals, each from every seat: in game r of a deal bot b has seat (b + r) mod the number of players.

    rules    : with the dice of every seat; the first one opens
    bots     : as many as there are seats
    palifico : whether who comes down to one die in a match opens a palifico round

    In a match the dice of the seats in its k-th round are the same from whatever seat they are played (of one who has
    fewer dice, the first of them count). Cost: 1 to 3 microseconds a round for bots that are policies.

    >>> from liarsdice_cli.bots.simple import Honest, Random
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> tally = play(rules("common", 6), [Honest(), Random()], 1000, False, np.random.SeedSequence(1))
    >>> tally.games, int(tally.won.sum()), bool(tally.ahead[0, 1] > 1200)
    (2000, 2000, True)
    """
    dealing, acting, making = seed.spawn(3)
    table = _Table(rules, bots, np.random.default_rng(acting), palifico)
    with one_by_one.ready(bots, making.spawn(len(bots))):
        return _games(table, deals, match, np.random.default_rng(dealing))


def _games(table: _Table, deals: int, match: bool, dealer: np.random.Generator) -> Tally:
    rules, players = table.rules, table.rules.players
    games = deals * players
    state = Matches.begin(rules.dice, games)
    out = np.full((games, players), _STAYED)
    rotation = np.repeat(np.arange(players), deals)
    rounds = 0
    going: Ints = np.arange(games)
    while len(going):
        faces = dealer.integers(1, rules.sides + 1, size=(deals, players, max(rules.dice)))
        last = state.last & table.palifico
        for group in _alike(np.column_stack([rotation, state.opener, last, state.dice])[going]):
            here = going[group]
            one = here[0]
            begun = rotation[one], state.opener[one], state.dice[one], bool(last[one])
            lost, forfeited = table.round(here, *begun, faces[here % deals])
            state.lose(here, lost, forfeited)
            if not match:
                out[here, lost] = rounds
        rounds += 1
        if not match:
            break
        out[(state.dice == 0) & (out == _STAYED)] = rounds
        going = state.going(going)
    return _tally(table, deals, out, state.dice, match)


def _alike(rows: Ints) -> list[Ints]:
    """The places of the rows, those of equal rows together."""
    _, kind = np.unique(rows, axis=0, return_inverse=True)
    order = np.argsort(kind, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(kind[order])) + 1)


def _tally(table: _Table, deals: int, out: Ints, dice: Ints, match: bool) -> Tally:
    """Count by bot what happened by seat."""
    players = table.rules.players
    tally = Tally.empty(players)
    tally.games, tally.rounds, tally.failures = len(out), table.rounds, table.failures
    for turn in range(players):
        seat = (np.arange(players) + turn) % players
        games = slice(turn * deals, (turn + 1) * deals)
        ended = out[games][:, seat]
        tally.won[np.arange(players), seat] += np.count_nonzero(ended == _STAYED, axis=0)
        tally.ahead += np.count_nonzero(ended[:, :, None] > ended[:, None, :], axis=0)
        if match:
            tally.dice += dice[games][:, seat].sum(axis=0)
    return tally


class _Table:
    """Bots at a table: plays their rounds, and keeps count of rounds and failures."""

    def __init__(self, rules: Rules, bots: Sequence[AnyBot], generator: np.random.Generator, palifico: bool) -> None:
        self.rules, self.bots, self.generator, self.palifico = rules, bots, generator, palifico
        self.policies = [bot for bot in bots if isinstance(bot, Policy)]
        self.vectorised = len(self.policies) == len(bots) and vectorised.is_small_enough(rules)
        self.rounds = 0
        self.failures: Counter[tuple[int, str]] = Counter()
        self.endings: Counter[int] = Counter()
        shelf = vectorised.Shelf()
        self.tables = lru_cache(_MOST_GAMES)(lambda bot, rules: vectorised.PlanTables(self.policies[bot], rules, shelf))

    def round(self, games: Ints, rotation: int, opener: int, dice: Ints, palifico: bool, faces: Ints) -> tuple[Ints, Bools]:
        """The seats that lose a round of games in the same state, and whether they forfeit the game.

        faces : what every seat rolls, shape (games, seats, dice); seats with fewer dice have the first of them
        """
        players = len(dice)
        seats = [seat for seat in ((opener + place) % players for place in range(players)) if dice[seat]]
        bots = [(seat - rotation) % players for seat in seats]
        rules = _with_dice(self.rules, tuple(dice[seats].tolist()), palifico)
        rolled = [faces[:, seat, : dice[seat]] for seat in seats]
        self.rounds += len(games)
        if self.vectorised:
            lost = vectorised.losers(rules, [self.tables(bot, rules) for bot in bots], rolled, self.generator)
            return np.array(seats)[lost], np.zeros(len(games), bool)
        ends = [
            self._one_by_one(rules, bots, [tuple(sorted(one[game].tolist())) for one in rolled]) for game in range(len(games))
        ]
        return np.array(seats)[[place for place, _ in ends]], np.array([forfeited for _, forfeited in ends], bool)

    def _one_by_one(self, rules: Rules, bots: list[int], rolls: list[tuple[int, ...]]) -> tuple[int, bool]:
        """Who loses one round, and whether by a failure; a bot that was ended too often is not asked any more."""
        for place, bot in enumerate(bots):
            if self.endings[bot] >= _PATIENCE:
                self.failures[bot, f"not asked any more: its process had to be ended {_PATIENCE} times"] += 1
                return place, True
        end = one_by_one.play(rules, [self.bots[bot] for bot in bots], rolls, self.generator)
        if end.failure is None:
            return end.loser, False
        self.failures[bots[end.loser], str(end.failure)] += 1
        self.endings[bots[end.loser]] += end.failure.ended
        return end.loser, True


@lru_cache(_MOST_GAMES)
def _with_dice(rules: Rules, dice: tuple[int, ...], palifico: bool) -> Rules:
    found = rules.with_dice(dice)
    return found.palifico() if palifico else found

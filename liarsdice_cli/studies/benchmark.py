"""Liar's Dice Ten: ten games of rising size with known values, on which a policy is evaluated exactly.

The games, their payoffs and their time limits are fixed as version 1, so that results from different years can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.studies.worst_case import WorstCase, worst_case

NAME, VERSION = "Liar's Dice Ten", 1
SOLVED = 1e-3
"""A game counts as solved at this exploitability."""


class BenchmarkGame(NamedTuple):
    """A game of the benchmark.

    rules   : zero-sum, a loser pays 1
    value   : the exact value for player 1
    seconds : the time limit for the policy and its evaluation together
    """

    rules: Rules
    value: Fraction
    seconds: int


def _game(preset: str, sides: int, dice: tuple[int, int], value: str, seconds: int) -> BenchmarkGame:
    return BenchmarkGame(rules(preset, sides, dice, payoffs="zero-sum"), Fraction(value), seconds)


GAMES = (
    _game("top-wild", 3, (1, 1), "1/9", 10),
    _game("top-wild", 4, (1, 1), "1/16", 10),
    _game("joker", 6, (1, 1), "-7/327", 20),
    _game("top-wild", 6, (1, 1), "-7/258", 20),
    _game("top-wild", 3, (2, 2), "5/81", 20),
    _game("joker", 6, (2, 1), "7/27", 60),
    _game("face-first", 4, (2, 2), "1/32", 60),
    _game("ones-low", 6, (1, 2), "-5/54", 120),
    _game("joker", 6, (2, 2), "40799673137/3637674366480", 300),
    _game("common", 6, (2, 2), "-97993266983069/5815959611262048", 600),
)
"""Version 1. OpenSpiel's `liars_dice` has the games with the same number of dice of `top-wild` and `face-first`."""


class Score(NamedTuple):
    """The result of a policy in one game.

    worst_case : the worst case, or None
    seconds    : the time of the policy and its evaluation together
    refused    : the reason if there is no worst case, or ""
    """

    game: BenchmarkGame
    worst_case: WorstCase | None
    seconds: float
    refused: str = ""


@dataclass(frozen=True)
class Benchmark(Renderable):
    """The result of a policy in the games of the benchmark, in their order."""

    policy: str
    scores: tuple[Score, ...]

    def __repr__(self) -> str:
        return f"Benchmark({self.policy}: {self.solved} of {len(self.scores)} solved)"

    @property
    def solved(self) -> int:
        """The number of games in which the exploitability is at most `SOLVED`."""
        return sum(one.worst_case is not None and one.worst_case.exploitability <= SOLVED for one in self.scores)

    @property
    def mean(self) -> float | None:
        """The mean exploitability of all games; None if one of them has none."""
        found = [float(one.worst_case.exploitability) for one in self.scores if one.worst_case is not None]
        return sum(found) / len(found) if len(found) == len(self.scores) else None


def benchmark(policy: object, progress: Progress = SILENT, games: Sequence[BenchmarkGame] = GAMES) -> Benchmark:
    """Evaluate a policy in every game of the benchmark.

    policy   : as in `exploitability`: the name of a bot, or a policy in any form. It plays every game; the histories that it
               receives contain their rules

    A game that the policy cannot play, or not within the time limit, has no score, and the benchmark continues. Cost: half a
    minute of processor time for a table, half of it for the last game, and the policy's own time.

    >>> benchmark("random", games=GAMES[:2])
    Benchmark(random: 0 of 2 solved)
    """
    bot = policy_of(policy)
    scores = []
    for game in games:
        begun, found, refused = time.monotonic(), None, ""
        try:
            found = worst_case(bot, game.rules, _Limited(progress, begun + game.seconds, game.seconds))
        except LiarsDiceError as error:
            refused = str(error)
        seconds = time.monotonic() - begun
        if seconds > game.seconds:
            found, refused = None, _late(game.seconds)
        scores.append(Score(game, found, seconds, refused))
    return Benchmark(bot.name, tuple(scores))


class _Limited(Progress):
    """Passes reports on until a deadline; the first one after it raises TimeLimitError."""

    def __init__(self, progress: Progress, deadline: float, seconds: int) -> None:
        self.progress, self.deadline, self.seconds = progress, deadline, seconds

    def begin(self, what: str, total: int | None = None, unit: str = "") -> None:
        """Pass the beginning of a stage on."""
        self.progress.begin(what, total, unit)

    def advance(self, count: int = 1) -> None:
        """Pass a count on."""
        if time.monotonic() > self.deadline:
            raise TimeLimitError(_late(self.seconds))
        self.progress.advance(count)


def _late(seconds: int) -> str:
    return f"took longer than {seconds} s, the time limit"

"""The time and memory that solving a game of two players on the public tree takes: a model, fitted to measured runs.

The logarithms of the processor time and of the memory are linear in a few numbers of the game and of the target. The runs are
in docs/costs.csv, and `make costs` fits the coefficients. They took place on one core of an AMD EPYC with AVX-512; another
processor needs more or less time, but the same memory. For games much larger than the measured ones the model extrapolates.
"""

from __future__ import annotations

from math import log10
from typing import NamedTuple

from liarsdice_cli.games.liarsdice.rules import Rules

SECONDS = (-6.671, 2.881, -1.741, 1.022, 0.045, 3.897, -0.746, 1.42, -0.43, -4.958, -2.367, 7.672, -0.428)
BYTES = (1.379, 2.073, 0.184, 0.496, 0.015, 3.486, -0.625, 1.021, -0.386, -3.654, -2.119, 5.84, -0.206)
"""The coefficients of `features` for the logarithms to base 10 of processor seconds and of bytes."""
SERIAL, LOSS = 0.065, 1.22
"""The share of the work that one core does while the others wait, and how many times as long the rest takes on several cores.

It takes longer because shards differ in size and cores share memory. Measured with two threads: docs/results.md, "Threads".
"""
MOST_SIDES = 8
"""The most sides of a measured game; with 30 sides the model is wrong by a factor of a hundred."""
_MOST = 300
"""The largest exponent of 10 for a float."""


class Cost(NamedTuple):
    """The cost of a run.

    target            : the exploitability that it reaches, for payoffs 1 and -1
    processor_seconds : on one core
    bytes             : the memory of the expanded histories
    """

    target: float
    processor_seconds: float
    bytes: float

    def seconds(self, cores: int) -> float:
        """Return the wall time on some cores; with more than two this is an extrapolation.

        >>> one = Cost(0.01, 100, 0)
        >>> round(one.seconds(1)), round(one.seconds(2)), round(one.seconds(16))
        (100, 64, 14)
        """
        return self.processor_seconds * (1 if cores == 1 else SERIAL + (1 - SERIAL) * LOSS / cores)


def features(rules: Rules, target: float) -> tuple[float, ...]:
    """Return the numbers that the model is linear in; `target` as in `Cost`.

    The first five are 1, the logarithms of the rolls, the sides and the target, and the square of the last. The other eight are
    the number of dice times a factor. The factors are 1; the logarithm of the target; 1 or 0 for whether the wild face is the
    highest, its bids halve, bids rise by face first, and there is a wild face; and, with a wild face, the logarithms of the
    sides and of the target.
    """
    dice, digits, sides = sum(rules.dice) / 10, -log10(target), log10(rules.sides)
    rolls = log10(rules.roll_count(0) * rules.roll_count(1)) / 2
    wild, highest = rules.wild is not None, rules.faces[-1] == rules.wild
    of_dice = (1.0, digits, highest, rules.halves, rules.order == "face", wild, wild * sides, wild * digits)
    return 1.0, rolls, sides, digits, digits**2, *(dice * number for number in of_dice)


def expected(rules: Rules, target: float) -> Cost:
    """Return the expected cost of solving a game of two players to a target.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> one = expected(rules("common", 6, (3, 3)), 0.01)
    >>> 2 < one.processor_seconds < 10, 2e7 < one.bytes < 1e8
    (True, True)
    """
    found = features(rules, target)
    seconds, size = (sum(map(float.__mul__, map(float, found), some)) for some in (SECONDS, BYTES))
    return Cost(target, 10.0 ** min(seconds, _MOST), 10.0 ** min(size, _MOST))

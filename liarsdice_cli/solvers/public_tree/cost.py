"""What it takes to solve a game of two players on the public tree: a model, fitted to measured runs.

The logarithms of the processor time and of the memory are linear in a few numbers of the game and of the target. The runs are
in docs/costs.csv, and `make costs` fits the coefficients. They took place on one core of an AMD EPYC with AVX-512; another
processor needs more or less time, but the same memory. For games much larger than the measured ones the model extrapolates.
"""

from __future__ import annotations

from math import log10
from typing import NamedTuple

from liarsdice_cli.games.liarsdice.rules import Rules

SECONDS = (-6.834, 2.668, -1.123, 0.958, 0.051, 4.12, -0.712, 1.239, -0.207, -4.74, -2.347, 7.427, -0.387)
BYTES = (1.323, 2.0, 0.397, 0.474, 0.017, 3.562, -0.613, 0.959, -0.309, -3.579, -2.112, 5.756, -0.192)
"""The coefficients of `features` for the logarithms to base 10 of processor seconds and of bytes."""
SERIAL = 0.05
"""The share of an iteration that one core does while the others wait, in large games."""
_MOST = 300
"""The largest exponent of 10 for a float."""


class Cost(NamedTuple):
    """What a run takes until its target; `bytes` are those of expanded histories."""

    target: float
    processor_seconds: float
    bytes: float

    def seconds(self, cores: int) -> float:
        """Return the wall time on some cores, by Amdahl's law.

        >>> Cost(0.01, 100, 0).seconds(1)
        100.0
        """
        return self.processor_seconds * (SERIAL + (1 - SERIAL) / cores)


def features(rules: Rules, target: float) -> tuple[float, ...]:
    """Return the numbers that the model is linear in; `target` is the exploitability for payoffs 1 and -1.

    They are 1, the logarithms of the rolls, of the sides and of the target, and the square of the last. The others are
    proportional to the number of dice: by itself, times the logarithm of the target, and where the wild face is the highest,
    where its bids halve, and where bids rise by face first. A wild face adds three: the dice by themselves, times the logarithm
    of the sides, and times that of the target.
    """
    dice, digits, sides = sum(rules.dice) / 10, -log10(target), log10(rules.sides)
    rolls = log10(rules.roll_count(0) * rules.roll_count(1)) / 2
    wild, highest = rules.wild is not None, rules.faces[-1] == rules.wild
    of_dice = (1.0, digits, highest, rules.halves, rules.order == "face", wild, wild * sides, wild * digits)
    return 1.0, rolls, sides, digits, digits**2, *(dice * number for number in of_dice)


def expected(rules: Rules, target: float) -> Cost:
    """Return what solving a game of two players to an exploitability is expected to take, payoffs 1 and -1."""
    found = features(rules, target)
    seconds, size = (sum(map(float.__mul__, map(float, found), some)) for some in (SECONDS, BYTES))
    return Cost(target, 10.0 ** min(seconds, _MOST), 10.0 ** min(size, _MOST))

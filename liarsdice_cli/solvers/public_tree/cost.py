"""What it takes to solve a game of two players on the public tree: a model, fitted to measured runs.

The logarithms of the processor time and of the memory are linear in a few numbers of the game and of the target. The runs are
in docs/costs.csv, and `python benchmarks/costs.py` fits the coefficients. They took place on one core of an AMD EPYC of 2024;
another processor needs more or less time, but the same memory.
"""

from __future__ import annotations

from math import log10
from typing import NamedTuple

from liarsdice_cli.games.liarsdice.rules import Rules

SECONDS = (-8.152, 0.223, 3.196, 1.543, 0.479, 0.094, -0.15)
BYTES = (0.99, 0.046, 3.015, 0.856, 0.341, 0.093, -0.129)
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

    They are 1, the bids, the logarithm of the rolls, that of the target and its square, and the bids again if there is a wild
    face, and if it is the highest.
    """
    bids, digits = rules.bid_count / 10, -log10(target)
    wild, highest = rules.wild is not None, rules.faces[-1] == rules.wild
    rolls = log10(rules.roll_count(0) * rules.roll_count(1)) / 2
    return 1.0, bids, rolls, digits, bids * wild, bids * highest, digits**2


def expected(rules: Rules, target: float) -> Cost:
    """Return what solving a game of two players to an exploitability is expected to take, payoffs 1 and -1."""
    found = features(rules, target)
    seconds, size = (sum(map(float.__mul__, map(float, found), some)) for some in (SECONDS, BYTES))
    return Cost(target, 10.0 ** min(seconds, _MOST), 10.0 ** min(size, _MOST))

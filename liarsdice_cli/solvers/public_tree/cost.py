"""The time and memory that solving a game of two players on the public tree takes: a model, fitted to measured runs.

The logarithms of the processor time and of the memory are linear in a few numbers of the game and of the target. The runs are
in docs/costs.csv, some of them in docs/large-games.csv, and `make costs` fits the coefficients. All but one took place
on one core, with other work on the other; most on an AMD EPYC with AVX-512 (Zen 5), two long ones on an Intel Xeon. Another
processor needs more or less time, but the same memory. For games much larger than the measured ones the model extrapolates.
"""

from __future__ import annotations

from math import log10
from typing import NamedTuple

from liarsdice_cli.games.liarsdice.rules import Rules

SECONDS = (-8.846, 2.807, -2.965, 4.125, 0.513, -0.149, 0.405, -0.257, 8.028, 1.281, -0.047, -6.555, 2.727, -2.148, -0.957)
BYTES = (0.289, 2.155, -2.512, 3.638, -0.019, 0.473, 0.509, -0.239, 3.948, 0.832, -0.16, -3.422, 1.063, -1.016, -0.755)
"""The coefficients of `features` for the logarithms to base 10 of processor seconds and of bytes."""
SERIAL, LOSS = 0.065, 1.22
"""The share of the work that one core does while the others wait, and how many times as long the rest takes on several cores.

It takes longer because shards differ in size and cores share memory. Measured with two threads: docs/results.md, "Threads".
"""
_MOST_SIDES = 8
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


def is_modelled(rules: Rules) -> bool:
    """Return whether the model was fitted to games like this one.

    With stairs the model is wrong by a factor of up to a hundred, and no formula tried came near in small and in large games.
    """
    return rules.players == 2 and rules.sides <= _MOST_SIDES and not rules.stairs


def features(rules: Rules, target: float) -> tuple[float, ...]:
    """Return the numbers that the model is linear in; `target` as in `Cost`, at most 0.1.

    In this order:

    - 1, and the logarithms of the rolls, the sides, the possible bids and the inverse of the target;
    - 1 or 0 for each of four rules: there is a wild face, it is the highest, its bids halve, bids rise by face first;
    - the wild face and the highest one times the rolls, and the order by face times the bids;
    - 1, the rolls and the wild face, each divided by the logarithm of the target: few histories are new near an equilibrium.
    """
    digits, bids = -log10(target), log10(rules.without_impossible_bids().bid_count)
    rolls = log10(rules.roll_count(0) * rules.roll_count(1)) / 2
    wild, highest, by_face = rules.wild is not None, rules.faces[-1] == rules.wild, rules.order == "face"
    game = 1.0, rolls, log10(rules.sides), bids, digits, wild, highest, rules.halves, by_face
    return *game, wild * rolls, highest * rolls, by_face * bids, 1 / digits, rolls / digits, wild / digits


def expected(rules: Rules, target: float) -> Cost:
    """Return the expected cost of solving a game of two players to a target of at most 0.1, for payoffs 1 and -1.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> one = expected(rules("common", 6, (3, 3)), 0.01)
    >>> 2 < one.processor_seconds < 20, 1e7 < one.bytes < 1e8
    (True, True)
    """
    found = features(rules, target)
    seconds, size = (sum(map(float.__mul__, map(float, found), some)) for some in (SECONDS, BYTES))
    return Cost(target, 10.0 ** min(seconds, _MOST), 10.0 ** min(size, _MOST))

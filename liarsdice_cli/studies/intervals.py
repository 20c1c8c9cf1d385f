"""Probabilities between bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Interval(NamedTuple):
    """A probability between two fractions."""

    lower: Fraction
    upper: Fraction

    @property
    def exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.lower == self.upper

    def of_other(self) -> Interval:
        """Return the other player's probability: one minus this one."""
        return Interval(1 - self.upper, 1 - self.lower)


SURE, LOST = Interval(Fraction(1), Fraction(1)), Interval(Fraction(0), Fraction(0))

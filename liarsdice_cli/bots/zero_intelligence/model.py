"""The continuous model of Zero Intelligence, in numbers: where calling and raising cost the same, and worst cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.bots.zero_intelligence import continuous
from liarsdice_cli.errors import ArgumentError, check_type
from liarsdice_cli.extensive.renderable import Renderable

if TYPE_CHECKING:
    from liarsdice_cli.bots.zero_intelligence.randomised import BestLevels

_MOST = 100.0
"""The most others, beyond which levels and worst cases lie closer than the quadrature tells apart."""
_FARTHEST = 1000.0
"""How far from 0 a roll, a bid or a level may lie: a hundred deviations of the roll of the most others."""


@dataclass(frozen=True)
class Model(Renderable):
    """What the model says for so many others (docs/zero-intelligence.md); everything is float64, right to about 1e-9.

    others : sigma2, the number of other players, whose roll together is N(0, sigma2)
    own    : A's own roll, for `y0`
    level  : the z-score of a fixed level, for `worst`; None for the best one
    """

    others: float
    own: float = 0.0
    level: float | None = None

    @cached_property
    def y0(self) -> float:
        """Where calling and raising by next to nothing cost the same, B and A playing by it; see `continuous.indifference`."""
        return continuous.indifference(self.others, self.own)

    @property
    def indifference_level(self) -> float:
        """The level that belongs to `y0`, as a probability: P(Y >= y0) with Y ~ N(0, sigma2 + 1)."""
        return continuous.indifference_level(self.others, self.y0)

    @property
    def page_level(self) -> float:
        """What the page has for it: P(X >= y0) with X ~ N(0, 1), the tail of one roll in place of all."""
        return continuous.probability_level(self.y0)

    @cached_property
    def best_level(self) -> float:
        """The level whose worst case is best, as a z-score; see `continuous.best_level`."""
        return continuous.best_level(self.others)

    @property
    def asked_level(self) -> float:
        """The level that was asked for, else the best one, as a z-score."""
        return self.best_level if self.level is None else self.level

    @property
    def worst(self) -> float:
        """omega_A of that level: how often A wins against others who know it and each other's rolls."""
        return continuous.worst_of_level(self.asked_level, self.others)

    @cached_property
    def best_mixture(self) -> BestLevels:
        """The best distribution of levels, between two bounds; takes a second. See `randomised.best_levels`."""
        from liarsdice_cli.bots.zero_intelligence.randomised import best_levels

        return best_levels(self.others)

    def answer(self, holding: float, mixed: bool = False) -> tuple[float, float]:
        """B's best bid to call at with this holding (inf: never), and omega_B, the probability that B wins by it.

        mixed : against the best mixture; else against the level that was asked for

        UsageError for a holding too far from 0.
        """
        from liarsdice_cli.bots.zero_intelligence.randomised import NEVER, Levels, response

        _check_near("holding", holding)
        fixed = Levels(np.array([self.asked_level]), np.ones(1))
        call, wins = response(self.best_mixture.levels if mixed else fixed, self.others, np.array([holding]))
        return (math.inf if call[0] >= NEVER else float(call[0])), float(wins[0])

    def wins(self, holding: float, call: float, mixed: bool = False) -> float:
        """omega_B(K): the probability that B, who holds this, wins by calling at K, unless A calls first.

        UsageError for a holding or a call too far from 0.
        """
        from liarsdice_cli.bots.zero_intelligence import randomised

        _check_near("holding", holding)
        _check_near("call", call)
        fixed = randomised.Levels(np.array([self.asked_level]), np.ones(1))
        levels = self.best_mixture.levels if mixed else fixed
        return float(randomised.wins(levels, self.others, np.array([holding]), np.array([call]))[0, 0])


def model(others: float, *, own: float = 0.0, level: float | None = None) -> Model:
    """The model for so many others, up to a hundred.

    own   : A's roll, in standard deviations of one roll, from -1000 to 1000
    level : A's, as a z-score, from -1000 to 1000; None for the best one

    Raises UsageError for other numbers. Source: docs/zero-intelligence.md.

    >>> three = model(3)
    >>> [round(number, 4) for number in (three.y0, three.indifference_level, three.best_level, three.worst)]
    [0.5775, 0.3864, 0.6277, 0.3191]
    """
    check_type("others", others, Real, "give a number")
    if not 0 < others <= _MOST:
        raise ArgumentError("others", others, f"give a number above 0, up to {_MOST:g}")
    _check_near("own", own)
    if level is not None:
        _check_near("level", level)
    return Model(float(others), own, level)


def _check_near(name: str, number: float) -> None:
    check_type(name, number, Real, "give a number")
    if not -_FARTHEST <= number <= _FARTHEST:  # nor is it a number at all
        raise ArgumentError(name, number, f"give a number from {-_FARTHEST:g} to {_FARTHEST:g}")

"""The numbers of the continuous model of Zero Intelligence: the point of indifference, and worst cases."""

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

_LEAST, _MOST = 0.05, 100.0
"""The smallest and the largest number of others; outside, the error of the quadrature is too large."""
_FARTHEST_OWN = 8.0
"""The largest absolute value of A's own roll. A larger one is rarer than 1 in 10^14, and needs another quadrature."""
_FARTHEST = 1000.0
"""The largest absolute value of a roll, a bid or a level: a hundred deviations of the roll of `_MOST` others."""


@dataclass(frozen=True)
class Model(Renderable):
    """The model for a number of others (docs/zero-intelligence.md), in float64, accurate to about 1e-9.

    others  : sigma2, the number of other players; their joint roll is N(0, sigma2)
    own     : A's own roll, for `y0`
    z_score : of a fixed level, for `worst`; None for the best one
    """

    others: float
    own: float = 0.0
    z_score: float | None = None

    @cached_property
    def y0(self) -> float:
        """The point at which a call and an infinitesimal raise cost the same; see `continuous.indifference`."""
        return continuous.indifference(self.others, self.own)

    @property
    def indifference_level(self) -> float:
        """The level at `y0`, as a probability: P(Y >= y0) with Y ~ N(0, sigma2 + 1)."""
        return continuous.indifference_level(self.others, self.y0)

    @property
    def page_level(self) -> float:
        """The page's value of this level: P(X >= y0) with X ~ N(0, 1), the tail of one roll instead of all."""
        return continuous.probability_level(self.y0)

    @cached_property
    def best_level(self) -> float:
        """The level with the best worst case, as a z-score; see `continuous.best_level`."""
        return continuous.best_level(self.others)

    @property
    def asked_level(self) -> float:
        """The given level, or the best one, as a z-score."""
        return self.best_level if self.z_score is None else self.z_score

    @property
    def worst(self) -> float:
        """omega_A of that level: A's probability of winning if all others know the level and each other's rolls."""
        return continuous.worst_of_level(self.asked_level, self.others)

    @cached_property
    def best_mixture(self) -> BestLevels:
        """The best distribution of levels, with bounds on its value; see `randomised.best_levels`. Cost: a second."""
        from liarsdice_cli.bots.zero_intelligence.randomised import best_levels

        return best_levels(self.others)

    def answer(self, holding: float, mixed: bool = False) -> tuple[float, float]:
        """Return B's best bid to call at with a holding (inf: never), and omega_B, the probability that B wins with it.

        mixed : against the best mixture; otherwise against `asked_level`

        UsageError for a holding too far from 0.
        """
        from liarsdice_cli.bots.zero_intelligence.randomised import NEVER, Levels, response

        _check_near("holding", holding)
        fixed = Levels(np.array([self.asked_level]), np.ones(1))
        call, wins = response(self.best_mixture.levels if mixed else fixed, self.others, np.array([holding]))
        return (math.inf if call[0] >= NEVER else float(call[0])), float(wins[0])

    def wins(self, holding: float, call: float, mixed: bool = False) -> float:
        """Return omega_B(K), the probability that B wins with a holding by calling at K, unless A calls first.

        UsageError for a holding or a call too far from 0.
        """
        from liarsdice_cli.bots.zero_intelligence import randomised

        _check_near("holding", holding)
        _check_near("call", call)
        fixed = randomised.Levels(np.array([self.asked_level]), np.ones(1))
        levels = self.best_mixture.levels if mixed else fixed
        return float(randomised.wins(levels, self.others, np.array([holding]), np.array([call]))[0, 0])


def model(others: float, *, own: float = 0.0, z_score: float | None = None) -> Model:
    """Return the model for a number of others, from 0.05 to 100.

    own     : A's roll, in standard deviations of one roll, from -8 to 8
    z_score : of A's level, from -1000 to 1000; None for the best one

    Raises UsageError for other numbers. Source: docs/zero-intelligence.md.

    >>> from liarsdice_cli import model
    >>> three = model(3)
    >>> [round(number, 4) for number in (three.y0, three.indifference_level, three.best_level, three.worst)]
    [0.5775, 0.3864, 0.6277, 0.3191]
    """
    check_type("others", others, Real, "give a number")
    if not _LEAST <= others <= _MOST:
        raise ArgumentError("others", others, f"give a number from {_LEAST:g} to {_MOST:g}")
    _check_near("own", own, _FARTHEST_OWN)
    if z_score is not None:
        _check_near("z_score", z_score)
    return Model(float(others), own, z_score)


def _check_near(name: str, number: float, most: float = _FARTHEST) -> None:
    check_type(name, number, Real, "give a number")
    if not -most <= number <= most:  # this refuses NaN, too
        raise ArgumentError(name, number, f"give a number from {-most:g} to {most:g}")

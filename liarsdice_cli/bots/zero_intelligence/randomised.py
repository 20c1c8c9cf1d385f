"""The randomised level: the value of a density of levels if the others know it, and the best one by linear programming.

A draws its level Lambda, a z-score, from a public density and calls at z = X + Lambda sigma. The others, together B with the
holding Y ~ N(0, sigma2), do not know X or Lambda. Section "Randomize strategy"; the page does not have the best density.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.bots.zero_intelligence.continuous import cdf, density, gauss
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.highs import silent_highs

NEVER = 60.0
"""A bid so high that A always calls before B would."""
_CALLS = np.append(np.linspace(-9.0, 12.0, 2101), NEVER)
"""The grid of bids at which B can call, in deviations of X."""
_NARROW = 1e-9


class Levels(NamedTuple):
    """A discrete distribution of levels: z-scores in rising order, and their probabilities."""

    level: Floats
    weight: Floats

    @property
    def probability(self) -> Floats:
        """The levels as probabilities: A calls a bid that is less likely to be true."""
        return cdf(-self.level)


def wins(levels: Levels, sigma2: float, y: Floats, calls: Floats) -> Floats:
    """Return omega_B, the probability that B with holding y wins by calling at K before A; shape (calls, holdings):

        omega_B(K) = P(X + Lambda sigma < K, Lambda sigma < y) + P(X < K - y, X + Lambda sigma > K)
                   = sum over lambda sigma < y of w F(K - lambda sigma)
                     + sum over the other levels of w [F(K - y) - F(K - lambda sigma)],  F the distribution of X.

    Section "Randomize strategy": in the first case A calls a true bid, in the second case B calls a false one. The page writes
    (K - lambda) / sigma instead of the lower limit (K - x) / sigma of its second integral; its derivative is correct.

    >>> fixed = Levels(np.array([0.6]), np.array([1.0]))
    >>> wins(fixed, 1.0, np.array([0.0]), np.array([0.3])).round(4).item()
    0.2358
    """
    return _Table(levels.level, sigma2, y, calls).wins(levels.weight)


class _Table:
    """The part of `wins` that does not depend on the weights of the levels."""

    def __init__(self, level: Floats, sigma2: float, y: Floats, calls: Floats) -> None:
        reach = level * math.sqrt(sigma2)
        self.below = reach < y[:, None]
        self.by_level = cdf(calls[:, None] - reach)
        self.by_holding = cdf(calls[:, None] - y)

    def wins(self, weight: Floats) -> Floats:
        """Return `wins` for these weights."""
        sign = np.where(self.below, 1.0, -1.0) * weight
        answer: Floats = self.by_level @ sign.T + self.by_holding * (weight @ ~self.below.T)
        return answer


def response(levels: Levels, sigma2: float, y: Floats) -> tuple[Floats, Floats]:
    """Return K(y), B's best bid to call at with each holding (`NEVER` to wait for A), and its probability of winning.

    This is the maximum of `wins` over bids a hundredth of a deviation apart, which loses at most 3e-6.

    >>> fixed = Levels(np.array([0.6]), np.array([1.0]))
    >>> [call.round(2).tolist() for call in response(fixed, 1.0, np.array([0.0, 1.0]))]
    [[0.3, 60.0], [0.24, 1.0]]
    """
    won = wins(levels, sigma2, y, _CALLS)
    best: Ints = won.argmax(axis=0)
    best = np.where(won.max(axis=0) - won[-1] < _NARROW, len(_CALLS) - 1, best)
    return _CALLS[best], won[best, np.arange(len(y))]


def worst_of_mixture(levels: Levels, sigma2: float) -> float:
    """Return A's probability of winning with a level from the distribution: 1 - integral of f_Y(y) max_K omega_B(K) dy.

    >>> round(worst_of_mixture(Levels(np.array([0.62774]), np.array([1.0])), 3), 4)
    0.3191
    """
    sigma = math.sqrt(sigma2)
    far = np.linspace(-8, 8, 161)
    y, mass = _holdings(np.unique(np.concatenate([far, levels.level])), sigma)
    return float(1 - mass @ response(levels, sigma2, y)[1])


def _holdings(edges: Floats, sigma: float) -> tuple[Floats, Floats]:
    """Return holdings y with their probabilities, two between neighbouring edges (in deviations of Y)."""
    place, weight = gauss(edges, 2)
    return place * sigma, weight * density(place)


@dataclass(frozen=True)
class BestLevels:
    """The best distribution of levels on a grid, with bounds on the value of the best distribution of all levels.

    value   : omega_A of these levels, a lower bound on the value of a randomised level
    ceiling : the most that A wins with any level against B's response, an upper bound on this value
    """

    levels: Levels
    value: float
    ceiling: float


def best_levels(sigma2: float, steps: int = 100) -> BestLevels:
    """Return the distribution of levels that maximises `worst_of_mixture`, on a grid of steps + 1 levels from -1/2 to 2.

    A linear program: minimise the sum over j of t_j where t_j >= sum over levels of w_i G_ij(K) for every K, with w_i >= 0
    adding up to 1. Here G_ij(K) is the integral of omega_B against the j-th hat function of y (1 at the j-th grid point,
    falling to 0 at its neighbours). B mixes calls at each grid point, and interpolates between two of them. This restricts B,
    so the optimum is an upper bound on A's value. The value of w in `worst_of_mixture`, without the restriction, is a lower
    bound. Violated constraints are added one after the other (cutting planes).

    Cost: 0.7 s for 100 steps, the bounds then 2e-5 to 6e-5 apart; 2 to 5 s for 160, and 1e-5 to 3e-5. Raises LiarsDiceError
    if HiGHS finds no optimum.

    >>> found = best_levels(3, steps=10)
    >>> 0.326 < found.value < 0.327 < found.ceiling < 0.331
    True
    """
    program = _Program(sigma2, steps)
    weight = program.solve()
    kept = weight > _NARROW
    levels = Levels(program.level[kept], weight[kept] / weight[kept].sum())
    return BestLevels(levels, worst_of_mixture(levels, sigma2), program.ceiling())


class _Program:
    """The linear program of `best_levels`, with the constraints added so far."""

    _ROUNDS, _ENOUGH = 100, 1e-6

    def __init__(self, sigma2: float, steps: int) -> None:
        self.sigma2 = sigma2
        step = 2.5 / steps
        self.level = -0.5 + step * np.arange(steps + 1)
        edges = np.concatenate([np.arange(-0.5, -8, -step)[:0:-1], self.level, np.arange(2, 8, step)[1:]])
        self.y, mass = _holdings(edges, math.sqrt(sigma2))
        self.hats = _hats(self.y, edges * math.sqrt(sigma2)) * mass
        self.table = _Table(self.level, sigma2, self.y, _CALLS)
        self.cuts: list[tuple[int, int]] = []
        self.highs = _highs(len(self.level), len(edges))

    def solve(self) -> Floats:
        """Return the weights of the levels."""
        count = len(self.level)
        weight, bound = np.full(count, 1 / count), np.full(len(self.hats), -1.0)
        for _ in range(self._ROUNDS):
            won = self.hats @ self.table.wins(weight).T
            best = won.argmax(axis=1)
            value = won[np.arange(len(won)), best]
            if value.sum() - bound.sum() < self._ENOUGH:
                break
            self._cut(np.flatnonzero(value > bound + self._ENOUGH / len(bound)), best)
            weight, bound = self._optimum()
        return weight

    def _cut(self, hats: Ints, calls: Ints) -> None:
        import highspy

        count = len(self.level)
        columns = np.arange(count + 1, dtype=np.int32)
        for hat in hats.tolist():
            against = self._against(self.level, hat, int(calls[hat]))
            columns[-1] = count + hat
            self.highs.addRow(0, highspy.kHighsInf, count + 1, columns, np.append(-against, 1.0))
            self.cuts.append((hat, int(calls[hat])))

    def _against(self, level: Floats, hat: int, call: int) -> Floats:
        """Return B's probability of winning with the holdings of one hat by one call, against each fixed level."""
        inside = np.flatnonzero(self.hats[hat])
        y, reach, bid = self.y[inside, None], level * math.sqrt(self.sigma2), _CALLS[call]
        earlier = cdf(bid - reach)
        answer: Floats = self.hats[hat, inside] @ np.where(reach < y, earlier, cdf(bid - y) - earlier)
        return answer

    def _optimum(self) -> tuple[Floats, Floats]:
        import highspy

        self.highs.run()
        if self.highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise LiarsDiceError("HiGHS found no best distribution of levels; try another number of steps")
        values = np.array(self.highs.getSolution().col_value)
        weight = np.maximum(values[: len(self.level)], 0)
        return weight / weight.sum(), values[len(self.level) :]

    def ceiling(self) -> float:
        """Return the most that A wins with one level against B's mixture of the dual values, on a grid twice as fine.

        The duals are scaled so that B's probabilities at every grid point add up to 1. A's value is smooth in the level.
        """
        dual = np.abs(np.array(self.highs.getSolution().row_dual)[1:])
        whole = np.bincount([hat for hat, _ in self.cuts], dual, len(self.hats))
        half, beyond = (self.level[1] - self.level[0]) / 2, len(self.level) - 1
        fine = self.level[0] + half * np.arange(-2 * beyond, 4 * beyond + 1)
        won = np.zeros(len(fine))
        for (hat, call), share in zip(self.cuts, dual.tolist(), strict=True):
            if whole[hat] > _NARROW:
                won += share / whole[hat] * self._against(fine, hat, call)
        return float(1 - won.min())


def _hats(y: Floats, knots: Floats) -> Floats:
    """Return the hat functions of the knots at y, shape (knots, holdings); they add up to 1."""
    right = np.clip(np.searchsorted(knots, y), 1, len(knots) - 1)
    share = (y - knots[right - 1]) / (knots[right] - knots[right - 1])
    hats = np.zeros((len(knots), len(y)))
    hats[right - 1, np.arange(len(y))] = 1 - share
    hats[right, np.arange(len(y))] = share
    return hats


def _highs(levels: int, hats: int) -> Any:
    """Return HiGHS with a weight for every level, adding up to 1, and a bound t for every hat, whose sum is minimised."""
    highs = silent_highs()
    for side in ("primal", "dual"):
        highs.setOptionValue(f"{side}_feasibility_tolerance", 1e-9)
    for _ in range(levels + hats):
        highs.addVar(0, 1)
    highs.changeColsCost(hats, np.arange(levels, levels + hats, dtype=np.int32), np.ones(hats))
    highs.addRow(1, 1, levels, np.arange(levels, dtype=np.int32), np.ones(levels))
    return highs

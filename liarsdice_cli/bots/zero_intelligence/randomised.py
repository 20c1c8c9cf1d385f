"""The randomised level: what a density of levels is worth against others who know it, and the best one by linear programming.

A's level Lambda, a z-score, is drawn from a density that everybody knows; A calls at z = X + Lambda sigma, where the others
(B, who holds Y ~ N(0, sigma2)) do not know X or Lambda. Section "Randomize strategy"; the best density goes beyond the page.
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
"""A call of B's so late that A has called before."""
_CALLS = np.append(np.linspace(-9.0, 12.0, 2101), NEVER)
"""The bids at which B is allowed to call, in deviations of X."""
_NARROW = 1e-9


class Levels(NamedTuple):
    """A discrete distribution of levels: z-scores in rising order, and their probabilities."""

    level: Floats
    weight: Floats

    @property
    def probability(self) -> Floats:
        """The levels as probabilities: call what is true with less."""
        return cdf(-self.level)


def wins(levels: Levels, sigma2: float, y: Floats, calls: Floats) -> Floats:
    """omega_B, the probability that B, who holds y, wins by calling at K, unless A calls first; shape (calls, holdings):

        omega_B(K) = P(X + Lambda sigma < K, Lambda sigma < y) + P(X < K - y, X + Lambda sigma > K)
                   = sum over lambda sigma < y of w F(K - lambda sigma)
                     + sum over the other levels of w [F(K - y) - F(K - lambda sigma)],  F the distribution of X.

    Section "Randomize strategy": in the first case A calls a true bid, in the second B calls a false one. The page's second
    integral has (K - lambda) / sigma for its lower limit (K - x) / sigma; its derivative is right.

    >>> fixed = Levels(np.array([0.6]), np.array([1.0]))
    >>> wins(fixed, 1.0, np.array([0.0]), np.array([0.3])).round(4).item()
    0.2358
    """
    return _Table(levels.level, sigma2, y, calls).wins(levels.weight)


class _Table:
    """What `wins` needs of levels, holdings and calls: the weights are all that changes."""

    def __init__(self, level: Floats, sigma2: float, y: Floats, calls: Floats) -> None:
        reach = level * math.sqrt(sigma2)
        self.below = reach < y[:, None]
        self.by_level = cdf(calls[:, None] - reach)
        self.by_holding = cdf(calls[:, None] - y)

    def wins(self, weight: Floats) -> Floats:
        """See `wins`."""
        sign = np.where(self.below, 1.0, -1.0) * weight
        answer: Floats = self.by_level @ sign.T + self.by_holding * (weight @ ~self.below.T)
        return answer


def response(levels: Levels, sigma2: float, y: Floats) -> tuple[Floats, Floats]:
    """K(y), the best bid for B to call at with each holding (`NEVER` where B waits for A), and the probability to win by it.

    The maximum of `wins` over bids a hundredth of a deviation apart; beside it at most 3e-6 could be won.

    >>> fixed = Levels(np.array([0.6]), np.array([1.0]))
    >>> [call.round(2).tolist() for call in response(fixed, 1.0, np.array([0.0, 1.0]))]
    [[0.3, 60.0], [0.24, 1.0]]
    """
    won = wins(levels, sigma2, y, _CALLS)
    best: Ints = won.argmax(axis=0)
    best = np.where(won.max(axis=0) - won[-1] < _NARROW, len(_CALLS) - 1, best)
    return _CALLS[best], won[best, np.arange(len(y))]


def worst_of_mixture(levels: Levels, sigma2: float) -> float:
    """The probability that A wins with a level drawn from the distribution: 1 - integral of f_Y(y) max_K omega_B(K) dy.

    >>> round(worst_of_mixture(Levels(np.array([0.62774]), np.array([1.0])), 3), 4)
    0.3191
    """
    sigma = math.sqrt(sigma2)
    far = np.linspace(-8, 8, 161)
    y, mass = _holdings(np.unique(np.concatenate([far, levels.level])), sigma)
    return float(1 - mass @ response(levels, sigma2, y)[1])


def _holdings(edges: Floats, sigma: float) -> tuple[Floats, Floats]:
    """Holdings y with their probabilities, two between every two neighbouring edges (in deviations of Y)."""
    place, weight = gauss(edges, 2)
    return place * sigma, weight * density(place)


@dataclass(frozen=True)
class BestLevels:
    """The best distribution of levels on a grid, and between what bounds the best one of all lies.

    value   : omega_A of these levels, so what a randomised level is worth at least
    ceiling : what B's answer leaves to A with any level whatever, so what it is worth at most
    """

    levels: Levels
    value: float
    ceiling: float


def best_levels(sigma2: float, steps: int = 100) -> BestLevels:
    """The distribution of levels that maximises `worst_of_mixture`, on a grid of steps + 1 levels from -1/2 to 2.

    A linear program: minimise the sum over j of t_j where t_j >= sum over levels of w_i G_ij(K) for every K, with w_i >= 0
    adding up to 1. Here G_ij(K) is the integral of omega_B against the j-th hat function of y (1 at the j-th grid point,
    falling to 0 at its neighbours): B mixes calls at each grid point, and between two of them in proportion. As that binds B,
    the program's optimum bounds A's from above; its w, judged by `worst_of_mixture` with B unbound, does so from below. The
    constraints are added as they are broken (cutting planes).

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
    """The linear program of `best_levels`, with the constraints that were found to matter so far."""

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
        """The weights of the levels."""
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
        """What B wins with one hat's holdings by one call, against each fixed level."""
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
        """1 - what B's mixture, the dual values, wins against the level that is best against it, on a grid twice as fine.

        Scaled so that B's calls at every grid point add up to certainty. From level to level the answer is smooth, as B's is.
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
    """The hat functions of the knots at y, shape (knots, holdings); they add up to 1."""
    right = np.clip(np.searchsorted(knots, y), 1, len(knots) - 1)
    share = (y - knots[right - 1]) / (knots[right] - knots[right - 1])
    hats = np.zeros((len(knots), len(y)))
    hats[right - 1, np.arange(len(y))] = 1 - share
    hats[right, np.arange(len(y))] = share
    return hats


def _highs(levels: int, hats: int) -> Any:
    """HiGHS with a weight for every level, which add up to 1, and a bound t for every hat, which are minimised."""
    highs = silent_highs()
    for side in ("primal", "dual"):
        highs.setOptionValue(f"{side}_feasibility_tolerance", 1e-9)
    for _ in range(levels + hats):
        highs.addVar(0, 1)
    highs.changeColsCost(hats, np.arange(levels, levels + hats, dtype=np.int32), np.ones(hats))
    highs.addRow(1, 1, levels, np.arange(levels, dtype=np.int32), np.ones(levels))
    return highs

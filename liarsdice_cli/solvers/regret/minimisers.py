"""Regret minimisers as data: the weights, discounts and averages of each, independent of the representation of a game.

A minimiser stores a number R for each action of an information set. It plays the actions in proportion to the positive numbers.
If there are none, it plays uniformly at random on a game tree, and takes the first action on the public tree. In iteration
t = 1, 2, ... the players are updated in turn, each against the other's current strategy. Let r be the counterfactual regret of
an action in this iteration. The update is

    R <- max(discount R + regret_weight r, floor)    the discount may differ if R < 0
    play in proportion to max(R + prediction r', 0)  r' is the last r; the prediction is 0 except for two members

The strategies are averaged, each weighted by average_weight and the player's own reach probability.

The members differ in these numbers. As published, by iteration t:

    member  discount (where R < 0)               regret_weight  floor  prediction  average_weight
    cfr     1                                    1              none   0           1
    cfr+    1                                    1              0      0           t
    linear  1                                    t              none   0           t
    dcfr    (t-1)^1.5 / ((t-1)^1.5 + 1)  (1/2)   1              none   0           t^2
    dcfr+   (t-1)^1.5 / ((t-1)^1.5 + 1)          1              0      0           t^4
    pcfr+   1                                    1              0      1           t^2
    pdcfr+  (t-1)^2.3 / ((t-1)^2.3 + 1)          1              0      1           t^5

    cfr     Zinkevich et al. 2007               dcfr+   Xu et al. 2024, arXiv 2404.13891
    cfr+    Tammelin 2014, arXiv 1407.5042      pcfr+   Farina, Kroer and Sandholm 2021, arXiv 2007.14358
    linear  Brown and Sandholm 2019, arXiv 1809.04040, LCFR
    dcfr    the same, DCFR with 3/2, 0, 2       pdcfr+  Xu et al. 2024

The last member multiplies R by the discount of t + 1 before it adds the last r to play.

To discount all regrets alike is the same as to increase the weights of new ones instead, and then sets without reach need no
update. So for a discount of (t-1)^a / ((t-1)^a + 1) for both signs (dcfr+ and pdcfr+), the discount here is 1. The
regret_weight and the prediction are then the product of ((k-1)^a + 1) / (k-1)^a for k = 2..t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import inf

from liarsdice_cli.errors import ArgumentError


@dataclass(frozen=True)
class Step:
    """The numbers of one iteration, with the names of the module's docstring.

    discount, discount_negative : factors of old regrets, positive and negative
    regret_weight    : factor of new regrets
    floor            : 0, or -inf for none
    prediction       : factor of the last regret in the strategy before this update; 0 without prediction
    prediction_after : factor of the last regret in the strategy after this update; 0 without prediction
    average_weight   : weight of the strategy in the average
    """

    discount: float
    discount_negative: float
    regret_weight: float
    floor: float
    prediction: float
    prediction_after: float
    average_weight: float

    @property
    def decays(self) -> bool:
        """Whether regrets change even if nothing is added to them, so that every set needs an update."""
        return self.discount != 1 or self.discount_negative != 1


def _power(exponent: int) -> Callable[[int], float]:
    """Return the weights t^exponent."""
    return lambda iteration: float(iteration**exponent)


_CONSTANT = _power(0)


def _unchanged(iteration: int) -> tuple[float, float]:
    return 1.0, 1.0


@dataclass(frozen=True)
class Minimiser:
    """One member of the family.

    name           : its name for `--method`
    summary        : a line for `liarsdice methods`
    average_weight : the weight of the strategy of iteration t
    floor          : whether negative regrets become 0 at once
    predicts       : whether the last regret predicts the next one
    regret_weight  : the weight of new regrets in iteration t
    discount       : the factors of old regrets, positive and negative, in iteration t
    """

    name: str
    summary: str
    average_weight: Callable[[int], float]
    floor: bool = False
    predicts: bool = False
    regret_weight: Callable[[int], float] = _CONSTANT
    discount: Callable[[int], tuple[float, float]] = _unchanged

    def step(self, iteration: int) -> Step:
        """Return the numbers of an iteration; the first one is 1."""
        discount, discount_negative = self.discount(iteration)
        return Step(
            discount,
            discount_negative,
            self.regret_weight(iteration),
            0.0 if self.floor else -inf,
            self.regret_weight(iteration) if self.predicts else 0.0,
            self.regret_weight(iteration + 1) if self.predicts else 0.0,
            self.average_weight(iteration),
        )

    def total_weight(self, iterations: int) -> float:
        """Return the sum of the weights of the first iterations in the average.

        >>> minimiser("cfr+").total_weight(3)
        6.0
        """
        totals = _totals(self)
        while len(totals) <= iterations:
            totals.append(totals[-1] + self.average_weight(len(totals)))
        return totals[iterations]


@cache
def _totals(minimiser: Minimiser) -> list[float]:
    """Return the cached results of `Minimiser.total_weight` for 0, 1, 2, ... iterations."""
    return [0.0]


def power_discount(iteration: int, power: float) -> float:
    """Return t^a / (t^a + 1), the discount after iteration t.

    >>> power_discount(1, 1.5), power_discount(4, 1.5)
    (0.5, 0.8888888888888888)
    """
    numerator: float = float(iteration) ** power
    return numerator / (numerator + 1)


@cache
def _products(power: float) -> list[float]:
    """Return the cached results of `growing_weight` for iterations 1, 2, ..."""
    return [1.0]


def growing_weight(iteration: int, power: float) -> float:
    """Return the product of 1 / power_discount(k, power) for k below the iteration."""
    products = _products(power)
    while len(products) < iteration:
        products.append(products[-1] / power_discount(len(products), power))
    return products[iteration - 1]


_FAMILY = (
    Minimiser("cfr", "counterfactual regret minimisation (Zinkevich et al. 2007), plain average", _CONSTANT),
    Minimiser("cfr+", "regrets never below 0 (Tammelin 2014), average weighted by t", _power(1), floor=True),
    Minimiser(
        "linear",
        "regrets and average weighted by t (Brown and Sandholm 2019, LCFR)",
        _power(1),
        regret_weight=_power(1),
    ),
    Minimiser(
        "dcfr",
        "discounts: t^1.5, and 1/2 for negative regrets (Brown and Sandholm 2019, DCFR), average weighted by t^2",
        _power(2),
        discount=lambda iteration: (power_discount(iteration - 1, 1.5), 0.5),
    ),
    Minimiser(
        "dcfr+",
        "discount t^1.5 and no negative regrets (Xu et al. 2024, DCFR+), average weighted by t^4",
        _power(4),
        floor=True,
        regret_weight=partial(growing_weight, power=1.5),
    ),
    Minimiser(
        "pcfr+",
        "cfr+ with the last regret as its prediction (Farina et al. 2021), average weighted by t^2",
        _power(2),
        floor=True,
        predicts=True,
    ),
    Minimiser(
        "pdcfr+",
        "discount t^2.3 and prediction (Xu et al. 2024, PDCFR+), average weighted by t^5",
        _power(5),
        floor=True,
        predicts=True,
        regret_weight=partial(growing_weight, power=2.3),
    ),
)
MINIMISERS = {member.name: member for member in _FAMILY}
"""All minimisers by name."""
DEFAULT = "dcfr+"
"""The minimiser that `auto` uses; docs/results.md has the measurements."""

FOR_MORE = "pdcfr+"
"""The minimiser that `auto` uses for three or more players, by the same measurements."""


def minimiser(name: str) -> Minimiser:
    """Return the minimiser of a name; UsageError for an unknown one."""
    if name not in MINIMISERS:
        raise ArgumentError("method", name, f"choose from {', '.join(MINIMISERS)}")
    return MINIMISERS[name]

"""Regret minimisers as data: what each does with new regrets and how it averages, whatever layout it works on.

At every information set a minimiser keeps a number R for each action, and plays the actions in proportion to the positive
ones (all alike where there are none). In iteration t = 1, 2, ... the players are updated in turn, each against what the
other plays by then. With r the regret of an action now (its value less that of the strategy, weighted by chance and the
other player):

    R <- max(discount R + regret_weight r, floor)    the discount may be another where R < 0
    play in proportion to max(R + prediction r', 0)  r' being the last r; the prediction is 0 but for two members

and the strategies are averaged, each with the average_weight and the player's own probability of coming to the set.

The members differ in these numbers, by iteration t, here as they were published:

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

where the last one discounts R with the discount of t + 1 before it adds the last r to play.

Discounting all regrets alike is the same as letting new ones grow instead, and leaves the sets alone that nobody visits:
where the discount would be (t-1)^a / ((t-1)^a + 1) for both signs (dcfr+ and pdcfr+), it is 1 here, and the regret_weight, and
the prediction with it, the product of ((k-1)^a + 1) / (k-1)^a for k = 2..t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf

from liarsdice_cli.errors import ArgumentError


@dataclass(frozen=True)
class Step:
    """The numbers of one iteration; see the head of this file.

    discount, discount_negative : factors of old regrets, positive and negative
    regret_weight    : factor of new ones
    floor            : 0, or -inf for none
    prediction       : factor of the last regret where the strategy is computed before this update, 0 without prediction
    prediction_after : the same after it
    average_weight   : of the strategy in the average
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
        """Whether regrets change even where nothing is added to them, so that no set may be left out."""
        return self.discount != 1 or self.discount_negative != 1


@dataclass(frozen=True)
class Minimiser:
    """One member of the family.

    name           : as `--method` takes it
    summary        : one line for `--methods`
    floor          : whether negative regrets are forgotten at once
    predicts       : whether the last regret is expected to come again
    regret_weight  : of new regrets in iteration t
    discount       : of old regrets, positive and negative, in iteration t
    average_weight : of the strategy of iteration t
    """

    name: str
    summary: str
    floor: bool
    predicts: bool
    regret_weight: Callable[[int], float]
    discount: Callable[[int], tuple[float, float]]
    average_weight: Callable[[int], float]

    def step(self, iteration: int) -> Step:
        """What to do in an iteration, from 1."""
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


def power_discount(iteration: int, power: float) -> float:
    """t^a / (t^a + 1): the factor after iteration t.

    >>> power_discount(1, 1.5), power_discount(4, 1.5)
    (0.5, 0.8888888888888888)
    """
    grown: float = float(iteration) ** power
    return grown / (grown + 1)


@cache
def _products(power: float) -> list[float]:
    """What `grown` has worked out so far, for iterations 1, 2, ..."""
    return [1.0]


def grown(iteration: int, power: float) -> float:
    """The product of 1 / power_discount(k, power) for k below the iteration."""
    products = _products(power)
    while len(products) < iteration:
        products.append(products[-1] / power_discount(len(products), power))
    return products[iteration - 1]


def _power(exponent: int) -> Callable[[int], float]:
    """Weights t^exponent."""
    return lambda iteration: float(iteration**exponent)


def _family() -> dict[str, Minimiser]:
    def unchanged(iteration: int) -> tuple[float, float]:
        return 1.0, 1.0

    members = (
        Minimiser(
            "cfr",
            "counterfactual regret minimisation (Zinkevich et al. 2007), plain average",
            floor=False,
            predicts=False,
            regret_weight=_power(0),
            discount=unchanged,
            average_weight=_power(0),
        ),
        Minimiser(
            "cfr+",
            "regrets never below 0 (Tammelin 2014), average weighted by t",
            floor=True,
            predicts=False,
            regret_weight=_power(0),
            discount=unchanged,
            average_weight=_power(1),
        ),
        Minimiser(
            "linear",
            "regrets and average weighted by t (Brown and Sandholm 2019, LCFR)",
            floor=False,
            predicts=False,
            regret_weight=_power(1),
            discount=unchanged,
            average_weight=_power(1),
        ),
        Minimiser(
            "dcfr",
            "discounts t^1.5 and, of negative regrets, 1/2 (Brown and Sandholm 2019, DCFR), average weighted by t^2",
            floor=False,
            predicts=False,
            regret_weight=_power(0),
            discount=lambda iteration: (power_discount(iteration - 1, 1.5), 0.5),
            average_weight=_power(2),
        ),
        Minimiser(
            "dcfr+",
            "discount t^1.5 and no negative regrets (Xu et al. 2024, DCFR+), average weighted by t^4",
            floor=True,
            predicts=False,
            regret_weight=lambda iteration: grown(iteration, 1.5),
            discount=unchanged,
            average_weight=_power(4),
        ),
        Minimiser(
            "pcfr+",
            "cfr+ that expects the last regret again (Farina et al. 2021), average weighted by t^2",
            floor=True,
            predicts=True,
            regret_weight=_power(0),
            discount=unchanged,
            average_weight=_power(2),
        ),
        Minimiser(
            "pdcfr+",
            "discount t^2.3 and prediction (Xu et al. 2024, PDCFR+), average weighted by t^5",
            floor=True,
            predicts=True,
            regret_weight=lambda iteration: grown(iteration, 2.3),
            discount=unchanged,
            average_weight=_power(5),
        ),
    )
    return {member.name: member for member in members}


MINIMISERS = _family()
"""All minimisers by name."""
DEFAULT = "dcfr+"
"""The one that `auto` takes, by the measurement in benchmarks/minimisers.md."""


FOR_MORE = "pdcfr+"
"""The one that `auto` takes for three or more players, by the measurement there."""


def minimiser(name: str) -> Minimiser:
    """The minimiser of a name; UsageError for any other."""
    if name not in MINIMISERS:
        raise ArgumentError("method", name, f"choose from {', '.join(MINIMISERS)}")
    return MINIMISERS[name]

"""The judge: payoffs, best responses and regrets of a behaviour profile, independent of any solver.

Fractions are computed as integers over common denominators, so that a regret of 0 is a proof. Floats use the same formulas in
float64. The judge does not read its payoffs from `profile_values`: it needs reach probabilities at payoff nodes only, and
integers are several times faster than a Fraction for every node. The tests compare both.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import BEST, EQUAL, Profile
from liarsdice_cli.extensive.recall import last_action, remembered
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree

ON_TREE = "extensive form"
"""The name of this judge: best responses on the whole game tree."""


@dataclass(frozen=True)
class Judgement(Renderable):
    """The payoffs of a profile, and how much each player could gain against it.

    payoffs        : every player's expected payoff
    best_responses : every player's best-response value against the others; None without perfect recall
    regrets        : best-response value minus payoff, 0 for all players exactly in an equilibrium; None without perfect recall
    constant       : the sum of all players' payoffs if it is constant, otherwise None
    exact          : whether the numbers are Fractions; otherwise they are float64
    judge          : ON_TREE, or the name of another judge, which says whether it adds a bound on rounding errors
    """

    payoffs: tuple[Number, ...]
    best_responses: tuple[Number | None, ...]
    regrets: tuple[Number | None, ...]
    constant: Fraction | None
    exact: bool
    judge: str = ON_TREE

    @property
    def is_equilibrium(self) -> bool:
        """Whether the profile is proved to be a Nash equilibrium: its regrets are exact and all 0."""
        return self.exact and all(regret == 0 for regret in self.regrets)

    @property
    def max_regret(self) -> Number | None:
        """The largest regret; None if one is unknown."""
        known = [regret for regret in self.regrets if regret is not None]
        return max(known, default=Fraction(0)) if len(known) == len(self.regrets) else None

    @property
    def exploitability(self) -> Number | None:
        """The mean of both regrets in a two-player constant-sum game; None in other games."""
        return None if self.bounds is None else (self.bounds[1] - self.bounds[0]) / 2

    @property
    def bounds(self) -> tuple[Number, Number] | None:
        """A lower and an upper bound on the value for player 1 of a two-player constant-sum game; None in other games.

        Player 1's strategy secures the lower bound against player 2's best response. Player 2's strategy holds player 1 to the
        upper bound.
        """
        if len(self.payoffs) != 2 or self.constant is None:
            return None
        upper, other = self.best_responses
        return None if upper is None or other is None else (self.constant - other, upper)


@dataclass(frozen=True)
class LargestRegret:
    """The history and the roll with the largest regret of a player, given the beliefs there.

    regret  : what a best response from there on gains, in the unit of the payoffs, rounding included
    history : the labels of the bids
    roll    : the player's dice
    """

    regret: float
    history: tuple[str, ...]
    roll: tuple[int, ...]


@dataclass(frozen=True)
class SequentialJudgement(Judgement):
    """A judgement at every history, also at those that play does not reach.

    sequential : the largest regret of each player at any history
    histories  : the number of histories
    """

    sequential: tuple[LargestRegret, ...] = ()
    histories: int = 0

    @property
    def sequential_regret(self) -> float:
        """The largest regret of any player at any history: the ε of an ε-sequential equilibrium."""
        return max(one.regret for one in self.sequential)


def judge(profile: Profile) -> Judgement:
    """Return the payoffs, best-response values and regrets of a profile.

    The numbers are exact if the profile is. Regrets are None for players without perfect recall, because backward induction
    does not find their best responses. Raises LiarsDiceError if a payoff is too large for the floats of a profile. Cost: a few
    vector steps over the nodes and one step an information set; exact numbers with large denominators take longer.
    Source: von Stengel (1996), "Efficient computation of behavior strategies", section 3.

    >>> from liarsdice_cli.formats import efg
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> pennies = efg.parse(b'EFG 2 R "pennies" { "A" "B" } p "" 1 1 "" { "H" "T" } 0 p "" 2 1 "" { "h" "t" } 0'
    ...     b' t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> half = [Fraction(1, 2), Fraction(1, 2)]
    >>> verdict = judge(from_sets(pennies, {0: [Fraction(1), Fraction(0)], 1: half}))
    >>> [str(number) for number in (*verdict.payoffs, *verdict.regrets, *verdict.bounds)]
    ['0', '0', '0', '1', '-1', '0']
    """
    tree, players = profile.tree, range(len(profile.tree.players))
    paths = {player: Path.of(tree, profile.probabilities, player) for player in (CHANCE, *players)}
    payoffs, best = [], []
    for player in players:
        weighed = payoffs_of(tree, player, profile.exact) * _others(paths, player)
        payoffs.append((weighed * paths[player].reach).total)
        response = None if paths[player].before is None else _best_response(tree, weighed, paths[player])
        best.append(None if response is None else weighed.fraction(response[0]))
    regrets = [None if response is None else response - payoff for response, payoff in zip(best, payoffs, strict=True)]
    return Judgement(tuple(payoffs), tuple(best), tuple(regrets), tree.constant_sum, profile.exact)


def complete(profile: Profile) -> Profile:
    """Return the profile with a best response at sets marked EQUAL that chance and the opponents reach; it marks them BEST.

    Only sets that the player's own strategy never reaches are changed, so payoffs and regrets stay the same. Sets that the
    opponents do not reach either keep equal probabilities. The strategies of players without perfect recall stay the same.
    """
    tree, probabilities, source = profile.tree, profile.probabilities.copy(), profile.source.copy()
    paths = {player: Path.of(tree, profile.probabilities, player) for player in (CHANCE, *range(len(tree.players)))}
    for player in range(len(tree.players)):
        path, others = paths[player], _others(paths, player)
        if path.before is None:
            continue
        _, choice = _best_response(tree, payoffs_of(tree, player, profile.exact) * others, path)
        plan = realization(tree, profile.probabilities, path.before, player)
        open_sets = (
            (source == EQUAL) & (tree.infosets.player == player) & (plan[path.before] == 0) & _visited(tree, others, path)
        )
        for row in np.flatnonzero(open_sets).tolist():
            probabilities[tree.first_action[row] : tree.first_action[row + 1]] = plan[NONE] * 0
            probabilities[choice[row]] = plan[NONE]
            source[row] = BEST
    return Profile(tree, probabilities, source)


def _others(paths: dict[int, Path], player: int) -> Product:
    """Return the counterfactual reach probability of every payoff node: that of chance and the opponents."""
    return Product.of([path.reach for path in paths.values() if path.player != player])


def payoff_nodes(tree: GameTree) -> Ints:
    """Return the nodes with an outcome."""
    return np.flatnonzero(tree.outcome != NONE)


@dataclass(frozen=True)
class Product:
    """Numbers at the payoff nodes: `values` / `denominator`. Exact values are integers; floats have denominator 1."""

    values: Numbers
    denominator: int

    @classmethod
    def of(cls, factors: list[Product]) -> Product:
        """Return the product of one or more factors."""
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return product

    def __mul__(self, other: Product) -> Product:
        return Product(self.values * other.values, self.denominator * other.denominator)

    @cached_property
    def total(self) -> Number:
        """The sum of all numbers."""
        return self.fraction(self.values.sum())

    def fraction(self, numerator: int | float) -> Number:
        """Return a sum of these values as a number."""
        return float(numerator) if isinstance(numerator, float) else Fraction(int(numerator), self.denominator)


def scaled(numbers: Numbers) -> tuple[Numbers, int]:
    """Return fractions as integers and their common denominator; floats unchanged, and 1."""
    if numbers.dtype != object:
        return numbers, 1
    denominator = lcm(*{number.denominator for number in numbers.tolist()})
    numerators = [number.numerator * (denominator // number.denominator) for number in numbers.tolist()]
    return np.array(numerators, object), denominator


def payoffs_of(tree: GameTree, player: int, exact: bool) -> Product:
    """Return a player's payoff at every payoff node; raise LiarsDiceError if one is too large for floats."""
    payoffs = [outcome.payoffs[player] for outcome in tree.outcomes]
    try:
        values, denominator = scaled(np.array(payoffs, object if exact else np.float64))
    except OverflowError as error:
        raise LiarsDiceError("a payoff is too large for floats: give the profile in fractions") from error
    return Product(values[tree.outcome[payoff_nodes(tree)]], denominator)


@dataclass(frozen=True)
class Path:
    """A player's own actions on the paths to all payoff nodes.

    reach  : the player's own reach probability of each node
    last   : the player's last action before each node, NONE if there is none
    before : for every information set of the player the last own action before it; None without perfect recall
    """

    player: int
    reach: Product
    last: Ints
    before: Ints | None

    @classmethod
    def of(cls, tree: GameTree, probabilities: Numbers, player: int) -> Path:
        """Return the path of a player, or of CHANCE, with these probabilities, one an action."""
        nodes = payoff_nodes(tree)
        last = last_action(tree, player)
        before = remembered(tree, player)
        if before is None:
            own = np.append(probabilities, _one(probabilities))
            own[:-1][tree.action_player != player] = _one(probabilities)
            return cls(player, _product_along(tree, own[tree.action], nodes), last[nodes], before)
        values, denominator = scaled(realization(tree, probabilities, before, player))
        return cls(player, Product(values[last[nodes]], denominator), last[nodes], before)


def _product_along(tree: GameTree, factors: Numbers, nodes: Ints) -> Product:
    """Return the product of the factors on the path to each node. Fractions become integers, which multiply faster."""
    if factors.dtype != object:
        return Product(tree.along_path(factors, np.multiply)[nodes], 1)
    parts = ([number.numerator for number in factors.tolist()], [number.denominator for number in factors.tolist()])
    numerator, denominator = (tree.along_path(np.array(part, object), np.multiply)[nodes] for part in parts)
    common = lcm(*set(denominator.tolist()))
    return Product(numerator * (common // denominator), common)


def _one(probabilities: Numbers) -> Numbers:
    return np.array([Fraction(1)], object) if probabilities.dtype == object else np.ones(1)


def realization(tree: GameTree, probabilities: Numbers, before: Ints, player: int) -> Numbers:
    """Return the realization plan: for every action the product of the player's own probabilities up to it.

    The last entry is 1, for NONE.

    before : as `recall.remembered` returns it
    """
    plan = np.append(np.zeros(tree.actions, probabilities.dtype), _one(probabilities))
    bounds = tree.first_action
    for row in tree.sets_of(player):  # sets that a lock gives to chance need not follow each other in the table
        reached = plan[before[row]]
        if reached:
            actions = slice(bounds[row], bounds[row + 1])
            plan[actions] = probabilities[actions] * reached
    return plan


def _best_response(tree: GameTree, weighed: Product, path: Path) -> tuple[int | float, Ints]:
    """Return the best-response value and an optimal action for each set; `weighed` is as in `action_values`."""
    assert path.before is not None, "a best response is found backward only with perfect recall"
    values = action_values(tree, weighed.values, path.player, path.last, path.before)
    bounds = tree.first_action.tolist()
    choice = np.full(len(tree.infosets), NONE)
    for row in np.flatnonzero(tree.infosets.player == path.player).tolist():
        actions = values[bounds[row] : bounds[row + 1]]
        choice[row] = bounds[row] + actions.index(max(actions))
    return values[NONE], choice


def action_values(tree: GameTree, weighed: Numbers, player: int, last: Ints, before: Ints) -> list[Any]:
    """Return the counterfactual value of every action of a player, given a best response after it.

    weighed : for every payoff node the payoff times the counterfactual reach probability, in floats or integers
    last    : for every payoff node the player's last action before it
    before  : for every information set of the player the last own action before it, as `recall.remembered` returns it

    The values have the type of `weighed`. The value at the end, for NONE, is that of the whole game; those of other players'
    actions mean nothing. The value of an action is the sum over the payoff nodes and the sets whose last own action it is.
    The value of a set is that of its best action. Cost: a step a set.
    Source: von Stengel (1996), section 3.
    """
    gain = np.zeros(tree.actions + 1, weighed.dtype)
    np.add.at(gain, last, weighed)
    values: list[Any] = gain.tolist()
    bounds, preceding = tree.first_action.tolist(), before.tolist()
    for row in reversed(np.flatnonzero(tree.infosets.player == player).tolist()):
        values[preceding[row]] += max(values[bounds[row] : bounds[row + 1]])
    return values


def _visited(tree: GameTree, others: Product, path: Path) -> Bools:
    """Return for every information set of the player whether chance and the opponents reach it."""
    assert path.before is not None, "asked only with perfect recall"
    possible = np.zeros(tree.actions + 1, bool)  # after each action of the player
    possible[path.last[others.values != 0]] = True
    visited = np.zeros(len(tree.infosets), bool)
    for row in reversed(np.flatnonzero(tree.infosets.player == path.player).tolist()):
        visited[row] = possible[tree.first_action[row] : tree.first_action[row + 1]].any()
        possible[path.before[row]] |= visited[row]
    return visited

"""The judge: payoffs, best responses and regrets of a behaviour profile, independent of any solver.

With fractions everything is computed in integers over common denominators, so that a regret of 0 is a proof; with floats
the same formulas run in float64.
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
"""The judge of this file: best responses on the whole game tree."""


@dataclass(frozen=True)
class Judgement(Renderable):
    """The payoffs of a profile, and how much each player could gain against it.

    payoffs        : the expected payoff of every player
    best_responses : what every player gets at best against the others; None without perfect recall
    regrets        : best response minus payoff, 0 for all in an equilibrium and only there; None without perfect recall
    constant       : what the payoffs of all players always add up to, or None
    exact          : whether the numbers are exact Fractions; otherwise they are float64
    judge          : on what best responses were computed: ON_TREE, or another judge's word for it; a judge that adds what
                     rounding can do to floats says so
    quasi_perfect  : whether it is proved that the profile is a quasi-perfect equilibrium; None where nobody claims it
    """

    payoffs: tuple[Number, ...]
    best_responses: tuple[Number | None, ...]
    regrets: tuple[Number | None, ...]
    constant: Fraction | None
    exact: bool
    judge: str = ON_TREE
    quasi_perfect: bool | None = None

    @property
    def is_equilibrium(self) -> bool:
        """Whether it is proved that this is a Nash equilibrium: exact regrets that are all 0."""
        return self.exact and all(regret == 0 for regret in self.regrets)

    @property
    def max_regret(self) -> Number | None:
        """The largest regret; None where one is unknown."""
        known = [regret for regret in self.regrets if regret is not None]
        return max(known, default=Fraction(0)) if len(known) == len(self.regrets) else None

    @property
    def exploitability(self) -> Number | None:
        """(regret of 1 + regret of 2) / 2 in a two-player constant-sum game; None in others."""
        return None if self.bounds is None else (self.bounds[1] - self.bounds[0]) / 2

    @property
    def bounds(self) -> tuple[Number, Number] | None:
        """What the value for player 1 of a two-player constant-sum game is at least and at most; None in others.

        Player 1's strategy secures what is left when player 2 answers best; player 2's keeps 1 to the best response.
        """
        if len(self.payoffs) != 2 or self.constant is None:
            return None
        upper, other = self.best_responses
        return None if upper is None or other is None else (self.constant - other, upper)


def judge(profile: Profile) -> Judgement:
    """Judge a profile.

    Exact if the profile is. Regrets are None for players without perfect recall, whose best responses are not found by
    backward induction. Raises LiarsDiceError where a payoff is too large for the floats of a profile. Cost: a few vector
    steps over the nodes and one step an information set; exact numbers with large denominators take longer.
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
    """Put a best response where a profile had nothing to say and the others can come: EQUAL sets become BEST ones.

    Only sets that the player's own strategy never reaches are changed, so no payoff and no regret is. Where nobody
    comes, equal probabilities stay. Players without perfect recall are left as they are.
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
    """The share of everybody else, chance included, in the way to every payoff node."""
    return Product.of([path.reach for path in paths.values() if path.player != player])


def payoff_nodes(tree: GameTree) -> Ints:
    """The nodes that carry an outcome."""
    return np.flatnonzero(tree.outcome != NONE)


@dataclass(frozen=True)
class Product:
    """Numbers at the payoff nodes: `values` / `denominator`; integers of any size if exact, else float64 over 1."""

    values: Numbers
    denominator: int

    @classmethod
    def of(cls, factors: list[Product]) -> Product:
        """The product of all of them, at least one."""
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return product

    def __mul__(self, other: Product) -> Product:
        return Product(self.values * other.values, self.denominator * other.denominator)

    @cached_property
    def total(self) -> Number:
        """The sum of all."""
        return self.fraction(self.values.sum())

    def fraction(self, numerator: int | float) -> Number:
        """A sum of these values as a number."""
        return float(numerator) if isinstance(numerator, float) else Fraction(int(numerator), self.denominator)


def scaled(numbers: Numbers) -> tuple[Numbers, int]:
    """Fractions as integers over their common denominator; floats as they are."""
    if numbers.dtype != object:
        return numbers, 1
    denominator = lcm(*{number.denominator for number in numbers.tolist()})
    numerators = [number.numerator * (denominator // number.denominator) for number in numbers.tolist()]
    return np.array(numerators, object), denominator


def payoffs_of(tree: GameTree, player: int, exact: bool) -> Product:
    """A player's payoff at every payoff node; LiarsDiceError where one is too large for floats."""
    payoffs = [outcome.payoffs[player] for outcome in tree.outcomes]
    try:
        values, denominator = scaled(np.array(payoffs, object if exact else np.float64))
    except OverflowError as error:
        raise LiarsDiceError("a payoff is too large for floats: give the profile in fractions") from error
    return Product(values[tree.outcome[payoff_nodes(tree)]], denominator)


@dataclass(frozen=True)
class Path:
    """A player's own share of the way to every payoff node.

    reach  : the product of the probabilities of the player's own actions before it
    last   : the player's last action before it, NONE if there was none
    before : for every information set of the player the last action before it; None without perfect recall
    """

    player: int
    reach: Product
    last: Ints
    before: Ints | None

    @classmethod
    def of(cls, tree: GameTree, probabilities: Numbers, player: int) -> Path:
        """The share of a player (or CHANCE) who plays with these probabilities, one an action."""
        nodes = payoff_nodes(tree)
        last = last_action(tree, player)
        before = remembered(tree, last, player)
        if before is None:
            own = np.append(probabilities, _one(probabilities))
            own[:-1][tree.action_player != player] = _one(probabilities)
            return cls(player, _product_along(tree, own[tree.action], nodes), last[nodes], before)
        values, denominator = scaled(realization(tree, probabilities, before, player))
        return cls(player, Product(values[last[nodes]], denominator), last[nodes], before)


def _product_along(tree: GameTree, factors: Numbers, nodes: Ints) -> Product:
    """The product of the factors of all nodes on the path to some nodes; fractions as integers, which multiply quickly."""
    if factors.dtype != object:
        return Product(tree.along_path(factors, np.multiply)[nodes], 1)
    parts = ([number.numerator for number in factors.tolist()], [number.denominator for number in factors.tolist()])
    numerator, denominator = (tree.along_path(np.array(part, object), np.multiply)[nodes] for part in parts)
    common = lcm(*set(denominator.tolist()))
    return Product(numerator * (common // denominator), common)


def _one(probabilities: Numbers) -> Numbers:
    return np.array([Fraction(1)], object) if probabilities.dtype == object else np.ones(1)


def realization(tree: GameTree, probabilities: Numbers, before: Ints, player: int) -> Numbers:
    """The realization plan: for every action the product of the player's own probabilities up to it; 1 at the end, for NONE.

    before : as `recall.remembered` gives it
    """
    plan = np.append(np.zeros(tree.actions, probabilities.dtype), _one(probabilities))
    bounds = tree.first_action
    for row in np.flatnonzero(tree.infosets.player == player).tolist():
        reached = plan[before[row]]
        if reached:
            actions = slice(bounds[row], bounds[row + 1])
            plan[actions] = probabilities[actions] * reached
    return plan


def _best_response(tree: GameTree, weighed: Product, path: Path) -> tuple[int | float, Ints]:
    """What the player gets at best, and the best actions, the first of several, where `weighed` is as in `action_values`."""
    assert path.before is not None, "a best response is found backward only with perfect recall"
    values = action_values(tree, weighed.values, path.player, path.last, path.before)
    bounds = tree.first_action.tolist()
    choice = np.full(len(tree.infosets), NONE)
    for row in np.flatnonzero(tree.infosets.player == path.player).tolist():
        actions = values[bounds[row] : bounds[row + 1]]
        choice[row] = bounds[row] + actions.index(max(actions))
    return values[NONE], choice


def action_values(tree: GameTree, weighed: Numbers, player: int, last: Ints, before: Ints) -> list[Any]:
    """What every action of a player is worth if the player goes on in the best way; at the end, for NONE, the whole game.

    weighed : for every payoff node the payoff times the share of everybody else, chance included, in the way to it: floats or
              integers; the values are of the same kind, those of other players' actions mean nothing
    last    : for every payoff node the player's last action before it
    before  : for every information set of the player the player's last action before it, as `recall.remembered` gives it

    Backward over the player's information sets: the value of an action is that of the payoff nodes with it as the player's
    last action and of the sets that follow it; the value of a set is that of its best action. Cost: a step a set.
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
    """For every information set of the player whether the others and chance let play come there."""
    assert path.before is not None, "asked only with perfect recall"
    comes = np.zeros(tree.actions + 1, bool)
    comes[path.last[others.values != 0]] = True
    visited = np.zeros(len(tree.infosets), bool)
    for row in reversed(np.flatnonzero(tree.infosets.player == path.player).tolist()):
        visited[row] = comes[tree.first_action[row] : tree.first_action[row + 1]].any()
        comes[path.before[row]] |= visited[row]
    return visited

"""Reach probabilities, expected values, beliefs and action values of a profile, at every node and information set.

Everything outside the judge that evaluates a profile on a tree reads it from here. The judge (`extensive.evaluate`) computes
its payoffs by itself: it needs them at payoff nodes only, in integers over common denominators, and the tests compare both.
Liar's Dice without a tree has `games.liarsdice.beliefs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.paths import actions_to
from liarsdice_cli.extensive.profile import Profile, allows_fractions
from liarsdice_cli.extensive.recall import remembered
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import RefinedProfile, likeliest_mistakes


@dataclass(frozen=True, eq=False)
class ProfileValues:
    """The evaluation of a profile; every part is computed when it is first asked for.

    profile : of any game. The numbers are Fractions if the profile is exact, otherwise float64
    at      : the only nodes that are asked about, None for all. Reach probabilities and expected values then hold at these
              nodes alone, and `continuation` also at those to which the profile leads from them; other entries mean nothing

    >>> from liarsdice_cli.formats import efg
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> values = ProfileValues(from_sets(efg.read("sample_games/kuhn-poker.efg"), {}))
    >>> [str(number) for number in values.action_values(1)], [str(number) for number in values.beliefs(1)]
    (['-5/4', '-1/2'], ['1/2', '1/2'])
    """

    profile: Profile
    at: Ints | None = None
    _reach: dict[tuple[int, ...], Numbers] = field(default_factory=dict, init=False, repr=False)
    _expected: dict[int, Numbers] = field(default_factory=dict, init=False, repr=False)
    _continuation: dict[int, Numbers] = field(default_factory=dict, init=False, repr=False)
    _recall: dict[int, bool] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def within_seconds(cls, profile: Profile) -> ProfileValues:
        """Return the values in fractions if `allows_fractions` of one number a node, otherwise in floats."""
        return cls(profile if allows_fractions(profile, profile.tree.nodes) else profile.in_floats())

    # Reach probabilities: columns with an entry a node

    @property
    def reach(self) -> Numbers:
        """The reach probability of every node."""
        return self.reach_by(CHANCE, *range(len(self.profile.tree.players)))

    def counterfactual_reach(self, player: int) -> Numbers:
        """Return the reach probabilities by chance and the player's opponents: the player's own actions count as sure."""
        return self.reach_by(CHANCE, *(other for other in range(len(self.profile.tree.players)) if other != player))

    def reach_by(self, *players: int) -> Numbers:
        """Return for every node the product of the probabilities of those actions on its path that these players take.

        players : players in rising order, CHANCE among them
        """
        if players not in self._reach:
            tree, profile = self.profile.tree, self.profile
            factors = np.append(np.where(np.isin(tree.action_player, players), profile.probabilities, self._one), self._one)
            self._reach[players] = tree.along_path(factors[tree.action], np.multiply, self.at)
        return self._reach[players]

    def reach_between(self, start: int, node: int) -> Number:
        """Return the probability that play at `start` reaches a node below it."""
        probability: Number = self._one
        for action in actions_to(self.profile.tree, node, start):
            probability = probability * self.profile.probabilities[action]
        return probability

    @cached_property
    def infoset_reach(self) -> Numbers:
        """The probability that play reaches every information set: the sum over its nodes at which play can first be in it."""
        tree = self.profile.tree
        total = np.full(len(tree.infosets) + 1, self._one - self._one)
        nodes = np.flatnonzero(_first_visits(tree))
        np.add.at(total, tree.infoset[nodes], self.reach[nodes])
        return total[:NONE]

    @cached_property
    def reached(self) -> Bools:
        """For every node whether its reach probability is positive, also where the product of floats is too small."""
        taken = np.append(self.profile.probabilities != 0, True)
        reached: Bools = self.profile.tree.along_path(taken[self.profile.tree.action], np.logical_and, self.at)
        return reached

    @cached_property
    def reached_sets(self) -> Bools:
        """For every information set whether one of its nodes is reached."""
        tree = self.profile.tree
        reached = np.zeros(len(tree.infosets) + 1, bool)
        reached[tree.infoset[self.reached]] = True
        return reached[:NONE]

    # Expected values: columns with an entry a node

    def payoffs_at(self, nodes: int | Ints | Sequence[int]) -> Numbers:
        """Return `expected` of every player at some nodes; the last axis is the player."""
        return np.stack([self.expected(player)[nodes] for player in range(len(self.profile.tree.players))], axis=-1)

    def expected(self, player: int) -> Numbers:
        """Return a player's expected payoff given that play is at a node, with the payoffs of the nodes before it.

        Raises LiarsDiceError as `continuation` does.
        """
        tree = self.profile.tree
        if not tree.pays_inside:
            return self.continuation(player)
        if player not in self._expected:
            before = self._payoffs[np.append(tree.outcome, NONE)[tree.parent], player]
            with _floats_checked():
                self._expected[player] = self.continuation(player) + tree.along_path(before, np.add, self.at)
        return self._expected[player]

    def continuation(self, player: int) -> Numbers:
        """Return a player's expected payoff from a node on, with that of the node itself.

        Raises LiarsDiceError if a payoff is too large for floats. Cost: some vector steps for each depth of the tree. Exact
        numbers are multiplied only by probabilities other than 0 and 1, once a node, and then added.
        """
        if player not in self._continuation:
            with _floats_checked():
                self._continuation[player] = self._backward(self._payoffs[:, player])
        return self._continuation[player]

    def _backward(self, payoffs: Numbers) -> Numbers:
        """Return the continuation values with these payoffs, one an outcome."""
        tree = self.profile.tree
        values: Numbers = payoffs[tree.outcome]
        for children in self._live_levels[:0:-1]:
            first = np.flatnonzero(np.diff(tree.parent[children], prepend=NONE))  # siblings are consecutive
            parents = tree.parent[children[first]]
            sums = np.add.reduceat(self._weighted(children, values), first) if len(first) else values[:0]
            if tree.pays_inside:
                sums = sums + values[parents]
            values[parents] = sums
        return values

    def _weighted(self, nodes: Ints, values: Numbers) -> Numbers:
        """Return the values of nodes times the probabilities of the actions into them."""
        weighted, probability = values[nodes], self.profile.probabilities[self.profile.tree.action[nodes]]
        mixed = probability != 1
        weighted[mixed] *= probability[mixed]
        return weighted

    @cached_property
    def _live_levels(self) -> list[Ints]:
        """The nodes, by depth, that the values depend on and that have a positive probability after their parents."""
        tree = self.profile.tree
        taken = np.append(self.profile.probabilities != 0, False)[tree.action]
        if self.at is None:
            return [level[taken[level]] for level in tree.levels]
        needed = np.zeros(tree.nodes, bool)
        needed[self.at] = True
        for level in tree.levels[1:]:
            needed[level] |= taken[level] & needed[tree.parent[level]]
        return [level[taken[level] & needed[level]] for level in tree.levels]

    @cached_property
    def _payoffs(self) -> Numbers:
        """The payoffs of every outcome, and zeros at the end, for NONE."""
        tree = self.profile.tree
        nothing = (Fraction(0),) * len(tree.players)
        with _floats_checked():
            rows = [*(outcome.payoffs for outcome in tree.outcomes), nothing]
            payoffs: Numbers = np.array(rows, self.profile.probabilities.dtype).reshape(len(rows), len(tree.players))
            return payoffs

    # Beliefs and action values

    def beliefs(self, row: int) -> Numbers | None:
        """Return the posterior over the nodes of a player's information set, as `posterior` does."""
        return self.posterior(int(self.profile.tree.infosets.player[row]), self.profile.tree.members(row))

    def posterior(self, player: int, nodes: Ints) -> Numbers | None:
        """Return the probability of each node, given that play is at one of them and the player wanted it to be.

        nodes : in one information set of the player, not all of them if more is known

        None if chance and the opponents reach none of several nodes. If they reach them only by mistake and the profile knows
        how they tremble, the posterior is the limit over small trembles. A player with imperfect recall may have taken
        different actions before the nodes; then the whole profile counts, the player's own actions too.
        """
        if len(nodes) == 1:
            return np.full(1, self._one)
        if not self.has_perfect_recall(player):
            weights = self.reach[nodes]
        elif not isinstance(self.profile, RefinedProfile):
            weights = self.counterfactual_reach(player)[nodes]
        else:
            weights = likeliest_mistakes(self.profile, player, nodes, self.reach_by(CHANCE)[nodes])
        total = weights.sum()
        return (weights / total).astype(self.profile.probabilities.dtype) if total else None

    def action_values(self, row: int) -> Numbers | None:
        """Return the player's expected payoff with each action of an information set, if the profile goes on after it.

        None if `beliefs` is None, and for a player with imperfect recall.
        """
        tree, beliefs = self.profile.tree, self.beliefs(row)
        return None if beliefs is None else self.values_of_actions(int(tree.infosets.player[row]), tree.members(row), beliefs)

    def values_of_actions(self, player: int, nodes: Ints, beliefs: Numbers) -> Numbers | None:
        """Return `action_values` at some nodes of an information set, with these beliefs over them."""
        if not self.has_perfect_recall(player):
            return None
        values: Numbers = beliefs @ self.expected(player)[self.profile.tree.children(nodes)]
        return values

    def has_perfect_recall(self, player: int) -> bool:
        """Return whether a player has perfect recall."""
        if player not in self._recall:
            self._recall[player] = remembered(self.profile.tree, player) is not None
        return self._recall[player]

    @property
    def _one(self) -> Any:
        return Fraction(1) if self.profile.exact else 1.0


def _first_visits(tree: GameTree) -> Bools:
    """Return for every node whether no node above it is in the same information set; only absent-minded sets have others."""
    first, least = np.ones(tree.nodes, bool), np.full(len(tree.infosets) + 1, tree.nodes)
    np.minimum.at(least, tree.infoset, tree.depth)
    nodes = np.flatnonzero((tree.infoset != NONE) & (tree.depth > least[tree.infoset]))
    above = tree.parent[nodes]
    while len(nodes):
        first[nodes[tree.infoset[above] == tree.infoset[nodes]]] = False
        nodes, above = nodes[above > 0], tree.parent[above[above > 0]]
    return first


@contextmanager
def _floats_checked() -> Iterator[None]:
    """Raise LiarsDiceError where a number is too large for floats."""
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except (OverflowError, FloatingPointError) as error:
        raise LiarsDiceError("a payoff is too large for floats: give the profile in fractions") from error

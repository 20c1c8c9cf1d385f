"""Reach probabilities, action values and beliefs of a profile at all information sets, in floats or fractions.

One history, exactly, is `extensive.after_history`; by rolls of Liar's Dice without a tree, `games.liarsdice.beliefs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.recall import last_action, remembered
from liarsdice_cli.extensive.stream import NONE, TERMINAL, Ints, Numbers
from liarsdice_cli.extensive.trembles import likeliest_mistakes


@dataclass(frozen=True, eq=False)
class ProfileValues:
    """Everything about a profile that can be said at an information set.

    profile : of any game
    exact   : whether to compute in fractions, in arrays of objects; the profile must be exact. Otherwise it uses floats

    >>> from liarsdice_cli.formats import efg
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> reading = ProfileValues(from_sets(efg.read("sample_games/kuhn-poker.efg"), {}))
    >>> reading.values(1).tolist(), reading.beliefs(1).tolist()
    ([-1.25, -0.5], [0.5, 0.5])
    """

    profile: Profile
    exact: bool = False

    @property
    def _kind(self) -> type:
        return object if self.exact else np.float64

    @cached_property
    def probabilities(self) -> Numbers:
        """The probability of every action, chance's included, and 1 at the end for NONE."""
        return np.append(self.profile.probabilities, [Fraction(1)]).astype(self._kind)

    @cached_property
    def reach(self) -> Numbers:
        """The probability that play comes to each node."""
        found: Numbers = self.profile.tree.along_path(self.probabilities[self.profile.tree.action], np.multiply)
        return found

    @cached_property
    def expected(self) -> Numbers:
        """What every player gets on average once play is at a node, with what was paid before: a row a node.

        Raises LiarsDiceError where a payoff is too large for floats. Cost: a vector step for each depth of the tree.
        """
        try:
            with np.errstate(over="raise", invalid="raise"):
                total = self._expected()
                total.astype(np.float64)  # fractions too are shown as floats at times
                return total
        except (OverflowError, FloatingPointError) as error:
            raise LiarsDiceError("a payoff is too large for floats: show another game") from error

    def _expected(self) -> Numbers:
        tree = self.profile.tree
        paid: Numbers = np.array([*(outcome.payoffs for outcome in tree.outcomes), (0,) * len(tree.players)], self._kind)
        ends = tree.player == TERMINAL
        total = tree.along_path(paid[tree.outcome]) if np.any(tree.outcome[~ends] != NONE) else paid[tree.outcome]
        total[~ends] = 0
        weight = self.probabilities[tree.action]
        for depth in range(int(tree.depth.max()), 0, -1):
            here = np.flatnonzero(tree.depth == depth)
            np.add.at(total, tree.parent[here], weight[here, None] * total[here])
        return total

    @cached_property
    def _nodes(self) -> Sequence[Ints]:
        """The nodes of every information set, in prefix order."""
        order = np.argsort(self.profile.tree.infoset, kind="stable")
        counts = np.bincount(self.profile.tree.infoset + 1, minlength=len(self.profile.tree.infosets) + 1)
        return np.split(order, np.cumsum(counts)[:-1])[1:]

    def nodes(self, row: int) -> Ints:
        """The nodes of the information set in a row."""
        return self._nodes[row]

    def beliefs(self, row: int) -> Numbers | None:
        """The probability of each node of a player's information set, once play has come there.

        None where the others and chance never let it come to one of several nodes; where they err to, and the profile knows
        how they tremble, the likeliest mistakes count. For a player who forgets, the probability is that of play under the
        whole profile.
        """
        if len(self.nodes(row)) == 1:
            return np.ones(1, self._kind)
        weights = self._weights(row)
        total = weights.sum()
        return weights / total if total else None

    def _weights(self, row: int) -> Numbers:
        nodes, player = self.nodes(row), int(self.profile.tree.infosets.player[row])
        if not self.remembers(player):
            return self.reach[nodes]
        if self.profile.weights is None:
            return self._without(player)[nodes]
        found: Numbers = likeliest_mistakes(self.profile, player, nodes, self._only_chance[nodes]).astype(self._kind)
        return found

    def values(self, row: int) -> Numbers | None:
        """The mover's expected payoff with every action once play has come there, if all then go on with the profile.

        None where `beliefs` is, and for a player who forgets.
        """
        tree, held = self.profile.tree, self.beliefs(row)
        player = int(tree.infosets.player[row])
        if held is None or not self.remembers(player):
            return None
        values: Numbers = held @ self.expected[self.children(row), player]
        return values

    def children(self, row: int) -> Ints:
        """The nodes that the actions of a set lead to: a row a node of the set, a column an action."""
        tree, nodes = self.profile.tree, self.nodes(row)
        width = int(tree.action_counts[row])
        found = np.empty((len(nodes), width), np.int64)
        for place, node in enumerate(nodes.tolist()):
            first = self._first_child[node]
            found[place] = self._by_parent[first : first + width]
        return found

    @cached_property
    def _by_parent(self) -> Ints:
        return np.argsort(self.profile.tree.parent, kind="stable")[1:]

    @cached_property
    def _first_child(self) -> list[int]:
        counts = np.cumsum(self.profile.tree.arity)
        first: list[int] = np.concatenate([[0], counts[:-1]]).tolist()
        return first

    def remembers(self, player: int) -> bool:
        """Whether the player has perfect recall."""
        return self._recall[player]

    @cached_property
    def _recall(self) -> list[bool]:
        tree = self.profile.tree
        return [remembered(tree, last_action(tree, player), player) is not None for player in range(len(tree.players))]

    def _without(self, player: int) -> Numbers:
        if player not in self._others:
            self._others[player] = self._product(self.profile.tree.action_player != player)
        return self._others[player]

    @cached_property
    def _others(self) -> dict[int, Numbers]:
        return {}

    @cached_property
    def _only_chance(self) -> Numbers:
        return self._product(self.profile.tree.action_player < 0)

    def _product(self, counted: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Numbers:
        """For every node the product of the probabilities of those actions on the path to it that count."""
        weights = np.where(np.append(counted, False), self.probabilities, self.probabilities[NONE])
        found: Numbers = self.profile.tree.along_path(weights[self.profile.tree.action], np.multiply)
        return found

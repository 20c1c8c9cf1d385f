"""The path of play of a pure profile in a game of perfect information without chance, from any node."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.profile_values import ProfileValues


class PathOfPlay:
    """The actions that follow each node under the profile, and the payoffs that they end in.

    profile : in fractions; each information set has one node, and one action there has probability 1

    >>> from liarsdice_cli.games.outcomes import OutcomeTable, build
    >>> from liarsdice_cli.solvers import backward
    >>> one, two = (Fraction(1), Fraction(0)), (Fraction(2), Fraction(0))
    >>> table = OutcomeTable(("Ann", "Bob"), "LR", np.array([[0], [1]]), np.array([0, 1]), [one, two], np.array([2, 3]))
    >>> tree = build(table, (0,))
    >>> play = PathOfPlay(backward.solve(tree)[0])
    >>> play.moves(), [str(number) for number in play.payoffs(0)], play.best(0)
    (['R'], ['2', '0'], [2])
    """

    def __init__(self, profile: Profile) -> None:
        self.tree = profile.tree
        self._profile = profile
        self._taken = np.append(profile.probabilities == 1, False)[self.tree.action]

    @cached_property
    def _payoffs(self) -> list[tuple[Fraction, ...]]:
        values = ProfileValues(self._profile)
        return list(zip(*(values.expected(player).tolist() for player in range(len(self.tree.players))), strict=True))

    def children(self, node: int) -> list[int]:
        """Return the nodes that the actions at a node lead to, in order."""
        children: list[int] = self.tree.children(node).tolist()
        return children

    def taken(self, node: int) -> int:
        """Return the child that the profile leads to; the node itself at an end."""
        return next((child for child in self.children(node) if self._taken[child]), node)

    def payoffs(self, node: int) -> tuple[Fraction, ...]:
        """Return the payoffs of all players when play goes on from a node."""
        return self._payoffs[node]

    def best(self, node: int) -> list[int]:
        """Return the children that are as good for the player to move as the one taken; none at an end."""
        player = int(self.tree.player[node])
        return [child for child in self.children(node) if self.payoffs(child)[player] == self.payoffs(node)[player]]

    def move_into(self, node: int) -> str:
        """Return the label of the action that leads into a node, which is not the root."""
        return self.tree.action_label(int(self.tree.action[node]))

    def moves(self) -> list[str]:
        """Return the labels of the actions from the root to the end."""
        node, labels = 0, []
        while self.children(node):
            node = self.taken(node)
            labels.append(self.move_into(node))
        return labels

    def preorder(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every node with the labels that lead to it, parents first and siblings by their labels."""
        todo: list[tuple[int, list[str]]] = [(0, [])]
        while todo:
            node, labels = todo.pop()
            yield node, labels
            below = sorted(((self.move_into(child), child) for child in self.children(node)), reverse=True)
            todo.extend((child, [*labels, label]) for label, child in below)

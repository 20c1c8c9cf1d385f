"""What is played: a pure profile of a game of perfect information without chance, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import NONE, Ints


class PathOfPlay:
    """Where each node leads when everybody plays on as the profile says; payoffs stand at the ends only.

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

    @cached_property
    def _first_child(self) -> list[int]:
        """For every node the place of its first child in `_children`, and one past the last."""
        first: list[int] = np.concatenate([[0], np.cumsum(self.tree.arity)]).tolist()
        return first

    @cached_property
    def _children(self) -> Ints:
        return np.argsort(self.tree.parent, kind="stable")[1:]

    @cached_property
    def _next(self) -> Ints:
        """For every node the child that is played, the node itself at an end."""
        tree = self.tree
        node = np.empty(tree.actions, np.int64)
        node[tree.action[1:]] = np.arange(1, tree.nodes)
        taken = np.empty(len(tree.infosets), np.int64)
        played = np.flatnonzero(self._profile.probabilities == 1)
        taken[tree.action_infoset[played]] = node[played]
        following = np.arange(tree.nodes)
        deciding = tree.infoset != NONE
        following[deciding] = taken[tree.infoset[deciding]]
        return following

    @cached_property
    def _end(self) -> Ints:
        """For every node the end that is reached from it."""
        end = self._next
        while np.any(end[end] != end):
            end = end[end]
        return end

    def children(self, node: int) -> list[int]:
        """The nodes that the moves at a node lead to, in order."""
        found: list[int] = self._children[self._first_child[node] : self._first_child[node + 1]].tolist()
        return found

    def taken(self, node: int) -> int:
        """The child that is played; the node itself at an end."""
        return int(self._next[node])

    def payoffs(self, node: int) -> tuple[Fraction, ...]:
        """What everybody gets when play goes on from a node."""
        return self.tree.outcomes[int(self.tree.outcome[self._end[node]])].payoffs

    def best(self, node: int) -> list[int]:
        """The children that are as good as the one taken for the player who moves; none at an end."""
        player = int(self.tree.player[node])
        return [child for child in self.children(node) if self.payoffs(child)[player] == self.payoffs(node)[player]]

    def move_into(self, node: int) -> str:
        """The name of the move that leads into a node, which is not the root."""
        above = self.tree.infoset[self.tree.parent[node]]
        actions = self.tree.actions_at(above).labels
        return str(actions[int(self.tree.action[node] - self.tree.first_action[above])])

    def moves(self) -> list[str]:
        """What is played from the root to the end."""
        node, names = 0, []
        while self.children(node):
            node = self.taken(node)
            names.append(self.move_into(node))
        return names

    def preorder(self) -> Iterator[tuple[int, list[str]]]:
        """Every node with the moves that lead to it, each before those below it, the moves at a node by their names."""
        todo: list[tuple[int, list[str]]] = [(0, [])]
        while todo:
            node, moves = todo.pop()
            yield node, moves
            below = sorted(((self.move_into(child), child) for child in self.children(node)), reverse=True)
            todo.extend((child, [*moves, move]) for move, child in below)

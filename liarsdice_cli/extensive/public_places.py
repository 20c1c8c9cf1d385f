"""The public places of a game: what everybody knows of where play has come, and what only some know within.

In Liar's Dice a place is a betting history, with an information set for every roll; in poker the bets and the open cards,
with a set for every hand; in a game of perfect information every decision is a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.paths import labels_to
from liarsdice_cli.extensive.recall import last_action
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints
from liarsdice_cli.extensive.tree import GameTree


@dataclass(frozen=True, eq=False)
class PublicPlaces:
    """The finest partition of the decisions in which places hold whole information sets and each follows one other.

    of_node : for every decision node the number of its place; NONE for ends and moves of chance
    parent  : for every place the one before it, NONE where only chance has moved before
    before  : for every node the decision before it, or the root

    Places are numbered so that each comes after the one before it. A game file says what players know only where they move:
    who never moves again is taken to see no more than they did, and chance's moves in between to be seen by all.

    >>> from liarsdice_cli.formats import efg
    >>> places = PublicPlaces.of(efg.read("sample_games/kuhn-poker.efg"))
    >>> places.parent.tolist(), [len(places.sets(place)) for place in range(len(places))]
    ([-1, 0, 0, 1], [3, 3, 3, 3])
    >>> places.steps(3)
    [('bet',)]
    """

    tree: GameTree
    of_node: Ints
    parent: Ints
    before: Ints

    @classmethod
    def of(cls, tree: GameTree) -> PublicPlaces:
        """The places of a game. Cost: some steps for every decision node."""
        before = decisions_before(tree)
        classes = _Classes(before.tolist())
        for node in _decisions(tree):
            classes.join(node, int(tree.first_node[tree.infoset[node]]))
        finished = [(last_action(tree, player), _finished(tree, player)) for player in range(len(tree.players))]
        while _join_unseen(tree, classes, finished):
            pass
        return cls(tree, *_numbered(tree, classes), before)

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def after(self) -> dict[int, list[int]]:
        """The places that follow each; the first ones follow NONE."""
        after: dict[int, list[int]] = {place: [] for place in range(NONE, len(self))}
        for place, before in enumerate(self.parent.tolist()):
            after[before].append(place)
        return after

    @cached_property
    def lengths(self) -> list[int]:
        """How many places come before each."""
        lengths: list[int] = []
        for before in self.parent.tolist():
            lengths.append(0 if before == NONE else lengths[before] + 1)
        return lengths

    @cached_property
    def _nodes(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parent]
        for node in _decisions(self.tree):
            found[self.of_node[node]].append(node)
        return found

    def nodes(self, place: int) -> list[int]:
        """The decision nodes of a place, in prefix order."""
        return self._nodes[place]

    def sets(self, place: int) -> list[int]:
        """The rows of the information sets of a place, in the order of the tree."""
        return list(dict.fromkeys(self.tree.infoset[self._nodes[place]].tolist()))

    def steps(self, place: int) -> list[tuple[str, ...]]:
        """How play comes here from the place before: the moves of players and of chance, in the order of the tree.

        More than one step where not everybody saw which it was.
        """
        return list(dict.fromkeys(labels_to(self.tree, node, int(self.before[node])) for node in self._nodes[place]))


def decisions_before(tree: GameTree) -> Ints:
    """For every node the last decision on the path to it, the node itself left out; the root where there is none."""
    above = np.maximum(tree.parent, 0)
    while len(chance := np.flatnonzero((tree.player[above] == CHANCE) & (above > 0))):
        above[chance] = np.maximum(tree.parent[above[chance]], 0)
    return above


def _decisions(tree: GameTree) -> Iterator[int]:
    return iter(np.flatnonzero(tree.player >= 0).tolist())


class _Classes:
    """Classes of decisions that belong to one place: whatever joins two, joins the decisions before them too."""

    def __init__(self, before: Sequence[int]) -> None:
        self._before = before
        self._leader = list(range(len(before)))

    def before(self, node: int) -> int:
        """The decision before a node, or the root."""
        return self._before[node]

    def of(self, node: int) -> int:
        """The class of a node, named by one of its nodes."""
        leader = self._leader
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    def join(self, one: int, other: int) -> bool:
        """Make one class of two; whether they were two."""
        todo, changed = [(one, other)], False
        while todo:
            first, second = map(self.of, todo.pop())
            if first == second:
                continue
            low, high = min(first, second), max(first, second)
            self._leader[high] = low
            todo.append((self._before[low], self._before[high]))
            changed = True
        return changed


def _finished(tree: GameTree, player: int) -> Bools:
    """For every node whether the player moves neither there nor below."""
    moves: Bools = tree.player == player
    here = np.flatnonzero(moves)
    while len(here := np.unique(tree.parent[here[here > 0]])):
        here = here[~moves[here]]
        moves[here] = True
    finished: Bools = ~moves
    return finished


def _join_unseen(tree: GameTree, classes: _Classes, finished: Sequence[tuple[Ints, Bools]]) -> bool:
    """Join what a player who moves no more cannot tell apart: the same step from the same place, after their same action."""
    first: dict[tuple[object, ...], int] = {}
    changed = False
    decisions = np.flatnonzero(tree.player >= 0)
    for node in decisions[np.argsort(tree.depth[decisions], kind="stable")].tolist():
        before = classes.before(node)
        step = (classes.of(before), labels_to(tree, node, before))
        for player, (last, done) in enumerate(finished):
            if done[node]:
                changed |= classes.join(first.setdefault((player, int(last[node]), *step), node), node)
    return changed


def _numbered(tree: GameTree, classes: _Classes) -> tuple[Ints, Ints]:
    """The place of every node, and the place before each, by the depth at which they begin."""
    of_node = np.full(tree.nodes, NONE, np.int64)
    number: dict[int, int] = {}
    parent: list[int] = []
    decisions = np.flatnonzero(tree.player >= 0)
    for node in decisions[np.argsort(tree.depth[decisions], kind="stable")].tolist():
        leader = classes.of(node)
        if leader not in number:
            parent.append(number.get(classes.of(classes.before(node)), NONE))
            number[leader] = len(number)
        of_node[node] = number[leader]
    return of_node, np.array(parent, np.int64)

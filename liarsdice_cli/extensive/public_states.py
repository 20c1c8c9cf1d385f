"""The public states of a game: the decisions that no player's observations tell apart, as one state each.

In Liar's Dice a public state is a history, with an information set for every roll. In poker it is the bets and the open cards,
with an information set for every hand. In a game of perfect information every decision is a public state.
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
class PublicStates:
    """The finest partition of the decision nodes in which a state holds whole information sets and follows one other state.

    of_node : for every decision node the number of its state; NONE for terminal and chance nodes
    parent  : for every state the other state before it, NONE if no node of the state has a decision node of another before it
    before  : for every node the decision node before it, or the root

    A state has a higher number than its parent. Without perfect recall a state can also hold nodes that only chance moves
    before, or that the state itself comes before. A game file says what players know only at their own information sets. So a
    player who does not move again is assumed to learn nothing more, and all players to see chance's moves in between.

    >>> from liarsdice_cli.formats import efg
    >>> states = PublicStates.of(efg.read("sample_games/kuhn-poker.efg"))
    >>> states.parent.tolist(), [len(states.sets(state)) for state in range(len(states))]
    ([-1, 0, 0, 1], [3, 3, 3, 3])
    >>> states.steps(3)
    [('bet',)]
    """

    tree: GameTree
    of_node: Ints
    parent: Ints
    before: Ints

    @classmethod
    def of(cls, tree: GameTree) -> PublicStates:
        """Return the public states of a game. Cost: some steps for every decision node."""
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
        """The states that follow each state; the first ones follow NONE."""
        after: dict[int, list[int]] = {state: [] for state in range(NONE, len(self))}
        for state, before in enumerate(self.parent.tolist()):
            after[before].append(state)
        return after

    @cached_property
    def lengths(self) -> list[int]:
        """The number of states before each state."""
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

    def nodes(self, state: int) -> list[int]:
        """Return the decision nodes of a state, in prefix order."""
        return self._nodes[state]

    def sets(self, state: int) -> list[int]:
        """Return the rows of the information sets of a state, in the order of the tree."""
        return list(dict.fromkeys(self.tree.infoset[self._nodes[state]].tolist()))

    def steps(self, state: int) -> list[tuple[str, ...]]:
        """Return the labels of the actions from the parent state to this one, chance's included, in the order of the tree.

        There are several label sequences if some player did not see which one was played.
        """
        return list(dict.fromkeys(labels_to(self.tree, node, int(self.before[node])) for node in self._nodes[state]))


def decisions_before(tree: GameTree) -> Ints:
    """Return for every node the last decision node before it on its path; the root if there is none."""
    above = np.maximum(tree.parent, 0)
    while len(chance := np.flatnonzero((tree.player[above] == CHANCE) & (above > 0))):
        above[chance] = np.maximum(tree.parent[above[chance]], 0)
    return above


def _decisions(tree: GameTree) -> Iterator[int]:
    return iter(np.flatnonzero(tree.player >= 0).tolist())


class _Classes:
    """Classes of decision nodes in one public state. Joining two nodes joins the decision nodes before them too."""

    def __init__(self, before: Sequence[int]) -> None:
        self._before = before
        self._leader = list(range(len(before)))

    def before(self, node: int) -> int:
        """Return the decision node before a node, or the root."""
        return self._before[node]

    def of(self, node: int) -> int:
        """Return one node of the class of a node, the same for the whole class."""
        leader = self._leader
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    def join(self, one: int, other: int) -> bool:
        """Join the classes of two nodes; return whether they were different."""
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
    """Return for every node whether the player moves neither there nor below."""
    moves: Bools = tree.player == player
    here = np.flatnonzero(moves)
    while len(here := np.unique(tree.parent[here[here > 0]])):
        here = here[~moves[here]]
        moves[here] = True
    finished: Bools = ~moves
    return finished


def _join_unseen(tree: GameTree, classes: _Classes, finished: Sequence[tuple[Ints, Bools]]) -> bool:
    """Join nodes after the same labels from the same state and the same last action of a player who does not move again.

    Return whether any classes were joined.
    """
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
    """Return the state of every node and the parent of every state.

    States are numbered by the depth of their first nodes, each after its parent. Without perfect recall the parent can begin
    deeper: a player who cannot tell a node after a decision from one that only chance moves before sees both in one state.
    """
    of_node = np.full(tree.nodes, NONE, np.int64)
    number: dict[int, int] = {}
    parent: list[int] = []
    decisions = np.flatnonzero(tree.player >= 0)
    in_order = decisions[np.argsort(tree.depth[decisions], kind="stable")].tolist()
    before = _leaders_before(tree, classes, in_order)
    for node in in_order:
        waiting, one = [], classes.of(node)
        while one != NONE and one not in number:
            waiting.append(one)
            one = before.get(one, NONE)
        for one in reversed(waiting):
            parent.append(number[before[one]] if one in before else NONE)
            number[one] = len(number)
        of_node[node] = number[classes.of(node)]
    return of_node, np.array(parent, np.int64)


def _leaders_before(tree: GameTree, classes: _Classes, decisions: Sequence[int]) -> dict[int, int]:
    """Return for the leader of every class the leader of the other class before it, if decision nodes of one are before it."""
    leaders: dict[int, int] = {}
    for node in decisions:
        before = classes.before(node)
        leader, one = classes.of(node), classes.of(before)
        if tree.player[before] >= 0 and one != leader:
            leaders[leader] = one
    return leaders

"""Extensive-form games in memory: columns in prefix order, beside small tables of information sets, actions and outcomes.

A `stream.TreeStream` describes a game of any size by blocks of the same columns. A `GameTree` holds all nodes at once, so that
the game can be solved, judged and drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from liarsdice_cli.errors import LiarsDiceError, check_type
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import BLOCK, CHANCE, NONE, TERMINAL, Actions, Block, Ints, Numbers, Outcome, TreeStream
from liarsdice_cli.text import numbered, quoted


@dataclass(frozen=True)
class InfoSets:
    """The table of information sets: four columns with a row a set, chance's sets included.

    A player's sets are ordered so that a set follows those that can precede it on a path.
    `number` is unique per player and is what an .efg file calls the set; `labels` may be empty strings.
    """

    player: Ints
    number: Ints
    actions: Ints
    labels: Sequence[str]

    def __len__(self) -> int:
        return len(self.player)

    def unused_numbers(self, count: int) -> Ints:
        """Return the lowest positive numbers that no set of chance has, in order."""
        taken = self.number[self.player == CHANCE]
        candidates = np.arange(1, 1 + len(taken) + count)
        return candidates[~np.isin(candidates, taken)][:count]


@dataclass(frozen=True, eq=False)
class GameTree(Renderable):
    """A game in extensive form, held in memory.

    infoset : for every node the row of its information set, NONE for a terminal node; int32
    outcome : for every node the row of its outcome, or NONE; int32 (payoffs at inner nodes count too)

    These two columns are the whole tree, since a node has a branch for each action of its information set. Actions are numbered
    through: action `first_action[row] + branch` is a branch of the set in that row.

    >>> from liarsdice_cli.formats import efg
    >>> coin = efg.parse(b'EFG 2 R "coin" { "P1" } c "" 1 "" { "H" 1/2 "T" 1/2 } 0 t "" 1 "a" { 1 } t "" 2 "b" { 0 }')
    >>> coin.nodes, coin.parent.tolist(), coin.action.tolist()
    (3, [-1, 0, 0], [-1, 0, 1])
    """

    title: str
    comment: str
    players: tuple[str, ...]
    action_lists: Sequence[Actions]
    outcomes: Sequence[Outcome]
    infosets: InfoSets
    infoset: Ints
    outcome: Ints
    node_labels: Mapping[int, str] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.infoset)

    @cached_property
    def action_counts(self) -> Ints:
        """The number of actions of every information set."""
        return np.array([len(choices.labels) for choices in self.action_lists], np.int64)[self.infosets.actions]

    @cached_property
    def first_action(self) -> Ints:
        """The first action of every information set, and one past the last action at the end."""
        return np.concatenate([[0], np.cumsum(self.action_counts)]).astype(np.int64)

    @property
    def actions(self) -> int:
        """The number of actions of all information sets together."""
        return int(self.first_action[-1])

    @cached_property
    def action_player(self) -> Ints:
        """The player of every action."""
        return np.repeat(self.infosets.player, self.action_counts)

    @cached_property
    def action_infoset(self) -> Ints:
        """The information set of every action."""
        return np.repeat(np.arange(len(self.infosets)), self.action_counts)

    @cached_property
    def player(self) -> Ints:
        """The player to move at every node, CHANCE or TERMINAL."""
        return np.append(self.infosets.player, np.int8(TERMINAL))[self.infoset]

    @cached_property
    def arity(self) -> Ints:
        """The number of branches of every node."""
        return np.append(self.action_counts, 0)[self.infoset]

    @cached_property
    def parent(self) -> Ints:
        """The parent of every node, NONE at the root."""
        return np.append(np.repeat(np.arange(self.nodes, dtype=np.int32), self.arity), np.int32(NONE))[self._slot]

    @cached_property
    def action(self) -> Ints:
        """The action that leads into every node, NONE at the root."""
        action = self.first_action[self.infoset[self.parent]] + self._slot - self._first_slot[self.parent]
        action[0] = NONE
        return action

    @cached_property
    def _first_slot(self) -> Ints:
        """The number of the first branch of every node, the branches of all nodes numbered through."""
        return np.cumsum(self.arity) - self.arity

    @cached_property
    def _node_at_slot(self) -> Ints:
        """The node at the end of every branch."""
        return children_in_order(self.parent)

    def children(self, nodes: int | Ints) -> Ints:
        """Return the children of a node in the order of its actions.

        nodes : a node, or nodes with the same number of actions. The last axis of the result is the action

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> game = tree.build(rules.rules("common", 1))
        >>> game.children(1).tolist(), game.children(np.array([4, 6])).tolist()
        ([2, 6], [[5], [7]])
        """
        first = np.asarray(self._first_slot[nodes])
        width = int(self.arity[nodes] if first.ndim == 0 else self.arity[nodes].max(initial=0))
        return self._node_at_slot[first[..., None] + np.arange(width)]

    @cached_property
    def _slot(self) -> Ints:
        """For every node the branch into it, the branches of all nodes numbered through; NONE at the root."""
        return np.fromiter(_slots(self.arity.tolist()), np.int64, self.nodes)

    @cached_property
    def depth(self) -> Ints:
        """The number of moves before every node."""
        return self.along_path(np.ones(self.nodes, np.int64)) - 1

    @cached_property
    def first_node(self) -> Ints:
        """The first node of every information set in prefix order."""
        first = np.full(len(self.infosets), self.nodes, np.int64)
        nodes = np.flatnonzero(self.infoset != NONE)[::-1]
        first[self.infoset[nodes]] = nodes  # the last write to a row wins: the first node in prefix order
        return first

    @cached_property
    def _members(self) -> tuple[Ints, list[int]]:
        """The nodes ordered by their information sets, and where each set begins; terminal nodes are first."""
        counts = np.bincount(self.infoset + 1, minlength=len(self.infosets) + 1)
        return np.argsort(self.infoset, kind="stable"), np.cumsum(counts).tolist()

    def members(self, row: int) -> Ints:
        """Return the nodes of the information set in a row, in prefix order."""
        order, bounds = self._members
        return order[bounds[row] : bounds[row + 1]]

    @cached_property
    def levels(self) -> list[Ints]:
        """The nodes at each depth, in prefix order. The children of a node are consecutive."""
        order = np.argsort(self.depth, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.depth))[:-1])

    def along_path(self, values: npt.NDArray[Any], combine: np.ufunc = np.add, nodes: Ints | None = None) -> npt.NDArray[Any]:
        """Return the values of every node combined with those of all its ancestors.

        values  : one entry a node, of any type that `combine` takes
        combine : an associative and commutative ufunc
        nodes   : the only nodes whose result is needed; other entries may be meaningless

        Cost: about log2(depth) vector steps.
        """
        total = values.copy()
        above = self.parent.copy()
        todo = np.flatnonzero(above != NONE) if nodes is None else self._paths_to(nodes)
        while len(todo):
            total[todo] = combine(total[todo], total[above[todo]])
            above[todo] = above[above[todo]]
            todo = todo[above[todo] != NONE]
        return total

    def _paths_to(self, nodes: Ints) -> Ints:
        """Return the nodes and all their ancestors but the root."""
        found: list[Ints] = [np.zeros(0, np.int64)]
        while len(nodes := np.unique(nodes[nodes > 0])):
            found.append(nodes)
            nodes = self.parent[nodes]
        return np.unique(np.concatenate(found))

    @cached_property
    def memo(self) -> dict[tuple[str, int], Any]:
        """A cache for columns that other modules compute from this tree."""
        return {}

    @cached_property
    def chance_probabilities(self) -> Numbers:
        """The probability of every action of chance, 1 for those of players, and 1 at the end for NONE; Fractions."""
        column = np.full(self.actions + 1, Fraction(1), object)
        for row in np.flatnonzero(self.infosets.player == CHANCE).tolist():
            column[self.first_action[row] : self.first_action[row + 1]] = self.actions_at(row).probabilities
        return column

    def chance_reach(self, nodes: Ints | None = None) -> Numbers:
        """Return the product of chance's probabilities on the path to every node, or to some nodes, in fractions."""
        reach = self.along_path(self.chance_probabilities[self.action], np.multiply, nodes)
        return reach if nodes is None else reach[nodes]

    @cached_property
    def pays_inside(self) -> bool:
        """Whether a node that is not terminal has an outcome."""
        return bool(np.any(self.outcome[self.player != TERMINAL] != NONE))

    def totals(self, amounts: Sequence[Fraction]) -> tuple[list[Fraction], Ints]:
        """Return the sums of an amount an outcome over the path to every node, the node included.

        The result is a list that contains all sums, and for every node the index of its sum in the list.
        """
        if not self.pays_inside:
            return [*amounts, Fraction(0)], np.where(self.outcome == NONE, len(amounts), self.outcome)
        sums = self.along_path(np.array([*amounts, Fraction(0)], object)[self.outcome])
        index = {amount: number for number, amount in enumerate(dict.fromkeys(sums.tolist()))}
        return list(index), np.fromiter(map(index.__getitem__, sums.tolist()), np.int64, self.nodes)

    @cached_property
    def constant_sum(self) -> Fraction | None:
        """The sum of the players' payoffs at every terminal node, or None if it is not constant."""
        ends = self.player == TERMINAL
        if self.pays_inside:
            amounts, index = self.totals([sum(outcome.payoffs, Fraction(0)) for outcome in self.outcomes])
            sums = (amounts[number] for number in np.unique(index[ends]).tolist())
        else:
            vectors = (self.outcomes[row].payoffs if row != NONE else () for row in np.unique(self.outcome[ends]).tolist())
            sums = (sum(vector, Fraction(0)) for vector in vectors)
        first = next(sums)
        return first if all(one == first for one in sums) else None  # stops at the first that differs

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything but labels: nodes, players, numbers of information sets, chance probabilities and payoffs."""
        digest = hashlib.sha256(str((len(self.players), self.nodes)).encode())
        number = np.append(self.infosets.number, 0)[self.infoset]
        vectors, vector = self._payoff_vectors()
        for column in (self.player.astype("<i1"), number.astype("<i8"), self.arity.astype("<i8")):
            digest.update(column.tobytes())
        for row in self.sets_of(CHANCE):
            digest.update(_spelled(self.actions_at(row).probabilities or ()).encode())
        digest.update(vector.astype("<i4").tobytes())
        digest.update(f"[{', '.join(map(_spelled, vectors))}]".encode())
        return digest.hexdigest()[:32]

    def sets_of(self, player: int) -> list[int]:
        """Return the rows of a player's information sets, or chance's, in Gambit's order: that of their first nodes."""
        rows = np.flatnonzero(self.infosets.player == player)
        ordered: list[int] = rows[np.argsort(self.first_node[rows])].tolist()
        return ordered

    def _payoff_vectors(self) -> tuple[list[tuple[Fraction, ...]], Ints]:
        """Return the distinct payoff vectors in the order of their first nodes, () for none, and every node's index.

        The result does not depend on the names and the order of outcomes.
        """
        payoffs = [*(outcome.payoffs for outcome in self.outcomes), None]  # the last one for NONE
        rows, first = np.unique(self.outcome, return_index=True)
        vectors: dict[tuple[Fraction, ...] | None, int] = {}
        index = np.zeros(len(payoffs), np.int64)
        for row in rows[np.argsort(first)].tolist():
            index[row] = vectors.setdefault(payoffs[row], len(vectors))
        return [vector or () for vector in vectors], index[self.outcome]

    def actions_at(self, row: int) -> Actions:
        """Return the actions of the information set in a row."""
        actions: Actions = self.action_lists[self.infosets.actions[row]]
        return actions

    def action_label(self, action: int) -> str:
        """Return the label of an action, given by its number among all actions."""
        row = int(self.action_infoset[action])
        return self.actions_at(row).labels[action - int(self.first_action[row])]

    def label_of(self, row: int) -> str:
        """Return a name for the information set in a row: its label, or its player and number."""
        player = int(self.infosets.player[row])
        owner = "chance" if player == CHANCE else f"P{player + 1}"
        return self.infosets.labels[row] or f"{owner} set {self.infosets.number[row]}"

    def numbered(self, row: int) -> str:
        """Return the name of a player's information set by its number, such as "P1 set 3"."""
        return f"P{self.infosets.player[row] + 1} set {self.infosets.number[row]}"

    @cached_property
    def _rows_called(self) -> dict[str, list[int]]:
        """The rows of the players' information sets by label, and by player and number."""
        called: dict[str, list[int]] = {}
        for row in np.flatnonzero(self.infosets.player != CHANCE).tolist():
            for name in {self.infosets.labels[row], self.numbered(row)}:
                called.setdefault(name, []).append(row)
        return called

    def row_called(self, name: str) -> int:
        """Return the row of a player's information set by its label, or by player and number as in "P2 set 3".

        Raises LiarsDiceError if no set of a player, or more than one, has this name.
        """
        check_type("name", name, str, "give the name of an information set as text, such as 'P1 set 1'")
        rows = self._rows_called.get(name, [])
        if len(rows) == 1:
            return rows[0]
        some = f"{len(rows)} information sets are called" if rows else "no information set of a player is called"
        players = np.flatnonzero(self.infosets.player != CHANCE).tolist()
        examples = [self.numbered(row) for row in rows] or [self.label_of(row) for row in players[:1]]
        raise LiarsDiceError(f"{some} {quoted(name)}; name one such as {quoted(next(iter(examples), 'P1 set 1'))}")

    def __repr__(self) -> str:
        return f"GameTree({self.title!r}, {numbered(self.nodes, 'nodes')})"

    def stream(self) -> TreeStream:
        """Return the same game as blocks of nodes."""
        counts = np.bincount(self.infosets.player + 1, minlength=len(self.players) + 1)
        return TreeStream(
            self.title,
            self.comment,
            self.players,
            self.action_lists,
            self.outcomes,
            self.nodes,
            tuple(counts.tolist()),
            self._between,
            self.node_labels,
        )

    @cached_property
    def _set_columns(self) -> tuple[Ints, Ints, Ints]:
        """Number, row of actions and first node of every information set; a last entry for NONE."""
        return np.append(self.infosets.number, 0), np.append(self.infosets.actions, 0), np.append(self.first_node, NONE)

    def _between(self, start: int, stop: int) -> Iterator[Block]:
        number, choices, first_node = self._set_columns
        for begin in range(start, stop, BLOCK):
            nodes = slice(begin, min(begin + BLOCK, stop))
            rows = self.infoset[nodes]
            first = first_node[rows] == np.arange(nodes.start, nodes.stop)

            def labels(positions: Ints, rows: Ints = rows) -> list[str]:
                return [self.infosets.labels[row] for row in rows[positions].tolist()]

            yield Block(self.player[nodes], number[rows], choices[rows], self.outcome[nodes], first, labels)


def _spelled(numbers: Sequence[Fraction]) -> str:
    """Return fractions as text for the fingerprint: ['1/2', '0']."""
    return str([str(number) for number in numbers])


def _slots(arity: list[int]) -> Iterator[int]:
    """Yield for every node in prefix order the number of the branch into it, NONE for the root."""
    waiting = [NONE]
    before = 0
    for count in arity:
        yield waiting.pop()
        if count:
            waiting.extend(range(before + count - 1, before - 1, -1))
            before += count


def children_in_order(parent: Ints) -> Ints:
    """Return all nodes but the root, ordered by their parents and then by their place in prefix order.

    >>> children_in_order(np.array([NONE, 0, 1, 1, 0])).tolist()
    [1, 4, 2, 3]
    """
    return np.argsort(parent, kind="stable")[1:]

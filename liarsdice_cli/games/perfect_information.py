"""Trees of perfect information, built from columns (one entry per node in prefix order) or unfolded from rules.

Each decision node is an information set of its own. The players, moves and outcomes of the nodes are therefore the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import NONE, TERMINAL, Actions, Ints, Outcome
from liarsdice_cli.extensive.tree import GameTree, InfoSets, children_in_order
from liarsdice_cli.games.convention import convention

_Position = TypeVar("_Position")

MOST_NODES = 500_000
"""The largest tree that `unfold` builds."""


class NodeColumns(NamedTuple):
    """The nodes of a tree in prefix order, an entry a node in every column.

    depth   : the number of moves before the node, which gives the shape of the tree
    move    : the index of the move that leads to the node; the root's is ignored
    mover   : the player who moves, TERMINAL at a terminal node
    outcome : the index of the outcome, NONE at a decision node
    """

    depth: Ints
    move: Ints
    mover: Ints
    outcome: Ints


def game_tree(
    title: str,
    comment: str,
    players: tuple[str, ...],
    names: Sequence[str],
    outcomes: Sequence[Outcome],
    nodes: NodeColumns,
) -> GameTree:
    """Return the tree with these nodes.

    names, outcomes : the moves and outcomes to which the nodes refer

    The label of an information set names the moves before it and is computed on demand. Cost: a sort of the nodes and one
    step a decision node; about 60 bytes a node.

    >>> ends = [Outcome("a", ()), Outcome("b", ())]
    >>> columns = [0, 1, 1], [-1, 0, 1], [0, TERMINAL, TERMINAL], [NONE, 0, 1]
    >>> tree = game_tree("", "", ("Ann",), ["x", "y"], ends, NodeColumns(*map(np.array, columns)))
    >>> tree.action_lists, tree.infoset.tolist(), list(tree.infosets.labels)
    ([Actions(labels=('x', 'y'), probabilities=None)], [0, -1, -1], ['start'])
    """
    depth, move, mover, outcome = nodes
    parent = parents(depth)
    deciding = np.flatnonzero(mover != TERMINAL)
    infoset = np.full(len(depth), NONE, np.int32)
    infoset[deciding] = np.arange(len(deciding))
    action_lists, choices = _action_lists(parent, move, deciding, names)
    owner = mover[deciding].astype(np.int8)
    labels = _Histories(names, move, parent, deciding)
    sets = InfoSets(owner, _numbers(owner), choices, labels)
    return GameTree(title, comment, players, action_lists, outcomes, sets, infoset, outcome.astype(np.int32))


def parents(depth: Ints) -> Ints:
    """Return the parent of every node, NONE at the root: the last node before it that is one move higher.

    >>> parents(np.array([0, 1, 2, 2, 1])).tolist()
    [-1, 0, 1, 1, 0]
    """
    count = len(depth)
    key = depth.astype(np.int64) * count + np.arange(count)
    ordered = np.sort(key)
    above = ordered[np.searchsorted(ordered, key - count) - 1] % count
    above[0] = NONE
    return above


def unfold(
    title: str,
    start: _Position,
    moves: Callable[[_Position, int], Iterable[tuple[str, _Position]]],
    misere: bool = False,
) -> GameTree:
    """Return the tree of a game in which two players alternate; payoffs are 1 and 0.

    moves  : the named moves of a player, 0 or 1, from a position
    misere : whether the player who cannot move wins; otherwise that player loses

    Raises LiarsDiceError for a tree of more than `MOST_NODES` nodes, as for a game without end.

    >>> tree = unfold("", 2, lambda heap, player: [(f"take {taken}", heap - taken) for taken in range(1, heap + 1)])
    >>> tree.nodes, [choices.labels for choices in tree.action_lists]
    (4, [('take 1', 'take 2'), ('take 1',)])
    """
    names: dict[str, int] = {}
    depth, move, mover, outcome = [], [], [], []
    todo = [(start, 0, NONE)]
    while todo:
        position, level, into = todo.pop()
        player = level % 2
        named = islice(moves(position, player), MOST_NODES)
        below = [(after, level + 1, names.setdefault(name, len(names))) for name, after in named]
        todo.extend(reversed(below))
        depth.append(level)
        move.append(into)
        mover.append(player if below else TERMINAL)
        outcome.append(NONE if below else player if misere else 1 - player)
        if len(depth) + len(todo) > MOST_NODES:
            raise LiarsDiceError(f"the tree of this game has more than {MOST_NODES:,} nodes: choose a smaller position")
    return game_tree(
        title,
        convention(misere),
        ("Player 1", "Player 2"),
        list(names),
        [Outcome(f"Player {winner + 1} wins", (Fraction(winner == 0), Fraction(winner == 1))) for winner in (0, 1)],
        NodeColumns(*map(np.array, (depth, move, mover, outcome))),
    )


def _action_lists(parent: Ints, move: Ints, deciding: Ints, names: Sequence[str]) -> tuple[list[Actions], Ints]:
    """Return the distinct lists of actions, and for each decision node the row of its list."""
    moves = move[children_in_order(parent)].tolist()
    bounds = np.cumsum(np.bincount(parent[1:], minlength=len(parent)))[deciding].tolist()
    rows: dict[tuple[int, ...], int] = {}
    choices, start = [], 0
    for stop in bounds:
        choices.append(rows.setdefault(tuple(moves[start:stop]), len(rows)))
        start = stop
    return [Actions(tuple(names[move] for move in moves)) for moves in rows], np.array(choices, np.int32)


def _numbers(owner: Ints) -> Ints:
    """Return the numbers of the information sets: 1, 2, ... for each player, in prefix order."""
    number = np.empty(len(owner), np.int32)
    for player in np.unique(owner):
        own = owner == player
        number[own] = np.arange(1, np.count_nonzero(own) + 1)
    return number


class _Histories(Sequence[str]):
    """The label of every information set, made of the moves before it on demand."""

    def __init__(self, names: Sequence[str], move: Ints, parent: Ints, nodes: Ints) -> None:
        self._names, self._move, self._parent, self._nodes = names, move, parent, nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __getitem__(self, row):  # type: ignore[no-untyped-def]  # an index or a slice, as of a list
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        node, moves = int(self._nodes[row]), []
        while self._parent[node] != NONE:
            moves.append(self._names[self._move[node]])
            node = int(self._parent[node])
        return f"after {', '.join(reversed(moves))}" if moves else "start"

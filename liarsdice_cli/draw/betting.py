"""The betting tree drawn once for all deals: at each history, a bar for every roll of the mover.

Terminal nodes are left out because the payoffs of a call depend on the deal.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import compress

import numpy as np

from liarsdice_cli.draw.diagram import (
    Bar,
    DealPanels,
    Diagram,
    Node,
    Panel,
    clean,
    is_bid,
    number_text,
    players_of,
    reached_nodes,
    short,
)
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.stream import NONE, TERMINAL, Bools, Ints, Numbers
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree


def histories(tree: GameTree, deals: DealPanels, reached: Bools | None = None) -> int:
    """Return the number of histories at which a player moves; with `reached`, only those with a reached node."""
    below = tree.player[deals.starts[0] : deals.starts[0] + deals.size] >= 0
    if reached is not None:
        below = below & reached[_cells(deals)].any(axis=0)
    return int(np.count_nonzero(below))


def _cells(deals: DealPanels) -> Ints:
    """Return the nodes below the deals: a row for every deal, a column for every node below it."""
    cells: Ints = deals.starts[:, None] + np.arange(deals.size)
    return cells


def of_histories(part: SubtreeView, deals: DealPanels, reached_only: bool = False) -> Diagram:
    """Return a diagram with a node for every history and, with a profile, a bar for every roll.

    reached_only : include only the histories that the profile reaches, with the rolls that reach them

    Cost: a vector step over the nodes of the game, and a step for every history and roll.
    """
    tree = part.tree
    first = int(deals.starts[0])
    table = _Table(part, deals, reached_only)
    shown = tree.player[first : first + deals.size] != TERMINAL
    if reached_only:
        shown = shown & table.reached.any(axis=0)
    place = np.cumsum(shown) - 1
    parents = [
        NONE if node == first else int(place[tree.parent[node] - first])
        for node in compress(range(first, first + deals.size), shown)
    ]
    nodes = tuple(table.node(offset, parent) for offset, parent in zip(np.flatnonzero(shown).tolist(), parents, strict=True))
    taken = {action for node in nodes for bar in node.bars for action, _ in bar.shares}
    names = tuple(short(name) or f"Player {number}" for number, name in enumerate(tree.players, 1))
    return Diagram(
        clean(part.title),
        names,
        (Panel(nodes),),
        actions=tuple(action for action in _ordered(tree) if action in taken),
        reached_only=reached_only,
    )


def _ordered(tree: GameTree) -> list[str]:
    """Return all actions of players: first those that are not bids, then the bids in the order of the longest list."""
    action_lists = sorted(
        (choices for choices in tree.action_lists if choices.probabilities is None), key=lambda choices: -len(choices.labels)
    )
    actions = dict.fromkeys(clean(action) for choices in action_lists for action in choices.labels)
    return sorted(actions, key=is_bid)


class _Table:
    """The nodes below the deals: a row for every deal, a column for every history."""

    def __init__(self, part: SubtreeView, deals: DealPanels, reached_only: bool) -> None:
        self.part, self.tree, self.deals, self.reached_only = part, part.tree, deals, reached_only
        cells = _cells(deals)
        self.infoset, self.reached = self.tree.infoset[cells], reached_nodes(part)[cells]
        self.reach = self._reach()[cells].sum(axis=0) if part.profile is not None else None

    def _reach(self) -> Numbers:
        """Return the probability of every node, in fractions if the profile and the size of the tree allow them."""
        assert self.part.profile is not None, "asked only with a profile"
        return ProfileValues.within_seconds(self.part.profile.on(self.tree)).reach

    def node(self, offset: int, parent: int) -> Node:
        """Return the diagram's node for the history in this column."""
        tree, node = self.tree, int(self.deals.starts[0]) + offset
        branch = self._branch(node)
        mover = int(tree.player[node])
        weight = self._weight(node, offset)
        reached = bool(self.reached[:, offset].any())
        who = f"{players_of(tree)[mover]} moves"
        return Node(
            parent=parent,
            mover=mover,
            number="",
            branch=short(branch),
            chances="" if weight is None else number_text(weight),
            weight=None if weight is None else float(weight),
            payoffs=(),
            reached=reached,
            title=f"{branch}: {who}" if branch else who,
            bars=self._bars(offset, mover),
        )

    def _branch(self, node: int) -> str:
        if node == self.deals.starts[0]:
            return ""
        return clean(self.tree.action_label(int(self.tree.action[node])))

    def _weight(self, node: int, offset: int) -> Number | None:
        """Return the probability of the last action, over all deals, given the history before it."""
        if self.reach is None or not offset:
            return None
        before = self.reach[int(self.tree.parent[node]) - int(self.deals.starts[0])]
        weight: Number = self.reach[offset] / before if before else 0
        return weight

    def _bars(self, offset: int, mover: int) -> tuple[Bar, ...]:
        if self.part.profile is None:
            return ()
        rows, deals = np.unique(self.infoset[:, offset], return_index=True)
        order = np.argsort(deals)
        bars = (
            self._bar(row, deal, offset, mover) for row, deal in zip(rows[order].tolist(), deals[order].tolist(), strict=True)
        )
        return tuple(bar for bar in bars if bar.reached or not self.reached_only)

    def _bar(self, row: int, deal: int, offset: int, mover: int) -> Bar:
        assert self.part.profile is not None, "asked only with a profile"
        actions = self.tree.actions_at(row).labels
        numbers: list[Number] = self.part.profile.at(row)
        taken = [(clean(action), number) for action, number in zip(actions, numbers, strict=True) if number]
        words = ", ".join(f"{action} {number_text(number)}" for action, number in taken)
        reached = bool(self.reached[self.infoset[:, offset] == row, offset].any())
        return Bar(
            dice=self.deals.dice[deal][mover] if self.deals.dice else "",
            name=short(self.tree.label_of(row)),
            shares=tuple((action, float(Fraction(number))) for action, number in taken),
            words=words,
            reached=reached,
            title=f"{clean(self.tree.label_of(row))}: {words}" + ("" if reached else ", never reached"),
        )

"""Choose the picture that suits a game: the whole tree, a panel for every deal, the betting tree once, or none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from liarsdice_cli.draw import betting, diagram
from liarsdice_cli.draw.diagram import DealPanels, Diagram
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.subtree_view import SubtreeView, moves
from liarsdice_cli.extensive.tree import GameTree

MOST_NODES = 300
"""The largest tree, in nodes, that is drawn node by node."""
MOST_HISTORIES = 600
"""The largest betting tree, in histories."""


def diagram_of(part: SubtreeView, infosets: str = "auto", reached_only: bool = False) -> Diagram:
    """Return a readable diagram of a game. With dotted information sets, a whole tree is drawn in one panel, as in the post.

    reached_only : leave out everything that the profile never reaches; ignored without a profile

    Raises LiarsDiceError if the game is too large, with a depth that can be drawn if there is one.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> [len(diagram_of(SubtreeView.whole(tree.build(rules.rules("common", sides)))).panels) for sides in (2, 3)]
    [4, 1]
    """
    if reached_only and part.profile is not None:
        return _played(part, infosets)
    tree = part.tree
    if tree.nodes > MOST_NODES:
        return betting.of_histories(part, _drawable(tree))
    deals = None if infosets == "dotted" else DealPanels.of(tree)
    if deals is not None and deals.dice:
        return diagram.of_deals(part, deals)
    return diagram.of_tree(part)


def _played(part: SubtreeView, infosets: str) -> Diagram:
    """Return the diagram, in the same form, of everything that the profile reaches."""
    tree, taken = part.tree, part.taken()
    small = tree.nodes <= MOST_NODES
    deals = None if small and infosets == "dotted" else DealPanels.of(tree)
    if small and deals is not None and deals.dice:
        return diagram.without_unreached(diagram.of_deals(replace(part, notes=taken.notes), deals))
    if not small and deals is not None:
        shown = betting.histories(tree, deals, diagram.reached_nodes(part))
        if shown > MOST_HISTORIES:
            raise _too_large(tree, deals, f"{shown:,} betting histories are played, more than the {MOST_HISTORIES:,}")
        return betting.of_histories(replace(part, notes=taken.notes), deals, reached_only=True)
    if taken.tree.nodes > MOST_NODES:
        raise _too_large(tree, deals, f"{taken.tree.nodes:,} nodes are played, more than the {MOST_NODES:,}")
    return replace(diagram.of_tree(taken), reached_only=True)


def check(tree: GameTree) -> None:
    """Raise LiarsDiceError if the game is too large for `diagram_of`, before anything is drawn."""
    if tree.nodes > MOST_NODES:
        _drawable(tree)


def _drawable(tree: GameTree) -> DealPanels:
    """Return the deals of a large game. Raises LiarsDiceError if its betting tree cannot be drawn."""
    deals = DealPanels.of(tree)
    if deals is not None and betting.histories(tree, deals) <= MOST_HISTORIES:
        return deals
    what = (
        f"{betting.histories(tree, deals):,} betting histories are more than the {MOST_HISTORIES:,}"
        if deals is not None
        else f"{tree.nodes:,} nodes are more than the {MOST_NODES:,}"
    )
    raise _too_large(tree, deals, what)


def _too_large(tree: GameTree, deals: DealPanels | None, what: str) -> LiarsDiceError:
    depth = _deepest(tree, deals)
    way = (Argument("depth", depth), ", or ") if depth else ()
    start = (Argument("history"), " and the first moves of a history")
    return LiarsDiceError(f"{what} that a picture can show: draw a part with ", *way, *start)


def _deepest(tree: GameTree, deals: DealPanels | None) -> int:
    """Return the largest number of moves after which the game can be cut so that the rest can be drawn; 0 if there is none."""
    moved = moves(tree)
    nodes = np.cumsum(np.bincount(moved))
    fitting = nodes <= MOST_NODES
    if deals is not None:
        below = slice(deals.starts[0], deals.starts[0] + deals.size)
        deciding = np.bincount(moved[below][tree.player[below] >= 0], minlength=len(nodes))
        fitting |= np.append(0, np.cumsum(deciding)[:-1]) <= MOST_HISTORIES
    return int(np.flatnonzero(fitting).max(initial=0))

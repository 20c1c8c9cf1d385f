"""Perfect recall: each player's last own action before every node and every information set."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import CHANCE, NONE, Ints
from liarsdice_cli.extensive.tree import GameTree


def last_action(tree: GameTree, player: int) -> Ints:
    """Return for every node the last action of a player (or CHANCE) on the path to it, or NONE.

    With perfect recall this is the player's sequence in the sense of von Stengel (1996, section 2).
    Cost: about log2(depth) vector steps over the nodes.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> last_action(tree.build(rules.rules("common", 1)), 0).tolist()
    [-1, -1, 1, 1, 1, 3, 2, 2]
    """
    key = ("last action", player)
    if key not in tree.memo:
        tree.memo[key] = _last_action(tree, player)
    found: Ints = tree.memo[key]
    return found


def _last_action(tree: GameTree, player: int) -> Ints:
    own = np.append(tree.infosets.player, NONE - 1)[tree.infoset[tree.parent]] == player
    own[0] = True  # the root ends every search; its action is NONE
    above = np.where(own, np.arange(tree.nodes), tree.parent)
    todo = np.flatnonzero(~own)
    while len(todo):
        above[todo] = above[above[todo]]
        todo = todo[~own[above[todo]]]
    return tree.action[above]


def remembered(tree: GameTree, player: int) -> Ints | None:
    """Return for every information set the player's last action before it; None without perfect recall (Kuhn 1953).

    The entry is NONE for the first sets and for those of other players. Recall is imperfect if two nodes of a set disagree.
    """
    key = ("remembered", player)
    if key not in tree.memo:
        tree.memo[key] = _remembered(tree, player)
    found: Ints | None = tree.memo[key]
    return found


def _remembered(tree: GameTree, player: int) -> Ints | None:
    last, nodes = last_action(tree, player), np.flatnonzero(tree.player == player)
    before = np.full(len(tree.infosets), NONE, np.int64)
    before[tree.infoset[nodes]] = last[nodes]
    return before if np.array_equal(before[tree.infoset[nodes]], last[nodes]) else None


def sets_before(tree: GameTree, player: int) -> Ints:
    """Return `remembered`; raise LiarsDiceError without perfect recall."""
    before = remembered(tree, player)
    if before is None:
        raise LiarsDiceError(f"player {player + 1} has imperfect recall: give a game with perfect recall, which this needs")
    return before


def has_perfect_recall(tree: GameTree) -> bool:
    """Return whether all players have perfect recall."""
    return all(remembered(tree, player) is not None for player in range(len(tree.players)))


def of_two_with_recall(tree: GameTree) -> bool:
    """Return whether it is a constant-sum game of two players with perfect recall."""
    return len(tree.players) == 2 and tree.constant_sum is not None and has_perfect_recall(tree)


assert CHANCE != NONE - 1, "no owner of the parent of the root"

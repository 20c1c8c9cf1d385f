"""Histories as a person writes them, and the paths that lead to the nodes of a tree: actions and their labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from liarsdice_cli.errors import checked_items
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree

_WORDS = re.compile(r"""(?:'([^']+)'|"([^"]+)"|(\S+))(?!\S)""")
"""A word of a history, perhaps in quotes."""


def moves(history: str | Sequence[str]) -> list[str]:
    """Return the names of the players' actions in a sequence, or in a text such as "1x2 2x3"; "opening" has none.

    In a text, a name with blanks stands in quotes. Raises UsageError for anything but text.

    >>> moves("1x2 2x3"), moves("opening"), moves(["pass", "bet one"]), moves("pass 'bet one'")
    (['1x2', '2x3'], [], ['pass', 'bet one'], ['pass', 'bet one'])
    """
    if isinstance(history, str):
        return [] if history == "opening" else ["".join(word) for word in _WORDS.findall(history)]
    return list(checked_items("history", history, str, "give labels of moves, such as \"1x2 2x3\" or ['1x2', '2x3']"))


def actions_to(tree: GameTree, node: int, start: int = 0) -> list[int]:
    """Return the actions that lead from `start` down to a node, in the order of play."""
    actions: list[int] = []
    while node != start:
        actions.append(int(tree.action[node]))
        node = int(tree.parent[node])
    return actions[::-1]


def labels_to(tree: GameTree, node: int, start: int = 0) -> tuple[str, ...]:
    """Return the names (`Actions.names`) of those actions, chance's included."""
    actions = actions_to(tree, node, start)
    rows = (int(tree.action_infoset[action]) for action in actions)
    return tuple(
        tree.actions_at(row).names[action - int(tree.first_action[row])] for action, row in zip(actions, rows, strict=True)
    )


def deal_of(tree: GameTree, node: int) -> str:
    """Return the labels of chance's actions on the path to a node, joined by bars.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 2))
    >>> deal_of(game, game.nodes - 1)
    '2|2'
    """
    return "|".join(tree.action_label(action) for action in actions_to(tree, node) if tree.action_player[action] == CHANCE)

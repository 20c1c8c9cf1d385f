"""The path from the root, or from a node above, to a node: its actions and their labels."""

from __future__ import annotations

from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree


def actions_to(tree: GameTree, node: int, start: int = 0) -> list[int]:
    """Return the actions that lead from `start` down to a node, in the order of play."""
    actions: list[int] = []
    while node != start:
        actions.append(int(tree.action[node]))
        node = int(tree.parent[node])
    return actions[::-1]


def labels_to(tree: GameTree, node: int, start: int = 0) -> tuple[str, ...]:
    """Return the labels of those actions, chance's included. An action without a label is named by its number from 1."""
    return tuple(
        tree.action_label(action) or str(action - int(tree.first_action[tree.action_infoset[action]]) + 1)
        for action in actions_to(tree, node, start)
    )


def deal_of(tree: GameTree, node: int) -> str:
    """Return the labels of chance's actions on the path to a node, joined by bars.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 2))
    >>> deal_of(game, game.nodes - 1)
    '2|2'
    """
    return "|".join(tree.action_label(action) for action in actions_to(tree, node) if tree.action_player[action] == CHANCE)

"""The way from the root to a node: the nodes on it, the actions, and the probability of coming there."""

from __future__ import annotations

from fractions import Fraction

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import CHANCE, Numbers
from liarsdice_cli.extensive.tree import GameTree


def nodes_to(tree: GameTree, node: int) -> list[int]:
    """The nodes from the root to a node, both included."""
    nodes = [node]
    while nodes[-1]:
        nodes.append(int(tree.parent[nodes[-1]]))
    return nodes[::-1]


def actions_to(tree: GameTree, node: int) -> list[int]:
    """The actions that lead to a node, from the root on."""
    return [int(tree.action[after]) for after in nodes_to(tree, node)[1:]]


def reach(tree: GameTree, probabilities: Numbers, node: int, without: int | None = None) -> Number:
    """The product of the probabilities of the actions that lead to a node, those of one player left out if one is named.

    Exact if the probabilities are.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = tree.build(rules.rules("common", 2))
    >>> probabilities = from_sets(game, {}).probabilities
    >>> end = game.nodes - 1
    >>> deal_of(game, end), str(reach(game, probabilities, end)), str(reach(game, probabilities, end, without=0))
    ('2|2', '1/16', '1/4')
    """
    product: Number = Fraction(1) if probabilities.dtype == object else 1.0
    for action in actions_to(tree, node):
        if without is None or tree.action_player[action] != without:
            product = product * probabilities[action]
    return product


def deal_of(tree: GameTree, node: int) -> str:
    """What chance did on the way to a node: its actions, with bars between them."""
    chosen = [action for action in actions_to(tree, node) if tree.action_player[action] == CHANCE]
    rows = [int(tree.action_infoset[action]) for action in chosen]
    labels = [tree.actions_at(row).labels[action - tree.first_action[row]] for row, action in zip(rows, chosen, strict=True)]
    return "|".join(labels)

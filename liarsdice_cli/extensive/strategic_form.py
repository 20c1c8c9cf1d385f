"""The reduced strategic form: pure strategies that choose only at sets which the player's own earlier choices reach.

The number of strategies grows exponentially with the tree, so callers count them before listing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.evaluate import payoff_nodes, scaled
from liarsdice_cli.extensive.recall import last_action, sets_before
from liarsdice_cli.extensive.stream import NONE, Bools
from liarsdice_cli.extensive.tree import GameTree

PureStrategy = tuple[int, ...]
"""The actions that a reduced strategy chooses, in the order of the player's information sets."""


def count_strategies(tree: GameTree, player: int) -> int:
    """Return the exact number of reduced strategies of a player.

    An action counts the product over the sets that follow it, a set the sum over its actions.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> [count_strategies(tree.build(rules.rules("classic", 2)), player) for player in (0, 1)]
    [100, 900]
    """
    before, counts = sets_before(tree, player).tolist(), [1] * (tree.actions + 1)
    for row in _rows_backward(tree, player):
        counts[before[row]] *= sum(counts[tree.first_action[row] : tree.first_action[row + 1]])
    return counts[NONE]


def strategies(tree: GameTree, player: int) -> list[PureStrategy]:
    """Return all reduced strategies of a player in lexicographic order; `count_strategies` returns their number."""
    before = sets_before(tree, player).tolist()
    plans: dict[int, list[PureStrategy]] = {}
    for row in _rows_backward(tree, player):
        actions = range(tree.first_action[row], tree.first_action[row + 1])
        choices = [(action, *rest) for action in actions for rest in plans.get(action, [()])]
        others = plans.get(before[row], [()])
        plans[before[row]] = [choice + other for choice in choices for other in others]
    return sorted(tuple(sorted(plan)) for plan in plans.get(NONE, [()]))


def payoff_vectors(tree: GameTree, choices: list[list[PureStrategy]]) -> Iterator[tuple[Fraction, ...]]:
    """Yield the exact expected payoffs of every combination of strategies; the first player's strategy changes fastest.

    Cost: for every combination of all players but the first, a product of matrices over the payoff nodes.
    """
    nodes = payoff_nodes(tree)
    reach = tree.chance_reach(nodes).tolist()
    ends = [tree.outcomes[row].payoffs for row in tree.outcome[nodes].tolist()]
    weighed = [payoff * weight for payoffs, weight in zip(ends, reach, strict=True) for payoff in payoffs]
    numerators, denominator = scaled(np.array(weighed, object))
    numerators = numerators.reshape(len(nodes), len(tree.players))
    allowed = [_allowed(tree, plans)[:, last_action(tree, player)[nodes]] for player, plans in enumerate(choices)]
    first, others = allowed[0], allowed[1:]
    for combination in np.ndindex(*(len(plans) for plans in choices[:0:-1])):
        agreed = np.ones(len(nodes), bool)
        for player, strategy in zip(others, reversed(combination), strict=True):
            agreed &= player[strategy]
        for row in (first[:, agreed].astype(object) @ numerators[agreed]).tolist():
            yield tuple(Fraction(number, denominator) for number in row)


def _allowed(tree: GameTree, plans: list[PureStrategy]) -> Bools:
    """Return whether each strategy (row) takes each action (column, the last one NONE)."""
    allowed = np.zeros((len(plans), tree.actions + 1), bool)
    allowed[:, NONE] = True
    for row, plan in enumerate(plans):
        allowed[row, list(plan)] = True
    return allowed


def _rows_backward(tree: GameTree, player: int) -> list[int]:
    rows: list[int] = np.flatnonzero(tree.infosets.player == player)[::-1].tolist()
    return rows

"""What a profile does after a betting history: a row for every information set that the history leads to.

The history is the players' own actions on the way, whatever chance did: in Liar's Dice, the bids; the rows are then the
rolls of the player to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, quoted
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.paths import nodes_to, reach
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import CHANCE, NONE, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import likeliest_mistakes


@dataclass(frozen=True)
class InfosetReport:
    """What the player to move does at one information set.

    row           : of the information set in the tree
    probabilities : of its actions, in order
    values        : the player's expected payoff with each action, given that play has come there; None where the others
                    or chance never let it come. After a mistake of the others, a refined profile says how likely each was
    last_bid_true : the probability that it is, so that a call would lose; None likewise, and where the set has no action
                    called "call" that ends the game
    """

    row: int
    probabilities: list[Number]
    values: list[Number] | None
    last_bid_true: Number | None


@dataclass(frozen=True)
class SetsAfter:
    """The information sets after a history, all of one player and with the same actions, in the order of the tree."""

    player: int
    actions: tuple[str, ...]
    rows: tuple[InfosetReport, ...]


def after(profile: Profile, history: Sequence[str], place: int | None = None) -> SetsAfter:
    """What the profile does after these actions of the players, chance's left out.

    place : the only set that is wanted, counted from 0 in the order of the tree; all where it is left out

    Exact if the profile is. Raises LiarsDiceError where no player moves after this history, naming what could come
    instead, and where different players do or with different actions. Cost: a step a node below the sets.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = tree.build(rules.rules("common", 2))
    >>> page = after(from_sets(game, {}), ["2x1"])
    >>> page.player, page.actions, [str(row.last_bid_true) for row in page.rows], [str(row.values[0]) for row in page.rows]
    (1, ('call', '2x2'), ['1/2', '0'], ['1/2', '1'])
    """
    tree = profile.tree
    nodes = nodes_after(tree, history)
    rows = np.unique(tree.infoset[nodes])
    player = int(tree.infosets.player[rows[0]])
    actions = tree.actions_at(rows[0]).labels
    wanted = rows.tolist() if place is None else [int(rows[place])]
    return SetsAfter(player, actions, tuple(_row(profile, row, nodes[tree.infoset[nodes] == row]) for row in wanted))


def nodes_after(tree: GameTree, history: Sequence[str]) -> Ints:
    """The decision nodes that the history leads to; raises as `after` does."""
    nodes = _past_chance(tree, np.zeros(1, np.int64))
    if not len(nodes):
        raise LiarsDiceError("nobody moves in this game, so there is nothing to show")
    for done, label in enumerate(history):
        possible = {action for row in np.unique(tree.infoset[nodes]).tolist() for action in _actions(tree, row)}
        children = _children(tree, nodes)
        nodes = _past_chance(tree, children[_labels(tree, children) == label])
        if not len(nodes):
            before = " ".join(history[:done]) or "the opening"
            raise LiarsDiceError(
                f"{quoted(label)} cannot follow {before}, or ends the game; there are {', '.join(sorted(possible))}"
            )
    rows = np.unique(tree.infoset[nodes]).tolist()
    if len({(int(tree.infosets.player[row]), _actions(tree, row)) for row in rows}) > 1:
        before = " ".join(history) or "the opening"
        raise LiarsDiceError(f"{before} leads to sets of different players or actions, which fit no table; show another")
    return nodes


def _past_chance(tree: GameTree, nodes: Ints) -> Ints:
    """The decision nodes among the nodes, and those that chance alone leads to from them."""
    found = []
    while len(nodes):
        found.append(nodes[tree.player[nodes] >= 0])
        nodes = _children(tree, nodes[tree.player[nodes] == CHANCE])
    return np.sort(np.concatenate([np.zeros(0, np.int64), *found]))


def _children(tree: GameTree, nodes: Ints) -> Ints:
    return np.flatnonzero(np.isin(tree.parent, nodes))


def _actions(tree: GameTree, row: int) -> tuple[str, ...]:
    return tree.actions_at(row).labels if row != NONE else ()


def _labels(tree: GameTree, nodes: Ints) -> Numbers:
    """The label of the action that leads into each node."""
    rows = tree.infoset[tree.parent[nodes]]
    branches = tree.action[nodes] - tree.first_action[rows]
    labels = [_actions(tree, row)[branch] for row, branch in zip(rows.tolist(), branches.tolist(), strict=True)]
    return np.array(labels, object)


def _row(profile: Profile, row: int, nodes: Ints) -> InfosetReport:
    tree = profile.tree
    player = int(tree.infosets.player[row])
    weights = _weights(profile, player, nodes)
    total = sum(weights)
    probabilities = profile.at(row)
    if not total:
        return InfosetReport(row, probabilities, None, None)
    below = [_child_values(profile, player, node) for node in nodes.tolist()]
    values = [
        sum(weight * value for weight, value in zip(weights, column, strict=True)) / total
        for column in zip(*below, strict=True)
    ]
    return InfosetReport(row, probabilities, values, _last_bid_true(tree, row, nodes, weights))


def _weights(profile: Profile, player: int, nodes: Ints) -> list[Number]:
    """How likely the nodes of a set are beside each other, as far as the others and chance bring play there.

    Where the others err to come there, and the profile knows how they tremble, the likeliest mistakes count: those of the
    lowest order in the tremble.
    """
    tree = profile.tree
    if profile.weights is None:
        return [reach(tree, profile.probabilities, node, without=player) for node in nodes.tolist()]
    chance = np.array([reach(tree, tree.chance_probabilities, node) for node in nodes.tolist()], object)
    found: list[Number] = likeliest_mistakes(profile, player, nodes, chance).tolist()
    return found


def _child_values(profile: Profile, player: int, node: int) -> list[Number]:
    """The player's expected payoff below each child of a node, with what is paid on the way to it and there."""
    tree, end = profile.tree, _end(profile.tree, node)
    nodes = slice(node, end)
    parent, depth = tree.parent[nodes] - node, tree.depth[nodes]
    payoffs = np.array([*(outcome.payoffs[player] for outcome in tree.outcomes), Fraction(0)], object)
    value = payoffs[tree.outcome[nodes]]
    value = value if profile.exact else value.astype(np.float64)
    probability = profile.probabilities[tree.action[nodes]]
    for level in range(int(depth.max()), int(depth[0]) + 1, -1):
        here = np.flatnonzero(depth == level)
        np.add.at(value, parent[here], probability[here] * value[here])
    before = sum(payoffs[tree.outcome[above]] for above in nodes_to(tree, node))
    return [value[child] + before for child in np.flatnonzero(parent == 0).tolist()]


def _end(tree: GameTree, node: int) -> int:
    """One past the last node below a node."""
    later = tree.depth[node + 1 :] <= tree.depth[node]
    return node + 1 + (int(np.argmax(later)) if later.any() else len(later))


def _last_bid_true(tree: GameTree, row: int, nodes: Ints, weights: list[Number]) -> Number | None:
    """How probable it is that a call loses, where "call" is the first action and ends the game."""
    actions, player = _actions(tree, row), int(tree.infosets.player[row])
    if actions[0] != "call" or np.any(tree.arity[nodes + 1]) or np.any(tree.outcome[nodes + 1] == NONE):
        return None
    best = max(outcome.payoffs[player] for outcome in tree.outcomes)
    losing = [tree.outcomes[end].payoffs[player] < best for end in tree.outcome[nodes + 1].tolist()]
    return sum(weight for weight, loses in zip(weights, losing, strict=True) if loses) / sum(weights)

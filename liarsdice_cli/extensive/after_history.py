"""Reports of a profile after a history: one for every information set that the history leads to.

A history is the sequence of the players' actions, whatever chance did. In Liar's Dice these are the bids, and the information
sets after them are the rolls of the player to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.stream import CHANCE, NONE, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.text import quoted


@dataclass(frozen=True)
class InfosetReport:
    """The probabilities and values of the actions at one information set.

    row                : the row of the information set in the tree
    reach              : the probability that play reaches it by this history
    probabilities      : the probabilities of its actions, in order
    values             : the player's expected payoff with each action (`ProfileValues.action_values`), or None
    first_action_loses : the probability that the first action pays the player less than the best outcome of the game; None
                         if the set is not reached, or the action does not end the game
    """

    row: int
    reach: Number
    probabilities: list[Number]
    values: list[Number] | None
    first_action_loses: Number | None


@dataclass(frozen=True)
class SetsAfter:
    """The information sets after a history, in the order of the tree; all have the same player and the same actions."""

    player: int
    actions: tuple[str, ...]
    rows: tuple[InfosetReport, ...]


def after(profile: Profile, history: Sequence[str], index: int | None = None) -> SetsAfter:
    """Return what the profile does after these actions of the players, chance's left out.

    index : the only information set that is wanted, counted from 0 in the order of the tree; None for all

    The numbers are exact if the profile is. Raises UsageError if no player moves after the history, with the actions that
    are possible, and if different players move after it or with different actions. Cost: some vector steps over the nodes, and
    an evaluation of the nodes below the sets.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = tree.build(rules.rules("common", 2))
    >>> page = after(from_sets(game, {}), ["2x1"])
    >>> page.player, page.actions, [str(row.first_action_loses) for row in page.rows], [str(row.values[0]) for row in page.rows]
    (1, ('call', '2x2'), ['1/2', '0'], ['1/2', '1'])
    """
    tree = profile.tree
    nodes = nodes_after(tree, history)
    rows = np.unique(tree.infoset[nodes])
    rows = rows if index is None else rows[[index]]
    nodes = nodes[np.isin(tree.infoset[nodes], rows)]
    values = ProfileValues(profile, np.append(nodes, tree.children(nodes)))
    reports = tuple(_report(values, row, nodes[tree.infoset[nodes] == row]) for row in rows.tolist())
    return SetsAfter(int(tree.infosets.player[rows[0]]), tree.actions_at(rows[0]).names, reports)


def nodes_after(tree: GameTree, history: Sequence[str]) -> Ints:
    """Return the decision nodes that the history leads to; raises as `after` does."""
    nodes = _past_chance(tree, np.zeros(1, np.int64))
    if not len(nodes):
        raise LiarsDiceError("no player moves in this game, so there is nothing to show")
    for done, label in enumerate(history):
        before, nodes = nodes, _past_chance(tree, _children(tree, nodes, label))
        if not len(nodes):
            possible = {action for row in np.unique(tree.infoset[before]).tolist() for action in tree.actions_at(row).names}
            place = " ".join(history[:done]) or "the opening"
            if label in possible:
                raise UsageError(f"{quoted(label)} after {place} ends the game: give a shorter history")
            raise UsageError(f"{quoted(label)} cannot follow {place}; choose from {', '.join(map(_typed, sorted(possible)))}")
    rows = np.unique(tree.infoset[nodes]).tolist()
    if len({(int(tree.infosets.player[row]), tree.actions_at(row).names) for row in rows}) > 1:
        before_them = " ".join(history) or "the opening"
        raise UsageError(f"{before_them} leads to sets of different players or actions, so no table fits; give another")
    return nodes


def _typed(name: str) -> str:
    """Return the name of an action as it is typed in a history: in quotes if it has blanks."""
    return f'"{name}"' if len(name.split()) > 1 else name


def _past_chance(tree: GameTree, nodes: Ints) -> Ints:
    """Return the decision nodes among the nodes, and those that chance alone leads to from them, in prefix order."""
    found = []
    while len(nodes):
        found.append(nodes[tree.player[nodes] >= 0])
        nodes = _children(tree, nodes[tree.player[nodes] == CHANCE])
    return np.sort(np.concatenate([np.zeros(0, np.int64), *found]))


def _children(tree: GameTree, nodes: Ints, name: str | None = None) -> Ints:
    """Return the children of the nodes, or only those after actions of this name."""
    found: list[Ints] = [np.zeros(0, np.int64)]
    for row in np.unique(tree.infoset[nodes]).tolist():
        children = tree.children(nodes[tree.infoset[nodes] == row])
        names = np.array(tree.actions_at(row).names, object)
        found.append((children if name is None else children[:, names == name]).ravel())
    return np.concatenate(found)


def _report(values: ProfileValues, row: int, nodes: Ints) -> InfosetReport:
    tree = values.profile.tree
    player = int(tree.infosets.player[row])
    beliefs = values.posterior(player, nodes)
    of_actions = None if beliefs is None else values.values_of_actions(player, nodes, beliefs)
    loses = None if beliefs is None else _first_action_loses(tree, player, nodes, beliefs)
    said = None if of_actions is None else of_actions.tolist()
    return InfosetReport(row, values.reach[nodes].sum(), values.profile.at(row), said, loses)


def _first_action_loses(tree: GameTree, player: int, nodes: Ints, beliefs: Numbers) -> Number | None:
    """Return the probability that the first action loses; None unless it ends the game at every node, and only ends pay."""
    first = tree.children(nodes)[:, 0]
    outcomes = tree.outcome[first]
    if tree.pays_inside or np.any(tree.arity[first]) or np.any(outcomes == NONE):
        return None
    best = max(outcome.payoffs[player] for outcome in tree.outcomes)
    loses = np.array([tree.outcomes[row].payoffs[player] < best for row in outcomes.tolist()])
    probability: Number = (beliefs * loses).sum()
    return probability

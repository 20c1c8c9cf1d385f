"""The game in which a coin first decides whether a player is bound to a strategy, and nobody else sees how it fell.

An equilibrium of it is a restricted Nash response: the more often the player is bound, the more the others' part of it makes
of that strategy, and the less it is safe.

Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.locks import Fixed
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree, InfoSets

_COIN_ACTIONS = Actions(("free", "bound"), (Fraction(1, 2), Fraction(1, 2)))
_COIN = len(_COIN_ACTIONS.labels)


@dataclass(frozen=True, eq=False)
class Restricted:
    """The game with the coin.

    game : the game without it
    tree : the coin, whose set comes first; the game, with its sets next; and the game with the player bound, where only what
           can happen is left, and every chance node is a set of its own, so that chance forgets nothing
    """

    game: GameTree
    tree: GameTree

    def chance(self, bound: Fraction) -> Numbers:
        """The probabilities of all actions of chance, the player being bound with this one; 1 for those of players."""
        probabilities = self.tree.chance_probabilities[:-1].copy()
        probabilities[:_COIN] = 1 - bound, bound
        return probabilities

    def within(self, profile: Profile) -> Profile:
        """The part of a profile that is one of the game."""
        actions = slice(_COIN, _COIN + self.game.actions)
        return Profile(self.game, profile.probabilities[actions], profile.source[1 : 1 + len(self.game.infosets)])


def restricted(tree: GameTree, fixed: Fixed) -> Restricted:
    """The game with a coin and one player bound to what is fixed, which has to be so at all sets to which that leads.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> found = restricted(game, {1: (Fraction(0), Fraction(1))})
    >>> game.nodes, found.tree.nodes, [str(number) for number in found.chance(Fraction(1, 3))[:2]]
    (8, 13, ['2/3', '1/3'])
    """
    kept = np.flatnonzero(tree.along_path(np.append(_taken(tree, fixed), True)[tree.action], np.logical_and))
    rows = tree.infoset[kept]
    of_chance = np.isin(rows, list(fixed)) | (tree.player[kept] == CHANCE)
    lists = dict.fromkeys([_COIN_ACTIONS, *(_positive(tree, row, numbers) for row, numbers in fixed.items())])
    place = {one: len(tree.action_lists) + index for index, one in enumerate(lists)}
    actions = tree.infosets.actions.astype(np.int64)
    for row, numbers in fixed.items():
        actions[row] = place[_positive(tree, row, numbers)]
    infoset = np.where(rows == NONE, NONE, rows + 1)
    infoset[of_chance] = 1 + len(tree.infosets) + np.arange(np.count_nonzero(of_chance))
    return Restricted(
        tree,
        replace(
            tree,
            action_lists=[*tree.action_lists, *lists],
            infosets=_sets(tree.infosets, place[_COIN_ACTIONS], actions[rows[of_chance]]),
            infoset=_joined(0, np.where(tree.infoset == NONE, NONE, tree.infoset + 1), infoset),
            outcome=_joined(NONE, tree.outcome, tree.outcome[kept]),
            node_labels={},
        ),
    )


def _sets(table: InfoSets, coin: int, bound: Ints) -> InfoSets:
    """The coin's set, those of the game, and chance's where the player is bound; `coin` and `bound` are rows of actions."""
    count = len(bound)
    unused = table.unused_numbers(1 + count)
    return InfoSets(
        np.concatenate([[CHANCE], table.player, np.full(count, CHANCE)]).astype(np.int8),
        np.concatenate([unused[:1], table.number, unused[1:]]),
        np.concatenate([[coin], table.actions, bound]),
        [""] * (1 + len(table) + count),
    )


def _taken(tree: GameTree, fixed: Fixed) -> Bools:
    """For every action whether it may be taken."""
    taken = np.ones(tree.actions, bool)
    for row, numbers in fixed.items():
        taken[tree.first_action[row] : tree.first_action[row + 1]] = [number > 0 for number in numbers]
    return taken


def _positive(tree: GameTree, row: int, numbers: tuple[Fraction, ...]) -> Actions:
    """The actions that may be taken, with their probabilities."""
    pairs = [(label, number) for label, number in zip(tree.actions_at(row).labels, numbers, strict=True) if number]
    return Actions(tuple(label for label, _ in pairs), tuple(number for _, number in pairs))


def _joined(coin: int, free: Ints, bound: Ints) -> Ints:
    return np.concatenate([[coin], free, bound]).astype(np.int32)

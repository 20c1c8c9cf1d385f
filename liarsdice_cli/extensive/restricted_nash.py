"""The restricted Nash game: an unseen coin first decides whether a player is locked to a strategy.

The other player's part of an equilibrium is a restricted Nash response. The more often the player is locked, the more the
response gains from that strategy, and the less safe it is.

Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.locks import TreeLock
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree, InfoSets

_COIN_ACTIONS = Actions(("unlocked", "locked"), (Fraction(1, 2), Fraction(1, 2)))
_COIN = len(_COIN_ACTIONS.labels)


@dataclass(frozen=True, eq=False)
class RestrictedNashGame:
    """A game with the coin.

    game : the game without the coin
    tree : first the coin and its set; then the game and its sets; then the game with the player locked, without the nodes that
           cannot be reached, and with a set for every chance node, so that chance has perfect recall
    """

    game: GameTree
    tree: GameTree

    def chance(self, weight: Fraction) -> Numbers:
        """Return the probabilities of all chance actions if the player is locked with probability `weight`; 1 for players'."""
        probabilities = self.tree.chance_probabilities[:-1].copy()
        probabilities[:_COIN] = 1 - weight, weight
        return probabilities

    def within(self, profile: Profile) -> Profile:
        """Return the part of a profile that is one of the game without the coin."""
        actions = slice(_COIN, _COIN + self.game.actions)
        return Profile(self.game, profile.probabilities[actions], profile.source[1 : 1 + len(self.game.infosets)])


def restricted_nash_game(tree: GameTree, lock: TreeLock) -> RestrictedNashGame:
    """Return the game with the coin; the lock has to cover all sets that the locked player's own play reaches.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> found = restricted_nash_game(game, {1: (Fraction(0), Fraction(1))})
    >>> game.nodes, found.tree.nodes, [str(number) for number in found.chance(Fraction(1, 3))[:2]]
    (8, 13, ['2/3', '1/3'])
    """
    kept = np.flatnonzero(tree.along_path(np.append(_taken(tree, lock), True)[tree.action], np.logical_and))
    rows = tree.infoset[kept]
    of_chance = np.isin(rows, list(lock)) | (tree.player[kept] == CHANCE)
    lists = dict.fromkeys([_COIN_ACTIONS, *(_positive(tree, row, numbers) for row, numbers in lock.items())])
    place = {one: len(tree.action_lists) + index for index, one in enumerate(lists)}
    actions = tree.infosets.actions.astype(np.int64)
    for row, numbers in lock.items():
        actions[row] = place[_positive(tree, row, numbers)]
    infoset = np.where(rows == NONE, NONE, rows + 1)
    infoset[of_chance] = 1 + len(tree.infosets) + np.arange(np.count_nonzero(of_chance))
    return RestrictedNashGame(
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


def _sets(table: InfoSets, coin: int, locked: Ints) -> InfoSets:
    """Return the coin's set, those of the game, and chance's where the player is locked, from their rows of actions."""
    count = len(locked)
    unused = table.unused_numbers(1 + count)
    return InfoSets(
        np.concatenate([[CHANCE], table.player, np.full(count, CHANCE)]).astype(np.int8),
        np.concatenate([unused[:1], table.number, unused[1:]]),
        np.concatenate([[coin], table.actions, locked]),
        [""] * (1 + len(table) + count),
    )


def _taken(tree: GameTree, lock: TreeLock) -> Bools:
    """Return for every action whether it can be taken."""
    taken = np.ones(tree.actions, bool)
    for row, numbers in lock.items():
        taken[tree.first_action[row] : tree.first_action[row + 1]] = [number > 0 for number in numbers]
    return taken


def _positive(tree: GameTree, row: int, numbers: tuple[Fraction, ...]) -> Actions:
    """Return the actions with a positive probability."""
    pairs = [(label, number) for label, number in zip(tree.actions_at(row).labels, numbers, strict=True) if number]
    return Actions(tuple(label for label, _ in pairs), tuple(number for _, number in pairs))


def _joined(coin: int, unlocked: Ints, locked: Ints) -> Ints:
    return np.concatenate([[coin], unlocked, locked]).astype(np.int32)

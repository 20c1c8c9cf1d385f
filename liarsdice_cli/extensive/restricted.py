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


@dataclass(frozen=True, eq=False)
class Restricted:
    """The game with the coin.

    game : the game without it
    tree : the coin, then the game, then the game with the player bound, where only what can happen is left; its first rows of
           information sets, and so its first actions, are those of the game
    """

    game: GameTree
    tree: GameTree

    def chance(self, bound: Fraction) -> Numbers:
        """The probabilities of all actions of chance, the player being bound with this one; 1 for those of players."""
        probabilities = self.tree.chance_probabilities[:-1].copy()
        coin = self.tree.first_action[len(self.game.infosets)]
        probabilities[coin], probabilities[coin + 1] = 1 - bound, bound
        return probabilities

    def within(self, profile: Profile) -> Profile:
        """The part of a profile that is one of the game."""
        return Profile(profile.probabilities[: self.game.actions], profile.source[: len(self.game.infosets)])


def restricted(tree: GameTree, fixed: Fixed) -> Restricted:
    """The game with a coin and one player bound to what is fixed, which has to be so at all sets to which that leads.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> found = restricted(game, {1: (Fraction(0), Fraction(1))})
    >>> game.nodes, found.tree.nodes, [str(number) for number in found.chance(Fraction(1, 3))[-3:]]
    (8, 13, ['2/3', '1/3', '1'])
    """
    table, rows = tree.infosets, list(fixed)
    taken = _taken(tree, fixed)
    kept = np.flatnonzero(tree.along_path(np.append(taken, True)[tree.action], np.logical_and))
    lists = {row: _positive(tree, row, fixed[row]) for row in rows}
    choices = [Actions(("free", "bound"), (Fraction(1, 2), Fraction(1, 2))), *dict.fromkeys(lists.values())]
    place = {one: len(tree.action_lists) + index for index, one in enumerate(choices)}
    coin, count = len(table), len(rows) + 1
    place_of_row = np.append(np.arange(len(table)), NONE)
    place_of_row[rows] = coin + 1 + np.arange(len(rows))
    number = 1 + int(table.number[table.player == CHANCE].max(initial=0)) + np.arange(count)
    sets = InfoSets(
        np.append(table.player, np.full(count, CHANCE, table.player.dtype)),
        np.append(table.number, number),
        np.append(table.actions, [place[choices[0]], *(place[lists[row]] for row in rows)]),
        [""] * (len(table) + count),
    )
    return Restricted(
        tree,
        replace(
            tree,
            action_lists=[*tree.action_lists, *choices],
            infosets=sets,
            infoset=_joined(coin, tree.infoset, place_of_row[tree.infoset[kept]]),
            outcome=_joined(NONE, tree.outcome, tree.outcome[kept]),
            node_labels={},
        ),
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

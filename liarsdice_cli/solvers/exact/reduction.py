"""Iterated elimination of weakly dominated actions, for the dominance that winning and losing alone imply.

In a two-player constant-sum game a node is *won* for a player who can force the player's best payoff in the game from there,
and lost for the other player. An action that wins at every node of its information set weakly dominates the other actions of
the set, and these are dropped. An action that loses at every node is weakly dominated by any other action, and is dropped if
another one is left. Dropped actions make more actions win or lose, so the elimination repeats until nothing changes.

Elimination of weakly dominated actions keeps the value. An equilibrium of the reduced game is one of the whole game, provided
that the winning actions are also played at sets that only a dropped action reaches (`Reduction.wins`). Other equilibria may be
lost, and the order of elimination determines which ones.

Source: Osborne and Rubinstein (1994), A Course in Game Theory, sections 4.3 and 6.6; on the order, Gilboa, Kalai and Zemel
(1990), "On the order of eliminating dominated strategies", Operations Research Letters 9.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf

import numpy as np

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints
from liarsdice_cli.extensive.tree import GameTree


@dataclass(frozen=True)
class Reduction:
    """A reduced game: the actions and nodes that are left.

    actions : for every action whether it is kept; actions of chance are kept if their probability is not 0
    nodes   : for every node whether only kept actions lead to it
    wins    : for every information set the action that wins at all its nodes, or NONE
    """

    actions: Bools
    nodes: Bools
    wins: Ints


def reduce(tree: GameTree, payoff: Ints, deadline: float = inf) -> Reduction:
    """Return the game that is left after all rounds of elimination.

    payoff   : for every node 1 if the game ends there with its best payoff for player 1, -1 with its worst, otherwise 0
    deadline : a time of time.monotonic; the first round after it raises TimeLimitError

    Cost: a few vector steps over the nodes for each round; there are seldom more than five rounds.
    """
    _check(deadline)
    elimination = _Elimination(tree, payoff)
    _check(deadline)
    while elimination.round():
        _check(deadline)
    _check(deadline)
    return Reduction(elimination.kept, elimination.alive, elimination.wins)


def _check(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise TimeLimitError("stopped at the time limit while reducing the game")


def unreduced(tree: GameTree) -> Reduction:
    """Return the whole game without the actions of chance that have probability 0."""
    kept = _possible(tree)
    return Reduction(kept, _alive(tree, kept), np.full(len(tree.infosets), NONE, np.int64))


class _Elimination:
    """The rounds of the elimination. A label is 1 for a node won for player 1, -1 for player 2, 0 for undecided."""

    def __init__(self, tree: GameTree, payoff: Ints) -> None:
        self.tree = tree
        self.label = payoff.astype(np.int8)
        self.kept = _possible(tree)
        self.wins = np.full(len(tree.infosets), NONE, np.int64)
        player = tree.action_player
        self.sign = np.where(player == CHANCE, 0, np.where(player == 0, 1, -1)).astype(np.int8)
        self.alive = _alive(tree, self.kept)

    def round(self) -> bool:
        """Label all nodes from the leaves up, then drop actions; return whether any was dropped."""
        won, lost = self._label()
        size = self._set_sizes()[self.tree.action_infoset]
        present = self.kept & (size > 0) & (self.sign != 0)
        self._take(np.flatnonzero(present & (won == size)))
        taken = self.wins[self.tree.action_infoset]
        beside = present & (taken != NONE) & (taken != np.arange(self.tree.actions))
        losing = present & (taken == NONE) & (lost == size)
        drop = beside | (losing & ~self._last_resort(present, losing))
        self.kept &= ~drop
        self.alive = _alive(self.tree, self.kept)
        return bool(drop.any())

    def _take(self, winning: Ints) -> None:
        """Store the first winning action of every set that had none."""
        new = winning[self.wins[self.tree.action_infoset[winning]] == NONE][::-1]
        self.wins[self.tree.action_infoset[new]] = new  # the last value written for a set is that of its first action

    def _last_resort(self, present: Bools, losing: Bools) -> Bools:
        """Return the first action of every set in which all actions lose: one of them has to stay."""
        sets = self.tree.action_infoset
        spared = np.bincount(sets[present & ~losing], minlength=len(self.tree.infosets)) > 0
        first = np.full(len(self.tree.infosets), NONE)
        backwards = np.flatnonzero(losing)[::-1]
        first[sets[backwards]] = backwards
        last: Bools = ~spared[sets] & (first[sets] == np.arange(self.tree.actions))
        return last

    def _label(self) -> tuple[Ints, Ints]:
        """Label the nodes; return for every action the number of living nodes of its set at which it wins, and loses."""
        tree = self.tree
        won, lost = np.zeros(tree.actions, np.int64), np.zeros(tree.actions, np.int64)
        size = self._set_sizes()
        for level in tree.levels[:0:-1]:
            children = level[self.alive[level]]
            action, parent = tree.action[children], tree.parent[children]
            outcome = self.label[children] * self.sign[action]
            np.add.at(won, action[outcome == 1], 1)
            np.add.at(lost, action[outcome == -1], 1)
            self._label_parents(children, action, parent, won, size)
        return won, lost

    def _label_parents(self, children: Ints, action: Ints, parent: Ints, won: Ints, size: Ints) -> None:
        """Label the parents of a level: won if an action wins at its whole set, or if all kept actions have the same label."""
        tree = self.tree
        winning = (won[action] == size[tree.action_infoset[action]]) & (self.sign[action] != 0)
        self.label[parent[winning]] = self.sign[action[winning]]
        starts = np.flatnonzero(np.diff(parent, prepend=NONE))  # the children of a node stand together in a level
        if len(starts):
            low = np.minimum.reduceat(self.label[children], starts)
            high = np.maximum.reduceat(self.label[children], starts)
            same = low == high
            self.label[parent[starts[same]]] = low[same]

    def _set_sizes(self) -> Ints:
        """Return the number of living nodes of every information set."""
        rows = self.tree.infoset[self.alive & (self.tree.infoset != NONE)]
        return np.bincount(rows, minlength=len(self.tree.infosets))


def _alive(tree: GameTree, kept: Bools) -> Bools:
    """Return for every node whether only kept actions lead to it."""
    alive: Bools = tree.along_path(np.append(kept, True)[tree.action], np.logical_and)
    return alive


def _possible(tree: GameTree) -> Bools:
    """Return all actions except those of chance with probability 0."""
    possible: Bools = (tree.chance_probabilities[:-1] != 0).astype(bool)
    return possible

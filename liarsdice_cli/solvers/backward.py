"""Backward induction: subgame-perfect equilibria of games of perfect information, with every tie.

At a node where player i moves, an action leads to the payoffs of some subgame-perfect equilibrium of the subgame below it.
With ties a subgame can have several, so a node carries a set of payoff vectors: one of an action's vectors v is possible
exactly if every other action has a vector that gives i no more than v does. At a chance node all combinations are possible.

Source: Zermelo (1913); Kuhn (1953), "Extensive games and the problem of information", corollary 1.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import inf

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.profile import Profile, from_sets
from liarsdice_cli.solvers.solution import SubgamePerfect
from liarsdice_cli.tree import CHANCE, NONE, GameTree

Vector = tuple[Fraction, ...]

MOST = 1000
"""The most payoff vectors that are kept at a node; beyond, the list is marked as incomplete."""


def has_perfect_information(tree: GameTree) -> bool:
    """Whether every information set of a player is a single node."""
    sets = tree.infoset[(tree.infoset != NONE) & (tree.player != CHANCE)]
    return len(np.unique(sets)) == len(sets)


def solve(tree: GameTree, time_limit: float | None = None) -> tuple[Profile, SubgamePerfect]:
    """A subgame-perfect equilibrium in pure strategies, and the payoffs of all of them.

    Of several best actions the profile takes the first whose subgame is played as chosen there; `ties` counts the nodes
    where there are several. Exact. Cost: a few microseconds a node, and the number of vectors where there are ties.
    Raises LiarsDiceError for a game without perfect information, TimeLimitError after `time_limit` seconds.
    """
    if not has_perfect_information(tree):
        raise LiarsDiceError(
            "backward needs perfect information, and an information set here has several nodes; try --method auto"
        )
    return _Induction(tree).run(inf if time_limit is None else time.monotonic() + time_limit)


class _Induction:
    """The walk from the last node to the first; `sets` and `chosen` are kept for nodes whose parent is still to come."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.nothing: Vector = (Fraction(0),) * len(tree.players)
        self.sets: dict[int, list[Vector]] = {}
        self.chosen: dict[int, Vector] = {}
        self.choice: dict[int, int] = {}
        self.ties = 0
        self.complete = True

    def run(self, deadline: float) -> tuple[Profile, SubgamePerfect]:
        """All nodes, children before parents."""
        tree = self.tree
        children: dict[int, list[int]] = {}
        parent, player, outcome = tree.parent.tolist(), tree.player.tolist(), tree.outcome.tolist()
        for node in range(tree.nodes - 1, -1, -1):
            if time.monotonic() > deadline:
                raise TimeLimitError(f"stopped at the time limit with {node:,} nodes to go")
            below = children.pop(node, [])[::-1]
            here = tree.outcomes[outcome[node]].payoffs if outcome[node] != NONE else self.nothing
            self._node(node, player[node], below, here)
            children.setdefault(parent[node], []).append(node)
        given = {int(tree.infoset[node]): self._pure(node, branch) for node, branch in self.choice.items()}
        return from_sets(tree, given), SubgamePerfect(tuple(sorted(self.sets[0])), self.complete, self.ties)

    def _node(self, node: int, player: int, below: list[int], here: Vector) -> None:
        """Find the payoff vectors of a node, its own payoffs included, and forget those of its children."""
        sets = [self.sets.pop(child) for child in below]
        chosen = [self.chosen.pop(child) for child in below]
        if not below:
            vectors, taken = [self.nothing], self.nothing
        elif player == CHANCE:
            vectors, taken = self._average(node, sets, chosen)
        else:
            best = max(vector[player] for vector in chosen)
            optimal = [branch for branch, vector in enumerate(chosen) if vector[player] == best]
            self.choice[node], taken = optimal[0], chosen[optimal[0]]
            self.ties += len(optimal) > 1
            vectors = self._some(_possible(sets, player), taken)
        self.sets[node] = [_plus(vector, here) for vector in vectors] if here is not self.nothing else vectors
        self.chosen[node] = _plus(taken, here)

    def _average(self, node: int, sets: list[list[Vector]], chosen: list[Vector]) -> tuple[list[Vector], Vector]:
        """The expectations over the branches of a chance node."""
        weights = self.tree.menus[self.tree.infosets.menu[self.tree.infoset[node]]].probabilities or ()
        vectors, taken = [self.nothing], self.nothing
        for weight, branch, choice in zip(weights, sets, chosen, strict=True):
            shares = {_times(vector, weight) for vector in branch}
            taken = _plus(taken, _times(choice, weight))
            vectors = self._some((_plus(before, share) for before, share in product(vectors, shares)), taken)
        return vectors, taken

    def _some(self, vectors: Iterable[Vector], taken: Vector) -> list[Vector]:
        """At most `MOST` of the vectors, the chosen one among them; no more are made than that."""
        found = {taken}
        for vector in vectors:
            if len(found) == MOST and vector not in found:
                self.complete = False
                break
            found.add(vector)
        return list(found)

    def _pure(self, node: int, branch: int) -> list[Fraction]:
        return [Fraction(place == branch) for place in range(int(self.tree.arity[node]))]


def _possible(sets: list[list[Vector]], player: int) -> list[Vector]:
    """The vectors of all actions that their player may prefer, for some equilibria below the other actions."""
    lowest = sorted((min(vector[player] for vector in vectors), branch) for branch, vectors in enumerate(sets))
    (_, last), second = lowest[-1], lowest[-2][0] if len(lowest) > 1 else None
    found: set[Vector] = set()
    for branch, vectors in enumerate(sets):
        bar = second if branch == last else lowest[-1][0]
        found.update(vector for vector in vectors if bar is None or vector[player] >= bar)
    return list(found)


def _plus(one: Vector, other: Vector) -> Vector:
    return tuple(first + second for first, second in zip(one, other, strict=True))


def _times(vector: Vector, weight: Fraction) -> Vector:
    return tuple(weight * number for number in vector)

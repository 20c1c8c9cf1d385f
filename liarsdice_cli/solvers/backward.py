"""Backward induction: subgame-perfect equilibria of games of perfect information, with all ties.

An action at a node of player i leads to the payoffs of a subgame-perfect equilibrium of the subgame below it. With ties a
subgame can have several equilibria, so a node has a set of payoff vectors. A vector v of an action is possible if and only if
every other action has a vector that gives player i no more than v does. At a chance node all combinations are possible.

Source: Zermelo (1913); Kuhn (1953), "Extensive games and the problem of information", corollary 1.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import scaled
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.solution import SubgamePerfect

Vector = tuple[Fraction | int, ...]

MOST = 1000
"""The most payoff vectors stored at a node; a longer list is cut and marked as incomplete."""


def has_perfect_information(tree: GameTree) -> bool:
    """Return whether every information set of a player is a single node."""
    sets = tree.infoset[(tree.infoset != NONE) & (tree.player != CHANCE)]
    return len(np.unique(sets)) == len(sets)


def solve(tree: GameTree, time_limit: float | None = None) -> tuple[Profile, SubgamePerfect]:
    """Return a subgame-perfect equilibrium in pure strategies, and the payoffs of all such equilibria, exactly.

    The profile takes the first of several best actions, given its own choices in the subgames. `ties` counts the nodes with
    several best actions. Raises LiarsDiceError for a game without perfect information, TimeLimitError after `time_limit`
    seconds. Cost: about a microsecond a node; with ties also a step for each vector.
    """
    if not has_perfect_information(tree):
        raise LiarsDiceError(
            "backward needs perfect information, and an information set here has several nodes; try ",
            Argument("method", "auto"),
        )
    return _Induction(tree).run(inf if time_limit is None else time.monotonic() + time_limit)


class _Induction:
    """The traversal from the last node to the first.

    For the nodes whose parents are not done yet, two stacks hold the vector of the equilibrium in the profile and all possible
    vectors. In reverse prefix order the children of a node are on top, the first child uppermost. Payoffs are in units of each
    player's common denominator, so that they are integers unless chance moves.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        payoffs = ([outcome.payoffs[player] for outcome in tree.outcomes] for player in range(len(tree.players)))
        columns = [scaled(np.array(amounts, object)) for amounts in payoffs]
        self.units = [unit for _, unit in columns]
        self.zero: Vector = (0,) * len(tree.players)
        self.vectors = [*(tuple(column[row] for column, _ in columns) for row in range(len(tree.outcomes))), self.zero]
        self.chosen_actions: list[int] = []
        self.ties = 0
        self.complete = True

    def run(self, deadline: float) -> tuple[Profile, SubgamePerfect]:
        """Visit all nodes, children before parents."""
        tree = self.tree
        vectors = self.vectors
        alone = [[vector] for vector in vectors]
        chosen: list[Vector] = []
        sets: list[list[Vector]] = []
        columns = zip(*(column[::-1].tolist() for column in (tree.infoset, tree.player, tree.arity, tree.outcome)), strict=True)
        for infoset, player, arity, outcome in columns:
            if not arity:
                chosen.append(vectors[outcome])
                sets.append(alone[outcome])
                continue
            if time.monotonic() > deadline:
                raise TimeLimitError(f"stopped at the time limit with {len(sets):,} subgames solved")
            below, possible = chosen[: -arity - 1 : -1], sets[: -arity - 1 : -1]
            del chosen[-arity:], sets[-arity:]
            vector, found = (
                self._average(infoset, below, possible) if player == CHANCE else self._best(infoset, player, below, possible)
            )
            here = vectors[outcome]
            chosen.append(vector if here is self.zero else _plus(vector, here))
            sets.append(found if here is self.zero else [_plus(one, here) for one in found])
        payoffs = tuple(tuple(map(Fraction, vector, self.units)) for vector in sorted(sets[0]))
        return self._profile(), SubgamePerfect(payoffs, self.complete, self.ties)

    def _best(
        self, infoset: int, player: int, below: list[Vector], possible: list[list[Vector]]
    ) -> tuple[Vector, list[Vector]]:
        """Return the vector of the first best action, and all possible vectors."""
        values = [vector[player] for vector in below]
        best = max(values)
        branch = values.index(best)
        self.chosen_actions.append(int(self.tree.first_action[infoset]) + branch)
        tied = values.count(best) > 1
        self.ties += tied
        if not tied and all(len(vectors) == 1 for vectors in possible):
            return below[branch], possible[branch]
        return below[branch], self._some(_possible(possible, player), below[branch])

    def _average(self, infoset: int, below: list[Vector], possible: list[list[Vector]]) -> tuple[Vector, list[Vector]]:
        """Return the expectations over the branches of a chance node."""
        weights = self.tree.actions_at(infoset).probabilities or ()
        vectors, chosen = [self.zero], self.zero
        for weight, branch, choice in zip(weights, possible, below, strict=True):
            shares = {_times(vector, weight) for vector in branch}
            chosen = _plus(chosen, _times(choice, weight))
            vectors = self._some((_plus(before, share) for before, share in product(vectors, shares)), chosen)
        return chosen, vectors

    def _some(self, vectors: Iterable[Vector], taken: Vector) -> list[Vector]:
        """Return at most `MOST` of the vectors, the chosen one among them, without computing the others."""
        found = {taken}
        for vector in vectors:
            if len(found) == MOST and vector not in found:
                self.complete = False
                break
            found.add(vector)
        return list(found)

    def _profile(self) -> Profile:
        """Return the profile of the chosen actions."""
        chance = self.tree.action_player == CHANCE
        probabilities = np.where(chance, self.tree.chance_probabilities[:-1], np.array(Fraction(0)))
        probabilities[self.chosen_actions] = Fraction(1)
        return Profile(self.tree, probabilities, np.full(len(self.tree.infosets), GIVEN))


def _possible(sets: list[list[Vector]], player: int) -> list[Vector]:
    """Return the vectors of all actions that can be best, given some equilibria below the other actions."""
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

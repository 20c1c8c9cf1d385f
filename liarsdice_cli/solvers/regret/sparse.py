"""Regret minimisation on the sequence form of any two-player constant-sum game with perfect recall.

The game is a sparse matrix between the players' sequences (Koller, Megiddo and von Stengel 1996). It has an entry for every
pair of sequences that ends the game: chance's probability times the payoff. A player's regrets follow from one product with the
other player's realization plan and one pass backward over the player's own sets. So an iteration reads every entry of the
matrix twice.

No action is eliminated first, so the minimisers run as published, and their bounds are those of the whole game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.profile import EQUAL, GIVEN, Profile
from liarsdice_cli.extensive.recall import last_action, sets_before
from liarsdice_cli.extensive.stream import CHANCE, TERMINAL, Floats, Ints
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact.sequence_form import require_sequence_form
from liarsdice_cli.solvers.regret import sparse_steps as steps
from liarsdice_cli.solvers.regret.convergence import Bounds, WorkerFacts
from liarsdice_cli.solvers.regret.minimisers import Minimiser

PLAYERS = (0, 1)
_UNIT = 2.0**-53
"""The relative error of one operation in float64."""


class SparseForm:
    """A game, a minimiser and its arrays: for each player one of each kind, indexed by sequences (0 is the empty one).

    regrets   : the cumulative regret of each action
    averages  : the weighted sum of the realization plans so far
    last      : the last regrets, empty unless the minimiser predicts
    tremble   : the probability of a uniformly random action at every set; averages and bounds are then those of the perturbed
                game
    iteration : the number of iterations so far

    Memory: 24 bytes for every pair of sequences that ends the game (at most the number of terminal nodes) and about 70 for
    every action; more while it is built. Cost of an iteration: a few passes over both.

    Raises LiarsDiceError unless the game has two players, constant sum, perfect recall and payoffs within the range of floats.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.solvers.regret.minimisers import minimiser
    >>> solver = SparseForm(tree.build(rules.rules("common", 2)), minimiser("cfr+"))
    >>> for _ in range(100):
    ...     solver.iterate()
    >>> solver.bounds().lower <= 0.5 <= solver.bounds().upper, solver.bounds().exploitability < 0.01
    (True, True)
    """

    def __init__(self, tree: GameTree, minimiser: Minimiser, tremble: float = 0.0) -> None:
        require_sequence_form(tree, minimiser.name)
        self.tree, self.minimiser, self.tremble = tree, minimiser, tremble
        self.iteration, self.short = 0, False
        matrix = _Matrix.of(tree)
        self.scale = matrix.scale
        self.actions, self.sides = zip(*(_side(tree, matrix, player) for player in PLAYERS), strict=True)
        self.regrets, self.averages, self._values, self._reach, self._plans = (self._arrays() for _ in range(5))
        self.last = self._arrays() if minimiser.predicts else (np.zeros(0), np.zeros(0))
        self._errors = [_error(tree, self.sides, matrix, player) for player in PLAYERS]

    def _arrays(self) -> tuple[Floats, Floats]:
        first, second = (np.zeros(len(actions) + 1) for actions in self.actions)
        return first, second

    def iterate(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Update player 1 and then player 2; LiarsDiceError if a number is no longer finite."""
        step = self.minimiser.step(self.iteration + 1)
        for update_player, prediction in ((0, step.prediction), (1, step.prediction_after)):
            other = 1 - update_player
            plan = self._plans[other]
            sound = steps.realize(self.sides[other], self.regrets[other], self.last[other], prediction, self.tremble, plan)
            steps.add(self.averages[other], step.average_weight, plan)
            value = steps.update(
                self.sides[update_player],
                plan,
                self.regrets[update_player],
                self.last[update_player],
                steps.TurnRates(
                    step.discount,
                    step.discount_negative,
                    step.regret_weight,
                    step.floor,
                    step.prediction,
                    step.decays,
                    self.tremble,
                ),
                self._values[update_player],
                self._reach[update_player],
            )
            if not (sound and np.isfinite(value)):
                raise LiarsDiceError(
                    f"a number was no longer finite in iteration {self.iteration + 1:,}, so there is no answer: use fewer ",
                    Argument("iterations"),
                    ", or another ",
                    Argument("method"),
                )
        self.iteration += 1

    @property
    def workers(self) -> tuple[WorkerFacts, ...]:
        """The facts of workers: none, as it runs in this process."""
        return ()

    def bounds(self) -> Bounds:
        """Return bounds on player 1's payoff in equilibrium, by best responses to both average strategies.

        They are widened by `rounding_error`. Cost: less than an iteration.
        """
        best = []
        for player in PLAYERS:
            other = 1 - player
            plan = self._plans[other]
            steps.realize(self.sides[other], self.averages[other], self.last[other], 0.0, 0.0, plan)
            best.append(steps.respond(self.sides[player], plan, self.tremble, self._values[player]))
        low, high = self.scale.low, self.scale.high
        upper = float(low) + self.range * best[0]
        lower = float(high) - self.range * best[1]
        return Bounds(lower - self.rounding_error, upper + self.rounding_error)

    @property
    def range(self) -> float:
        """The largest payoff minus the smallest."""
        return float(self.scale.high - self.scale.low)

    @property
    def rounding_error(self) -> float:
        """The largest rounding error of a bound, in the unit of the payoffs; no exploitability below it can be proved.

        All terms of a best response are positive. So its relative error is at most 2^-53 times the number of operations on a
        term, which `_error` counts.
        """
        low, high = map(abs, map(float, (self.scale.low, self.scale.high)))
        return max(self._errors) * self.range + 4 * _UNIT * max(low, high)

    def profile(self) -> Profile:
        """Return the average strategies as a profile in floats; sets without reach get equal probabilities, marked EQUAL."""
        tree = self.tree
        probabilities = np.array(tree.chance_probabilities[:-1], np.float64)
        source = np.full(len(tree.infosets), GIVEN)
        for actions, average in zip(self.actions, self.averages, strict=True):
            sets = tree.action_infoset[actions]
            total = np.bincount(sets, average[1:], minlength=len(tree.infosets))[sets]
            there = total > steps.LEAST
            probabilities[actions] = np.where(there, average[1:] / np.where(there, total, 1), 1 / tree.action_counts[sets])
            source[sets[~there]] = EQUAL
        return Profile(tree, probabilities, source)


@dataclass(frozen=True)
class _Scale:
    """The smallest and the largest payoff of player 1, which map all payoffs to 0 to 1."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        try:
            float(self.low), float(self.high), float(self.high - self.low)
        except OverflowError as error:
            raise LiarsDiceError(
                "the payoffs are too large for floats: divide them all by the same number, or use ", Argument("method", "exact")
            ) from error

    def shares(self, payoff: Fraction) -> tuple[float, float]:
        """Return the two players' shares of the range at a payoff of player 1."""
        span = self.high - self.low or 1
        return float((payoff - self.low) / span), float((self.high - payoff) / span)


@dataclass(frozen=True)
class _Matrix:
    """The pairs of sequences that end the game and their payoffs: integers (2, pairs) and floats (2, pairs).

    payoffs : for each player the payoffs, 0 to 1, times chance's probability of the terminal nodes after both sequences
    most    : for each player the most terminal nodes directly after one sequence
    """

    sequences: Ints
    payoffs: Floats
    scale: _Scale
    most: tuple[int, ...]

    @classmethod
    def of(cls, tree: GameTree) -> _Matrix:
        """Return the matrix of a game, with a row and a column for every action of the tree, and one at the end for NONE."""
        chance = tree.along_path(tree.chance_probabilities.astype(np.float64)[tree.action], np.multiply)
        ends = np.flatnonzero((tree.player == TERMINAL) & (chance > 0))
        payoffs, index = tree.totals([outcome.payoffs[0] for outcome in tree.outcomes])
        used, place = np.unique(index[ends], return_inverse=True)
        amounts = [payoffs[number] for number in used.tolist()]
        scale = _Scale(min(amounts), max(amounts))
        shares = np.array([scale.shares(amount) for amount in amounts]).T[:, place] * chance[ends]
        last = np.array([last_action(tree, player)[ends] for player in PLAYERS], np.int64) % (tree.actions + 1)
        pairs, place = np.unique(last[0] * (tree.actions + 1) + last[1], return_inverse=True)
        weighed = np.array([np.bincount(place, share, minlength=len(pairs)) for share in shares])
        return cls(
            np.array(np.divmod(pairs, tree.actions + 1)), weighed, scale, tuple(int(np.bincount(one).max()) for one in last)
        )


def _side(tree: GameTree, matrix: _Matrix, player: int) -> tuple[Ints, steps.PlayerPart]:
    """Return a player's actions, which are the sequences 1, 2, ... in this order, and the player's side of the matrix."""
    rows, actions = np.flatnonzero(tree.infosets.player == player), np.flatnonzero(tree.action_player == player)
    own, other = (_sequences(tree, one) for one in (player, 1 - player))
    sequences = own[matrix.sequences[player]]
    order = np.argsort(sequences, kind="stable")
    side = steps.PlayerPart(
        first=np.concatenate([[1], 1 + np.cumsum(tree.action_counts[rows])]),
        before=own[sets_before(tree, player)[rows]],
        start=np.searchsorted(sequences[order], np.arange(len(actions) + 2)),
        column=other[matrix.sequences[1 - player]][order].astype(np.int32),
        payoff=np.ascontiguousarray(matrix.payoffs[player][order]),
    )
    return actions, side


def _sequences(tree: GameTree, player: int) -> Ints:
    """Return the sequence of every action of a player, and 0 at the end for NONE."""
    mine = np.append(tree.action_player == player, False)
    return np.where(mine, np.cumsum(mine), 0)


def _error(tree: GameTree, sides: tuple[steps.PlayerPart, ...], matrix: _Matrix, player: int) -> float:
    """Return the relative error of a player's best response: the most operations on one payoff, times 2^-53.

    The operations are at most: for each own move, the sum over the terminal nodes and sets after it, and a comparison; for each
    move of the other player, the sum of the weights of its actions and the division; for each move of chance, two products. A
    tremble adds as many operations as there are actions, and three.
    """
    own, other, chance = (
        int(tree.along_path((tree.player == mover).astype(np.int64)).max()) for mover in (player, 1 - player, CHANCE)
    )
    following = int(np.bincount(sides[player].before, minlength=1).max())
    averaged, actions = (int(np.diff(sides[one].first).max(initial=0)) + 4 for one in (player, 1 - player))
    return ((own + 1) * (matrix.most[player] + following + averaged) + other * actions + 2 * chance + 8) * _UNIT

"""Regret minimisation over the whole public tree, and best responses to its average: the state and one step of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.responses import PLAYERS, Responses, Walks, at_work
from liarsdice_cli.solvers.regret.convergence import Bounds
from liarsdice_cli.solvers.regret.minimisers import Minimiser, Step

SMALL = 1 << 26
"""Bytes up to which the arrays are kept in float64, above in float32."""


def entries(game: PublicGame) -> int:
    """Numbers in one array over both players' rows and rolls."""
    return sum(rows * len(rolls) for rows, rolls in zip(Layout(game.bids).rows, game.rolls, strict=True))


def precision(game: PublicGame, minimiser: Minimiser) -> type[np.floating[Any]]:
    """The kind of float that the arrays of a game are kept in."""
    return np.float64 if entries(game) * _arrays(minimiser) * 8 <= SMALL else np.float32


def bytes_needed(game: PublicGame, minimiser: Minimiser) -> int:
    """The memory of all arrays of `PublicTree`: regrets, averages and, of minimisers that predict, the last regrets."""
    return entries(game) * _arrays(minimiser) * np.dtype(precision(game, minimiser)).itemsize


def _arrays(minimiser: Minimiser) -> int:
    return 3 if minimiser.predicts else 2


class PublicTree:
    """A game, a minimiser and their arrays, one pair for both players of each kind, indexed (row, roll) as `Layout` says.

    regrets    : what the minimiser has of each action
    averages   : the strategies so far, weighted; divided by their sum over the actions they are the average strategy
    last       : the last regrets, empty unless the minimiser predicts
    iteration  : how many are done

    Cost of an iteration: a few passes over the rows that play under the current strategies can reach. The arrays are all
    the memory there is. Raises MemoryError if they cannot be had. What comes out does not depend on the threads.
    """

    def __init__(self, game: PublicGame, minimiser: Minimiser, threads: int | None = None) -> None:
        self.game, self.minimiser, self.layout = game, minimiser, Layout(game.bids)
        self.kind = precision(game, minimiser)
        self.threads = at_work(game, threads)
        self.iteration = 0
        self.regrets, self.averages = self._arrays(), self._arrays()
        self.last = self._arrays() if minimiser.predicts else (self._none(), self._none())

    def _arrays(self) -> tuple[Floats, Floats]:
        first, second = (
            np.zeros((rows, len(rolls)), self.kind) for rows, rolls in zip(self.layout.rows, self.game.rolls, strict=True)
        )
        return first, second

    def _none(self) -> Floats:
        return np.zeros((0, 0), self.kind)

    def iterate(self) -> None:
        """Update player 1 and then player 2; LiarsDiceError if a number is no longer finite."""
        step = self.minimiser.step(self.iteration + 1)
        for learner in PLAYERS:
            other = 1 - learner
            weights = w.Weights(
                self.regrets[learner], self.regrets[other], self.last[learner], self.last[other], self.averages[other]
            )
            self.walks.run(w.LEARN, learner, weights, self._rates(step, learner))
        self.iteration += 1

    def _rates(self, step: Step, learner: int) -> w.WalkRates:
        """The step in the arrays' kind of float; player 1 has been updated when player 2 is."""
        predictions = (step.prediction, step.prediction) if learner == 0 else (step.prediction, step.prediction_after)
        numbers = (step.discount, step.discount_negative, step.regret_weight, step.floor, *predictions, step.average_weight)
        nothing = -1.0 if step.decays else w.NOTHING
        return w.WalkRates(*map(self.kind, (*numbers, nothing, np.finfo(self.kind).tiny)))

    @cached_property
    def walks(self) -> Walks:
        """The walks that learn."""
        return self.responses.walks if self.kind is np.float64 else Walks(self.game, self.threads, self.kind)

    @cached_property
    def responses(self) -> Responses:
        """The judge of the average strategies."""
        return Responses(self.game, self.threads)

    def bounds(self) -> Bounds:
        """What the average strategies prove; about an iteration from the start, in which everything is still reached."""
        return self.responses.bounds(self.averages)

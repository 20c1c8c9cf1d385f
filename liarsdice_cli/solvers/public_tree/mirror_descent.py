"""Magnetic mirror descent on the public tree: strategies with small regret at every history, also after mistakes.

A regret minimiser weights each visit of a history by the other player's reach. After an unlikely mistake this weight is tiny,
except in a few iterations in which the other player makes it on purpose. So average strategies stay bad there. Here every
history counts alike. For each action of a roll the solver averages the action's values, *given* the beliefs at the history. The
player acts by logit choice: with probabilities in proportion to exp(average / temperature). Players are updated in turn, each
against the other's current strategy, and no strategies are averaged.

With the averages normalised by the temperature, this is magnetic mirror descent with the uniform strategy as its magnet. At its
fixed point every player makes a logit choice among actual values at every history: an agent quantal response equilibrium. The
regret at a history is then near the temperature. As the temperature tends to 0, such equilibria tend to sequential equilibria.
Convergence is not proved for more than one decision. So nothing relies on it: `sequential.evaluate` proves the regrets.

Source: McKelvey and Palfrey (1998), "Quantal response equilibria for extensive form games"; Sokota et al. (2023), "A unified
approach to reinforcement learning, quantal response equilibria, and two-player zero-sum games", arXiv 2206.05825.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.problem import PublicTreeProblem
from liarsdice_cli.solvers.public_tree import sequential
from liarsdice_cli.solvers.public_tree.solver import REGRETS, PublicTree
from liarsdice_cli.solvers.public_tree.traversers import LEARN, ArrayNames, Traversal
from liarsdice_cli.solvers.regret.convergence import RunHistory, SequentialBounds, run
from liarsdice_cli.solvers.regret.minimisers import FOR_MORE, Minimiser
from liarsdice_cli.solvers.request import FLOAT, MIRROR_DESCENT, PUBLIC_TREE, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from liarsdice_cli.system.memory import size
from liarsdice_cli.text import numbered

TARGET = 0.02
"""The default target: the largest regret at any history over the range of payoffs."""
RATE = 4.0
"""The first step size of mirror descent. Larger steps converge sooner, but from about 10 on not at all."""
TEMPERATURE = 0.5
"""The temperature over the target, both in units of the range of payoffs. At fixed points no regret was above 1.5 temperatures,
in 20 runs of 11 games with 8 to 12 bids."""
MISTAKES = 0.05
"""The probability of a mistake over the target, likewise."""
PATIENCE = 20.0
"""A stage lasts for this number of iterations, divided by the share of new values. After it, strategies that still miss the
target mostly cycle, and smaller steps are needed."""
_FAMILY = Minimiser(MIRROR_DESCENT, "", lambda iteration: 0.0)


class MirrorDescent(PublicTree):
    """Mirror descent on a strategy store with averages of values (the array `REGRETS`) and the current strategies.

    temperature : in units of the probability of not losing
    rate        : the step size, at the start `RATE`
    tremble     : the probability with which a player acts uniformly at random, so that every history has beliefs

    It expands every history at which a player may have more to do than to call (see `PublicGame.settled`), until the memory is
    full. Cost of an iteration: two passes over these histories.
    """

    def __init__(self, game: PublicGame, temperature: float, tremble: float, threads: int | None, memory: float | None) -> None:
        super().__init__(game, _FAMILY, threads, memory=memory, tremble=tremble, kind=np.float64)
        self.temperature, self.rate, self._until = temperature, RATE, 0.0
        self.evaluation: sequential.SequentialEvaluation | None = None

    @property
    def share(self) -> float:
        """The share of new values in the averages: that of mirror descent with this step size."""
        return self.rate * self.temperature / (1 + self.rate * self.temperature)

    def _begin_stage(self) -> None:
        """Halve the step size after a stage that has missed the target."""
        if self._until:
            self.rate /= 2
        self._until = self.iteration + PATIENCE / self.share

    def _update(self, stop: Callable[[], bool]) -> bool:
        if self.iteration >= self._until and self.update_player == 0 and not self.done:
            self._begin_stage()
        return super()._update(stop)

    @property
    def _traversal(self) -> Traversal:
        rates = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
        names = ArrayNames(AVERAGE_STRATEGY, averages=REGRETS)
        mirror = self.share, 1 / self.temperature
        return Traversal(LEARN, self.update_player, names, rates=rates, tremble=self.tremble, mirror=mirror)

    def bounds(self) -> SequentialBounds:
        """Return what the current strategies prove; costs about as much as ten iterations."""
        found = self.evaluation = sequential.evaluate(self.game, self.store)
        error, (first, second) = 2 * self.game.rounding_error, found.best_responses
        return SequentialBounds(float(self.game.total) - second - error, first + error, max(found.regrets))


def solve(problem: PublicTreeProblem, request: Request, progress: Progress) -> MethodResult:
    """Find strategies of two players with small regret at every history until a limit of the request is met.

    The target is the largest regret, in the unit of the payoffs; by default `TARGET` times their range. It also sets the
    temperature and the probability of mistakes. Raises UsageError or LiarsDiceError for a request or a game that does not fit.
    """
    game = problem.public
    _check(problem, request, game)
    limits = request.limits.with_default(TARGET * game.range, game.rounding_error)
    share = TARGET if limits.target is None else min(limits.target / game.range, 1.0)
    solver = MirrorDescent(game, TEMPERATURE * share, MISTAKES * share, request.threads, request.memory)
    solver.progress = progress
    solver.compile()
    history = run(solver, limits, progress)
    return _answer(problem, solver, history, share * game.range)


def _check(problem: PublicTreeProblem, request: Request, game: PublicGame) -> None:
    """Raise UsageError or LiarsDiceError for what mirror descent cannot do."""
    if problem.players != 2:
        raise LiarsDiceError(f"{MIRROR_DESCENT} is for two players: try ", Argument("method", FOR_MORE))
    game.check_bids()
    problem.refuse_lock(MIRROR_DESCENT)
    for name, value in (("cluster", request.cluster), ("checkpoint", request.checkpoint)):
        if value is not None:
            raise UsageError(f"{MIRROR_DESCENT} does not support ", Argument(name), ": leave it out")


def _answer(problem: PublicTreeProblem, solver: MirrorDescent, history: RunHistory, target: float) -> MethodResult:
    """Return the judged strategies of a solver."""
    stored, found = problem.strategy_in(solver.store), solver.evaluation
    assert found is not None, "a run ends with bounds"
    judgement = sequential.judgement_of(stored, solver.game, found)
    expanded, needed = solver.store.histories, solver.store.bytes_used
    parameters = {
        "target": target,
        "temperature": solver.temperature * solver.game.range,
        "tremble": solver.tremble,
        "kind": "float64",
        "threads": solver.threads,
        "bytes": needed,
        "histories": expanded,
    }
    return MethodResult(
        FLOAT,
        PUBLIC_TREE,
        (EvaluatedProfile(judgement, stored=stored),),
        history.last.seconds,
        history.ended in ("target", "iterations"),
        f"{numbered(expanded, 'histories')} expanded, {size(needed)} of float64, temperature {parameters['temperature']:.3g}, "
        f"and every player errs there with probability {solver.tremble:g}",
        run_history=history,
        parameters=parameters,
    )

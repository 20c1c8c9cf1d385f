"""A minimiser at work on the public tree: from rules to judged average strategies, with checkpoints on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.games.liarsdice.locks import PublicLock, public_lock
from liarsdice_cli.games.public_game import MOST_BIDS
from liarsdice_cli.solvers.problem import PublicTreeProblem, RulesProblem
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import LOCK, PublicTree
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Proof, RunHistory, above_rounding, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.solution import (
    ERRING,
    FLOAT,
    PUBLIC_TREE,
    Checkpoints,
    EvaluatedProfile,
    MethodResult,
    MinimiserOptions,
    Progress,
    Request,
)
from liarsdice_cli.strategies.stored import AVERAGES
from liarsdice_cli.system import scratch
from liarsdice_cli.system.cluster_names import cluster
from liarsdice_cli.system.memory import SHARE, available, size

_REST = 20
"""So many times as long as keeping the state for lost workers takes is what comes between, where no checkpoint is asked for."""
_LEAST_REST = 30.0
"""And so many seconds at least."""


def minimise(
    problem: PublicTreeProblem, minimiser: Minimiser, request: Request, progress: Progress, every: int | None = None
) -> MethodResult:
    """Minimise regrets on the public tree of rules, until a limit of the request is met.

    Without a limit the target is `TARGET` times the range of payoffs. Bids that are never true are left out where the
    tree would be large.

    every : as in `Limits`

    Raises LiarsDiceError where memory or the checkpoint to resume does not do, UsageError for a target
    that rounding hides.
    """
    game, options = problem.public, request.minimiser
    kept = options.checkpoints or Checkpoints()
    if game.bids > MOST_BIDS:
        raise LiarsDiceError(
            f"{game.bids:,} bids are more than the {MOST_BIDS:,} that are solved for: lower ",
            Argument("sides"),
            " or ",
            Argument("dice"),
        )
    lock, tremble = _lock_of(problem, options), options.tremble or 0.0
    limits = request.limits if request.limits != Limits() else Limits(target=TARGET * game.range)
    limits = replace(limits, every=every)
    above_rounding(limits, game.rounding_error)
    if options.cluster is None:
        most = int(available() * SHARE) if options.memory is None else options.memory
        solver = PublicTree(game, minimiser, options.threads, memory=most, lock=lock, tremble=tremble)
    else:
        of_each = inf if options.memory is None else options.memory
        workers = cluster(options.cluster)
        solver = PublicTree(game, minimiser, memory=of_each, cluster=workers, tell=progress.message, tremble=tremble)
        if not solver.workers:
            progress.message(f"{game.bids} bids make a tree that is not worth cutting up, so it is solved in this process")
    earlier = None if kept.resume is None else solver.surely(partial(checkpoint.read, kept.resume, solver))
    earlier = None if tremble else earlier  # the game has changed since
    if limits.iterations is not None and solver.iteration > limits.iterations:
        cure = f"the checkpoint has {solver.iteration:,} already; they are counted from the start"
        raise ArgumentError("iterations", limits.iterations, cure)
    solver.compile()
    keeper = _Keeper(_kept_for(solver, kept), kept.file is not None, solver, earlier, progress.message)
    history = run(solver, limits, lambda sample: progress.sample(sample, limits.target), keeper.look, earlier)
    keeper.end(history.last.proved)
    return _answer(problem, solver, history, limits, keeper.lost)


def _lock_of(problem: PublicTreeProblem, options: MinimiserOptions) -> PublicLock:
    """Return the lock of a problem, by histories."""
    if not isinstance(problem, RulesProblem) or not problem.lock:
        return {}
    if options.cluster is not None:
        raise UsageError("a lock is kept to in one process: leave ", Argument("cluster"), " out")
    problem.check_lock()
    return public_lock(problem.reduced, problem.lock)


def _answer(problem: PublicTreeProblem, solver: PublicTree, history: RunHistory, limits: Limits, lost: str) -> MethodResult:
    """The average strategies of a solver at the end of its run, judged; cost: a pass over what they reach."""
    needed, kind = solver.tree.bytes_used, np.dtype(solver.kind).name
    grown, workers = solver.tree.histories, len(solver.workers)
    at_work = {"workers": workers} if workers else {"threads": solver.threads}
    by = ", ".join(f"{count} {what if count > 1 else what[:-1]}" for what, count in at_work.items())
    tremble = {"tremble": solver.tremble} if solver.tremble else {}
    erring = f"{ERRING.format(solver.tremble)}, where histories have grown; " if solver.tremble else ""
    return MethodResult(
        FLOAT,
        PUBLIC_TREE,
        (_judged(problem, solver, history),),
        history.last.seconds,
        history.ended in ("target", "iterations"),
        f"{erring}{grown:,} histories grown in {size(needed)} of {kind}, {by}",
        run_history=history,
        parameters={"target": limits.target, "kind": kind, **at_work, "bytes": needed, "histories": grown} | tremble,
        lost=lost,
    )


def _judged(problem: PublicTreeProblem, solver: PublicTree, history: RunHistory) -> EvaluatedProfile:
    """The average strategies, judged where nobody errs; and, where something is locked, in the game without the lock too."""

    def without(lock: str) -> Judgement:
        return Responses(solver.game, solver.tree, AVERAGES, solver.holder, lock).judge()

    stored = problem.strategy_in(solver.tree, AVERAGES)
    lock = LOCK if solver.lock else ""
    judgement = without(lock) if solver.tremble else solver.responses.judge(history.last.bounds)
    return EvaluatedProfile(judgement, stored=stored, free=without("") if lock else None)


def _kept_for(solver: PublicTree, asked: Checkpoints) -> Checkpoints:
    """Where the state is kept: as asked; else for workers, who may be lost, in a folder that goes when the solver does."""
    if asked.resume is not None:
        solver.restore = partial(checkpoint.read, asked.resume, solver)
    if asked.file is not None or not solver.workers:
        return asked
    try:
        return Checkpoints(str(scratch.folder(solver) / "state"), _LEAST_REST)
    except OSError as error:
        solver.tell(f"no folder for the solver's state: {error.strerror or error}; if a worker is lost, solving starts again")
        return asked


class _Keeper:
    """Writes the state every few minutes; where that fails, says so once and lets the work go on.

    Says also, once, that memory is full.

    asked : whether a person asked for a checkpoint, which then has to be written at the end too
    lost  : why the last one that was asked for could not be written, or ""
    """

    def __init__(
        self, kept: Checkpoints, asked: bool, solver: PublicTree, proved: Proof | None, tell: Callable[[str], None]
    ) -> None:
        self._kept, self._asked, self._solver, self._earlier, self._tell = kept, asked, solver, proved, tell
        self._due = time.monotonic() + kept.every
        self._full, self._said = False, ""
        self.lost = ""

    def look(self, so_far: RunHistory) -> None:
        """Write if it is time."""
        if self._solver.short and not self._full:
            self._full = True
            self._tell(self._words_on_memory())
        if time.monotonic() > self._due:
            self.write(so_far.samples[-1].proved if so_far.samples else self._earlier)

    def _words_on_memory(self) -> str:
        if self._solver.memory < inf:
            where = f"the histories fill the {size(int(self._solver.memory))} that they may"
        else:
            where = "the histories fill the memory that the workers have free"
        each = " on one worker" if self._solver.workers else ""
        return (
            f"{where}{each}: no more grow, and what is proved stays true; for a better answer allow more memory, "
            f"{'add workers on other machines, ' if each else ''}or take fewer sides or dice"
        )

    def end(self, proved: Proof | None) -> None:
        """Write a checkpoint that was asked for."""
        if self._asked:
            self.write(proved)

    def write(self, proved: Proof | None) -> None:
        """Write now."""
        if self._kept.file is None:
            return
        begun, solver = time.monotonic(), self._solver
        try:
            solver.surely(partial(checkpoint.write, self._kept.file, solver, proved))
            solver.restore = partial(checkpoint.read, self._kept.file, solver)
            self._said = ""
        except LiarsDiceError as error:
            if str(error) != self._said:
                self._said = str(error)
                self._tell(f"no new checkpoint: {error}; solving goes on")
        self.lost = self._said if self._asked else ""
        rest = 10 if self._asked else _REST
        self._due = time.monotonic() + max(self._kept.every, rest * (time.monotonic() - begun))

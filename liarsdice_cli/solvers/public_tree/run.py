"""Run a regret minimiser on the public tree, with checkpoints, and judge its average strategies."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.games.liarsdice.locks import PublicLock, public_lock
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.problem import PublicTreeProblem, RulesProblem
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import LOCK, PublicTree
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Proof, RunHistory, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.request import ERRING, FLOAT, PUBLIC_TREE, Checkpoints, MinimiserOptions, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult
from liarsdice_cli.system import scratch
from liarsdice_cli.system.cluster_names import GPU, cluster
from liarsdice_cli.system.memory import SHARE, available, size
from liarsdice_cli.text import numbered

_SAVING_SHARE = 1 / 50
"""The most of the time that saving takes."""
_EVERY = 1.0
"""The least time between two saved states in seconds."""
_RECOVERY = 30.0
"""The same for states that are saved only in case a worker is lost."""


def minimise(
    problem: PublicTreeProblem, minimiser: Minimiser, request: Request, progress: Progress, every: int | None = None
) -> MethodResult:
    """Minimise regrets on the public tree of rules until a limit of the request is met.

    every : as in `Limits`

    Without a limit, the target is `TARGET` times the range of payoffs. Impossible bids are left out of large trees. Raises
    LiarsDiceError if the memory or the checkpoint to resume does not fit, UsageError for a target below the rounding error.
    """
    game, options = problem.public, request.minimiser
    checkpoints = options.checkpoints or Checkpoints()
    game.check_bids()
    lock, tremble = _lock_of(problem, options), options.tremble or 0.0
    limits = replace(request.limits, every=every).with_default(TARGET * game.range, game.rounding_error)
    if options.cluster == GPU:
        solver: PublicTree = _on_gpu(game, minimiser, options, lock)
    elif options.cluster is None:
        most = int(available() * SHARE) if options.memory is None else options.memory
        solver = PublicTree(game, minimiser, options.threads, memory=most, lock=lock, tremble=tremble)
    else:
        of_each = inf if options.memory is None else options.memory
        workers = cluster(options.cluster)
        solver = PublicTree(game, minimiser, memory=of_each, cluster=workers, tremble=tremble)
        if not solver.workers:
            progress.note(f"{game.bids} bids make a tree too small to cut, so it is solved in this process")
    solver.progress = progress
    earlier = None if checkpoints.resume is None else solver.retry(partial(checkpoint.read, checkpoints.resume, solver))
    earlier = None if tremble else earlier  # the game has changed since
    if limits.iterations is not None and solver.iteration > limits.iterations:
        cure = f"the checkpoint has {solver.iteration:,} already; they are counted from the start"
        raise ArgumentError("iterations", limits.iterations, cure)
    solver.compile()
    writer = _CheckpointWriter(_checkpoints_for(solver, checkpoints), checkpoints.file is not None, solver, earlier)
    history = run(solver, limits, progress, writer.look, earlier)
    writer.end(history.last.proved)
    solver.collect()
    return _answer(problem, solver, history, limits, writer.lost)


def _on_gpu(game: PublicGame, minimiser: Minimiser, options: MinimiserOptions, lock: PublicLock) -> PublicTree:
    """Return a solver on the GPU; UsageError for options that it does not have."""
    from liarsdice_cli.solvers.public_tree.gpu import GpuTree

    given = {"lock": lock, "tremble": options.tremble, "checkpoint": options.checkpoints}
    for name in (name for name, value in given.items() if value):
        raise UsageError("a GPU does without ", Argument(name), ": leave it out, or ", Argument("cluster"))
    return GpuTree(game, minimiser, options.threads, options.memory)


def _lock_of(problem: PublicTreeProblem, options: MinimiserOptions) -> PublicLock:
    """Return the lock of a problem, by histories."""
    if not isinstance(problem, RulesProblem) or not problem.lock:
        return {}
    if options.cluster not in (None, GPU):
        raise UsageError("a lock is kept to in one process: leave ", Argument("cluster"), " out")
    problem.check_lock()
    return public_lock(problem.reduced, problem.lock)


def _answer(problem: PublicTreeProblem, solver: PublicTree, history: RunHistory, limits: Limits, lost: str) -> MethodResult:
    """Return the judged average strategies of a solver; costs a pass over the histories that they reach."""
    needed, kind = solver.store.bytes_used, np.dtype(solver.kind).name
    expanded, (what, count) = solver.store.histories, solver.at_work
    by = numbered(count, what)
    tremble = {"tremble": solver.tremble} if solver.tremble else {}
    erring = f"{ERRING.format(solver.tremble)}, at expanded histories; " if solver.tremble else ""
    return MethodResult(
        FLOAT,
        PUBLIC_TREE,
        (_judged(problem, solver, history),),
        history.last.seconds,
        history.ended in ("target", "iterations"),
        f"{erring}{numbered(expanded, 'histories')} expanded, {size(needed)} of {kind}, {by}",
        run_history=history,
        parameters={"target": limits.target, "kind": kind, what: count, "bytes": needed, "histories": expanded} | tremble,
        lost=lost,
    )


def _judged(problem: PublicTreeProblem, solver: PublicTree, history: RunHistory) -> EvaluatedProfile:
    """Return the average strategies, judged without tremble, and in a locked game without the lock too."""

    def without(lock: str) -> Judgement:
        return Responses(solver.game, solver.store, solver.backend, lock).judge()

    stored = problem.strategy_in(solver.store)
    lock = LOCK if solver.lock else ""
    judgement = without(lock) if solver.tremble else solver.judge(history.last.bounds)
    return EvaluatedProfile(judgement, stored=stored, free=without("") if lock else None)


def _checkpoints_for(solver: PublicTree, asked: Checkpoints) -> Checkpoints:
    """Return where to save the state: as requested; otherwise, if workers may be lost, in a temporary folder."""
    if asked.resume is not None:
        solver.restore = partial(checkpoint.read, asked.resume, solver)
    if asked.file is not None or not solver.workers:
        return asked
    try:
        return Checkpoints(str(scratch.folder(solver) / "state"))
    except OSError as error:
        solver.progress.message(
            f"no folder for the solver's state: {error.strerror or error}; if a worker is lost, solving starts again"
        )
        return asked


class _CheckpointWriter:
    """Writes the state regularly. It reports a failure to write, and full memory, once; solving continues.

    asked : whether the request has a checkpoint file, which is then written at the end too
    lost  : the reason why the last requested checkpoint could not be written, or ""
    """

    def __init__(self, checkpoints: Checkpoints, asked: bool, solver: PublicTree, proved: Proof | None) -> None:
        self._checkpoints, self._asked, self._solver, self._earlier = checkpoints, asked, solver, proved
        self._every = _EVERY if asked else _RECOVERY
        self._due = time.monotonic() + self._every
        self._full, self._failure = False, ""
        self.lost = ""

    def look(self, so_far: RunHistory) -> None:
        """Write the state if it is time."""
        if self._solver.short and not self._full:
            self._full = True
            self._solver.progress.note(self._memory_message())
        if time.monotonic() > self._due:
            self.write(so_far.samples[-1].proved if so_far.samples else self._earlier)

    def _memory_message(self) -> str:
        if self._solver.memory < inf:
            where = f"the expanded histories fill their {size(int(self._solver.memory))}"
        else:
            where = "the expanded histories fill the free memory of the workers"
        each = " on one worker" if self._solver.workers else ""
        return (
            f"{where}{each}: no more are expanded, and the bounds stay true; for a better answer allow more memory, "
            f"{'add workers on other machines, ' if each else ''}or take fewer sides or dice"
        )

    def end(self, proved: Proof | None) -> None:
        """Write the state if the request has a checkpoint file."""
        if self._asked:
            self.write(proved)

    def write(self, proved: Proof | None) -> None:
        """Write the state now."""
        if self._checkpoints.file is None:
            return
        begun, solver = time.monotonic(), self._solver
        try:
            solver.retry(partial(checkpoint.write, self._checkpoints.file, solver, proved))
            solver.restore = partial(checkpoint.read, self._checkpoints.file, solver)
            self._failure = ""
        except LiarsDiceError as error:
            if str(error) != self._failure:
                self._failure = str(error)
                self._solver.progress.message(f"no new checkpoint: {error}; solving goes on")
        self.lost = self._failure if self._asked else ""
        self._due = time.monotonic() + max(self._every, (time.monotonic() - begun) / _SAVING_SHARE)

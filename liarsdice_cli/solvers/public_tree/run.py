"""Run a regret minimiser on the public tree, with checkpoints, and judge its average strategies."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.formats import files
from liarsdice_cli.games.liarsdice.locks import PublicLock, public_lock
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.problem import PublicTreeProblem, RulesProblem
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import LOCK, PublicTree
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Proof, RunHistory, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.request import ERRING, FLOAT, PUBLIC_TREE, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from liarsdice_cli.system import scratch
from liarsdice_cli.system.cluster_names import GPU, cluster
from liarsdice_cli.system.memory import size
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
    LiarsDiceError if the memory or the checkpoint does not fit, UsageError for a target below the rounding error.
    """
    game, tremble = problem.public, request.tremble or 0.0
    file = None if request.checkpoint is None else os.fspath(request.checkpoint)
    if file == files.PIPE:
        raise UsageError(Argument("checkpoint"), " needs a file, which a pipe is not: name one")
    if file is not None:
        files.check_writable(file)
    game.check_bids()
    lock = _lock_of(problem, request)
    limits = replace(request.limits, every=every).with_default(TARGET * game.range, game.rounding_error)
    if request.cluster == GPU:
        solver: PublicTree = _on_gpu(game, minimiser, request, lock)
    elif request.cluster is None:
        solver = PublicTree(game, minimiser, request.threads, request.memory, lock=lock, tremble=tremble)
    else:
        solver = PublicTree(game, minimiser, memory=request.memory, cluster=cluster(request.cluster), tremble=tremble)
        if not solver.workers:
            progress.note(f"a tree of {game.bids} bids is too small to divide, so this process solves it")
    solver.progress = progress
    earlier = _resumed(solver, file)
    if limits.iterations is not None and solver.iteration > limits.iterations:
        cure = f"the checkpoint already has {solver.iteration:,}; iterations are counted from the start"
        raise ArgumentError("iterations", limits.iterations, cure)
    solver.compile()
    writer = _CheckpointWriter(file or _scratch_file(solver), file is not None, solver, earlier)
    history = run(solver, limits, progress, writer.look, earlier)
    writer.end(history.last.proved)
    solver.collect()
    return _answer(problem, solver, history, limits, writer.lost)


def _on_gpu(game: PublicGame, minimiser: Minimiser, request: Request, lock: PublicLock) -> PublicTree:
    """Return a solver on the GPU; UsageError for options that it does not have."""
    from liarsdice_cli.solvers.public_tree.gpu import GpuTree

    given = {"lock": lock, "tremble": request.tremble, "checkpoint": request.checkpoint}
    for name in (name for name, value in given.items() if value):
        raise UsageError("a GPU does not support ", Argument(name), ": leave out this option or ", Argument("cluster"))
    return GpuTree(game, minimiser, request.threads, request.memory)


def _lock_of(problem: PublicTreeProblem, request: Request) -> PublicLock:
    """Return the lock of a problem, by histories."""
    if not isinstance(problem, RulesProblem) or not problem.lock:
        return {}
    if request.cluster not in (None, GPU):
        raise UsageError("a lock needs a single process: leave ", Argument("cluster"), " out")
    problem.check_lock()
    return public_lock(problem.reduced, problem.lock)


def _answer(problem: PublicTreeProblem, solver: PublicTree, history: RunHistory, limits: Limits, lost: str) -> MethodResult:
    """Return the judged average strategies of a solver; costs a pass over the histories that they reach."""
    needed, kind = solver.store.bytes_used, np.dtype(solver.kind).name
    expanded, (what, count) = solver.store.histories, solver.at_work
    by = numbered(count, what)
    tremble = {"tremble": solver.tremble} if solver.tremble else {}
    erring = f"{ERRING.format(solver.tremble)}, at expanded histories; " if solver.tremble else ""
    judged = _judged(problem, solver, history)
    if not solver.workers:
        solver.store.keep_only(AVERAGE_STRATEGY)  # the regrets are half of the memory
    return MethodResult(
        FLOAT,
        PUBLIC_TREE,
        (judged,),
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


def _resumed(solver: PublicTree, file: str | None) -> Proof | None:
    """Read the checkpoint if the file exists, and return what its run has proved, if that holds for this run too."""
    if file is None or not Path(file).is_file():
        return None
    read = partial(checkpoint.read, file, solver)
    proved = solver.retry(read)
    needed = solver.store.bytes_used
    if not solver.workers and needed > solver.memory:
        raise LiarsDiceError(f"the state in {file} takes {size(needed)}, more than the limit: raise ", Argument("memory"))
    solver.restore = read
    return None if solver.tremble else proved  # the perturbed game changes while histories are expanded


def _scratch_file(solver: PublicTree) -> str | None:
    """Return a temporary file for the state if workers may be lost; None without workers or without a folder for it."""
    if not solver.workers:
        return None
    try:
        return str(scratch.folder(solver) / "state")
    except OSError as error:
        solver.progress.message(
            f"no folder for the solver's state: {error.strerror or error}; if a worker is lost, solving starts again"
        )
        return None


class _CheckpointWriter:
    """Writes the state regularly. It reports a failure to write, and full memory, once; solving continues.

    file  : None to write nothing
    asked : whether the request has a checkpoint file, which is then written at the end too
    lost  : the reason why the last requested checkpoint could not be written, or ""
    """

    def __init__(self, file: str | None, asked: bool, solver: PublicTree, proved: Proof | None) -> None:
        self._file, self._asked, self._solver, self._earlier = file, asked, solver, proved
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
            where = f"the expanded histories fill their {size(int(self._solver.memory))}, or all free memory"
        else:
            where = "the expanded histories fill the free memory of the workers"
        each = " on one worker" if self._solver.workers else ""
        return (
            f"{where}{each}: no more are expanded, and the bounds remain valid; for tighter bounds allow more memory, "
            f"{'add workers on other machines, ' if each else ''}or give fewer sides or dice"
        )

    def end(self, proved: Proof | None) -> None:
        """Write the state if the request has a checkpoint file."""
        if self._asked:
            self.write(proved)

    def write(self, proved: Proof | None) -> None:
        """Write the state now."""
        if self._file is None:
            return
        begun, solver = time.monotonic(), self._solver
        try:
            solver.retry(partial(checkpoint.write, self._file, solver, proved))
            solver.restore = partial(checkpoint.read, self._file, solver)
            self._failure = ""
        except LiarsDiceError as error:
            if str(error) != self._failure:
                self._failure = str(error)
                self._solver.progress.message(f"no new checkpoint: {error}; solving continues")
        self.lost = self._failure if self._asked else ""
        self._due = time.monotonic() + max(self._every, (time.monotonic() - begun) / _SAVING_SHARE)

"""A minimiser at work on the public tree: from rules to judged average strategies, with checkpoints on the way."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from liarsdice_cli.errors import ArgumentError, LiarsDiceError
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.weights import Averages
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.public_tree import checkpoint, memory
from liarsdice_cli.solvers.public_tree.solver import SMALL, PublicTree, bytes_needed
from liarsdice_cli.solvers.regret.convergence import TARGET, Bounds, Limits, RunHistory, above_rounding, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.solution import FLOAT, PUBLIC_TREE, Answer, Checkpoints, Request, Solved, Watch
from liarsdice_cli.system.memory import size


def minimise(problem: Problem, minimiser: Minimiser, request: Request, watch: Watch) -> Answer:
    """Minimise regrets on the public tree of rules for two players, until a limit of the request is met.

    Without a limit the target is `TARGET` times the range of payoffs. Bids that are never true are left out where the
    tree would be large. Raises LiarsDiceError where memory or the checkpoint to resume does not do, UsageError for a target
    that rounding hides.
    """
    rules, kept = problem.reduced, request.checkpoints or Checkpoints()
    assert rules is not None, "asked for rules only"
    memory.check(rules, minimiser)
    game = public_game(rules)
    win, lose = game.payoffs
    limits = request.limits if request.limits != Limits() else Limits(target=TARGET * float(win - lose))
    above_rounding(limits, game.rounding_error)
    solver = PublicTree(game, minimiser, request.threads)
    earlier = None if kept.resume is None else checkpoint.read(kept.resume, solver)
    if limits.iterations is not None and solver.iteration > limits.iterations:
        cure = f"the checkpoint has {solver.iteration:,} already; they are counted from the start"
        raise ArgumentError("iterations", limits.iterations, cure)
    if bytes_needed(game, minimiser) <= SMALL:
        solver.bounds()  # compiles what is not compiled yet, so that no limit counts it
    keeper = _Keeper(kept, solver, earlier, watch.words)
    history = run(solver, limits, lambda sample: watch.sample(sample, limits.target), keeper.look, earlier)
    keeper.write(history.last.proved)
    return _answer(rules, solver, history, limits, keeper.lost)


def _answer(rules: Rules, solver: PublicTree, history: RunHistory, limits: Limits, lost: str) -> Answer:
    """The average strategies of a solver at the end of its run, judged; cost: a pass over what they reach."""
    needed, kind = bytes_needed(solver.game, solver.minimiser), np.dtype(solver.kind).name
    return Answer(
        FLOAT,
        PUBLIC_TREE,
        (Solved(solver.responses.judge(solver.averages, history.last.bounds), averages=Averages(rules, solver.averages)),),
        history.last.seconds,
        history.ended in ("target", "iterations"),
        f"{size(needed)} of {kind}, {solver.threads} thread{'s' if solver.threads > 1 else ''}",
        run_history=history,
        parameters={"target": limits.target, "kind": kind, "threads": solver.threads, "bytes": needed},
        lost=lost,
    )


class _Keeper:
    """Writes a checkpoint every few minutes; where that fails, says so once and lets the work go on.

    lost : why the last one could not be written, or ""
    """

    def __init__(self, kept: Checkpoints, solver: PublicTree, proved: Bounds | None, tell: Callable[[str], None]) -> None:
        self._kept, self._solver, self._earlier, self._tell = kept, solver, proved, tell
        self._due = time.monotonic() + kept.every
        self.lost = ""

    def look(self, so_far: RunHistory) -> None:
        """Write if it is time."""
        if time.monotonic() > self._due:
            self.write(so_far.samples[-1].proved if so_far.samples else self._earlier)

    def write(self, proved: Bounds | None) -> None:
        """Write now."""
        if self._kept.file is None:
            return
        begun, before = time.monotonic(), self.lost
        try:
            checkpoint.write(self._kept.file, self._solver, proved)
            self.lost = ""
        except LiarsDiceError as error:
            self.lost = str(error)
            if self.lost != before:
                self._tell(f"no new checkpoint: {self.lost}; solving goes on")
        self._due = time.monotonic() + max(self._kept.every, 10 * (time.monotonic() - begun))

"""A minimiser at work on the public tree: from rules to judged average strategies, with checkpoints on the way."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.games.liarsdice.grown import GrownStrategy
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.public_game import MOST_BIDS
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import AVERAGES, PublicTree
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Proof, RunHistory, above_rounding, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.solution import FLOAT, PUBLIC_TREE, Answer, Checkpoints, Request, Solved, Watch
from liarsdice_cli.system.memory import available, size

SHARE = 0.8
"""The part of the free memory that histories may fill, unless a person says how much."""


def minimise(problem: Problem, minimiser: Minimiser, request: Request, watch: Watch) -> Answer:
    """Minimise regrets on the public tree of rules, until a limit of the request is met.

    Without a limit the target is `TARGET` times the range of payoffs. Bids that are never true are left out where the
    tree would be large. Raises LiarsDiceError where memory or the checkpoint to resume does not do, UsageError for a target
    that rounding hides.
    """
    rules, kept = problem.reduced, request.checkpoints or Checkpoints()
    assert rules is not None, "asked for rules only"
    game = public_game(rules)
    if game.bids > MOST_BIDS:
        raise LiarsDiceError(
            f"{game.bids:,} bids are more than the {MOST_BIDS:,} that are solved for: lower ",
            Argument("sides"),
            " or ",
            Argument("dice"),
        )
    limits = request.limits if request.limits != Limits() else Limits(target=TARGET * game.range)
    above_rounding(limits, game.rounding_error)
    most = int(available() * SHARE) if request.memory is None else request.memory
    solver = PublicTree(game, minimiser, request.threads, memory=most)
    earlier = None if kept.resume is None else checkpoint.read(kept.resume, solver)
    if limits.iterations is not None and solver.iteration > limits.iterations:
        cure = f"the checkpoint has {solver.iteration:,} already; they are counted from the start"
        raise ArgumentError("iterations", limits.iterations, cure)
    solver.compile()
    keeper = _Keeper(kept, solver, earlier, watch.words)
    history = run(solver, limits, lambda sample: watch.sample(sample, limits.target), keeper.look, earlier)
    keeper.write(history.last.proved)
    return _answer(rules, solver, history, limits, keeper.lost)


def _answer(rules: Rules, solver: PublicTree, history: RunHistory, limits: Limits, lost: str) -> Answer:
    """The average strategies of a solver at the end of its run, judged; cost: a pass over what they reach."""
    needed, kind = solver.tree.bytes_used, np.dtype(solver.kind).name
    grown, threads = solver.tree.histories, solver.threads
    return Answer(
        FLOAT,
        PUBLIC_TREE,
        (Solved(solver.responses.judge(history.last.bounds), averages=GrownStrategy(rules, solver.tree, AVERAGES)),),
        history.last.seconds,
        history.ended in ("target", "iterations"),
        f"{grown:,} histories grown in {size(needed)} of {kind}, {threads} thread{'s' if threads > 1 else ''}",
        run_history=history,
        parameters={"target": limits.target, "kind": kind, "threads": threads, "bytes": needed, "histories": grown},
        lost=lost,
    )


class _Keeper:
    """Writes a checkpoint every few minutes; where that fails, says so once and lets the work go on.

    Says also, once, that memory is full. lost : why the last one could not be written, or ""
    """

    def __init__(self, kept: Checkpoints, solver: PublicTree, proved: Proof | None, tell: Callable[[str], None]) -> None:
        self._kept, self._solver, self._earlier, self._tell = kept, solver, proved, tell
        self._due = time.monotonic() + kept.every
        self._full = False
        self.lost = ""

    def look(self, so_far: RunHistory) -> None:
        """Write if it is time."""
        if self._solver.short and not self._full:
            self._full = True
            self._tell(
                f"the histories fill the {size(int(self._solver.memory))} that they may: no more grow, and what is proved "
                "stays true; for a better answer allow more memory, or take fewer sides or dice"
            )
        if time.monotonic() > self._due:
            self.write(so_far.samples[-1].proved if so_far.samples else self._earlier)

    def write(self, proved: Proof | None) -> None:
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

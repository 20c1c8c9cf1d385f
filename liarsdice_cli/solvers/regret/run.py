"""Regret minimisation on the sequence form of any tree: from a game to judged average strategies."""

from __future__ import annotations

import time
from dataclasses import replace

from liarsdice_cli.extensive.evaluate import complete, judge
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.regret.convergence import TARGET, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.solvers.regret.sparse import SparseForm
from liarsdice_cli.solvers.request import ERRING, EXTENSIVE, FLOAT, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult


def minimise(problem: Problem, minimiser: Minimiser, request: Request, progress: Progress) -> MethodResult:
    """Minimise regrets in floats until a limit of the request is met; return the profile of the average strategies.

    With a tremble in the request, the averages tremble, and the reported bounds are those of the perturbed game. The judgement
    is that of the unperturbed game.

    Without a limit the target is `TARGET` times the range of payoffs. Raises as `SparseForm`, and UsageError for a target
    below the rounding error.
    """
    begun, tree, tremble = time.perf_counter(), problem.tree, request.tremble
    solver = SparseForm(tree, minimiser, tremble or 0.0)
    limits = request.limits.with_default(TARGET * (solver.range or 1), solver.rounding_error)
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(0.0, limits.seconds - (time.perf_counter() - begun)))
    history = run(solver, limits, progress)
    profile = complete(solver.profile())
    return MethodResult(
        FLOAT,
        EXTENSIVE,
        (EvaluatedProfile(judge(profile), profile),),
        time.perf_counter() - begun,
        history.ended in ("target", "iterations"),
        "" if tremble is None else ERRING.format(tremble),
        run_history=history,
        parameters={"target": limits.target} | ({} if tremble is None else {"tremble": tremble}),
    )

"""What minimising on the public tree comes to: how the run went, and strategies with their bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarsdice_cli.solvers.public_tree.responses import Verdict
from liarsdice_cli.solvers.public_tree.solver import PublicTree, bytes_needed
from liarsdice_cli.solvers.regret.convergence import RunHistory


@dataclass(frozen=True)
class PublicSolution:
    """The average strategies of a public tree, judged in floats.

    method      : the minimiser's name
    kind        : 'float64' or 'float32', of the arrays; the verdict is always in float64
    threads     : at work
    memory      : bytes of all arrays
    run_history : bounds over time, and what ended it
    verdict     : on the average strategies at its end
    """

    method: str
    kind: str
    threads: int
    memory: int
    run_history: RunHistory
    verdict: Verdict

    @classmethod
    def of(cls, solver: PublicTree, run_history: RunHistory) -> PublicSolution:
        """The solution of a solver at the end of its run; cost: a pass over what the strategies reach."""
        return cls(
            solver.minimiser.name,
            np.dtype(solver.kind).name,
            solver.threads,
            bytes_needed(solver.game, solver.minimiser),
            run_history,
            solver.responses.verdict(solver.averages, run_history.last.bounds),
        )

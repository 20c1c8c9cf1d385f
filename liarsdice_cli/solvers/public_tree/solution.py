"""What minimising on the public tree comes to: a course, and strategies with their bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarsdice_cli.solvers.convergence import Course
from liarsdice_cli.solvers.public_tree.solver import PublicTree, bytes_needed


@dataclass(frozen=True)
class PublicSolution:
    """The average strategies of a public tree, judged in floats.

    method  : the minimiser's name
    kind    : 'float64' or 'float32', of the arrays; bounds are always in float64
    threads : at work
    memory  : bytes of all arrays
    course  : bounds over time, and what ended it
    payoffs : of both players when both play their average strategies
    regrets : what a best response gains on that, at most
    """

    method: str
    kind: str
    threads: int
    memory: int
    course: Course
    payoffs: tuple[float, float]
    regrets: tuple[float, float]

    @classmethod
    def of(cls, solver: PublicTree, course: Course) -> PublicSolution:
        """The solution of a solver at the end of its course; cost: a pass over what the strategies reach."""
        bounds = course.last.bounds
        payoff = solver.game.payoff(solver.responses.wins(solver.averages, 0, best=False))
        return cls(
            solver.minimiser.name,
            np.dtype(solver.kind).name,
            solver.threads,
            bytes_needed(solver.game, solver.minimiser),
            course,
            (payoff, float(solver.game.total) - payoff),
            (max(bounds.upper - payoff, 0.0), max(payoff - bounds.lower, 0.0)),
        )

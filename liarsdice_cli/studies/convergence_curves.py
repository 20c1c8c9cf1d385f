"""Exploitability over iterations and over time, for several minimisers and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers import ladder, registry
from liarsdice_cli.solvers.regret.convergence import RunHistory
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.text import numbered

SAMPLE_FACTOR = 1.2
"""The factor between the iterations of two samples, on the command line."""


@dataclass(frozen=True)
class ConvergenceCurve(Renderable):
    """The run of one minimiser in one game; the seconds of its samples include those for the bounds."""

    rules: Rules
    method: str
    run_history: RunHistory

    @property
    def ended(self) -> str:
        """The reason for the end of the run, as in `RunHistory`; 'interrupt' after Ctrl-C, when no other run begins."""
        return "interrupt" if self.run_history.interrupted else self.run_history.ended

    def __repr__(self) -> str:
        last = self.run_history.last
        end = numbered(last.iteration, "iterations")
        return f"ConvergenceCurve({self.method}, {self.rules}: {last.bounds.exploitability:.3g} after {end})"


def convergence_curves(
    games: Sequence[Rules], methods: Sequence[str], request: Request, progress: Progress = SILENT
) -> list[ConvergenceCurve]:
    """Run every minimiser on every game, one after the other, and return their curves.

    request : limits, sample factor and threads; its method is ignored

    A run of one iteration comes before each, so that no curve includes the time for compiling. After an interrupt
    the runs so far are returned. Raises UsageError for a method that is not a minimiser.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> (found,) = convergence_curves([rules("common", 2)], ["cfr+"], Request(iterations=8, sample_factor=2.0))
    >>> [sample.iteration for sample in found.run_history.samples], found.ended
    ([0, 1, 2, 4, 8], 'iterations')
    """
    for method in methods:
        if method not in registry.METHODS or not registry.iterates(method):
            minimisers = [name for name in registry.METHODS if registry.iterates(name)]
            raise UsageError(f"{method} is not a regret minimiser: choose from {', '.join(minimisers)}")
    found = []
    for game in games:
        for method in methods:
            asked = request.updated(method=method)
            ladder.solve(game, Request(method, iterations=1, threads=request.threads))
            progress.begin(f"{method}, {game}")
            history = ladder.solve(game, asked, progress).run_history
            assert history is not None, "a minimiser has a run history"
            found.append(ConvergenceCurve(game, method, history))
            if history.interrupted:
                return found
    return found

"""Exploitability over iterations and over time, for several minimisers and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


class CurvePoint(NamedTuple):
    """A sample of a run: iterations so far, seconds so far including those for samples, and the exploitability."""

    iteration: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class ConvergenceCurve(Renderable):
    """The course of one minimiser in one game.

    ended : the reason for the end of the run, as in `RunHistory`; 'interrupt' after Ctrl-C, when no other run begins
    """

    rules: Rules
    method: str
    points: tuple[CurvePoint, ...]
    ended: str

    def __repr__(self) -> str:
        last = self.points[-1]
        end = numbered(last.iteration, "iterations")
        return f"ConvergenceCurve({self.method}, {self.rules}: {last.exploitability:.3g} after {end})"

    @classmethod
    def of(cls, rules: Rules, method: str, history: RunHistory) -> ConvergenceCurve:
        """Return the curve of a run."""
        points = (CurvePoint(one.iteration, one.seconds, one.bounds.exploitability) for one in history.samples)
        return cls(rules, method, tuple(points), "interrupt" if history.interrupted else history.ended)


def convergence_curves(
    games: Sequence[Rules], methods: Sequence[str], request: Request, progress: Progress = SILENT
) -> list[ConvergenceCurve]:
    """Run every minimiser on every game, one after the other, and return their curves.

    request : limits, sample factor and threads; its method is ignored

    A run of one iteration comes before each, so that no curve includes the time for compiling. After an interrupt
    the runs so far are returned. Raises UsageError for a method that is not a minimiser.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> (found,) = convergence_curves([rules("common", 2)], ["cfr+"], Request(iterations=8, sample_factor=2.0))
    >>> [point.iteration for point in found.points], found.ended
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
            found.append(ConvergenceCurve.of(game, method, history))
            if found[-1].ended == "interrupt":
                return found
    return found

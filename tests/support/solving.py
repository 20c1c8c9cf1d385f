"""Solve games in tests by the name of a method, and look up which method the ladder chooses."""

from __future__ import annotations

from dataclasses import replace

from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.problem import Game, Problem
from liarsdice_cli.solvers.request import AUTO, Request
from liarsdice_cli.solvers.solution import Solution


def solve(game: Game | Problem, method: str = AUTO, request: Request | None = None, progress: Progress = SILENT) -> Solution:
    """Return the solution by the method with this name."""
    return ladder.solve(game, replace(request or Request(), method=method), progress)


def chosen(game: Game, request: Request | None = None) -> tuple[str, str]:
    """Return the name of the method that the ladder chooses, and its reason."""
    choice = ladder.choose(Problem.of(game), request or Request())
    return choice.method.name, choice.reason

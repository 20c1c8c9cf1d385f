"""The `--lock` option."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from liarsdice_cli.cli.option_table import option

if TYPE_CHECKING:
    from liarsdice_cli.solvers.problem import Problem
    from liarsdice_cli.solvers.request import Request

lock_option = option("lock")


def locked(problem: Problem, request: Request, texts: tuple[str, ...]) -> tuple[Problem, Request]:
    """Return the game and the request with these locks; UsageError or LiarsDiceError for texts that are no lock."""
    if not texts:
        return problem, request
    from liarsdice_cli.library.solving import locks

    lock = tuple(one for text in texts for one in locks(text, problem))
    return problem.locked(lock), replace(request, lock=lock)

"""The `--lock` option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.cli.option_table import option

if TYPE_CHECKING:
    from liarsdice_cli.solvers.problem import Problem

lock_option = option("lock")


def locked(problem: Problem, texts: tuple[str, ...]) -> Problem:
    """Return the game with these locks; UsageError or LiarsDiceError for texts that are no lock."""
    if not texts:
        return problem
    from liarsdice_cli.library.solving import locks

    return problem.locked(tuple(one for text in texts for one in locks(text, problem)))

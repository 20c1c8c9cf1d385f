"""The game that a command line means: a file, or rules."""

from __future__ import annotations

from typing import Any

from liarsdice_cli.cli.options import one_game, rules_of
from liarsdice_cli.formats import kinds
from liarsdice_cli.solvers.problem import Problem


def problem_of(game: str | None, asked: dict[str, Any]) -> Problem:
    """The game in the file, or of the rule options.

    Raises UsageError where there is none or two, LiarsDiceError where the file is the problem.
    """
    one_game(game, asked)
    if game is not None:
        return Problem(kinds.read(game, kinds.GAME))
    return Problem(*rules_of(asked))

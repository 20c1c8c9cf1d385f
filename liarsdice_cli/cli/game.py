"""The game that a command line means: a file, or rules."""

from __future__ import annotations

from liarsdice_cli.cli.options import RuleOptions, one_game
from liarsdice_cli.solvers.problem import Problem


def problem_of(game: str | None, asked: RuleOptions) -> Problem:
    """The game in the file, or of the rule options.

    Raises UsageError where there is none or two, LiarsDiceError where the file is the problem.
    """
    from liarsdice_cli.library.files import read

    one_game(game, asked)
    if game is not None:
        return Problem(read(game))
    return Problem(asked.rules(), asked.dealing)

"""The game of a command line: a file, or rules."""

from __future__ import annotations

from liarsdice_cli.cli.options import RuleOptions, one_game
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.registry import read_game as read
from liarsdice_cli.games.liarsdice.rules import DEALINGS
from liarsdice_cli.solvers.problem import Problem, RulesProblem
from liarsdice_cli.text import counted


def begins_later(problem: Problem, history: str, beliefs: str | None, output: str | None) -> bool:
    """Return whether --from is the start of the game to solve, not of the part to write; UsageError if it can be neither."""
    if beliefs is not None and not history:
        raise UsageError("--beliefs gives the beliefs after --from HISTORY: give both")
    if not history or (output is not None and registry.holds(output, registry.WORKBOOK) and beliefs is None):
        return False
    if not isinstance(problem, RulesProblem):
        raise UsageError("--from solves a subgame of rules (--sides, --dice ...), but this game comes from a file")
    return True


def subgame_of(problem: Problem, history: str, beliefs: str | None) -> Problem:
    """Return a subgame of rules, with the beliefs in a file or those of fair dice."""
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.games.liarsdice.subgame import subgame
    from liarsdice_cli.library.solving import beliefs as believed

    assert isinstance(problem, RulesProblem), "checked by begins_later"
    known = None if beliefs is None else believed(beliefs, problem.rules)
    return Problem.of(subgame(problem.rules, moves(history), known))


def check_small(problem: Problem) -> None:
    """Refuse to solve a large game to show it once: solving takes long, and a strategy file can be shown again."""
    from liarsdice_cli.draw.explorer import page
    from liarsdice_cli.solvers.problem import PublicTreeProblem

    if isinstance(problem, PublicTreeProblem) and not page.is_small(problem.reduced):
        raise LiarsDiceError(
            f"{counted(problem.reduced.bidding.history_count)} betting histories are too many to solve here: solve the game "
            "once (liarsdice solve ... -o strategy.ldz) and give strategy.ldz instead of the rules"
        )


def problem_of(game: str | None, asked: RuleOptions) -> Problem:
    """Return the game in the file, or of the rule options.

    Raises UsageError if there is no game or two, LiarsDiceError if the file cannot be read.
    """

    one_game(game, asked)
    if game is not None:
        return Problem.of(read(game))
    return Problem.of(asked.rules(), asked.dealing or DEALINGS[0])

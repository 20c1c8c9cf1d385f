"""`liarsdice show`: a strategy after a history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, one_game, one_pipe, quiet_option, rule_options
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.errors import LiarsDiceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from liarsdice_cli.solvers.problem import Problem
    from liarsdice_cli.solvers.solution import EvaluatedProfile

OPENING = "opening"
_BIDS = re.compile(rf"{OPENING}|\d+x\d+(\s+\d+x\d+)*")
_EXAMPLE = """
liarsdice show strategy.ldz
liarsdice show strategy.ldz "2x3 3x3" --full
liarsdice show --sides 6 "1x2"
liarsdice show game.efg "1x1 1x2" --profile profile.json
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("words", nargs=-1, metavar="[STRATEGY|GAME] [HISTORY]")
@rule_options
@option("profile")
@option("full")
@json_option
@quiet_option
def command(words: tuple[str, ...], asked: RuleOptions, profile: str | None, full: bool, as_json: bool, quiet: bool) -> None:
    """Show what each roll does after HISTORY ("opening", the default, or bids such as "2x3 3x3").

    STRATEGY is a strategy file of Liar's Dice (.ldz), and GAME is any game file; with rule options give HISTORY alone. A game
    is solved unless --profile is given. In HISTORY, put an action with blanks in quotes, such as "pass 'bet one'", and give
    the number of an action without a label.

    It prints the value of each action and the probability that the last bid is true. For a strategy without a tree it also
    prints the beliefs about the other rolls.
    """
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.formats import registry
    from liarsdice_cli.report import showing

    name, history = _named(words, asked)
    if name is not None and registry.holds(name, registry.STRATEGY):
        _show_file(name, history, profile, full, as_json)
        return
    problem, one, origin = _solved(name, asked, profile, moves(history), quiet)
    if as_json:
        print_json("show", showing.solved_json(problem, one, name, moves(history)))
    else:
        print_tables(showing.solved_tables(problem, one, origin, moves(history), full))


def _named(words: Sequence[str], asked: RuleOptions) -> tuple[str | None, str]:
    """Return the file, or None for rules, and the history."""
    if asked and words and _is_file(words[0]):
        one_game(words[0], asked)
    if len(words) > 2 - bool(asked):
        file = "" if asked else "a file and "
        raise UsageError(f"{words[-1]}: give {file}one HISTORY, with quotes around its bids, such as '2x3 3x3'")
    if asked:
        return None, words[0] if words else OPENING
    if not words:
        raise UsageError("no strategy: name a file, or give rule options such as --sides 3")
    if _BIDS.fullmatch(words[0]) and not _is_file(words[0]):
        raise UsageError(f"{words[0]} is a history without a game: give a file before it, or rule options such as --sides 3")
    return words[0], words[1] if len(words) > 1 else OPENING


def _is_file(word: str) -> bool:
    """Return whether a word names a file, and is therefore not a history."""
    from pathlib import Path

    from liarsdice_cli.formats import files, registry

    kinds = registry.GAME, registry.WORKBOOK, registry.PROFILE, registry.STRATEGY
    return word == files.PIPE or any(registry.holds(word, kind) for kind in kinds) or Path(word).is_file()


def _show_file(name: str, history: str, profile: str | None, full: bool, as_json: bool) -> None:
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.library.judging import strategy_at
    from liarsdice_cli.report import showing

    if profile is not None:
        raise UsageError(f"{name} is a strategy: leave --profile out")
    kept = read_strategy(name)
    report = strategy_at(kept, history)
    if as_json:
        print_json("show", showing.file_json(kept, name, report))
    else:
        print_tables(showing.file_tables(kept, report, full))


def _solved(
    name: str | None, asked: RuleOptions, profile: str | None, history: Sequence[str], quiet: bool
) -> tuple[Problem, EvaluatedProfile, str]:
    """Return a game, a profile of it and the origin of the profile; the history is checked first."""
    from liarsdice_cli.cli.game import check_small, problem_of
    from liarsdice_cli.cli.progress import display
    from liarsdice_cli.extensive.after_history import nodes_after
    from liarsdice_cli.formats import files, registry
    from liarsdice_cli.games.liarsdice.state import BettingState
    from liarsdice_cli.solvers.ladder import choose, solve
    from liarsdice_cli.solvers.problem import PublicTreeProblem
    from liarsdice_cli.solvers.request import Request
    from liarsdice_cli.solvers.solution import given

    if name is not None and registry.holds(name, registry.PROFILE):
        files.check_exists(name)
        raise UsageError(f"{name} is a profile, which needs its game: give GAME --profile {name}")
    one_pipe(name, profile)
    with display(quiet) as progress:
        progress.begin("building the game" if name is None else f"reading {name}")
        problem = problem_of(name, asked)
        problem.check_history(history)
        if profile is not None:
            nodes_after(problem.tree, history)
            kept = registry.read_profile(profile, problem.tree)
            progress.begin(f"evaluating {profile}")
            return problem, given(kept, problem), f"profile {profile}"
        check_small(problem)
        if isinstance(problem, PublicTreeProblem) and choose(problem, Request()).public_tree:
            BettingState.parse(problem.reduced, history)
        else:
            nodes_after(problem.tree, history)
        progress.begin("solving", unit="profiles")
        solution = solve(problem, progress=progress)
    if not solution.solved:
        raise LiarsDiceError(f"{solution.method} found no profile: solve the game by another method and give its --profile")
    return problem, solution.best, f"method {solution.method}{problem.without}"

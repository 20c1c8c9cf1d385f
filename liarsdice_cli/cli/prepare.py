"""`liarsdice prepare`: do beforehand what play would wait for: compile functions, or solve a game for the bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, quiet_option, table_options
from liarsdice_cli.cli.progress import display
from liarsdice_cli.errors import Argument, UsageError

TARGET = 0.01
_EXAMPLE = """
liarsdice prepare
liarsdice prepare --rules common --dice 3,3
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@table_options()
@option("target", f"  [default: {TARGET}]")
@option("time-limit", "for solving the game")
@quiet_option
def command(asked: RuleOptions, target: float | None, time_limit: float | None, quiet: bool) -> int:
    """Compile all functions for this computer; or, with the rules of a game, solve it for the bots and the coach.

    Compiling takes a minute or two, once. Without it, the first command that needs a function compiles it.

    The solution of a game is kept in your own folder, until you solve it again. `equilibrium`, `resolving`, hints and the coach
    play it whenever the game comes up. `liarsdice info` says how long a game takes.
    """
    if asked:
        return _solve(asked, TARGET if target is None else target, time_limit, quiet)
    if target is not None or time_limit is not None:
        raise UsageError(
            Argument("target"), " and ", Argument("time_limit"), " are for the rules of a game: give ", Argument("rules")
        )
    _compile(quiet)
    return 0


def _solve(asked: RuleOptions, target: float, time_limit: float | None, quiet: bool) -> int:
    """Solve a game on the public tree and keep its solution; the exit code."""
    from liarsdice_cli.bots.equilibrium import is_exact
    from liarsdice_cli.cli.printing import print_tables
    from liarsdice_cli.formats.kept import place_for
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.solving import solve
    from liarsdice_cli.report.profile import Detail
    from liarsdice_cli.report.solution import solution_tables
    from liarsdice_cli.solvers.request import PUBLIC_TREE

    rules = asked.rules()
    if is_exact(rules):
        raise UsageError(f"the bots and the coach solve {rules} exactly by themselves, in seconds")
    file = place_for(rules)
    with display(quiet, "solving") as progress:
        solution = solve(rules, form=PUBLIC_TREE, target=target, time_limit=time_limit, progress=progress)
    write(solution, file)
    print_tables(solution_tables(solution, Detail(False, False)))
    click.echo(f"kept in {file}")
    if solution.interrupted:
        return 130
    return 0 if solution.finished else 3


def _compile(quiet: bool) -> None:
    steps = list(_steps())
    with display(quiet) as progress:
        progress.begin("compiling", len(steps), "steps")
        for step in steps:
            step()
            progress.advance()


def _steps() -> Iterator[Callable[[], object]]:
    """Yield small tasks that together call the compiled functions."""
    from liarsdice_cli.games.liarsdice.rules import rules
    from liarsdice_cli.library.coaching import warm
    from liarsdice_cli.library.exploitation import exploitability
    from liarsdice_cli.library.playing import tournament
    from liarsdice_cli.library.solving import solve
    from liarsdice_cli.solvers.request import PUBLIC_TREE

    smallest, large = rules("common", 2), rules("common", 6, (2, 2))
    on_public_tree = partial(solve, form=PUBLIC_TREE, method="dcfr+", iterations=2)
    for game, roll in ((smallest, "1"), (large, "66")):
        yield partial(on_public_tree, game)
        yield partial(on_public_tree, game, tremble=0.1)
        yield partial(on_public_tree, game, lock=f"P2 roll {roll} after 1x1: call 1")
    yield partial(solve, smallest, method="double-oracle")
    yield partial(solve, smallest, refine="sequential", iterations=2)
    yield partial(exploitability, smallest, "honest")
    yield partial(tournament, smallest, ["honest", "random"], rounds=2, seed=0)
    yield warm

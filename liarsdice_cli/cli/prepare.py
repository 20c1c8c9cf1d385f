"""`liarsdice prepare`: compile all functions beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.progress import display

_EXAMPLE = """
liarsdice prepare
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@option("quiet")  # announces no compilation, which is all that this command does
def command(quiet: bool) -> int:
    """Compile all functions for this computer.

    This takes about a minute, once. Without it, the first command that needs a function compiles it.
    """
    steps = list(_steps())
    with display(quiet) as progress:
        progress.begin("compiling", len(steps), "steps")
        for step in steps:
            step()
            progress.advance()
    return 0


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

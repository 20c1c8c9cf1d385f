"""`liarsdice prepare`: compile beforehand what other commands compile on their first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import quiet_option
from liarsdice_cli.cli.progress import progress


@click.command(cls=CommandWithExample, example="liarsdice prepare")
@quiet_option
def command(quiet: bool) -> None:
    """Compile all functions for this computer, or load them from the cache.

    This takes a minute or two, once. Without it, the first command that needs a function compiles it.
    """
    steps = list(_steps())
    with progress("compiling", len(steps), quiet) as advance:
        for step in steps:
            step()
            advance(1)


def _steps() -> Iterator[Callable[[], object]]:
    """Yield small tasks that together call the compiled functions."""
    from liarsdice_cli.games.liarsdice.rules import rules
    from liarsdice_cli.library.coaching import warm
    from liarsdice_cli.library.exploitation import exploitability
    from liarsdice_cli.library.playing import tournament
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.solvers.request import PUBLIC_TREE, Request

    for dice in ((1, 1), (2, 2), (1, 1, 1)):
        for method in ("dcfr+", "pdcfr+"):
            if len(dice) == 2 or method == "pdcfr+":
                request = Request.of(method, form=PUBLIC_TREE, iterations=2)
                yield lambda dice=dice, request=request: solve(rules("common", 2, dice), request)  # type: ignore[misc]
    yield lambda: solve(rules("common", 2), Request.of("double-oracle"))
    yield lambda: exploitability(rules("common", 2), "honest")
    yield lambda: tournament(rules("common", 2), ["honest", "random"], rounds=2, seed=0)
    yield warm

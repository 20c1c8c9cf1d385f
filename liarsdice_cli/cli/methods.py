"""`liarsdice methods`: list the solving methods."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.printing import print_lines


@click.command(cls=CommandWithExample, example="liarsdice methods")
def command() -> None:
    """List the solving methods that can be named, with a line on each."""
    from liarsdice_cli.solvers.ladder import methods

    found = methods()
    width = max(map(len, found))
    print_lines(f"{name:{width}}  {summary}" for name, summary in found.items())

"""`liarsdice bots`: list the bots."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.printing import print_lines


@click.command(cls=CommandWithExample, example="liarsdice bots")
def command() -> None:
    """List the bots that can be named, with a line on each."""
    from liarsdice_cli.bots.specs import SUMMARIES

    found = SUMMARIES
    width = max(map(len, found))
    print_lines(f"{name:{width}}  {summary}" for name, summary in found.items())

"""`liarsdice bots`: list the bots."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import json_option
from liarsdice_cli.cli.printing import print_names


@click.command(cls=CommandWithExample, example="liarsdice bots")
@json_option
def command(as_json: bool) -> None:
    """List the bots that can be named, with a line on each."""
    from liarsdice_cli.bots.specs import SUMMARIES

    print_names(SUMMARIES, as_json)

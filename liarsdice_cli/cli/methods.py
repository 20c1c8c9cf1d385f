"""`liarsdice methods`: list the solving methods."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import json_option
from liarsdice_cli.cli.printing import print_names


@click.command(cls=CommandWithExample, example="liarsdice methods")
@json_option
def command(as_json: bool) -> None:
    """List the solving methods that can be named, with a line on each."""
    from liarsdice_cli.solvers.ladder import methods

    print_names(methods(), as_json)

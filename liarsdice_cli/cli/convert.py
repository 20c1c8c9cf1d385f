"""`liarsdice convert`: from one game file to another."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, labels_option, quiet_option


@click.command(cls=CommandWithExample, example="liarsdice convert game.efg game.nfg")
@click.argument("game", type=FILE)
@click.argument("output", type=FILE)
@labels_option
@quiet_option
def command(game: str, output: str, labels: str, quiet: bool) -> None:
    """Write the game in the .efg file GAME (- for standard input) to OUTPUT, as .efg or .nfg by its name."""
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.formats import efg

    write_game(efg.read(game).stream(), output, labels, quiet)

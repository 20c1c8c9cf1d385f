"""`liarsdice show`: a strategy file after a history."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.errors import UsageError


@click.command(
    cls=CommandWithExample, example='liarsdice show strategy.ldz opening\nliarsdice show strategy.ldz "2x3 3x3" --full'
)
@click.argument("strategy", type=FILE)
@click.argument("history", default="opening")
@option("full")
@json_option
def command(strategy: str, history: str, full: bool, as_json: bool) -> None:
    """Show what each roll does after HISTORY ("opening", or bids such as "2x3 3x3") in the strategy file STRATEGY.

    It prints the value of each action, the probability that the last bid is true, and the beliefs about the other rolls.
    """
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.library.judging import rolls_after
    from liarsdice_cli.report.reading import origin_line, reading_tables, show_json

    if registry.holds(strategy, registry.PROFILE):
        raise UsageError(
            f"{strategy} keeps a profile of a game tree, which needs its game: see it with `liarsdice draw GAME --profile "
            f"{strategy}`, judge it with `liarsdice verify GAME {strategy}`"
        )
    kept = read_strategy(strategy)
    reading = rolls_after(kept, history)
    if as_json:
        print_json("show", show_json(kept, strategy, reading))
    else:
        print_tables((origin_line(kept), *reading_tables(reading, full)))

"""`liarsdice show`: what a kept strategy does after a history, and why."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.errors import UsageError


@click.command(
    cls=CommandWithExample, example='liarsdice show strategy.ldz opening\nliarsdice show strategy.ldz "2x3 3x3" --full'
)
@click.argument("strategy", type=FILE)
@click.argument("history", default="opening")
@click.option("--full", is_flag=True, help="Also actions that are hardly ever taken, and unlikely rolls.")
@json_option
def command(strategy: str, history: str, full: bool, as_json: bool) -> None:
    """Show what each roll does after HISTORY ("opening", or bids such as "2x3 3x3") in the strategy file STRATEGY.

    With the value of each action, the probability that the last bid is true, and what the others may hold by then.
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

"""`liarsdice benchmark`: a policy's exploitability in ten fixed games."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.printing import policy_output, print_report
from liarsdice_cli.cli.progress import display

_EXAMPLE = """
liarsdice benchmark honest
liarsdice benchmark my_policies:Network --json
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("bot")
@json_option
@quiet_option
def command(bot: str, as_json: bool, quiet: bool) -> None:
    """Score BOT on Liar's Dice Ten: its exact exploitability in ten games of rising size.

    The games, their values and time limits are fixed, so that results can be compared. `liarsdice bots` lists the bots;
    module:NAME is a policy of your own in Python.
    """
    from liarsdice_cli.report.benchmark import benchmark_json, benchmark_tables
    from liarsdice_cli.studies.benchmark import benchmark

    with policy_output(), display(quiet) as progress:
        found = benchmark(bot, progress)
    print_report("benchmark", lambda: benchmark_json(found), lambda: benchmark_tables(found), as_json)

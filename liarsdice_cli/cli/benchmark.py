"""`liarsdice benchmark`: a policy's exploitability in ten fixed games."""

from __future__ import annotations

import json
from functools import partial

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.outputs import check_kind
from liarsdice_cli.cli.printing import policy_output, print_answer
from liarsdice_cli.cli.progress import display

_EXAMPLE = """
liarsdice benchmark honest
liarsdice benchmark my_policies:Network -o result.json
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("bot")
@option("output", "the result as JSON")
@json_option
@quiet_option
def command(bot: str, output: str | None, as_json: bool, quiet: bool) -> None:
    """Score BOT on Liar's Dice Ten: its exact exploitability in ten games of rising size.

    The games, their values and time limits are fixed, so that results can be compared. `liarsdice bots` lists the bots;
    module:NAME is a policy of your own in Python.
    """
    from liarsdice_cli.formats.documents import schema
    from liarsdice_cli.report.benchmark import benchmark_json, benchmark_tables
    from liarsdice_cli.studies.benchmark import benchmark

    check_kind(output, ".json", as_json)
    with policy_output(), display(quiet) as progress:
        found = benchmark(bot, progress)
    content = benchmark_json(found)
    file = {"schema": schema("benchmark"), **content}
    print_answer(
        "benchmark",
        lambda: content,
        partial(benchmark_tables, found),
        as_json,
        lambda: f"{json.dumps(file, indent=1)}\n".encode(),
        output,
    )

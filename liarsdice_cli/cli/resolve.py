"""`liarsdice resolve`: re-solve a subgame safely and put it into the strategy."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.printing import check_file, print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.errors import UsageError


@click.command(
    cls=CommandWithExample,
    example='liarsdice resolve strategy.ldz "1x3"\nliarsdice resolve strategy.ldz "2x4" --player 1 -o better.ldz',
)
@click.argument("strategy", type=FILE)
@click.argument("history")
@option("player", "  [default: the player to move after HISTORY]")
@option("target", "  [default: 1e-4 of the payoffs' range]")
@option("iterations")
@option("time-limit", " Exit code 3 if it is reached.")
@option("threads", "  [default: all cores]")
@option("output", "the whole new strategy, .ldz")
@option("full")
@json_option
@quiet_option
def command(
    strategy: str,
    history: str,
    player: int | None,
    target: float | None,
    iterations: int | None,
    time_limit: float | None,
    threads: int | None,
    output: str | None,
    full: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Re-solve the subgame after HISTORY (bids such as "2x3 3x3") in the strategy file STRATEGY of two players.

    Re-solving is safe: the command computes both worst cases, and the old strategy stays if the new one is more exploitable.
    The file of -o rounds probabilities to 16 bits.
    """
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.report.resolving import resolved_json, resolved_tables
    from liarsdice_cli.studies.resolving import resolve

    if output is not None and (registry.is_certificate(output) or not registry.holds(output, registry.STRATEGY)):
        raise UsageError(f"-o {output}: the name of a re-solved strategy must end in .ldz")
    check_file("-o", output, as_json)
    kept = read_strategy(strategy)
    with display(quiet) as progress:
        found = resolve(
            kept,
            " ".join(moves(history)),
            player,
            target=target,
            iterations=iterations,
            time_limit=time_limit,
            threads=threads,
            progress=progress,
        )
    if output is not None:
        if found.stays:
            write(kept, output)
        else:
            write(found.strategy, output, method="resolve")
    if as_json:
        print_json("show", resolved_json(found, strategy))
    else:
        print_tables(resolved_tables(found, full))
    return {"interrupt": 130, "time": 3}.get(found.run.ended, 0)

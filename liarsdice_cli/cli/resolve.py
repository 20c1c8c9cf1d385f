"""`liarsdice resolve`: re-solve the rest of a round safely and put it into the strategy."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import ABOVE_0, DECIMAL, FILE, WholeRange, json_option, quiet_option
from liarsdice_cli.cli.printing import check_file, print_json, print_tables
from liarsdice_cli.cli.progress import solving
from liarsdice_cli.errors import UsageError


@click.command(
    cls=CommandWithExample,
    example='liarsdice resolve strategy.ldz "1x3"\nliarsdice resolve strategy.ldz "2x4" --player 1 -o better.ldz',
)
@click.argument("strategy", type=FILE)
@click.argument("history")
@click.option("--player", type=WholeRange(1), metavar="N", help="For whom.  [default: who moves after HISTORY]")
@click.option("--target", type=DECIMAL, metavar="X", help="Stop at this exploitability.  [default: 1e-4 of the payoffs' range]")
@click.option("--iterations", type=WholeRange(1), metavar="N", help="Stop after N iterations.")
@click.option("--time-limit", type=ABOVE_0, metavar="SECONDS", help="Stop after so long (exit code 3).")
@click.option("--threads", type=WholeRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Keep the whole new strategy (.ldz).")
@click.option("--full", is_flag=True, help="Also actions that are hardly ever taken, and all rolls.")
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
    """Solve the rest of a round after HISTORY (bids such as "2x3 3x3") anew in the strategy file STRATEGY of two players.

    Safely: the other player gains nothing by coming there, so that the whole strategy is exploited no more than before. How
    much less it is exploited is measured.
    """
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.report.resolving import resolved_json, resolved_tables
    from liarsdice_cli.studies.resolving import resolve

    if output is not None and not registry.holds(output, registry.STRATEGY):
        raise UsageError(f"-o {output}: a strategy is kept in a file whose name ends in {registry.suffixes(registry.STRATEGY)}")
    check_file("-o", output, as_json)
    kept = read_strategy(strategy)
    with solving("solving the rest", quiet) as progress:
        found = resolve(
            kept,
            " ".join(moves(history)),
            player,
            target=target,
            iterations=iterations,
            time_limit=time_limit,
            threads=threads,
            tell=lambda sample: progress.sample(sample, target),
        )
    if output is not None:
        write(found.strategy, output, method="resolve")
    if as_json:
        print_json("show", resolved_json(found, strategy))
    else:
        print_tables(resolved_tables(found, full))
    return {"interrupt": 130, "time": 3}.get(found.run.ended, 0)

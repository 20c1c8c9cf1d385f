"""`liarsdice curves`: the exploitability of regret minimisers over iterations and time, as a table, data and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from liarsdice_cli.cli.lists import SIDES, CommandWithLists
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, change_options, for_two_players, json_option, quiet_option
from liarsdice_cli.cli.outputs import by_kind
from liarsdice_cli.cli.printing import print_answer
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import PresetChoice
from liarsdice_cli.games.liarsdice.presets import PRESETS

_EXAMPLE = """
liarsdice curves cfr cfr+ dcfr+ --rules top-wild -o curves.svg
liarsdice curves --rules joker common --dice 2,1 --iterations 300 -o curves.csv -o curves.pdf
"""
_METHODS = ("cfr", "cfr+", "dcfr", "dcfr+")


@click.command(cls=CommandWithLists, example=_EXAMPLE)
@click.argument("methods", nargs=-1, metavar="[METHOD ...]")
@option("sides", "  [default: 6]", type=SIDES, multiple=True)
@option("dice", "  [default: 1,1]", multiple=True)
@option("rules", "  [default: classic]", type=PresetChoice((*PRESETS, "all")), multiple=True)
@change_options
@option("payoffs", default="win")
@option("iterations", default=1000)
@option("time-limit", " Applies to each run; the exit code is 0.")
@option("threads", default=1)
@option("output", "all samples as CSV, or the picture as SVG, PNG or PDF; repeatable", multiple=True)
@json_option
@quiet_option
def command(
    methods: Sequence[str],
    sides: Sequence[Sequence[int]],
    dice: Sequence[tuple[int, ...]],
    preset: Sequence[str],
    asked: RuleOptions,
    payoffs: str,
    iterations: int,
    time_limit: float | None,
    threads: int,
    output: Sequence[str],
    as_json: bool,
    quiet: bool,
) -> int:
    """Run regret minimisers on games and compare how fast their exploitability falls, over iterations and over time.

    The default METHODs are cfr, cfr+, dcfr and dcfr+. --sides, --dice and --rules take several values each; every method runs
    on every combination. The samples are at the powers of 1.2, the same iterations in every run. Ctrl-C keeps results so far.
    """
    from liarsdice_cli.draw.formats import CHART
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import Figure
    from liarsdice_cli.library.tables import grid
    from liarsdice_cli.report.convergence_curves import curves_csv, curves_json, curves_picture, curves_tables
    from liarsdice_cli.solvers.request import Request
    from liarsdice_cli.studies.convergence_curves import SAMPLE_FACTOR, convergence_curves

    files = by_kind(output, {"csv": (".csv",), "picture": registry.endings(CHART)}, as_json)
    presets = tuple(PRESETS) if "all" in preset else preset or ("classic",)
    for players in dice:
        for_two_players("curves", len(players))
    games = grid(presets, [side for part in sides or ((6,),) for side in part], dice or ((1, 1),), payoffs, **asked.arguments)
    request = Request(iterations=iterations, time_limit=time_limit, sample_factor=SAMPLE_FACTOR, threads=threads)
    with display(quiet) as progress:
        found = convergence_curves(games, methods or _METHODS, request, progress)
    if files["picture"] is not None:
        write(Figure(curves_picture(found)), files["picture"])
    print_answer(
        "curves",
        partial(curves_json, found),
        partial(curves_tables, found),
        as_json,
        partial(curves_csv, found),
        files["csv"],
    )
    return 130 if found[-1].ended == "interrupt" else 0

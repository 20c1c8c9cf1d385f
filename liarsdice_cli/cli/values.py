"""`liarsdice values`: a table of values over sides, dice and rule presets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.lists import SIDES, CommandWithLists
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, change_options, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import PresetChoice
from liarsdice_cli.cli.valuing import ended, opened, table_option, valuation_options
from liarsdice_cli.games.liarsdice.presets import PRESETS

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request

_EXAMPLE = """
liarsdice values --sides 2..6 --dice 1,1 --rules joker common
liarsdice values --sides 2..6 --dice 1,1 2,1 1,2 --rules all --payoffs zero-sum -o values.csv
liarsdice values --rules common --sides 6 --dice 2,2 --method double-oracle --exact
"""


@click.command(cls=CommandWithLists, example=_EXAMPLE)
@option("sides", "  [default: 2..6]", type=SIDES, multiple=True)
@option("dice", "  [default: 1,1]", multiple=True)
@option("rules", "  [default: classic]", type=PresetChoice((*PRESETS, "all")), multiple=True)
@change_options
@option("payoffs", default="win")
@valuation_options
@table_option
@option("exact")
@json_option
@quiet_option
def command(
    sides: Sequence[Sequence[int]],
    dice: Sequence[tuple[int, ...]],
    preset: Sequence[str],
    asked: RuleOptions,
    payoffs: str,
    request: Request,
    output: str | None,
    exact: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compute the values of many games for two players: exact fractions if that is quick, otherwise proved bounds.

    --sides, --dice and --rules take several values each; every combination is a game. A value is the payoff of player 1, the
    opener. Ctrl-C keeps and prints the finished games.
    """
    from liarsdice_cli.library.tables import grid
    from liarsdice_cli.library.tables import values as solve
    from liarsdice_cli.report.values import values_json, values_tables

    presets = tuple(PRESETS) if "all" in preset else preset or ("classic",)
    all_sides = [side for part in sides or (range(2, 7),) for side in part]
    games = grid(presets, all_sides, dice or ((1, 1),), payoffs, **asked.arguments)
    table = opened(output)
    interrupted = None
    try:
        with display(quiet) as progress:
            solve(games, table=table, progress=progress, **vars(request))
    except KeyboardInterrupt as error:
        interrupted = error
    known = [one for one in map(table.get, games) if one is not None]
    if as_json:
        print_json("values", values_json(known, interrupted is None))
    else:
        print_tables(values_tables(known, payoffs, len(games), exact))
    if interrupted is not None:
        raise interrupted
    return ended(table)

"""`liarsdice match`: who wins a whole match, in which the loser of a call gives up a die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import (
    DICE,
    PRESET,
    WHOLE,
    RuleOptions,
    change_options,
    json_option,
    palifico_option,
    quiet_option,
)
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.valuing import Lost, ended, following, opened, resume_option, valuation_options
from liarsdice_cli.games.liarsdice.presets import plays_palifico
from liarsdice_cli.studies.match import OPENERS, check, stages

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request

_EXAMPLE = """
liarsdice match --dice 2,2 --sides 3 --rules joker
liarsdice match --dice 2,2 --sides 6 --rules joker --opener winner --resume rounds.csv
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.option("--dice", type=DICE, default="2,2", show_default=True, help="Dice of both players when the match begins.")
@click.option("--sides", type=WHOLE, default=3, show_default=True, metavar="N", help="Faces 1..N of every die.")
@click.option("--rules", "preset", type=PRESET, default="classic", show_default=True, help="Rule preset.")
@change_options
@click.option(
    "--opener",
    type=click.Choice(OPENERS),
    default="loser",
    show_default=True,
    help="Who opens the next round.",
)
@palifico_option
@valuation_options
@resume_option
@json_option
@quiet_option
def command(
    dice: tuple[int, ...],
    sides: int,
    preset: str,
    asked: RuleOptions,
    opener: str,
    palifico: bool | None,
    request: Request,
    resume: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """The probability of winning a whole match, from all numbers of dice up to those given, for either opener.

    The loser of a call gives up a die, and all dice are rolled anew; who has none left has lost. Every round is valued as
    `values` does, exactly or between bounds, and the bounds are carried through.
    """
    from liarsdice_cli.library.tables import match as play
    from liarsdice_cli.report.match import match_json, match_tables

    changes = asked.arguments
    stages(preset, sides, dice, **changes)  # refuses what is no match before a file is opened
    check(opener, plays_palifico(preset, palifico))
    table = opened(None, resume)
    how: dict[str, Any] = {"request": request, "following": following(quiet), "kept": Lost()}
    match = play(preset, sides, dice, opener=opener, palifico=palifico, table=table, **changes, **how)
    if as_json:
        print_json("values", match_json(match))
    else:
        print_tables(match_tables(match))
    return ended(table)

"""`liarsdice match`: win probabilities of a match, in which the loser of a call gives up a die."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, change_options, gains_option, json_option, palifico_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.valuing import ended, opened, table_option, valuation_options
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.studies.match import OPENERS, check

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request

_EXAMPLE = """
liarsdice match --dice 2,2 --sides 3 --rules joker
liarsdice match --dice 2,2 --sides 6 --rules joker --opener winner -o rounds.csv
liarsdice match --dice 1,1 --rules common --spot-on --spot-on-gains
liarsdice match --dice 1,1,1 --rules joker
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@option("dice", default="2,2")
@option("sides", default=3)
@option("rules", default="classic")
@change_options
@option("opener", type=click.Choice(OPENERS), default="loser")
@palifico_option
@gains_option
@valuation_options
@table_option
@json_option
@quiet_option
def command(
    dice: tuple[int, ...],
    sides: int,
    preset: str,
    asked: RuleOptions,
    opener: str,
    palifico: bool | None,
    spot_on_gains: bool,
    request: Request,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compute each player's probability of winning a match, for all numbers of dice up to --dice and for either opener.

    The loser of a call gives up a die, and all dice are rolled again. A player without dice has lost. Each round is solved as
    in `values`, exactly or between bounds, and the result keeps the bounds. With --spot-on-gains, sweeps over all rounds
    prove bounds that are --target apart, 1e-4 by default. With three or more players, the result is how often each player
    wins if all players only try not to lose each round. Each round is then solved to a target of 5e-3, or for 60 seconds,
    unless you set other limits.
    """
    from liarsdice_cli.library.tables import match as play
    from liarsdice_cli.report.match import match_json, match_tables

    changes = asked.arguments
    one_by_one = len(dice) == 2 and not spot_on_gains
    if one_by_one:
        rules(preset, sides, dice, **changes)  # refuses what is no match before a file is opened
    elif output is not None:
        raise UsageError("-o writes the values of single rounds, which this match does not have: use --json")
    check(opener, MatchRules.of(preset, changes.get("spot_on", False), palifico, spot_on_gains))
    table = opened(output)
    with display(quiet) as progress:
        match = play(
            preset,
            sides,
            dice,
            opener=opener,
            palifico=palifico,
            spot_on_gains=spot_on_gains,
            table=table,
            progress=progress,
            **changes,
            **vars(request),
        )
    if as_json:
        print_json("values", match_json(match))
    else:
        print_tables(match_tables(match))
    return ended(table)

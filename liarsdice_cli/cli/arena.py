"""`liarsdice arena`: bots against each other, with win rates, ratings and a cross table."""

from __future__ import annotations

from functools import partial

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import (
    RuleOptions,
    bot_time_option,
    gains_option,
    json_option,
    only_in_matches,
    palifico_option,
    quiet_option,
    table_options,
)
from liarsdice_cli.cli.outputs import CSV, check_kind
from liarsdice_cli.cli.printing import print_answer
from liarsdice_cli.cli.progress import display

_EXAMPLE = """
liarsdice arena honest random equilibrium --rules common --seed 1
liarsdice arena honest random --dice 5,5,5 --rules dudo --match honest --rounds 1000 --cluster local:2
liarsdice arena honest my_bots:Cautious --time-limit 1 -o results.csv
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("names", nargs=-1, metavar="BOT BOT ...")
@table_options()
@option("rounds", "for each pairing", default=10_000)
@option("match")
@palifico_option
@gains_option
@option("spot-on-by", default="next")
@option("seed", "  [default: a new one]")
@option("cluster")
@bot_time_option
@option("output", CSV)
@json_option
@quiet_option
def command(
    names: tuple[str, ...],
    asked: RuleOptions,
    rounds: int,
    match: bool,
    palifico: bool | None,
    spot_on_gains: bool,
    spot_on_by: str,
    seed: int | None,
    cluster: str | None,
    time_limit: float,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let every BOT play every other (at larger tables, every combination that fills one).

    Each deal is played from every seat, so the number of games is a multiple of the seats. `liarsdice bots` lists the bots.
    """
    from liarsdice_cli.library.playing import tournament
    from liarsdice_cli.report.standings import standings_csv, standings_json, standings_tables

    check_kind(output, ".csv", as_json)
    only_in_matches(palifico, match, spot_on_gains)
    rules = asked.rules()
    with display(quiet) as progress:
        result = tournament(
            rules,
            names,
            rounds=rounds,
            match=match,
            palifico=palifico,
            spot_on_gains=spot_on_gains,
            spot_on_by=spot_on_by,
            seed=seed,
            cluster=cluster,
            time_limit=time_limit,
            progress=progress,
        )
    kept = partial(standings_csv, result), output
    print_answer("arena", partial(standings_json, result), partial(standings_tables, result), as_json, *kept)

"""`liarsdice sweep`: the worst case of zero intelligence at every level."""

from __future__ import annotations

from contextlib import closing

import click

from liarsdice_cli.cli.exploit import answer
from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, for_two_players, json_option, quiet_option, round_options
from liarsdice_cli.cli.outputs import CSV, check_kind
from liarsdice_cli.cli.progress import display
from liarsdice_cli.text import numbered

_EXAMPLE = """
liarsdice sweep zero-intelligence --rules ones-low --dice 2,1
liarsdice sweep zero-intelligence:normal 0.05..0.95:0.05 --rules dudo -o sweep.csv
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("bot")
@click.argument("levels", default="all")
@round_options
@option("target", " The value beside the worst case is computed to this target.  [default: 1e-3, if that is quick]")
@option("cluster")
@option("output", CSV)
@json_option
@quiet_option
def command(
    bot: str,
    levels: str,
    asked: RuleOptions,
    target: float | None,
    cluster: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute the exact worst case of the bot zero-intelligence at each of LEVELS, for two players.

    LEVELS is a range such as 0.05..0.95:0.05, or all (the default): one of each set of levels that play alike.
    """
    from liarsdice_cli.studies.sweep import exploited, levels_of
    from liarsdice_cli.system.cluster_names import cluster as workers_of

    check_kind(output, ".csv", as_json)
    rules = asked.rules()
    for_two_players("sweep", rules.players)
    place = workers_of(cluster)
    swept, found = list(levels_of(bot, levels, rules)), []
    with display(quiet) as progress, closing(exploited(swept, rules, place)) as answers:
        progress.begin(f"evaluating {numbered(len(swept), 'levels')}", len(swept), "levels")
        for one in answers:
            found.append(one)
            progress.advance()
    answer(bot, rules, found, target, output, as_json, quiet, sweep=True)

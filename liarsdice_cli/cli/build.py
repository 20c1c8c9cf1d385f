"""`liarsdice build`: write the game of rules to a file."""

from __future__ import annotations

from functools import partial

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, labels_option, quiet_option, rule_options
from liarsdice_cli.cli.printing import check_file, print_written
from liarsdice_cli.cli.progress import display
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import registry
from liarsdice_cli.games.liarsdice.rules import DEALINGS


@click.command(
    cls=CommandWithExample,
    example="liarsdice build --sides 3 -o game.efg\nliarsdice build --sides 2 | liarsdice solve -",
)
@rule_options
@option(
    "output",
    f"{registry.suffixes(registry.GAME)}; add .gz to compress it.  [default: - as .efg]",
    default="-",
    show_default=False,
)
@labels_option
@option("cluster")
@json_option
@quiet_option
def command(asked: RuleOptions, output: str, labels: str, cluster: str | None, as_json: bool, quiet: bool) -> None:
    """Unfold Liar's Dice into a game tree and write it, in the format of the output's suffix.

    Give at least one rule option: the default game, with six sides, has 4.9 trillion nodes.
    """
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.games.liarsdice.tree import Counts
    from liarsdice_cli.system.cluster_names import cluster as workers_of
    from liarsdice_cli.system.tasks import in_order

    if not asked:
        raise UsageError("no game: give rule options, for example liarsdice build --sides 3 -o game.efg")
    check_file("-o", output, as_json)
    rules, dealing = asked.rules(), asked.dealing or DEALINGS[0]
    nodes = Counts.of(rules, dealing).nodes
    with display(quiet) as progress:
        write(rules, output, labels=labels, dealing=dealing, progress=progress, in_order=partial(in_order, workers_of(cluster)))
    if as_json:
        print_written(output, registry.format_name(output, registry.GAME), nodes)

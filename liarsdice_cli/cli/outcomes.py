"""`liarsdice outcomes`: a game given as combinations of moves with outcomes, solved by backward induction."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.draw import pictures
from liarsdice_cli.formats import registry

_EXAMPLE = """
liarsdice outcomes game.csv
liarsdice outcomes game.csv --turns Ann,Bob,Ann --trace
liarsdice outcomes - -o game.efg
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("table", type=FILE)
@click.option("--turns", default="", metavar="P,P,...", help="Who moves at each depth, by name or number.  [default: in turn]")
@click.option("--trace", is_flag=True, help="List all nodes in pre-order with their outcomes and moves.")
@click.option("--full", is_flag=True, help="Draw a large tree whole.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help=f"Write the game: {registry.suffixes(registry.GAME)}.")
@click.option("--draw", "picture", type=FILE, metavar="FILE", help=f"Draw the moves that are played: {pictures.TREE_SUFFIXES}.")
@json_option
@quiet_option
def command(
    table: str, turns: str, trace: bool, full: bool, output: str | None, picture: str | None, as_json: bool, quiet: bool
) -> None:
    """Solve the game in TABLE (CSV or JSON, or - for standard input): combinations of moves and their payoffs.

    Backward induction finds the moves that are played, the outcome, and the best move at every node; all subgame-perfect
    payoffs where there are ties. The format is described in docs/sequential.md.
    """
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.library.outcomes import outcomes
    from liarsdice_cli.report.outcomes import outcomes_json, outcomes_tables
    from liarsdice_cli.system import collector

    if picture is not None:
        pictures.tree_format(picture)
    with collector.paused():
        found = outcomes(table, turns)
    if output is not None:
        write_game(found.play.tree.stream(), output, "auto", quiet)
    if picture is not None:
        from liarsdice_cli.draw.choice import MOST_NODES
        from liarsdice_cli.formats.writing import write
        from liarsdice_cli.library import pictures as drawing

        write(drawing.picture(found, reached_only=found.play.tree.nodes > MOST_NODES), picture)
    if as_json:
        print_json("solve", outcomes_json(found.play, found.solution, table, trace))
    else:
        print_tables(outcomes_tables(found.play, found.solution, trace, full))

"""`liarsdice outcomes`: a game given as combinations of moves with outcomes, solved by backward induction."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.outputs import game_and_picture
from liarsdice_cli.cli.printing import print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.draw.formats import DIAGRAM, SCENE
from liarsdice_cli.formats import registry

_EXAMPLE = """
liarsdice outcomes game.csv
liarsdice outcomes game.csv --turns Ann,Bob,Ann --full
liarsdice outcomes - -o game.efg
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("table", type=FILE)
@option("turns", "  [default: in turn]")
@option("full", " Lists all nodes in prefix order.")
@option(
    "output",
    f"the game ({registry.suffixes(registry.GAME)}), a picture of the moves that are played "
    f"({registry.suffixes(SCENE, DIAGRAM)}); or one of each",
    multiple=True,
)
@json_option
@quiet_option
def command(table: str, turns: str, full: bool, output: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Solve the game in TABLE (CSV or JSON, or - for standard input): combinations of moves and their payoffs.

    Backward induction finds the moves that are played, the outcome, and the best move at every node; if there are ties,
    all subgame-perfect payoffs. The header of a CSV file has a column `move` for each move, and then the name of each player,
    with the payoffs below.
    """
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.outcomes import outcomes
    from liarsdice_cli.report.outcomes import outcomes_json, outcomes_tables
    from liarsdice_cli.system import collector

    game, picture = game_and_picture(output, as_json, SCENE, DIAGRAM)
    with collector.paused():
        found = outcomes(table, turns)
    if game is not None:
        with display(quiet) as progress:
            write(found.play.tree, game, progress=progress)
    if picture is not None:
        from liarsdice_cli.draw.choice import MOST_NODES
        from liarsdice_cli.library import pictures as drawing

        write(drawing.picture(found, reached_only=found.play.tree.nodes > MOST_NODES), picture)
    print_report(
        "solve",
        lambda: outcomes_json(found.play, found.solution, table, full),
        lambda: outcomes_tables(found.play, found.solution, full),
        as_json,
        *output,
    )

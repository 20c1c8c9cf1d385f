"""`liarsdice impartial positions`: any finite game given as a graph of positions and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import question_options
from liarsdice_cli.cli.outputs import game_and_picture
from liarsdice_cli.cli.printing import print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.draw.formats import SCENE
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.text import printable

if TYPE_CHECKING:
    from liarsdice_cli.games.positions import PositionGraph

_EXAMPLE = """
liarsdice impartial positions game.csv
liarsdice impartial positions game.json a --misere
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="Solve any finite game, given as a graph of positions.")
@click.argument("graph", type=FILE)
@click.argument("start", required=False)
@question_options
def command(
    graph: str,
    start: str | None,
    misere: bool,
    full: bool,
    output: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Solve the game in GRAPH (CSV or JSON, or - for standard input), played from START (default: the first position).

    It prints the winner from each position, the winning moves, and the length of play.

    W is won and L is lost for the player to move; D is a draw, in which play never ends. A CSV file has
    the header from,to, a line for each move, and a line such as end, for a position without moves.
    """
    from liarsdice_cli.formats.positions import read as positions
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import figure
    from liarsdice_cli.report.positions import positions_json, positions_tables
    from liarsdice_cli.system import collector

    file, picture = game_and_picture(output, as_json, SCENE)
    with collector.paused():
        game = positions(graph)
        first = _first(game, start)
        analysis = game.analyse(misere)
        if file is not None:
            _write(game, first, misere, file, quiet)
        if picture is not None:
            write(figure(analysis, first, unfolded=full), picture)
        print_report(
            "positions",
            lambda: positions_json(analysis, first, graph),
            lambda: positions_tables(analysis, first, full),
            as_json,
            *output,
        )


def _first(game: PositionGraph, start: str | None) -> int:
    if start is None:
        return 0
    if start not in game.names:
        given, known = printable(start, 80), printable(game.names[0], 80)
        raise UsageError(f"START {given}: the file has no such position; its first one is {known}")
    return list(game.names).index(start)


def _write(game: PositionGraph, first: int, misere: bool, output: str, quiet: bool) -> None:
    from liarsdice_cli.formats.writing import write

    if not game.ends(first, 0):
        name = printable(game.names[first], 80)
        raise LiarsDiceError(
            f"play can go on forever from {name}, so no tree can be written: name a picture instead, such as game.svg"
        )
    with display(quiet) as progress:
        write(game.tree(first, misere), output, progress=progress)

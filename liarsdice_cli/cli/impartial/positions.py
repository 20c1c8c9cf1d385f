"""`liarsdice impartial positions`: any finite game given as a graph of positions and moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import misere_option, output_option, play
from liarsdice_cli.cli.options import FILE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables
from liarsdice_cli.errors import LiarsDiceError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from liarsdice_cli.games.positions import Analysis, PositionGraph

_EXAMPLE = """
liarsdice impartial positions game.csv
liarsdice impartial positions game.json --start a --misere
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="Any finite game, given as a graph of positions.")
@click.argument("graph", type=FILE)
@click.option("--start", metavar="NAME", help="The position to begin with.  [default: the first in the file]")
@misere_option
@click.option("--full", is_flag=True, help="Show a long table whole.")
@output_option
@json_option
@quiet_option
def command(graph: str, start: str | None, misere: bool, full: bool, output: str | None, as_json: bool, quiet: bool) -> None:
    """Solve the game in GRAPH (CSV or JSON, or - for standard input): who wins from every position, how, and how soon.

    W is won, L is lost for the player to move, D is a draw: play goes on for ever. The format is described in
    docs/impartial.md.
    """
    from liarsdice_cli.formats import positions
    from liarsdice_cli.system import collector

    with collector.paused():
        game = positions.read(graph)
        first = _first(game, start)
        analysis = game.analyse(misere)
        if output is not None:
            _write(game, first, misere, output, quiet)
        if as_json:
            print_json("positions", {"source": graph} | _json(analysis, first))
        else:
            print_lines(_lines(analysis, first))
            print_tables(_tables(analysis, full))


def _first(game: PositionGraph, start: str | None) -> int:
    if start is None:
        return 0
    if start not in game.names:
        raise UsageError(f"--start {start}: the file has no such position; it begins with {game.names[0]}")
    return list(game.names).index(start)


def _kind(game: PositionGraph) -> str:
    return "impartial" if game.impartial else "partizan"


def _advice(analysis: Analysis) -> str:
    """What follows for solving."""
    game = analysis.graph
    if game.endless:
        return "play can go on for ever: W, L and draws by retrograde analysis; no Grundy values"
    if not game.impartial:
        return "play ends: backward induction with each player to move; Grundy values do not apply, nor do they solve sums"
    if analysis.misere:
        return "play ends: backward induction; Grundy values are about normal play, and do not solve misere sums"
    return "play ends: backward induction; the Grundy values solve every sum with other impartial games too"


def _json(analysis: Analysis, first: int) -> dict[str, Any]:
    game = analysis.graph
    return {
        "kind": _kind(game),
        "endless": game.endless,
        "misere": analysis.misere,
        "moves": len(game.source),
        "start": game.names[first],
        "positions": [
            _entry(analysis, position, player) for position in range(len(game.names)) for player in range(game.movers)
        ],
    }


def _entry(analysis: Analysis, position: int, player: int) -> dict[str, Any]:
    """A position with a player to move; `player` is null where both have the same moves."""
    game = analysis.graph
    state = analysis.state(position, player)
    move = analysis.move(state)
    return {
        "position": game.names[position],
        "player": None if game.impartial else player + 1,
        "result": analysis.results[state],
        "length": analysis.length(state),
        "move": None if move is None else game.names[move],
        "grundy": None if game.grundy is None or analysis.misere else game.grundy[position],
    }


def _lines(analysis: Analysis, first: int) -> Iterator[str]:
    game = analysis.graph
    yield f"{len(game.names):,} positions, {len(game.source):,} moves; {play(analysis.misere)}"
    same = "both players have the same moves" if game.impartial else "the players' moves differ"
    yield f"{_kind(game)}: {same}; {_advice(analysis)}"
    counts = (f"{analysis.results.count(result):,} {result}" for result in "WLD")
    yield f"{', '.join(counts)}{'' if game.impartial else ', each position with either player to move'}"
    entry = _entry(analysis, first, 0)
    player = "the player to move" if game.impartial else "player 1, to move,"
    ends = {"W": f"wins in {entry['length']}", "L": f"loses in {entry['length']}", "D": "draws"}[entry["result"]]
    yield f"start {entry['position']}: {player} {ends}{'' if entry['move'] is None else ', moving to ' + entry['move']}"


def _tables(analysis: Analysis, full: bool) -> Iterator[Table | str]:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from liarsdice_cli.report.profile import LONG

    game = analysis.graph
    valued = game.grundy is not None and not analysis.misere
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    columns = ["position", *([] if game.impartial else ["to move"]), "result", "moves to the end", "best move"]
    for name in [*columns, *(["Grundy value"] if valued else [])]:
        table.add_column(name)
    states = len(game.names) * game.movers
    shown = states if full else min(states, LONG)
    for state in range(shown):
        table.add_row(*_cells(_entry(analysis, *divmod(state, game.movers)), game.impartial, valued))
    yield ""
    yield table
    if shown < states:
        yield f"  ... {states - shown:,} more; --full shows all"


def _cells(entry: dict[str, Any], impartial: bool, valued: bool) -> list[str]:
    from rich.markup import escape

    player = [] if impartial else [f"player {entry['player']}"]
    length = "-" if entry["length"] is None else str(entry["length"])
    cells = [entry["position"], *player, entry["result"], length, entry["move"] or "-"]
    return [escape(cell) for cell in cells] + ([str(entry["grundy"])] if valued else [])


def _write(game: PositionGraph, first: int, misere: bool, output: str, quiet: bool) -> None:
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.games.perfect_information import unfold

    if not game.ends(first, 0):
        raise LiarsDiceError(f"play can go on for ever from {game.names[first]}, so there is no tree to write: leave -o out")

    def moves(position: int, player: int) -> list[tuple[str, int]]:
        return [(game.names[after], after) for after in game.moves(position, player)]

    tree = unfold(f"Positions from {game.names[first]}", play(misere), first, moves, misere)
    write_game(tree.stream(), output, "auto", quiet)

"""The output of `liarsdice impartial positions`: the result, the best move and the length of play from every position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.tables import GraphPosition, Positions
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.positions import Analysis, PositionGraph
from liarsdice_cli.report.tables import LONG, rest, table
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def positions_tables(analysis: Analysis, first: int, full: bool = False) -> Iterator[RenderableType]:
    """Yield the kind of the game, the result of the first position, and a table of all positions."""
    game = analysis.graph
    yield f"{numbered(len(game.names), 'positions')}, {numbered(len(game.source), 'moves')}; {convention(analysis.misere)}"
    same = "both players have the same moves" if game.impartial else "the players' moves differ"
    yield f"{_kind(game)}: {same}; {_advice(analysis)}"
    counts = (f"{analysis.results.count(result):,} {result}" for result in "WLD")
    yield f"{', '.join(counts)}{'' if game.impartial else ', each position with either player to move'}"
    entry = _entry(analysis, first, 0)
    player = "the player to move" if game.impartial else "player 1, to move,"
    ends = {"W": f"wins in {entry['length']}", "L": f"loses in {entry['length']}", "D": "draws"}[entry["result"]]
    yield f"start {entry['position']}: {player} {ends}{'' if entry['move'] is None else ', moving to ' + entry['move']}"
    yield ""
    yield from _table(analysis, full)


def _kind(game: PositionGraph) -> str:
    return "impartial" if game.impartial else "partizan"


def _advice(analysis: Analysis) -> str:
    """Return the methods that apply."""
    game = analysis.graph
    if game.endless:
        return "play can go on forever: retrograde analysis; no Grundy values"
    if not game.impartial:
        return (
            "play always ends: backward induction with each player to move; "
            "no Grundy values, which need the same moves for both players"
        )
    if analysis.misere:
        return "play always ends: backward induction; no Grundy values, which do not solve sums in misere play"
    return "play always ends: backward induction; the Grundy values also solve sums with other impartial games"


def _table(analysis: Analysis, full: bool) -> Iterator[RenderableType]:
    game = analysis.graph
    valued = game.grundy is not None and not analysis.misere
    to_move = [] if game.impartial else ["to move"]
    columns = ["position", *to_move, "result", "moves to the end", "best move", *["Grundy value"] * valued]
    states = len(game.names) * game.movers
    shown = states if full else min(states, LONG)
    entries = (_entry(analysis, *divmod(state, game.movers)) for state in range(shown))
    yield table(columns, (_cells(entry, game.impartial, valued) for entry in entries))
    yield from rest(states - shown)


def _cells(entry: GraphPosition, impartial: bool, valued: bool) -> list[str]:
    player = [] if impartial else [f"player {entry['player']}"]
    length = "-" if entry["length"] is None else str(entry["length"])
    grundy = [str(entry["grundy"])] if valued else []
    return [entry["position"], *player, entry["result"], length, entry["move"] or "-", *grundy]


def positions_json(analysis: Analysis, first: int, source: str) -> Positions:
    """Return the document of `impartial positions` for the graph in the file `source`."""
    game = analysis.graph
    return {
        "source": source,
        "kind": _kind(game),
        "endless": game.endless,
        "misere": analysis.misere,
        "moves": len(game.source),
        "start": game.names[first],
        "positions": [
            _entry(analysis, position, player) for position in range(len(game.names)) for player in range(game.movers)
        ],
    }


def _entry(analysis: Analysis, position: int, player: int) -> GraphPosition:
    """Return a position with a player to move."""
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

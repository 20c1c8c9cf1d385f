"""The output of `liarsdice impartial grundy`: Grundy values with their period, and sums of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liarsdice_cli.formats.documents.tables import HeapMove, HeapPosition, HeapTable, Impartial
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial import sums
from liarsdice_cli.games.impartial.heaps import HeapGame
from liarsdice_cli.games.impartial.sums import Component, Move
from liarsdice_cli.report.impartial import period_json
from liarsdice_cli.report.tables import rest
from liarsdice_cli.text import numbered

_LINE = 20
"""Grundy values on one line."""
_MOVES = 20
"""The most winning moves in a sum that are printed without --full."""


def grundy_lines(game: HeapGame, count: int) -> Iterator[str]:
    """Yield the first Grundy values, and their proved period."""
    values = game.values(count)[:count]
    yield f"{game.name}: Grundy values of the heaps 0 to {count - 1}"
    for start in range(0, count, _LINE):
        yield f"{start:>6}: {' '.join(map(str, values[start : start + _LINE]))}"
    period = game.period()
    if period:
        yield f"period {period.length} from heap {period.start} on"
        yield f"proved: {period.argument}"
    elif game.name == "Nim":
        yield "no period: the value of a heap is its size"
    else:
        yield f"no period is proved by the first {numbered(game.limit, 'values')}"


def grundy_json(game: HeapGame, count: int) -> Impartial:
    """Return the document of `impartial grundy` for one game."""
    table: HeapTable = {
        "game": game.name,
        "results": None,
        "grundy_values": list(game.values(count)[:count]),
        "period": period_json(game.period()),
        "limit": game.limit,
    }
    return {"positions": [], "table": table}


def sum_lines(components: Sequence[Component], full: bool = False) -> Iterator[str]:
    """Yield the values in binary below each other, their sum without carry, the result, and the winning moves."""
    values = [one.value for one in components]
    width = max(map(int.bit_length, values)) or 1
    names = [f"{one.game.name}, {' and '.join(map(str, one.heaps))}" for one in components]
    left = max(map(len, (*names, "sum without carry")))
    for name, value in zip(names, values, strict=True):
        yield f"{name:{left}}  {value:0{width}b} = {value}"
    total = sums.value(components)
    yield f"{'sum without carry':{left}}  {total:0{width}b} = {total}"
    yield f"{'W: the player to move wins' if total else 'L: the player to move loses'}; {convention(False)}"
    moves = sums.winning_moves(components)
    listed = moves if full else moves[:_MOVES]
    yield from (f"  {_move(components, move)}" for move in listed)
    yield from rest(len(moves) - len(listed))


def _move(components: Sequence[Component], move: Move) -> str:
    one = components[move.component]
    return f"{one.game.name}: {sums.shown(one.heaps[move.heap], move.left)}"


def sum_json(components: Sequence[Component]) -> Impartial:
    """Return the document of `impartial grundy` for a sum of games."""
    value = sums.value(components)
    position: HeapPosition = {
        "components": [{"game": one.game.name, "heaps": list(one.heaps), "value": one.value} for one in components],
        "misere": False,
        "value": value,
        "result": "W" if value else "L",
        "winning_moves": [_move_json(components, move) for move in sums.winning_moves(components)],
    }
    return {"positions": [position], "table": None}


def _move_json(components: Sequence[Component], move: Move) -> HeapMove:
    size = components[move.component].heaps[move.heap]
    return {"component": move.component + 1, "heap": move.heap + 1, "size": size, "left": list(move.left)}

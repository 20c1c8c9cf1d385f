"""What `liarsdice impartial grundy` says: Grundy values with their period, and sums of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial import sums
from liarsdice_cli.games.impartial.heaps import HeapGame
from liarsdice_cli.games.impartial.sums import Component, Move
from liarsdice_cli.report.impartial import period_json
from liarsdice_cli.report.tables import rest

_LINE = 20
"""Values in a line."""
_MOVES = 20
"""Winning moves in a sum that a person sees without --full."""


def grundy_lines(game: HeapGame, count: int) -> Iterator[str]:
    """The first Grundy values, and their proved period."""
    values = game.values(count)[:count]
    yield f"{game.name}: Grundy values of the heaps 0 to {count - 1}"
    for start in range(0, count, _LINE):
        yield f"{start:>6}: {' '.join(map(str, values[start : start + _LINE]))}"
    period = game.period()
    if period:
        yield f"period {period.length} from heap {period.start} on"
        yield f"proved: {period.argument}"
    elif game.name == "Nim":
        yield "no period: a heap is its own value"
    else:
        yield f"the first {game.limit:,} values prove no period"


def grundy_json(game: HeapGame, count: int) -> dict[str, Any]:
    """The content of `impartial grundy --json`; see docs/json.md."""
    values = list(game.values(count)[:count])
    return {"game": game.name, "values": values, "period": period_json(game.period()), "limit": game.limit}


def sum_lines(components: Sequence[Component], full: bool = False) -> Iterator[str]:
    """The values in binary below each other, their sum without carry, who wins, and the winning moves."""
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


def sum_json(components: Sequence[Component]) -> dict[str, Any]:
    """The content of `impartial grundy --sum --json`; see docs/json.md."""
    value = sums.value(components)
    return {
        "components": [{"game": one.game.name, "heaps": list(one.heaps), "value": one.value} for one in components],
        "value": value,
        "result": "W" if value else "L",
        "winning_moves": [
            {
                "component": move.component + 1,
                "heap": move.heap + 1,
                "from": components[move.component].heaps[move.heap],
                "to": list(move.left),
            }
            for move in sums.winning_moves(components)
        ],
    }

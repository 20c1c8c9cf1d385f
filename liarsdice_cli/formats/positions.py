"""Read games given as graphs of positions and moves, in CSV or JSON.

CSV: one line for each move, `from,to` or `from,to,player`, with a header of these names; `player` is 1 or 2, or empty for a
move that both players have. Every position must stand under `from`: if no player can move, `to` is empty.

    from,to
    3,2
    3,1
    2,1
    2,0
    1,0
    0,

JSON: {"positions": {"2": ["1", "0"], "1": ["0"], "0": []}}; if the players' moves differ, an object by player instead of
the list: {"1": [...], "2": [...]}.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import NONE, Ints
from liarsdice_cli.formats import files, tables
from liarsdice_cli.formats.tables import Codes, Row
from liarsdice_cli.games.positions import BOTH, PositionGraph
from liarsdice_cli.text import quoted

_PLAYERS = {"1": 0, "2": 1, "": BOTH}


def read(name: str) -> PositionGraph:
    """Return the graph in a file, or in standard input for `-`. Positions are in the order of their first mention.

    Raises LiarsDiceError, naming the file, the line or position and the error, such as a move to a position that the file
    does not describe. Cost: about two microseconds a move.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli import impartial
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "graph.csv")
    ...     _ = file.write_text("from,to\\n2,1\\n2,0\\n1,0\\n0,\\n")
    ...     impartial.positions(str(file))
    PositionGraph(3 positions, 3 moves; analyse() finds the winners)
    """
    where = files.shown(name)
    text = tables.text(name)
    return _json(text, where) if tables.is_json(text) else _csv(text, where)


def _csv(text: str, where: str) -> PositionGraph:
    lines = tables.csv_rows(text, where)
    header = [cell.strip() for cell in next(lines, (1, [""]))[1]]
    if header not in (["from", "to"], ["from", "to", "player"]):
        raise LiarsDiceError(f"{where}, line 1: begin with a line from,to or from,to,player")
    codes = Codes()
    columns = [_columns(chunk, len(header), codes, where) for chunk in tables.chunks(lines)]
    if not columns:
        raise LiarsDiceError(f"{where} names no position: write a line for each move")
    source, target, player, line = (np.concatenate(column) for column in zip(*columns, strict=True))
    unknown = _unknown(source, target, len(codes.names))
    if len(unknown):
        place, name = line[unknown[0]], quoted(codes.names[target[unknown[0]]])
        raise LiarsDiceError(
            f"{where}, line {place}: the position {name} has no line of its own: add {name} if it has no moves"
        )
    return _graph(codes, source, target, player)


def _columns(chunk: list[Row], cells: int, codes: Codes, where: str) -> tuple[Ints, Ints, Ints, Ints]:
    """Return lines of CSV as columns of numbers: source, target, player, line."""
    for line, row in chunk:
        if len(row) != cells or not row[0].strip():
            raise LiarsDiceError(f"{where}, line {line}: give {cells} cells, the first one the name of a position")
        if cells == 3 and row[2].strip() not in _PLAYERS:
            raise LiarsDiceError(f"{where}, line {line}: {quoted(row[2])} is not a player; give 1 or 2, or nothing for both")
    texts = chain.from_iterable(row[:2] for _, row in chunk)
    ends = np.fromiter(map(codes.__getitem__, texts), np.int64, 2 * len(chunk)).reshape(-1, 2)
    player = [_PLAYERS[row[2].strip()] for _, row in chunk] if cells == 3 else [BOTH] * len(chunk)
    return ends[:, 0], ends[:, 1], np.array(player), np.array([line for line, _ in chunk])


def _json(text: str, where: str) -> PositionGraph:
    content = tables.json_object(text, where)
    given = content.get("positions")
    if set(content) != {"positions"} or not isinstance(given, dict) or not given:
        raise LiarsDiceError(f'{where}: give {{"positions": {{"1": ["0"], "0": []}}}}, each position with those after a move')
    codes = Codes()
    moves = [
        (codes[name], codes[target], player)
        for name, after in given.items()
        for player, targets in _by_player(after, where, name)
        for target in targets or [""]
    ]
    source, target, player = np.array(moves, np.int64).T
    unknown = _unknown(source, target, len(codes.names))
    if len(unknown):
        names = codes.names
        here, there = quoted(names[source[unknown[0]]]), quoted(names[target[unknown[0]]])
        raise LiarsDiceError(f"{where}, position {here}: the position {there} is unknown: add {there} to the positions")
    return _graph(codes, source, target, player)


def _by_player(after: Any, where: str, name: str) -> Sequence[tuple[int, list[str]]]:
    """Return the moves from a JSON position, by player."""
    lists: dict[str, Any] = {"": after} if isinstance(after, list) else after if isinstance(after, dict) else {"?": after}
    for player, targets in lists.items():
        if not name.strip() or player not in _PLAYERS or not isinstance(targets, list) or not all(map(_is_name, targets)):
            raise LiarsDiceError(
                f"{where}, position {quoted(name)}: give a list of names of positions, or one for each player, as in "
                '{"1": ["a"], "2": []}'
            )
    return [(_PLAYERS[player], targets) for player, targets in (lists or {"": []}).items()]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _unknown(source: Ints, target: Ints, size: int) -> Ints:
    """Return the indices of the moves to positions that are the source of no row."""
    described = np.zeros(size, bool)
    described[source] = True
    return np.flatnonzero((target != NONE) & ~described[target])


def _graph(codes: Codes, source: Ints, target: Ints, player: Ints) -> PositionGraph:
    moves = target != NONE
    return PositionGraph(codes.names, source[moves], target[moves], player[moves])

"""Reading outcome tables: combinations of moves with their payoffs, as CSV or JSON.

CSV: a header, then one line for each combination. In the header, the columns of moves are named `move` (or `move 1`,
`move 2`, ..., or have no name), and the columns of payoffs have the players' names. A combination that is shorter than others
leaves its last move columns empty.

    move,move,Ann,Bob
    Left,Up,1,3
    Right,,2,2

JSON: {"players": ["Ann", "Bob"], "outcomes": [{"moves": ["Left", "Up"], "payoffs": [1, 3]}, ...]}, where payoffs may also be
an object by player, and numbers may be fractions in quotes.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from typing import Any, TypeGuard

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import NONE, Ints
from liarsdice_cli.formats import files, tables
from liarsdice_cli.formats.numbers import decoded
from liarsdice_cli.formats.tables import Codes, Row, tidy
from liarsdice_cli.games.outcomes import OutcomeTable, Payoffs
from liarsdice_cli.text import quoted

_MOST_CELLS = 10_000_000
"""The most moves of all entries of a JSON file, if each had as many as the longest."""
_MOVE = re.compile(r"(moves?\s*\d*)?", re.IGNORECASE)


def read(name: str) -> OutcomeTable:
    """Return the table in a file (gzipped or not), or from standard input for `-`.

    Raises LiarsDiceError, naming the file, the line (in JSON the entry, counted from 1) and the error. Cost: about
    2 microseconds a row and move column; 4 bytes a move, and each different payoff once.
    """
    where = files.shown(name)
    text = tables.text(name)
    return _json(text, where) if tables.is_json(text) else _csv(text, where)


def _csv(text: str, where: str) -> OutcomeTable:
    lines = tables.csv_rows(text, where)
    header = [tidy(cell) for cell in next(lines, (1, [""]))[1]]
    width = next((place for place, cell in enumerate(header) if not _MOVE.fullmatch(cell)), len(header))
    late = next((place for place in range(width, len(header)) if header[place] and _MOVE.fullmatch(header[place])), None)
    if late is not None:
        raise LiarsDiceError(
            f"{where}, line 1: column {late + 1} has moves, after columns of payoffs: put columns of moves first"
        )
    players = _players(header[width:], f"{where}, line 1")
    if not width:
        raise LiarsDiceError(f"{where}, line 1: no column is called move: begin the header with move,move,...")
    rows = _Rows(players, where, "line")
    for chunk in tables.chunks(lines):
        for line, row in chunk:
            if len(row) != len(header):
                raise LiarsDiceError(
                    f"{where}, line {line}: {len(row)} cells, but the header has {len(header)} ({width} of moves and "
                    f"{len(players)} of payoffs); leave the last moves of a shorter combination empty"
                )
        rows.add(chunk, width)
    return rows.table()


def _json(text: str, where: str) -> OutcomeTable:
    content = tables.json_object(text, where)
    given = content.get("players")
    if not given or not _are_texts(given) or not isinstance(content.get("outcomes"), list):
        raise LiarsDiceError(f'{where}: give "players", a list of names, and "outcomes", a list of moves with payoffs')
    if unknown := sorted(set(content) - {"players", "outcomes"}):
        raise LiarsDiceError(f'{where}: unknown key {quoted(unknown[0])}; the keys are "players" and "outcomes"')
    players = _players([tidy(name) for name in given], where)
    entries = [_entry(entry, players, f"{where}, entry {place}") for place, entry in enumerate(content["outcomes"], 1)]
    width = max((len(moves) for moves, _ in entries), default=0)
    if len(entries) * width > max(_MOST_CELLS, len(text)):
        raise LiarsDiceError(f"{where}: {len(entries):,} entries, one with {width:,} moves: give shorter combinations")
    rows = _Rows(players, where, "entry")
    rows.add(
        [(place, [*moves, *[""] * (width - len(moves)), *payoffs]) for place, (moves, payoffs) in enumerate(entries, 1)], width
    )
    return rows.table()


def _entry(entry: Any, players: tuple[str, ...], where: str) -> tuple[list[str], list[str]]:
    """Return the moves and the payoffs of a JSON entry as texts."""
    if not isinstance(entry, dict) or set(entry) != {"moves", "payoffs"} or not _are_texts(entry["moves"]):
        raise LiarsDiceError(f'{where}: give {{"moves": ["Left"], "payoffs": [1, 2]}}')
    payoffs = entry["payoffs"]
    if isinstance(payoffs, dict):
        if unknown := sorted(set(payoffs) - set(players)):
            raise LiarsDiceError(f"{where}: unknown player {quoted(unknown[0])}; the players are {', '.join(players)}")
        payoffs = [payoffs[name] for name in players if name in payoffs]
    if not isinstance(payoffs, list) or len(payoffs) != len(players):
        given = len(payoffs) if isinstance(payoffs, list) else 0
        raise LiarsDiceError(f"{where}: {given} payoffs, but there are {len(players)} players: give one for each")
    return entry["moves"], [str(number) for number in payoffs]


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _players(names: list[str], where: str) -> tuple[str, ...]:
    if not names:
        raise LiarsDiceError(f"{where}: no player is named: name the columns of payoffs, as in move,move,Ann,Bob")
    counts = Counter(names)
    for name in names:
        if not name or counts[name] > 1:
            raise LiarsDiceError(
                f"{where}: {f'the player {quoted(name)} is named twice' if name else 'a player has no name'}; give each a name"
            )
    return tuple(names)


class _Rows:
    """Collects rows of texts as numbers."""

    def __init__(self, players: tuple[str, ...], where: str, unit: str) -> None:
        self.players, self.where, self.unit = players, where, unit
        self.names = Codes()
        self.numbers: dict[str, int] = {}
        self.values: dict[int | Fraction, int] = {}
        self.vectors: dict[tuple[int, ...], int] = {}
        self.moves: list[Ints] = []
        self.places, self.payoffs = array("q"), array("q")

    def add(self, chunk: list[Row], width: int) -> None:
        """Add rows, each with its line or entry; the first `width` texts of a row are moves."""
        cells = chain.from_iterable(row[:width] for _, row in chunk)
        moves = np.fromiter(map(self.names.__getitem__, cells), np.int32, len(chunk) * width).reshape(len(chunk), width)
        self._refuse_gaps(moves, chunk)
        self.moves.append(moves)
        self.places.extend(place for place, _ in chunk)
        self.payoffs.extend(self._vector(place, row[width:]) for place, row in chunk)

    def table(self) -> OutcomeTable:
        """Return the table of all rows; LiarsDiceError if there is none."""
        if not self.places:
            raise LiarsDiceError(
                f"{self.where} gives no combination: write a {self.unit} for each, moves first and then payoffs"
            )
        values = [Fraction(value) for value in self.values]
        vectors: list[Payoffs] = [tuple([values[number] for number in numbers]) for numbers in self.vectors]
        moves, payoffs, places = np.concatenate(self.moves), np.array(self.payoffs), np.array(self.places)
        return OutcomeTable(self.players, self.names.names, moves, payoffs, vectors, places, self.unit, self.where)

    def _refuse_gaps(self, moves: Ints, chunk: list[Row]) -> None:
        """Raise LiarsDiceError unless every combination begins in the first column and has no gaps."""
        given = moves != NONE
        bad = np.flatnonzero(np.any(given[:, 1:] > given[:, :-1], axis=1) | ~given.any(axis=1))
        if len(bad):
            if not given.shape[1]:
                raise LiarsDiceError(f"{self.where}, {self.unit} {chunk[bad[0]][0]} has no moves: name at least one")
            column = int(np.argmin(given[bad[0]])) + 1
            place = f"{self.where}, {self.unit} {chunk[bad[0]][0]}"
            raise LiarsDiceError(f"{place}: move {column} has no name; only the last moves of a combination may be empty")

    def _vector(self, place: int, texts: Iterable[str]) -> int:
        """Return the row of a payoff vector in the table of the distinct ones."""
        try:
            vector = tuple([self.numbers[text] for text in texts])
        except KeyError:
            vector = tuple([self._number(place, text) for text in texts])
        return self.vectors.setdefault(vector, len(self.vectors))

    def _number(self, place: int, text: str) -> int:
        """Return the place of a text's exact number among the distinct ones."""
        try:
            value = (
                int(text) if len(text) < 20 and text.isascii() and text.isdecimal() else Fraction(decoded(text.strip()))
            )  # an int is faster
        except LiarsDiceError as error:
            raise LiarsDiceError(f"{self.where}, {self.unit} {place}: the payoff {error}") from error
        number = self.numbers[text] = self.values.setdefault(value, len(self.values))
        return number

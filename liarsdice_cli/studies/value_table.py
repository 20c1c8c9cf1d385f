"""Tables of values, and the CSV file that stores them after every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import isfinite

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats import files, tables
from liarsdice_cli.formats.numbers import decoded, encoded
from liarsdice_cli.formats.rule_fields import COLUMNS as SHAPE
from liarsdice_cli.formats.rule_fields import csv_of_games, rules_of_row
from liarsdice_cli.games.liarsdice.presets import CHANGES
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.studies.valuation import REFUSED, Valuation
from liarsdice_cli.text import numbered, whole

COLUMNS = (
    *SHAPE,
    "exact",
    "lower",
    "upper",
    "value",
    "method",
    "exploitability",
    "seconds",
    "iterations",
)
"""The columns of the CSV file. Exact numbers are fractions such as -7/327, others are decimal.

Columns of `CHANGES` follow as in `csv_of_games`.
"""
NOTE = "note"
"""The column that follows if a row has a note: the reason why there is no better answer."""
_SHOWN = 10
"""The most games that `repr` lists."""
_ROUNDING = 1e-6
"""The relative rounding of bounds that just meet a target."""
_MOST = 1 + 1e-9
"""The largest payoff of one of two players, plus rounding."""


class ValueTable(Renderable):
    """The known values of games, stored in a file that is complete at every moment.

    name : the name of the CSV file that is rewritten after every game, or None
    lost : the error if the file could not be written the last time, or ""

    Raises LiarsDiceError for a file that cannot be written at all.
    """

    def __init__(self, known: Iterable[Valuation] = (), name: str | None = None) -> None:
        self._known = {one.rules: one for one in known}
        self._places: dict[Rules, int] = {}
        self.name, self.lost = name, ""
        if name is not None:
            files.check_writable(name)

    def __repr__(self) -> str:
        shown = [f"\n  {one!r}" for one in islice(self, _SHOWN)]
        left = len(self._known) - len(shown)
        more = f"\n  and {left:,} more" if left else ""
        return f"ValueTable({numbered(len(self._known), 'games')}:{''.join(shown)}{more})"

    def __contains__(self, game: object) -> bool:
        """Return whether a game has a valuation."""
        return game in self._known

    def get(self, game: Rules) -> Valuation | None:
        """Return the valuation of a game, or None."""
        return self._known.get(game)

    def settles(self, game: Rules, target: float | None = None) -> bool:
        """Return whether the valuation of a game is known, with at most this exploitability if a target is given."""
        one = self.get(game)
        if one is None or target is None:
            return one is not None
        return one.exploitability is not None and one.exploitability <= target * (1 + _ROUNDING)

    def __iter__(self) -> Iterator[Valuation]:
        """Iterate over the valuations in the order in which they were added."""
        return iter(self._known.values())

    def expect(self, games: Iterable[Rules]) -> None:
        """Store these games in this order after the known ones, whichever is solved first."""
        self._places = {game: place for place, game in enumerate(games)}

    def add(self, found: Valuation) -> None:
        """Keep a valuation, unless a better one is known.

        If the file cannot be written, as on a full disk, the error is kept in `lost`, and nothing is raised.
        """
        known = self.get(found.rules)
        better = found.exploitability is not None and not self.settles(found.rules, float(found.exploitability))
        if known is not None and known.exploitability is not None and not better:
            return
        self._known[found.rules] = found
        if self.name is None:
            return
        rows = sorted(self._known.values(), key=lambda one: self._places.get(one.rules, -1))
        try:
            with files.output(self.name) as out:
                out.write(dumps(rows))
            self.lost = ""
        except LiarsDiceError as error:
            self.lost = str(error)


def dumps(valuations: Iterable[Valuation]) -> bytes:
    """Return a CSV file with a row for each game, which `read` reads."""
    rows = list(valuations)
    notes = any(one.note for one in rows)
    columns = (*COLUMNS[len(SHAPE) :], *[NOTE] * notes)
    return csv_of_games(columns, ((one.rules, _cells(one, notes)) for one in rows))


def _cells(one: Valuation, notes: bool) -> Iterable[object]:
    numbers = (encoded(number) for number in (one.lower, one.upper, one.value))
    yield from ("yes" if one.exact else "no", *numbers, one.method, encoded(one.exploitability))
    yield from (f"{one.seconds:.2f}", one.iterations, *[one.note] * notes)


def read(name: str) -> list[Valuation]:
    """Return the valuations in a CSV file, without refusals, because another machine may have the memory.

    Raises LiarsDiceError, naming the file and the line, for a file that is not a table of values.
    """
    where = files.shown(name)
    rows = tables.csv_rows(tables.text(name), where)
    header = next(rows, (0, []))[1]
    if tuple(header[: len(COLUMNS)]) != COLUMNS or not _in_order(header[len(COLUMNS) :], (NOTE, *CHANGES)):
        raise LiarsDiceError(
            f"{where} is not a table of values: its first line is not {','.join(COLUMNS)}; name a file that `values` wrote"
        )
    found = []
    for line, cells in rows:
        try:
            found.append(_valuation(header, cells))
        except (LiarsDiceError, ValueError) as error:
            what = error.parts if isinstance(error, LiarsDiceError) else (str(error),)
            raise LiarsDiceError(f"{where}, line {line}: ", *what, "; correct or remove the line") from error
    return [one for one in found if one.method != REFUSED]


def _in_order(some: Sequence[str], columns: Sequence[str]) -> bool:
    """Return whether these are some of the columns, in their order."""
    return list(some) == [column for column in columns if column in some]


def _valuation(header: Sequence[str], cells: Sequence[str]) -> Valuation:
    if len(cells) != len(header):
        raise ValueError(f"{len(cells)} cells, not {len(header)}")
    cell = dict(zip(header, cells, strict=True))
    game = rules_of_row(cell)
    iterations = whole(cell["iterations"]) if cell["iterations"] else None
    lower, upper = (_number(cell[column]) for column in ("lower", "upper"))
    one = Valuation(game, cell["method"], lower, upper, float(cell["seconds"]), iterations, cell.get(NOTE, ""))
    if (lower is None or upper is None) != (one.method == REFUSED) or (
        lower is not None and upper is not None and not -_MOST <= lower <= upper <= _MOST
    ):
        raise ValueError(f"{cell['lower'] or 'nothing'} and {cell['upper'] or 'nothing'} are not bounds")
    return one


def _number(text: str) -> Number | None:
    """Return a fraction, a float if it is written with a point or an exponent, or None for an empty text."""
    if not text:
        return None
    if set(text) & set(".enEN"):
        number = float(text)
        if not isfinite(number) or "_" in text or not text.isascii():
            raise ValueError(f"{text} is not a bound")
        return number
    return Fraction(decoded(text))

"""Tables of values: a grid of games, and the CSV file that keeps what is known of it after every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isfinite

from liarsdice_cli.errors import ArgumentError, LiarsDiceError, whole
from liarsdice_cli.extensive.displayed import Displayed
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats import files, tables
from liarsdice_cli.formats.numbers import decoded, encoded
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.studies.valuation import REFUSED, Valuation

COLUMNS = (
    "rules",
    "sides",
    "dice",
    "payoffs",
    "exact",
    "lower",
    "upper",
    "value",
    "method",
    "exploitability",
    "seconds",
    "iterations",
)
"""The columns of the CSV file. Numbers are fractions such as -7/327 where they are exact, else decimal."""
_PALIFICO = " palifico"
_NO_VALUE = (
    "values are for two players, since strategies of three and more that nobody can improve on alone may pay differently; "
    "give two numbers, such as 2,1, or see liarsdice solve for one"
)
_MOST = 1 + 1e-9
"""What no payoff to one of two players exceeds; and rounding."""


def grid(names: Sequence[str], sides: Sequence[int], dice: Sequence[tuple[int, ...]], payoffs: str = "win") -> list[Rules]:
    """All games of these presets, dice and sides, each once: sides change first, then dice, then presets.

    Raises UsageError for rules that describe no game, and for more than two players, whose games have no value.

    >>> [str(game) for game in grid(["joker"], [2, 3], [(2, 1)], "win")]
    ['joker rules, 2 sides, dice 2,1, payoffs win', 'joker rules, 3 sides, dice 2,1, payoffs win']
    """
    for players in dice:
        if len(players) != 2:
            raise ArgumentError("dice", tuple(players), _NO_VALUE)
    return list(dict.fromkeys(rules(name, side, one, payoffs=payoffs) for name in names for one in dice for side in sides))


def named(game: Rules) -> str:
    """What a table calls the rules of a game: the name of the preset, and whether it is its palifico round.

    >>> named(rules("perudo")), named(rules("perudo").palifico())
    ('perudo', 'perudo palifico')
    """
    return game.name + _PALIFICO * game.is_palifico


class ValueTable(Displayed):
    """What is known of games, kept in a file that is whole at every moment.

    name : of the CSV file that is written anew after every game, or None for none
    lost : why the file could not be written the last time, or ""

    Raises LiarsDiceError for a file that cannot be written at all.
    """

    def __init__(self, known: Iterable[Valuation] = (), name: str | None = None) -> None:
        self._known = {one.rules: one for one in known}
        self._places: dict[Rules, int] = {}
        self.name, self.lost = name, ""
        if name is not None:
            files.check_writable(name)

    def __contains__(self, game: object) -> bool:
        """Whether anything is known of a game."""
        return game in self._known

    def get(self, game: Rules) -> Valuation | None:
        """What is known of a game."""
        return self._known.get(game)

    def __iter__(self) -> Iterator[Valuation]:
        """All that is known, in the order in which it came to be known."""
        return iter(self._known.values())

    def expect(self, games: Iterable[Rules]) -> None:
        """Keep games in this order below what is known, whichever is solved first."""
        self._places = {game: place for place, game in enumerate(games)}

    def add(self, found: Valuation) -> None:
        """Keep a valuation. A file that cannot be written, as on a full disk, ends nothing: `lost` says so."""
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
    """A CSV file with a row a game; `read` gives back the same."""
    return tables.csv_bytes(COLUMNS, map(_row, valuations))


def _row(one: Valuation) -> Iterable[object]:
    numbers = (encoded(number) for number in (one.lower, one.upper, one.value))
    yield from (named(one.rules), one.rules.sides, " ".join(map(str, one.rules.dice)), one.rules.payoffs)
    yield from ("yes" if one.exact else "no", *numbers, one.method, encoded(one.exploitability))
    yield from (f"{one.seconds:.2f}", one.iterations)


def read(name: str) -> list[Valuation]:
    """The valuations in a CSV file, without refusals: another machine may have the memory.

    Raises LiarsDiceError, naming the file and the line, for a file that is no table of values.
    """
    where = files.shown(name)
    rows = tables.csv_rows(tables.text(name), where)
    header = next(rows, (0, []))[1]
    if tuple(header) != COLUMNS:
        raise LiarsDiceError(
            f"{where} is no table of values: its first line is not {','.join(COLUMNS)}; name a file that `values` has written"
        )
    found = []
    for line, cells in rows:
        try:
            found.append(_valuation(cells))
        except (LiarsDiceError, ValueError) as error:
            what = error.parts if isinstance(error, LiarsDiceError) else (str(error),)
            raise LiarsDiceError(f"{where}, line {line}: ", *what, "; mend the line or take it out") from error
    return [one for one in found if one.method != REFUSED]


def _valuation(cells: Sequence[str]) -> Valuation:
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} cells, not {len(COLUMNS)}")
    cell = dict(zip(COLUMNS, cells, strict=True))
    dice = tuple(whole(count) for count in cell["dice"].split())
    name = cell["rules"].removesuffix(_PALIFICO)
    game = rules(name, whole(cell["sides"]), dice, payoffs=cell["payoffs"])
    game = game if name == cell["rules"] else game.palifico()
    iterations = whole(cell["iterations"]) if cell["iterations"] else None
    lower, upper = (_number(cell[column]) for column in ("lower", "upper"))
    one = Valuation(game, cell["method"], lower, upper, float(cell["seconds"]), iterations)
    if (lower is None or upper is None) != (one.method == REFUSED) or (
        lower is not None and upper is not None and not -_MOST <= lower <= upper <= _MOST
    ):
        raise ValueError(f"{cell['lower'] or 'nothing'} and {cell['upper'] or 'nothing'} are no bounds")
    return one


def _number(text: str) -> Number | None:
    """A fraction, a float where it is written with a point or an exponent, or None for nothing."""
    if not text:
        return None
    if set(text) & set(".enEN"):
        number = float(text)
        if not isfinite(number) or "_" in text or not text.isascii():
            raise ValueError(f"{text} is no bound")
        return number
    return Fraction(decoded(text))

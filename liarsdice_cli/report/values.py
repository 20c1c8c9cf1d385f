"""The output of `liarsdice values`: the value of each game, or bounds on it, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.tables import Valuation as ValuationFields
from liarsdice_cli.formats.documents.tables import Values
from liarsdice_cli.formats.numbers import encoded, shown, shown_between
from liarsdice_cli.games.liarsdice.presets import words_of
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.text import comma_list, numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def values_tables(known: Sequence[Valuation], payoffs: str, games: int, exact: bool = False) -> Iterator[RenderableType]:
    """Yield the answer for a person.

    games : the number of games that were requested
    exact : whether to show exact values as fractions of any length
    """
    yield f"payoffs {payoffs}; exploitability is the mean of both regrets, half the distance between the bounds"
    columns = ("rules", "sides", "dice", "value to player 1", "exploitability", "method", "time")
    noted = any(one.note for one in known if one.lower is not None)
    cells = [_cells(one, exact) for one in known]
    rows = ((*row, one.note if one.lower is not None else "") for one, row in zip(known, cells, strict=True))
    yield table((*columns, "note"), rows) if noted else table(columns, cells)
    yield from (f"refused: {one.note}" for one in known if one.lower is None)
    if len(known) < games:
        yield f"{games - len(known)} of {numbered(games, 'games')} {'is' if games - len(known) == 1 else 'are'} not solved"


def _cells(one: Valuation, exact: bool) -> tuple[str, ...]:
    """Return the cells of a game: its value or bounds, rounded outwards, and the method."""
    between = "-" if one.lower is None or one.upper is None else shown_between(one.lower, one.upper)
    if exact and one.exact:
        between = str(encoded(one.lower))
    return (
        ", ".join((one.rules.name, *words_of(one.rules.changes))),
        str(one.rules.sides),
        comma_list(one.rules.dice),
        between,
        shown(one.exploitability),
        *made(one),
    )


def made(one: Valuation) -> tuple[str, str]:
    """Return the method of a valuation and its time."""
    method = one.method if one.iterations is None else f"{one.method}, {numbered(one.iterations, 'iterations')}"
    return method, f"{one.seconds:.2f} s"


def values_json(known: Sequence[Valuation], finished: bool) -> Values:
    """Return the document of `values`."""
    return {"finished": finished, "games": [valuation_json(one) for one in known], "match": None}


def valuation_json(one: Valuation) -> ValuationFields:
    """Return a valuation for a program."""
    return {
        **titled(one.rules),
        "exact": one.exact,
        "lower": encoded(one.lower),
        "upper": encoded(one.upper),
        "value": encoded(one.value),
        "exploitability": encoded(one.exploitability),
        "method": one.method,
        "arithmetic": one.arithmetic,
        "seconds": round(one.seconds, 3),
        "iterations": one.iterations,
        "note": one.note,
    }

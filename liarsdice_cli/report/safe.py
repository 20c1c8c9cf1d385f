"""What `liarsdice exploit --safe` says: what can be won of a bot by who risks no more than so much, as tables, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.safe import Point, SafeCurve

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def safe_tables(bot: str, rules: Rules, most: Fraction | None, found: Sequence[SafeCurve]) -> Iterator[RenderableType]:
    """The answer for a person, seat by seat."""
    yield str(rules)
    asked = "whatever is risked" if most is None else f"risking at most {_number(most)}"
    yield f"what is won of {bot}, {asked}; risked is the value of the game less the worst case against anybody"
    for curve in found:
        low, high = curve.value
        value = _number(low) if low == high else f"{_number(low)} to {_number(high)}"
        yield from ("", f"as player {curve.player + 1}, where the value is {value}", _curve_table(bot, curve))
    yield ""
    if all(curve.exact for curve in found):
        yield (
            "These are all corners, in fractions and proved; between two of them a coin decides on either strategy."
            if most is None
            else "Proved in fractions: who risks no more wins no more of it."
        )
    else:
        yield "Each row is what one strategy gets, rounding taken off; who is as safe gets `at most` so much (see --target)."
    if any(curve.rounded for curve in found):
        yield "The bot's own probabilities were rounded to millionths."


def _curve_table(bot: str, curve: SafeCurve) -> Table:
    if curve.chosen is None:
        rows = [("", *_cells(point)) for point in curve.points]
    else:
        named = {"safest": curve.points[0], "as asked": curve.chosen, "boldest": curve.points[-1]}
        rows = [(name, *_cells(point)) for name, point in named.items()]
    columns = ("", "risked", "worst case", f"against {bot}", "at most")
    shown = len(columns) - curve.exact  # the last one says nothing new of an exact curve
    return table(columns[:shown], (row[:shown] for row in rows), right=True)


def _cells(point: Point) -> Iterator[str]:
    return map(_number, (point.risked, point.worst, point.against, point.limit))


def _number(number: Number) -> str:
    if isinstance(number, float):
        return f"{number:.6f}"
    return str(number) if number.denominator == 1 else f"{number} = {float(number):.6f}"


def safe_json(bot: str, rules: Rules, most: Fraction | None, found: Sequence[SafeCurve]) -> dict[str, Any]:
    """The content of `exploit --safe --json`; see docs/json.md."""
    return {"rules": str(rules), "bot": bot, "at_most": encoded(most), "seats": [_curve_json(curve) for curve in found]}


def _curve_json(curve: SafeCurve) -> dict[str, Any]:
    return {
        "player": curve.player + 1,
        "value": [encoded(number) for number in curve.value],
        "exact": curve.exact,
        "rounded": curve.rounded,
        "points": [_point_json(point) for point in curve.points],
        "chosen": None if curve.chosen is None else _point_json(curve.chosen),
    }


def _point_json(point: Point) -> dict[str, Any]:
    return {
        "risked": encoded(point.risked),
        "worst_case": encoded(point.worst),
        "against": encoded(point.against),
        "limit": encoded(point.limit),
    }


def safe_csv(bot: str, found: Sequence[SafeCurve]) -> bytes:
    """A row for every point, or for what was chosen."""
    rows = (
        (bot, curve.player + 1, *(f"{float(number):.9g}" for number in (point.risked, point.worst, point.against, point.limit)))
        for curve in found
        for point in (curve.points if curve.chosen is None else (curve.chosen,))
    )
    return csv_bytes(("bot", "player", "risked", "worst_case", "against", "limit"), rows)

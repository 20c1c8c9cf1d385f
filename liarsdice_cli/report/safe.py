"""The output of `liarsdice safe-exploit`: the gain from a bot for each risk, as tables, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats.documents.tables import Frontier as FrontierFields
from liarsdice_cli.formats.documents.tables import FrontierPoint as PointFields
from liarsdice_cli.formats.documents.tables import Safe
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.formats.rule_fields import csv_of_games
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import Hinted, table
from liarsdice_cli.solvers.frontier import Frontier, FrontierPoint
from liarsdice_cli.studies.safe import SafeExploitation

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def safe_tables(found: SafeExploitation) -> Iterator[RenderableType]:
    """Yield tables for a person, seat by seat."""
    yield str(found.rules)
    limit = "for every risk" if found.max_risk is None else f"for a risk of at most {_number(found.max_risk)}"
    yield f"the largest payoff against {found.bot} {limit}; the risk is the value of the game minus the worst case"
    for one in found.frontiers:
        low, high = one.value
        value = _number(low) if low == high else f"{_number(low)} to {_number(high)}"
        yield from ("", f"as player {one.player + 1} (the value is {value})", _frontier_table(found.bot, one))
    yield ""
    if all(one.exact for one in found.frontiers):
        yield (
            "All corners of the frontier, proved in fractions. Between two corners, a coin chooses one of their strategies."
            if found.max_risk is None
            else "Proved in fractions: no strategy with at most this risk gains more."
        )
    else:
        yield Hinted(
            "Each row is what one strategy achieves, minus the rounding error. No strategy with as good a worst case gains "
            "more than `at most`.",
            " A smaller --target brings the two closer.",
        )
    if any(one.rounded for one in found.frontiers):
        yield "The bot's own probabilities were rounded to millionths."


def _frontier_table(bot: str, frontier: Frontier[Strategy]) -> Table:
    if frontier.chosen is None:
        rows = [("", *_cells(point)) for point in frontier.points]
    else:
        named = {"safest": frontier.points[0], "as asked": frontier.chosen, "boldest": frontier.points[-1]}
        rows = [(name, *_cells(point)) for name, point in named.items()]
    columns = ("", "risk", "worst case", f"against {bot}", "at most")
    shown = len(columns) - frontier.exact  # if all is exact, the limit is the gain
    return table(columns[:shown], (row[:shown] for row in rows), right=True)


def _cells(point: FrontierPoint[Strategy]) -> Iterator[str]:
    return map(_number, (point.risk, point.worst_case, point.gain, point.limit))


def _number(number: Number) -> str:
    if isinstance(number, float):
        return f"{number:.6f}"
    return str(number) if number.denominator == 1 else f"{number} = {float(number):.6f}"


def safe_json(found: SafeExploitation) -> Safe:
    """Return the document of safe exploitation."""
    seats = [_frontier_json(one) for one in found.frontiers]
    return {**titled(found.rules), "bot": found.bot, "max_risk": encoded(found.max_risk), "seats": seats}


def _frontier_json(frontier: Frontier[Strategy]) -> FrontierFields:
    return {
        "player": frontier.player + 1,
        "value": [encoded(number) for number in frontier.value],
        "exact": frontier.exact,
        "rounded": frontier.rounded,
        "points": [_point_json(point) for point in frontier.points],
        "chosen": None if frontier.chosen is None else _point_json(frontier.chosen),
    }


def _point_json(point: FrontierPoint[Strategy]) -> PointFields:
    return {
        "risk": encoded(point.risk),
        "worst_case": encoded(point.worst_case),
        "gain": encoded(point.gain),
        "limit": encoded(point.limit),
    }


def safe_csv(found: SafeExploitation) -> bytes:
    """Return a row for every point, or for the chosen one."""
    rows = (
        (
            found.bot,
            one.player + 1,
            *(f"{float(number):.9g}" for number in (point.risk, point.worst_case, point.gain, point.limit)),
        )
        for one in found.frontiers
        for point in (one.points if one.chosen is None else (one.chosen,))
    )
    columns = ("bot", "player", "risk", "worst_case", "gain", "limit")
    return csv_of_games(columns, ((found.rules, row) for row in rows))

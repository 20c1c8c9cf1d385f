"""The output of `liarsdice exploit` against a coalition: the payoff of a bot when all others play as one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.tables import Exploit, WorstCase
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.formats.rule_fields import csv_of_games
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.coalition import Coalition
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def coalition_tables(found: Coalition) -> Iterator[RenderableType]:
    """Yield a table for a person, with a row for each seat."""
    yield str(found.rules)
    yield f"{found.bot} against a coalition: all others know it, see each other's dice and act as one player"
    rows = (
        (f"as player {seat}", shown(loses), shown(payoff), shown(fair))
        for seat, (loses, payoff, fair) in enumerate(zip(found.losing, found.payoffs, found.fair, strict=True), 1)
    )
    yield table(("", "loses", "payoff", "payoff if all lose equally"), rows, right=True)
    yield f"{numbered(_positions(found), 'positions')} visited. Fractions are exact; other numbers are float64."


def coalition_json(found: Coalition) -> Exploit:
    """Return the document of `exploit` against a coalition."""
    mean = sum(found.payoffs) / len(found.payoffs)
    bot: WorstCase = {
        "name": found.bot,
        "levels": None,
        "worst_case": [encoded(number) for number in found.payoffs],
        "mean": encoded(mean),
        "exploitability": None,
        "losing": [encoded(number) for number in found.losing],
        "rounding_error": None,
        "positions": _positions(found),
        "opponent_max_bids": None,
    }
    fair = [encoded(number) for number in found.fair]
    return {**titled(found.rules), "opponent": "coalition", "value": None, "fair": fair, "bots": [bot], "best": 0}


def _positions(found: Coalition) -> int:
    return sum(one.positions for one in found.found)


def coalition_csv(found: Coalition) -> bytes:
    """Return a row for each seat."""
    columns = zip(found.losing, found.payoffs, strict=True)
    rows = ((found.bot, seat, encoded(loses), encoded(payoff)) for seat, (loses, payoff) in enumerate(columns, 1))
    return csv_of_games(("bot", "player", "loses", "payoff"), ((found.rules, row) for row in rows))

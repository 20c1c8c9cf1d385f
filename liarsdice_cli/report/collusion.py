"""What `liarsdice exploit --coalition` says: what is left to a bot against all others together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.coalition import Coalition

if TYPE_CHECKING:
    from rich.console import RenderableType


def collusion_tables(found: Coalition) -> Iterator[RenderableType]:
    """The answer for a person: a row for every seat."""
    yield str(found.rules)
    yield f"{found.bot} against all others, who know it, share what they roll and act as one"
    rows = (
        (f"as player {seat}", shown(loses), shown(payoff), shown(fair))
        for seat, (loses, payoff, fair) in enumerate(zip(found.losing, found.payoffs, found.fair, strict=True), 1)
    )
    yield table(("", "loses", "payoff", "where all lose alike"), rows, right=True)
    positions = sum(one.positions for one in found.found)
    yield f"{positions:,} positions visited. Fractions are exact, others computed in float64."


def collusion_json(found: Coalition) -> dict[str, Any]:
    """The content of `exploit --coalition --json`; see docs/json.md."""
    return {
        "rules": str(found.rules),
        "bot": found.bot,
        "losing": [encoded(number) for number in found.losing],
        "payoffs": [encoded(number) for number in found.payoffs],
        "fair": [encoded(number) for number in found.fair],
    }


def collusion_csv(found: Coalition) -> bytes:
    """A row for every seat."""
    columns = zip(found.losing, found.payoffs, strict=True)
    rows = ((found.bot, seat, encoded(loses), encoded(payoff)) for seat, (loses, payoff) in enumerate(columns, 1))
    return csv_bytes(("bot", "player", "loses", "payoff"), rows)

"""Options and pieces of output that the commands on combinatorial games share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.options import FILE
from liarsdice_cli.errors import UsageError, whole
from liarsdice_cli.formats import kinds

if TYPE_CHECKING:
    from liarsdice_cli.games.impartial.heaps import Period

misere_option = click.option("--misere", is_flag=True, help="Who cannot move wins, not loses.")
output_option = click.option(
    "-o", "--output", type=FILE, metavar="FILE", help=f"Write the game tree: {kinds.suffixes(kinds.GAME)}."
)

LINE = 60
"""Values in a line for a person."""


def play(misere: bool) -> str:
    """What who cannot move has come to."""
    return "misere play: who cannot move wins" if misere else "normal play: who cannot move loses"


def numbers(text: str, option: str) -> list[int]:
    """Numbers with commas between them; UsageError for anything else."""
    try:
        return [whole(number) for number in text.split(",")] if text.strip() else []
    except ValueError as error:
        raise UsageError(f"{option} {text}: give whole numbers with commas between them, such as 1,2,3") from error


def period_json(period: Period | None) -> dict[str, Any] | None:
    """A proved period for a program."""
    if period is None:
        return None
    return {"start": period.start, "length": period.length, "argument": period.argument}

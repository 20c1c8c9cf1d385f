"""What `liarsdice resolve` says: how the rest of a round was solved anew, and what that is worth in the worst case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.report.reading import reading_json, reading_tables
from liarsdice_cli.report.run_history import run_history_json
from liarsdice_cli.solvers.public_tree.values import after
from liarsdice_cli.studies.resolving import Resolved

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.games.liarsdice.beliefs import RollsAfter


def resolved_tables(found: Resolved, full: bool = False) -> Iterator[RenderableType]:
    """The answer for a person."""
    last, start = found.run.last, found.rest
    yield str(start.rules)
    begins = start.history_text or "the opening"
    yield f"solved anew for player {found.player + 1} from {begins} on, so that the other gains nothing by coming there"
    yield f"{last.iteration:,} iterations, exploitability of the gadget {shown(last.bounds.exploitability)}"
    worst = f"{shown(found.before)} before, {shown(found.after)} now"
    yield f"the worst case of the whole strategy for player {found.player + 1}: {worst}"
    reading = _reading(found)
    if reading is not None:
        yield from reading_tables(reading, full)


def _reading(found: Resolved) -> RollsAfter | None:
    """What the player does first in the rest, where it is the one who moves."""
    return after(found.strategy, found.rest.history) if found.rest.mover == found.player else None


def resolved_json(found: Resolved) -> dict[str, Any]:
    """The content of `resolve --json`; see docs/json.md."""
    reading = _reading(found)
    return {
        "rules": str(found.rest.rules),
        "from": found.rest.history_text.split(),
        "player": found.player + 1,
        "before": found.before,
        "after": found.after,
        "run_history": run_history_json(found.run),
        "shown": None if reading is None else reading_json(reading),
    }

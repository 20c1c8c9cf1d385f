"""The output of `liarsdice resolve`: the re-solving of a subgame, and the worst case before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.solutions import Resolving, Show
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.report.history import HistoryReport, history_json, history_tables
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.run_history import run_history_json
from liarsdice_cli.studies.resolving import Resolved
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def resolved_tables(found: Resolved, full: bool = False) -> Iterator[RenderableType]:
    """Yield the answer for a person."""
    last, start = found.run.last, found.subgame
    yield str(start.rules)
    begins = start.history_text or "the deal"
    yield f"re-solved for player {found.player} after {begins}"
    yield f"{numbered(last.iteration, 'iterations')}, exploitability of the gadget {shown(last.bounds.exploitability)}"
    worst = f"{shown(found.before)} before, {shown(found.after)} after"
    yield f"the worst case of the whole strategy for player {found.player}: {worst}"
    if found.stays:
        yield "the old strategy stays, since the new one is more exploitable: give a smaller --target, or more --iterations"
    report = _report(found)
    if report is not None:
        yield ""
        yield from history_tables(report, full)


def _report(found: Resolved) -> HistoryReport | None:
    """Return the first play of the player in the subgame; None if the other player moves first."""
    if found.subgame.mover + 1 != found.player:
        return None
    return HistoryReport.of_strategy(found.strategy, found.subgame.history_text.split())


def resolved_json(found: Resolved, source: str) -> Show:
    """Return the document of `resolve` for the strategy file `source`."""
    report = _report(found)
    resolving: Resolving = {
        "start": found.subgame.history_text.split(),
        "player": found.player,
        "before": found.before,
        "after": found.after,
        "run_history": run_history_json(found.run),
    }
    shown = [] if report is None else [history_json(report)]
    return {**titled(found.subgame.rules), "source": source, "shown": shown, "resolving": resolving}

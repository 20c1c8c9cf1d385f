"""How a minimiser went: its bounds over time, and what ended it."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log10
from typing import Any

from liarsdice_cli.errors import counted
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.solvers.regret.convergence import RunHistory


def run_history_json(run_history: RunHistory) -> dict[str, Any]:
    """How a minimiser went; seconds in milliseconds' precision."""
    proved = run_history.last.proved
    return {
        "iterations": run_history.last.iteration,
        "ended": run_history.ended,
        "proved": [proved.lower, proved.upper],
        "samples": [
            [sample.iteration, round(sample.seconds, 3), sample.bounds.lower, sample.bounds.upper]
            for sample in run_history.samples
        ],
    }


_ENDS = {
    "target": "target reached",
    "iterations": "ended",
    "time": "stopped at the time limit",
    "interrupt": "interrupted",
}


def run_history_lines(run_history: RunHistory) -> Iterator[str]:
    """Where a minimiser ended, and what it has proved on the way."""
    last, proved = run_history.last, run_history.last.proved
    end = f"{_ENDS[run_history.ended]} after {counted(last.iteration)} iteration(s)"
    yield f"{end}, at exploitability {shown(last.bounds.exploitability)}"
    bounds = f"{outward(proved.lower, -1)} to {outward(proved.upper, 1)}"
    yield f"proved, rounding included: the value for player 1 lies from {bounds}"


def outward(number: float, direction: int) -> str:
    """A bound in ten digits, rounded so that it still holds."""
    text = f"{number:.10g}"
    if (float(text) - number) * direction >= 0:
        return text
    return f"{number + direction * 10.0 ** (floor(log10(abs(number))) - 9):.10g}"

"""How a minimiser went: its bounds over time, and what ended it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import floor, log10
from typing import Any

from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof, RunHistory
from liarsdice_cli.text import counted


def run_history_json(run_history: RunHistory) -> dict[str, Any]:
    """How a minimiser went; seconds in milliseconds' precision."""
    proved = run_history.last.proved
    workers = [[asdict(worker) for worker in sample.workers] for sample in run_history.samples]
    return {
        "iterations": run_history.last.iteration,
        "ended": run_history.ended,
        "proved": _numbers(proved) if isinstance(proved, Bounds) else None,
        "samples": [[sample.iteration, round(sample.seconds, 3), *_numbers(sample.bounds)] for sample in run_history.samples],
    } | ({"workers": workers} if run_history.last.workers else {})


def _numbers(proof: Proof) -> list[float]:
    """Both bounds on the value for player 1, or every player's regret."""
    return [proof.lower, proof.upper] if isinstance(proof, Bounds) else list(proof.regrets)


_ENDS = {
    "target": "target reached",
    "iterations": "ended",
    "time": "stopped at the time limit",
    "memory": "stopped where memory was full",
    "interrupt": "interrupted",
}


def run_history_lines(run_history: RunHistory) -> Iterator[str]:
    """Where a minimiser ended, and what it has proved on the way."""
    last, proved = run_history.last, run_history.last.proved
    end = f"{_ENDS[run_history.ended]} after {counted(last.iteration)} iteration(s)"
    if not isinstance(proved, Bounds):
        yield f"{end}; proved, rounding included: nobody can gain more than {outward(proved.exploitability, 1)}"
        return
    yield f"{end}, at exploitability {shown(last.bounds.exploitability)}"
    bounds = f"{outward(proved.lower, -1)} to {outward(proved.upper, 1)}"
    yield f"proved, rounding included: the value for player 1 lies from {bounds}"


def outward(number: float, direction: int) -> str:
    """A bound in ten digits, rounded so that it still holds."""
    text = f"{number:.10g}"
    if (float(text) - number) * direction >= 0:
        return text
    return f"{number + direction * 10.0 ** (floor(log10(abs(number))) - 9):.10g}"

"""The course of a regret minimiser: its bounds over time, and the reason for its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import cast

from liarsdice_cli.formats.documents.solutions import RunHistory as RunHistoryFields
from liarsdice_cli.formats.documents.solutions import WorkerState
from liarsdice_cli.formats.numbers import outward, shown
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof, RunHistory, SequentialBounds
from liarsdice_cli.text import numbered


def run_history_json(run_history: RunHistory) -> RunHistoryFields:
    """Return the course of a minimiser for a program; seconds to the millisecond."""
    proved = run_history.last.proved
    found: RunHistoryFields = {
        "iterations": run_history.last.iteration,
        "ended": run_history.ended,
        "proved": _numbers(proved) if isinstance(proved, Bounds) else None,
        "samples": [[sample.iteration, round(sample.seconds, 3), *_numbers(sample.bounds)] for sample in run_history.samples],
    }
    if run_history.last.workers:
        found["workers"] = [[cast(WorkerState, asdict(worker)) for worker in sample.workers] for sample in run_history.samples]
    return found


def _numbers(proof: Proof) -> list[float]:
    """Return both bounds on the value for player 1, or each player's regret."""
    return [proof.lower, proof.upper] if isinstance(proof, Bounds) else list(proof.regrets)


_ENDS = {
    "target": "target reached",
    "iterations": "ended",
    "time": "stopped at the time limit",
    "memory": "stopped at the memory limit",
    "interrupt": "interrupted",
}


def run_history_lines(run_history: RunHistory, perturbed: bool = False) -> Iterator[str]:
    """Yield the end of a minimiser, and its proofs.

    perturbed : whether players tremble, so that the bounds are those of the perturbed game
    """
    last, proved = run_history.last, run_history.last.proved
    end = f"{_ENDS[run_history.ended]} after {numbered(last.iteration, 'iterations')}"
    if isinstance(last.bounds, SequentialBounds):
        yield f"{end}; largest regret at any history: {shown(last.bounds.regret)}"
    elif isinstance(proved, Bounds):
        yield f"{end}, at exploitability {shown(last.bounds.exploitability)}"
    if not isinstance(proved, Bounds):
        yield f"{end}; proved, rounding included: no player can gain more than {outward(proved.exploitability, 1)}"
        return
    bounds = f"{outward(proved.lower, -1)} to {outward(proved.upper, 1)}"
    value = "the value of the perturbed game" if perturbed else "the value"
    yield f"proved, rounding included: {value} for player 1 lies from {bounds}"

"""`python benchmarks/growth.py`: compare expansion thresholds over several games; ten minutes.

It measures the runs that docs/growth.csv lacks, and writes the table in docs/results.md. Seconds are processor seconds without
the bounds. Each run has its own process, one thread and compiled code. `--again "0.008 / t"` measures one threshold again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.measure import call_alone
from benchmarks.minimisers import GAMES
from benchmarks.results import Line, Page, Results, Wanted, markdown
from benchmarks.solving import Game, samples

KEY = ("rules", "sides", "dice", "threshold", "target")
RESULTS = Results("growth.csv", KEY, (*KEY, "iterations", "seconds", "megabytes"))
TARGETS = (3e-3, 1e-3, 1e-4)
STEP = 1.1
"""Ratio of the iterations of two successive computations of bounds."""
MEASURED = (*GAMES[:-1], Game("joker", 6, "2,2", 10), Game("common", 6, "2,2", 8))
ALL_VISITED = "0.008 / t, nothing waits"
"""The schedule under which rare histories do not wait."""
SCHEDULES: dict[str, Callable[[int, float], float]] = {
    "0": lambda iteration, exploitability: 0.0,
    "1e-5": lambda iteration, exploitability: 1e-5,
    "0.001 / t": lambda iteration, exploitability: 0.001 / iteration,
    "0.008 / t": lambda iteration, exploitability: 0.008 / iteration,
    ALL_VISITED: lambda iteration, exploitability: 0.008 / iteration,
    "0.03 / t": lambda iteration, exploitability: 0.03 / iteration,
    "0.1 / t": lambda iteration, exploitability: 0.1 / iteration,
    "e / 300": lambda iteration, exploitability: exploitability / 300,
}
"""The threshold as a function of iteration t, or of the last proved exploitability e."""


def run(game: Game, schedule: str) -> list[list[float]]:
    """Return for each reached target: target, iterations, processor seconds, megabytes."""
    solver, found = game.solver(), list[list[float]]()
    solver.compile()
    if schedule == ALL_VISITED:
        solver.rare_threshold = 0.0

    def set_threshold(exploitability: float) -> None:
        iteration = solver.iteration + 1
        solver.expansion_threshold = SCHEDULES[schedule](iteration, exploitability) * iteration

    for sample in samples(solver, STEP, set_threshold):
        reached = [target for target in TARGETS[len(found) :] if sample.exploitability <= target]
        found += [[target, sample.iteration, sample.seconds, solver.store.bytes_used / 1e6] for target in reached]
        if sample.seconds >= game.seconds or len(found) == len(TARGETS):
            break
    return found


def measured(game: Game, schedule: str) -> Iterator[Line]:
    """Yield a line for every target that a run reaches."""
    ended = call_alone(run, game, schedule)
    for target, count, seconds, megabytes in ended.json if ended.code == 0 else []:
        numbers = f"{target:g}", f"{count:.0f}", f"{seconds:.1f}", f"{megabytes:.1f}"
        yield RESULTS.line(*game.key, schedule, *numbers)


def wanted() -> list[Wanted]:
    """Return the runs, game by game."""
    return [Wanted((*game.key, name), name, partial(measured, game, name)) for game in MEASURED for name in SCHEDULES]


def table() -> Iterator[str]:
    """Yield the page's table: for every game, the seconds and megabytes to the middle target, by schedule."""
    known, rows = RESULTS.read(), []
    for game in MEASURED:
        at = (known.get((*game.key, schedule, f"{TARGETS[1]:g}")) for schedule in SCHEDULES)
        rows.append([str(game), *(f"{one['seconds']} s, {one['megabytes']} MB" if one else "-" for one in at)])
    return markdown(["game", *SCHEDULES], rows)


PAGE = Page("results.md", {"python benchmarks/growth.py": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()

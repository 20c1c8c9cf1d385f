"""When a minimiser's bounds are computed, and where its run ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

import pytest

from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, RunHistory, WorkerFacts, run


class Improving:
    """A solver whose exploitability is 1 over its number of iterations."""

    workers: tuple[WorkerFacts, ...] = ()
    short = False

    def __init__(self) -> None:
        self.iteration = 0

    def iterate(self, stop: Callable[[], bool]) -> None:
        self.iteration += 1

    def bounds(self) -> Bounds:
        return Bounds(0.0, 2.0 / max(1, self.iteration))


def run_on(step: float, limits: Limits, monkeypatch: pytest.MonkeyPatch) -> RunHistory:
    """Run with a clock that gains so many seconds whenever it is read."""
    clock = count(0.0, step)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    return run(Improving(), limits)


@pytest.mark.parametrize("step", [0.0, 1e-3, 1.0, 60.0])
def test_bounds_after_so_many_iterations_end_a_run_at_the_same_one_on_any_machine(
    step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_on(step, Limits(target=1 / 33, iterations=100, every=10), monkeypatch)
    assert [sample.iteration for sample in history.samples] == [0, 10, 20, 30, 40]
    assert history.ended == "target"


def test_a_target_that_the_time_limit_alone_shows_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    history = run_on(1.0, Limits(target=1 / 3, seconds=30, every=1000), monkeypatch)
    assert history.last.bounds.exploitability <= 1 / 3
    assert history.ended == "time"


@pytest.mark.parametrize("step", [0.0, 1.0, 60.0])
@pytest.mark.parametrize(
    ("factor", "iterations"),
    [(2.0, [0, 1, 2, 4, 8, 16, 32, 50]), (3, [0, 1, 3, 9, 27, 50]), (1.5, [0, 1, 2, 3, 4, 6, 8, 12, 18, 26, 39, 50])],
)
def test_samples_at_the_powers_of_a_factor_are_the_same_in_every_run(
    factor: float, iterations: list[int], step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_on(step, Limits(iterations=50, growth=factor), monkeypatch)
    assert [sample.iteration for sample in history.samples] == iterations
    assert run_on(step, Limits(target=0.1, growth=2), monkeypatch).last.iteration == 16

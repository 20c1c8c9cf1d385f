"""When a minimiser's bounds are computed, and when its run ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from signal import SIGINT

import pytest

from liarsdice_cli.bots import equilibrium
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.tables import match, values
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, RunHistory, WorkerFacts, run
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.studies import safe
from liarsdice_cli.studies.convergence_curves import convergence_curves


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
    """Run with a clock that advances by `step` seconds at each reading."""
    clock = count(0.0, step)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    return run(Improving(), limits)


@pytest.mark.parametrize("step", [0.0, 1e-3, 1.0, 60.0])
def test_bounds_at_a_fixed_interval_end_a_run_at_the_same_iteration_on_any_machine(
    step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_on(step, Limits(target=1 / 33, iterations=100, every=10), monkeypatch)
    assert [sample.iteration for sample in history.samples] == [0, 10, 20, 30, 40]
    assert history.ended == "target"


def test_a_target_first_seen_at_the_time_limit_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    history = run_on(1.0, Limits(target=1 / 3, seconds=30, every=1000), monkeypatch)
    assert history.last.bounds.exploitability <= 1 / 3
    assert history.ended == "time"


@pytest.mark.parametrize("step", [0.0, 1.0, 60.0])
@pytest.mark.parametrize(
    ("factor", "iterations"),
    [(2.0, [0, 1, 2, 4, 8, 16, 32, 50]), (3, [0, 1, 3, 9, 27, 50]), (1.5, [0, 1, 2, 3, 4, 6, 8, 12, 18, 26, 39, 50])],
)
def test_samples_at_powers_of_a_factor_are_the_same_in_every_run(
    factor: float, iterations: list[int], step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_on(step, Limits(iterations=50, growth=factor), monkeypatch)
    assert [sample.iteration for sample in history.samples] == iterations
    assert run_on(step, Limits(target=0.1, growth=2), monkeypatch).last.iteration == 16


@contextmanager
def pressed() -> Iterator[list[int]]:
    """Replace `interrupts.recorded`, as if Ctrl-C had been pressed."""
    yield [SIGINT]


TWO, THREE = rules("common", 2), rules("common", 2, (1, 1, 1))
FINISHED_AT_ONCE = {"method": "dcfr+", "target": 10.0}


@pytest.mark.parametrize(
    "compute",
    [
        lambda: equilibrium.solved.__wrapped__(THREE),
        lambda: ladder.solve(THREE, Request("rounded")),
        lambda: safe.frontier_against(Honest(), TWO, 0),
        lambda: values([TWO], **FINISHED_AT_ONCE),
        lambda: match("common", 2, (1, 1, 1), target=10.0),
    ],
    ids=["equilibrium", "rounded", "safe-exploit", "values", "match"],
)
def test_callers_raise_when_their_run_is_interrupted(compute: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds even if a limit is reached at that moment."""
    monkeypatch.setattr(safe, "EXACT", 0)
    monkeypatch.setattr("liarsdice_cli.solvers.regret.convergence.interrupts.recorded", pressed)
    with pytest.raises(KeyboardInterrupt):
        compute()


def test_no_curve_follows_an_interrupted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.solvers.regret.convergence.interrupts.recorded", pressed)
    found = convergence_curves([TWO], ["cfr", "cfr+"], Request(iterations=1))
    assert [(one.method, one.ended) for one in found] == [("cfr", "interrupt")]


def test_an_interrupt_at_the_target_keeps_the_finished_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.solvers.regret.convergence.interrupts.recorded", pressed)
    found = ladder.solve(TWO, Request(**FINISHED_AT_ONCE))
    assert found.run_history is not None
    assert (found.run_history.ended, found.finished, found.interrupted) == ("target", True, True)

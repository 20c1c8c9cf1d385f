"""`liarsdice solve` by a regret minimiser: targets, limits, bounds, terminal output and interrupts."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.cli.progress import Messages, Nearing
from liarsdice_cli.report.run_history import run_history_lines
from liarsdice_cli.solvers.regret.convergence import Bounds, RunHistory, Sample
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS
from tests.support.command_line import (
    KUHN,
    Ended,
    Terminal,
    document,
    end_by,
    posix,
    run_here,
    start,
    wait_for,
)

VALUE = -1 / 18
ENDLESS = ("solve", "--rules", "common", "--sides", 3, "--method", "cfr", "--target", "1e-9")


def test_a_target_is_reached_and_the_profile_verifies(tmp_path: Path) -> None:
    kept = tmp_path / "profile.json"
    solved: Any = document(run_here("solve", KUHN, "--method", "dcfr+", "--target", "1e-4", "-o", kept, "--json"), "solve")
    assert (solved["method"], solved["arithmetic"], solved["form"]) == ("dcfr+", "float", "extensive")
    assert solved["run_history"]["ended"] == "target"
    verified = document(run_here("verify", KUHN, kept, "--json"), "verify")
    assert verified["exploitability"] <= 1e-4  # type: ignore[operator]
    lower, upper = verified["bounds"]  # type: ignore[misc]
    assert lower - 1e-12 <= VALUE <= upper + 1e-12  # type: ignore[has-type]


@pytest.mark.parametrize("name", MINIMISERS)
def test_json_has_the_run_history_of_every_minimiser(name: str) -> None:
    content: Any = document(run_here("solve", KUHN, "--method", name, "--iterations", 50, "--json"), "solve")
    run_history, (profile,) = content["run_history"], content["profiles"]
    assert (content["method"], content["finished"], profile["equilibrium"], content["reason"]) == (name, True, False, "")
    assert (run_history["iterations"], run_history["ended"]) == (50, "iterations")
    assert [sample[0] for sample in run_history["samples"]][:: len(run_history["samples"]) - 1] == [0, 50]
    assert run_history["proved"][0] == max(sample[2] for sample in run_history["samples"]) <= VALUE
    assert run_history["proved"][1] == min(sample[3] for sample in run_history["samples"]) >= VALUE
    assert profile["bounds"] == pytest.approx(run_history["samples"][-1][2:], abs=1e-12)


def test_other_methods_have_no_run_history() -> None:
    assert document(run_here("solve", KUHN, "--json"), "solve")["run_history"] is None


def test_auto_takes_a_minimiser_if_a_target_is_given() -> None:
    solved: Any = document(run_here("solve", KUHN, "--target", "0.01", "--json"), "solve")
    assert solved["method"] in MINIMISERS
    assert solved["reason"]


def test_a_game_in_a_pipe_is_minimised_and_shown() -> None:
    built = run_here("build", "--rules", "common", "--sides", 3)
    ended = run_here("solve", "-", "--method", "pcfr+", "--target", "1e-3", input=built.out)
    assert (ended.code, ended.err) == (0, "")
    assert "P1 roll 1 opening" in ended.out


@pytest.mark.slow
def test_the_time_limit_ends_a_minimiser_with_its_bounds_and_exit_code_3(tmp_path: Path) -> None:
    kept = tmp_path / "profile.json"
    asked = (*ENDLESS, "--time-limit", 0.1)
    ended = run_here(*asked, "-o", kept)
    assert (ended.code, ended.err) == (3, "")
    assert json.loads(kept.read_text())["schema"] == "liarsdice/profile/1"
    content: Any = document(run_here(*asked, "--json"), "solve")
    assert (content["finished"], content["run_history"]["ended"], len(content["profiles"])) == (False, "time", 1)


def test_an_interrupt_ends_a_minimiser_with_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the signal at the first sample, in this process. The test below sends it from outside."""
    monkeypatch.setattr(Messages, "sample", lambda *_: signal.raise_signal(signal.SIGINT))
    kept = tmp_path / "profile.json"
    ended = run_here(*ENDLESS, "-o", kept, "--json")
    assert ended.code == 130
    assert_ended_by_an_interrupt(ended, kept)


def assert_ended_by_an_interrupt(ended: Ended, kept: Path) -> None:
    content: Any = document(ended, "solve")
    assert (content["finished"], content["run_history"]["ended"]) == (False, "interrupt")
    assert content["run_history"]["proved"][0] <= 4 / 9 <= content["run_history"]["proved"][1]
    assert json.loads(kept.read_text())["sets"] == content["profiles"][0]["probabilities"]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_from_outside_ends_a_minimiser(name: str, tmp_path: Path) -> None:
    terminal, kept = Terminal(), tmp_path / "profile.json"
    process = start(*ENDLESS, "-o", kept, "--json", stderr=terminal.slave)
    wait_for(lambda: terminal.read() or b"1.00e-09" in terminal.text)
    ended = end_by(process, name)
    shown = terminal.close()
    assert "solving by cfr, iteration " in shown
    assert "1.00e-09" in shown
    assert "liarsdice: " not in shown.replace("liarsdice: compiling functions", "")
    assert ended.code == 130
    assert_ended_by_an_interrupt(ended, kept)


def samples(*widths: float) -> list[Sample]:
    """Return samples one second apart, with bounds of the given widths."""
    return [
        Sample(10 * second, second, Bounds(-width / 2, width / 2), Bounds(-width / 2, width / 2))
        for second, width in enumerate(widths)
    ]


def test_the_progress_text_of_a_minimiser() -> None:
    nearing = Nearing()
    said = [nearing(sample, 0.01) for sample in samples(2, 1, 1 / 2, 1 / 3, 1 / 4)]
    assert said[0] == "iteration 0, value -1.000000 to 1.000000, exploitability 1.00e+00, target 1.00e-02"
    assert said[-1].startswith("iteration 40, value -0.125000 to 0.125000, exploitability 1.25e-01, target 1.00e-02 in about ")
    assert Nearing()(samples(1)[0], None) == "iteration 0, value -0.500000 to 0.500000, exploitability 5.00e-01"


@pytest.mark.parametrize("number", [1 / 3, -1 / 3, 1e-300 / 3, 12345678901.5, 0.0, -1e15 / 7, 0.9999999999999])
def test_printed_bounds_are_rounded_outward(number: float) -> None:
    (sample,) = samples(1)
    bounds = Bounds(number, number)
    *_, line = run_history_lines(RunHistory((Sample(0, 0.0, bounds, bounds), Sample(1, 1.0, sample.bounds, bounds)), "time"))
    lower, upper = map(float, line.partition("lies from ")[2].split(" to "))
    assert lower <= number <= upper
    assert upper - lower <= 2e-9 * abs(number)


@pytest.mark.parametrize("option", [("--target", 0.1), ("--iterations", 2), ("--tremble", 0.1)])
def test_the_reason_for_a_minimiser_fits_every_option(option: tuple[str, object]) -> None:
    ended = run_here("solve", "--sides", 2, "--time-limit", 2, *option)
    words = " ".join(ended.out.split())
    assert "the default minimiser for a target, a number of iterations or a tremble" in words

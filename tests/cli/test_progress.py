"""The progress display: only on a terminal, after a short delay, and erased at the end."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

import pytest

from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.cli import prepare
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.cli.progress import display
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.regret.convergence import Bounds, Sample
from liarsdice_cli.studies.self_play import self_play
from liarsdice_cli.studies.worst_case import worst_case
from liarsdice_cli.system import compilation
from tests.support.command_line import PENNIES, run_here, wait_for


class Screen(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.cli.progress._MOMENT", 0.0)  # a delay is slow and unreliable
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")


def assert_taken_away(shown: str) -> None:
    """Assert that the display ends by moving the cursor up and erasing the line."""
    assert shown.endswith("\x1b[1A\x1b[2K")


def test_a_progress_bar_shows_the_share_that_is_done() -> None:
    with redirect_stderr(Screen()) as screen, display(quiet=False) as progress:
        progress.begin("writing game.efg\x1b[2J", 10)
        wait_for(lambda: "writing game.efg" in screen.getvalue(), 60)
        progress.advance(4)
        progress.advance()
    shown = screen.getvalue()
    assert "writing game.efg" in shown
    assert " 50 %" in shown
    assert "\x1b[2J" not in shown
    assert_taken_away(shown)


def test_work_without_a_known_end_shows_what_it_has_reached() -> None:
    bounds = Bounds(0.25, 0.5)
    with redirect_stderr(Screen()) as screen, display(False, "solving", "profiles") as progress:
        wait_for(lambda: "solving; Ctrl-C ends it" in screen.getvalue(), 60)
        progress.advance()
        wait_for(lambda: "solving, 1 profile; Ctrl-C ends it" in screen.getvalue(), 60)
        progress.advance()
        wait_for(lambda: "solving, 2 profiles; Ctrl-C ends it" in screen.getvalue(), 60)
        progress.sample(Sample(7, 1.0, bounds, bounds), None)
    assert "solving, iteration 7, value 0.250000 to 0.500000" in screen.getvalue()
    assert_taken_away(screen.getvalue())


def test_a_second_stage_shows_its_own_progress() -> None:
    with redirect_stderr(Screen()) as screen, display(False, "solving") as progress:
        progress.advance()
        progress.begin("writing", 10)
        wait_for(lambda: "writing" in screen.getvalue(), 60)
        progress.advance(10)
    assert "100 %" in screen.getvalue()


@pytest.mark.parametrize(("quiet", "stream"), [(True, Screen), (False, io.StringIO)])
def test_no_progress_is_shown_if_quiet_or_without_a_terminal(quiet: bool, stream: type[io.StringIO]) -> None:
    with (
        redirect_stderr(stream()) as shown,
        display(quiet, "solving") as progress,
    ):
        progress.begin("writing", 10)
        progress.advance(5)
        assert shown.getvalue() == ""
        progress.message("no space is left")
        progress.note("the memory is full")
    note = "" if quiet else "liarsdice: the memory is full\n"
    assert shown.getvalue() == f"liarsdice: no space is left\n{note}"


def test_messages_are_printed_above_the_stage() -> None:
    with redirect_stderr(Screen()) as screen, display(False, "solving") as progress:
        wait_for(lambda: "solving; Ctrl-C ends it" in screen.getvalue(), 60)
        print_message("compiling functions")
        progress.message("the memory is full [bold]")
    for message in ("compiling functions", "the memory is full [bold]"):
        before, _, after = screen.getvalue().partition(f"liarsdice: {message}\n")
        assert before.endswith(("\n", "\r\x1b[2K")), "the stage is taken away first"
        assert "solving; Ctrl-C ends it" in after


def test_a_message_after_the_stage_is_a_line_of_its_own() -> None:
    with redirect_stderr(Screen()) as screen:
        with display(False, "solving"):
            wait_for(lambda: "solving; Ctrl-C ends it" in screen.getvalue(), 60)
        print_message("done")
    assert screen.getvalue().endswith("\x1b[2Kliarsdice: done\n")


def test_prepare_does_not_advise_running_prepare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.cli.prepare._steps", lambda: iter((compilation.started,)))
    with redirect_stderr(Screen()) as screen:
        assert prepare.command.main([], standalone_mode=False) == 0
    assert "liarsdice prepare" not in screen.getvalue()


class Stages(Progress):
    """Records the names of all stages."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def begin(self, what: str, total: int | None = None, unit: str = "") -> None:
        self.begun.append(what)


def test_files_are_read_and_evaluated_in_stages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stages, asked = Stages(), []

    @contextmanager
    def shown(quiet: bool, what: str = "", unit: str = "") -> Iterator[Progress]:
        asked.append(quiet)
        yield stages

    profile = tmp_path / "profile.json"
    assert run_here("solve", PENNIES, "-o", profile).code == 0
    monkeypatch.setattr("liarsdice_cli.cli.progress.display", shown)
    monkeypatch.setattr("liarsdice_cli.cli.verify.display", shown)
    assert run_here("verify", PENNIES, profile, "-q").code == 0
    assert run_here("show", PENNIES, "opening", "--profile", profile).code == 0
    assert stages.begun == 2 * [f"reading {PENNIES}", f"evaluating {profile}"]
    assert asked == [True, False]


@pytest.mark.parametrize(("dice", "study"), [((1, 1), worst_case), ((1, 1, 1), self_play)])
def test_a_bot_that_solves_the_game_is_checked_within_a_stage(dice: tuple[int, ...], study: type) -> None:
    stages, begun = Stages(), []

    class Slow(Honest):
        def check(self, rules: Rules) -> None:
            begun.append([*stages.begun])

    study(Slow(), rules("common", 2, dice), stages)
    assert begun[0] == [f"evaluating {Slow().name}"]

"""What goes on while something takes long: on a terminal only, after a moment, and gone in the end."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import pytest

from liarsdice_cli.cli import progress
from tests.support.command_line import wait_for


class Screen(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_MOMENT", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")


def assert_taken_away(shown: str) -> None:
    """Lines up to which the cursor goes back are deleted."""
    assert shown.endswith("\x1b[1A\x1b[2K")


def test_a_bar_says_how_much_is_done() -> None:
    with redirect_stderr(Screen()) as screen, progress.progress("writing game.efg\x1b[2J", 10, quiet=False) as advance:
        advance(4)
        advance(1)
    shown = screen.getvalue()
    assert "writing game.efg" in shown
    assert " 50 %" in shown
    assert "\x1b[2J" not in shown
    assert_taken_away(shown)


def test_what_has_no_known_end_says_what_it_has_come_to() -> None:
    with redirect_stderr(Screen()) as screen, progress.waiting("solving", quiet=False) as say:
        wait_for(lambda: "solving; Ctrl-C ends it" in screen.getvalue(), 60)
        say("0.25 to 0.5")
    assert "solving, 0.25 to 0.5; Ctrl-C ends it" in screen.getvalue()
    assert_taken_away(screen.getvalue())


@pytest.mark.parametrize(("quiet", "stream"), [(True, Screen), (False, io.StringIO)])
def test_nothing_is_shown_to_whom_it_is_of_no_use(quiet: bool, stream: type[io.StringIO]) -> None:
    with (
        redirect_stderr(stream()) as shown,
        progress.progress("writing", 10, quiet) as advance,
        progress.waiting("solving", quiet) as say,
    ):
        advance(5)
        say("nothing")
    assert shown.getvalue() == ""

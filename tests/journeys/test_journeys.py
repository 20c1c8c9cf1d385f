"""Run the first ten minutes of three kinds of users in a terminal of 80 columns, and open the pages that they write.

In a script, `$` begins a command line, `#` after it gives an exit code other than 0, and `>` begins a line that is typed into
the command. Every line must fit the terminal, an error must begin with `liarsdice: `, and there must be no traceback. The
screens are kept in build/journeys for a person to look at.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.command_line import environment
from tests.support.processes import popen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

Told = list[tuple["Step", int, str]]
"""Every step of a journey, its exit code, and its screen."""
HERE = Path(__file__).parent
SCREENS = HERE.parents[1] / "build" / "journeys"
COLUMNS, SECONDS = 80, 300
QUESTIONS = (b"bid: ", b"or call: ", b"roll? ", b"others' dice: ", b"next round: ")
"""The prompts after which a line is typed."""
JOURNEYS = sorted(path.stem for path in HERE.glob("*.txt"))


class Step(NamedTuple):
    """A command line, its expected exit code, and the lines typed into it."""

    command: str
    code: int
    typed: list[str]


def steps(name: str) -> Iterator[Step]:
    found: list[Step] = []
    for line in (HERE / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("$ "):
            command, _, code = line[2:].partition("  # ")
            found.append(Step(command, int(code or 0), []))
        elif line.startswith("> "):
            found[-1].typed.append(line[2:])
    yield from found


class Terminal:
    """A command in a pseudo-terminal, and all of its output."""

    def __init__(self, command: str, folder: Path) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        shell = command.replace("liarsdice ", f"{sys.executable} -m liarsdice_cli ", 1)
        known = environment(NO_COLOR="1")
        self.process = popen(["/bin/sh", "-c", shell], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=known)
        os.close(theirs)
        self.shown = b""

    def until(self, *texts: bytes) -> None:
        """Read until one of these texts is printed, or to the end."""
        start, end = len(self.shown), time.monotonic() + SECONDS
        while not any(text in self.shown[start:] for text in texts):
            assert time.monotonic() < end, self.shown[-2000:]
            if not select.select([self.ours], [], [], 1)[0]:
                continue
            try:
                piece = os.read(self.ours, 1 << 16)
            except OSError:  # how Linux reports the end
                piece = b""
            if not piece:
                return
            self.shown += piece

    def type(self, line: str) -> None:
        os.write(self.ours, line.encode() + b"\n")

    def ended(self) -> int:
        self.until()
        os.close(self.ours)
        return self.process.wait(SECONDS)


def screen(shown: bytes) -> str:
    """Return the final screen, without control sequences; an overwritten line has its last content."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "replace")).replace("\r\n", "\n")
    return "\n".join(line.rsplit("\r", 1)[-1] for line in text.split("\n"))


@pytest.fixture(scope="module", params=JOURNEYS)
def journey(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Told]:
    folder, told = tmp_path_factory.mktemp(request.param), []
    for step in steps(request.param):
        terminal = Terminal(step.command, folder)
        for line in step.typed:
            terminal.until(*QUESTIONS)
            if terminal.process.poll() is None:
                terminal.type(line)
        code = terminal.ended()
        told.append((step, code, screen(terminal.shown)))
    SCREENS.mkdir(parents=True, exist_ok=True)
    words = "\n".join(f"$ {step.command}\n{shown}" for step, _, shown in told)
    (SCREENS / f"{request.param}.txt").write_text(words, "utf-8")
    return request.param, folder, told


@pytest.mark.slow
def test_every_step_ends_with_the_expected_exit_code(journey: tuple[str, Path, Told]) -> None:
    for step, code, shown in journey[2]:
        assert code == step.code, (step.command, shown[-1000:])
        assert "Traceback" not in shown
        assert shown.strip() or " -o " in step.command
        if step.code:
            said = [line for line in shown.splitlines() if line.strip()]
            assert said[0].startswith("liarsdice: "), shown


@pytest.mark.slow
def test_no_line_is_wider_than_the_terminal(journey: tuple[str, Path, Told]) -> None:
    for step, _, shown in journey[2]:
        wide = [line for line in shown.splitlines() if len(line) > COLUMNS]
        assert not wide, (step.command, wide[:3])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_the_screen_without_errors(journey: tuple[str, Path, Told], chromium: Any, width: int, scheme: str) -> None:
    name, folder, _ = journey
    pages = sorted(folder.glob("*.html"))
    if not pages:
        pytest.skip("this reader opens no page")
    for path in pages:
        page, errors = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme), []
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        page.on("console", lambda said, errors=errors: errors.append(said.text) if said.type == "error" else None)
        page.goto(path.as_uri())
        page.wait_for_load_state("load")
        page.screenshot(path=str(SCREENS / f"{name}-{path.stem}-{width}-{scheme}.png"), full_page=True)
        assert not errors
        if path.stem == "explorer":
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_there_are_three_journeys() -> None:
    assert JOURNEYS == ["player", "researcher", "student"]
    assert all(len(list(steps(name))) >= 9 for name in JOURNEYS)

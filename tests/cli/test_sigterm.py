"""SIGTERM ends a command promptly while it writes, reads or serves, and no file is left behind. `solve` finishes its file."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from liarsdice_cli.formats import writing
from liarsdice_cli.formats.writing import write
from tests.support.command_line import posix, run_here, start, wait_for
from tests.support.properties import mostly_slow

pytestmark = posix


def started(*arguments: object) -> subprocess.Popen[bytes]:
    return start(*arguments, stdin=subprocess.PIPE)


def assert_ends(process: subprocess.Popen[bytes]) -> None:
    """Assert that SIGTERM ends the process. Its output stays unread, which exposes a process that waits for a reader."""
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 130
    assert process.stderr is not None
    assert process.stderr.read() == b"liarsdice: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game.efg.gz", "game.efg"])
def test_sigterm_while_writing_a_file(name: str, tmp_path: Path) -> None:
    process = started("build", "--sides", 5, "-o", tmp_path / name)
    wait_for(lambda: any(path.stat().st_size for path in tmp_path.iterdir()))
    assert_ends(process)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("signals", "files"), [(1, ["game.json"]), (2, [])])
def test_a_solution_is_lost_to_the_second_interrupt_only(
    signals: int, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_interrupted(*arguments: object, **options: object) -> None:
        for _ in range(signals):
            signal.raise_signal(signal.SIGINT)
        write(*arguments, **options)

    monkeypatch.setattr(writing, "write", write_interrupted)
    ended = run_here("solve", "--sides", 2, "-o", tmp_path / "game.json")
    assert (ended.code, "value" in ended.out) == (130, bool(files))
    assert [path.name for path in tmp_path.iterdir()] == files


@pytest.mark.slow
def test_sigterm_while_writing_to_an_unread_pipe() -> None:
    process = started("build", "--sides", 5)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"E"
    assert_ends(process)


@pytest.mark.parametrize("command", mostly_slow(["solve", "info"]))
def test_sigterm_while_reading_endless_input(command: str) -> None:
    process = started(command, "-")
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)  # more than a pipe holds, so the command is reading it
    process.stdin.flush()
    assert_ends(process)


@pytest.mark.slow
def test_sigterm_while_serving() -> None:
    process = started("explore", "--sides", 2, "--serve")
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"http://")
    assert_ends(process)

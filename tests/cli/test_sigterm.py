"""Asked to end, every command does so at once, in the midst of writing, reading or serving, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import posix, start, wait_for
from tests.support.properties import mostly_slow

pytestmark = posix


def started(*arguments: object) -> subprocess.Popen[bytes]:
    return start(*arguments, stdin=subprocess.PIPE)


def assert_ends(process: subprocess.Popen[bytes]) -> None:
    """Its output is left unread, so that whoever waits for a reader shows."""
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 130
    assert process.stderr is not None
    assert process.stderr.read() == b"liarsdice: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game.efg.gz", "game.efg"])
def test_in_the_midst_of_a_file(name: str, tmp_path: Path) -> None:
    process = started("build", "--sides", 5, "-o", tmp_path / name)
    wait_for(lambda: any(path.stat().st_size for path in tmp_path.iterdir()))
    assert_ends(process)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_in_the_midst_of_a_pipe_that_nobody_reads() -> None:
    process = started("build", "--sides", 5)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"E"
    assert_ends(process)


@pytest.mark.parametrize("command", mostly_slow(["solve", "info"]))
def test_in_the_midst_of_input_that_does_not_end(command: str) -> None:
    process = started(command, "-")
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)  # more than a pipe holds: it is being read
    process.stdin.flush()
    assert_ends(process)


@pytest.mark.slow
def test_while_serving() -> None:
    process = started("explore", "--sides", 2, "--serve")
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"http://")
    assert_ends(process)

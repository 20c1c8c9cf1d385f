"""Test child processes: their standard error is passed on up to a limit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection

import pytest

from liarsdice_cli.system.processes import Child, Complaints, LastWords, _deaf
from tests.support.command_line import posix


def complain(connection: Connection, size: int) -> None:
    """Run in a child: write `size` bytes to the descriptor and a line through Python, then send a message."""
    for _ in range(size // 100):
        os.write(2, b"-" * 99 + b"\n")
    print("the last word", file=sys.stderr, flush=True)
    connection.send("said")


def interrupted(connection: Connection) -> None:
    """Run in a child: raise what a signal handler may raise."""
    raise KeyboardInterrupt


def starts_another(connection: Connection) -> None:
    """Run in a daemonic child: start another child."""
    child = Child(complain, 0, complaints=LastWords())
    connection.send(child.connection.recv())
    child.close()


def said(complaints: Complaints | None, size: int, capfd: pytest.CaptureFixture[str]) -> str:
    child = Child(complain, size, complaints=complaints)
    assert child.connection.recv() == "said"
    child.close()
    return str(capfd.readouterr().err)


@pytest.mark.slow
@pytest.mark.parametrize("complaints", [Complaints("a bot"), None])
def test_the_standard_error_of_a_process_is_passed_on(complaints: Complaints | None, capfd: pytest.CaptureFixture[str]) -> None:
    text = said(complaints, 1000, capfd)
    assert text.count("-") == 990
    assert text.endswith("the last word\n")


@posix
@pytest.mark.slow
def test_too_much_standard_error_is_dropped_and_does_not_block(capfd: pytest.CaptureFixture[str]) -> None:
    complaints = Complaints("a bot", 5000)
    text = said(complaints, 10**6, capfd)
    assert text.count("-") == 4950
    assert text.splitlines()[-1] == "liarsdice: a bot writes too much to standard error; the rest is dropped"
    assert said(complaints, 1000, capfd) == ""  # the limit includes the next process of the same bot


def ends_with(connection: Connection, code: int) -> None:
    """Run in a child: send a message, write two lines on standard error, and end with an exit code."""
    connection.send("message")
    os.write(2, b"one\nlast words\n")
    os._exit(code)


def test_the_exit_code_and_the_messages_of_an_ended_process_are_available() -> None:
    errors = LastWords(20)
    child = Child(ends_with, 3, complaints=errors, main=False)
    assert child.wait() == 3
    assert child.connection.recv() == "message"
    if sys.platform != "win32":
        assert errors.text == "one\nlast words\n"
    child.close()


def test_a_process_can_start_another() -> None:
    child = Child(starts_another)
    assert child.connection.recv() == "said"
    child.close()


@pytest.mark.slow
def test_an_interrupted_process_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    child = Child(interrupted)
    with pytest.raises((EOFError, OSError)):
        child.connection.recv()
    child.close()
    assert capfd.readouterr() == ("", "")


@posix
def test_an_interrupt_while_a_child_starts_is_deferred():
    went_on = []

    def start_one():
        with _deaf():
            signal.raise_signal(signal.SIGINT)
            went_on.append(True)

    with pytest.raises(KeyboardInterrupt):
        start_one()
    assert went_on
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


_INTERRUPTED = """
import os, signal, sys
from multiprocessing.context import SpawnProcess
from liarsdice_cli.system import interrupts
from liarsdice_cli.system.local_cluster import LocalWorker

def start_and_interrupt(process, start=SpawnProcess.start):
    start(process)
    print(process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

SpawnProcess.start = start_and_interrupt
interrupts.interrupt_on_termination()
try:
    LocalWorker(dict, ())
except KeyboardInterrupt as error:
    kept = error  # as a caller may, and with it the worker's connection
    sys.exit(130)
"""


@posix
def test_an_interrupt_while_a_worker_starts_leaves_no_process() -> None:
    ended = subprocess.run([sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (130, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)

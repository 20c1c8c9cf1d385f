"""Child processes, which end with this process and ignore Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from liarsdice_cli.system import interrupts

_LAST_WORDS = 1.0
"""Seconds to read on from the standard error of an ended process; its own children may keep it open."""


def cores() -> int:
    """Return the number of processors that this process may use, or of all processors if the system does not say."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with(parent: int) -> None:
    """End this process with its parent, even if no thread of this process runs; only on Linux.

    The thread that started this process counts as the parent.
    """
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the call
            os._exit(1)


class Complaints:
    """Copies the standard error of child processes to ours, up to a limit; then one line says that the rest is dropped.

    name : the name of the processes in that line
    most : the limit in bytes, for all processes that share the object
    """

    def __init__(self, name: str, most: int = 1 << 16) -> None:
        self.name, self.left = name, most

    def pass_on(self, said: bytes) -> None:
        """Copy the part within the limit."""
        if self.left < 0:
            return
        told, self.left = said[: self.left], self.left - len(said)
        if self.left < 0:
            told += f"\nliarsdice: {self.name} says too much on standard error; the rest is dropped\n".encode()
        with suppress(OSError):
            os.write(2, told)


class Child:
    """A child process that runs `work(connection, *arguments)`, and our end of the connection.

    work, arguments : a function that can be imported, and arguments that can be pickled
    daemon          : False for a process that starts processes
    complaints      : limits its standard error, which is otherwise ours (on Windows it always is)
    """

    def __init__(
        self, work: Callable[..., None], *arguments: Any, daemon: bool = True, complaints: Complaints | None = None
    ) -> None:
        context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
        self.connection, theirs = context.Pipe()
        heard, spoken = (None, None) if complaints is None or sys.platform == "win32" else context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(work, theirs, spoken, *arguments), daemon=daemon)
        with _deaf():
            self._process.start()
        theirs.close()
        self._listener = threading.Thread(target=_listen, args=(heard, complaints), daemon=True)
        if spoken is not None:
            spoken.close()
            self._listener.start()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.connection.close()
        if self._listener.ident is not None:
            self._listener.join(_LAST_WORDS)


def _listen(heard: Connection, complaints: Complaints) -> None:
    """Read the standard error of a process until it and its children have ended."""
    with heard:
        while said := os.read(heard.fileno(), 1 << 16):
            complaints.pass_on(said)


def _run(work: Callable[..., None], connection: Connection, spoken: Connection | None, *arguments: Any) -> None:
    """Run the work in the child, which ends with its parent and prints nothing to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _block_interrupts(False)
    threading.Thread(target=_watch, daemon=True).start()
    if spoken is not None:
        os.dup2(spoken.fileno(), 2)
        spoken.close()
    with suppress(OSError):
        os.dup2(2, 1)
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):  # closed, or terminated by a signal
        work(connection, *arguments)


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _deaf() -> Iterator[None]:
    """Block Ctrl-C for children that start within the block; only the main thread can do so.

    A Ctrl-C within the block is raised again at its end, since ignoring it would lose it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with interrupts.recorded() as came:
        _block_interrupts(True)
        try:
            yield
        finally:
            _block_interrupts(False)
    if came:
        signal.raise_signal(came[0])  # handled as outside the block


def _block_interrupts(blocked: bool) -> None:
    """Block or unblock Ctrl-C for this thread and the children that it starts; nothing on Windows."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK, [signal.SIGINT])

"""Processes of our own: work beside this one, which ends with it and never hears the terminal's Ctrl-C."""

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


class Child:
    """A process that runs `work(connection, *arguments)`, and our end of a connection to it.

    work, arguments : a function that can be imported, and what can be pickled
    daemon          : False for a process that starts others
    """

    def __init__(self, work: Callable[..., None], *arguments: Any, daemon: bool = True) -> None:
        context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_run, args=(work, theirs, *arguments), daemon=daemon)
        with _deaf():
            self._process.start()
        theirs.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def _run(work: Callable[..., None], connection: Connection, *arguments: Any) -> None:
    """The child: ends with its parent, and prints nothing where data belongs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, daemon=True).start()
    with suppress(OSError):
        os.dup2(2, 1)
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent has closed the connection
        work(connection, *arguments)


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _deaf() -> Iterator[None]:
    """A child that starts in here ignores Ctrl-C from its first moment; only the main thread can arrange for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

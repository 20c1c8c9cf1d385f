"""Handle Ctrl-C and requests to terminate at points where the work can stop."""

from __future__ import annotations

import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TERMINATION: tuple[signal.Signals, ...] = (signal.SIGTERM,)
if sys.platform != "win32":
    TERMINATION += (signal.SIGHUP,)
"""The signals that ask a process to terminate."""


def interrupt_on_termination() -> None:
    """Let requests to terminate raise KeyboardInterrupt, as Ctrl-C does. Signals ignored under `nohup` stay ignored."""
    for number in TERMINATION:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def wait_for_input(file: int) -> None:
    """Wait until a file descriptor can be read, and handle interrupts at least once a second; on Windows return at once.

    A read that waits can miss a signal that arrives just before it. Raises ValueError for a descriptor above a thousand.
    """
    if sys.platform != "win32":
        while not select.select([file], [], [], 1)[0]:
            pass


@contextmanager
def recorded() -> Iterator[list[int]]:
    """Yield a list that receives the first Ctrl-C or request to terminate; the second one raises KeyboardInterrupt."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def note(number: int, frame: object) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *TERMINATION)}
    heeded = [
        number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)
    ]  # stay ignored under `nohup`
    for number in heeded:
        signal.signal(number, note)
    try:
        yield received
    finally:
        for number in heeded:
            signal.signal(number, before[number])


@contextmanager
def deferred() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block for the first Ctrl-C or request to terminate, at once for the second.

    Use it around code that does not survive an interrupt: an interrupted compiler loses it or hangs.
    """
    with recorded() as received:
        yield
    if received:
        raise KeyboardInterrupt

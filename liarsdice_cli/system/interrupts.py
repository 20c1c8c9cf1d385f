"""Ctrl-C, and polite requests to end, heeded where the work can be left."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

POLITE: tuple[signal.Signals, ...] = (signal.SIGTERM,)
if sys.platform != "win32":
    POLITE += (signal.SIGHUP,)
"""The signals that ask a process to end."""


def heed_requests() -> None:
    """From now on a polite request to end cleans up as Ctrl-C does, unless it is ignored, as `nohup` wishes."""
    for number in POLITE:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


@contextmanager
def noted() -> Iterator[list[int]]:
    """Yields a list that Ctrl-C, or a polite request to end, fills instead of raising; the second one raises."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def note(number: int, frame: object) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *POLITE)}
    heeded = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]  # `nohup` has its own wish
    for number in heeded:
        signal.signal(number, note)
    try:
        yield came
    finally:
        for number in heeded:
            signal.signal(number, before[number])


@contextmanager
def put_off() -> Iterator[None]:
    """Ctrl-C, or a polite request to end, is heeded at the end of the block; the second one at once.

    For code of others that cannot be left halfway: a compiler that is interrupted loses the interrupt, or never ends.
    """
    with noted() as came:
        yield
    if came:
        raise KeyboardInterrupt

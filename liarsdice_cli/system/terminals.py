"""What a terminal does with keys that nobody has asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":

    @contextmanager
    def unheard() -> Iterator[None]:
        """Keys that are pressed meanwhile are shown by Windows only when they are read."""
        yield

else:
    import termios

    @contextmanager
    def unheard() -> Iterator[None]:
        """Keys that are pressed meanwhile are not shown, which would tear what is drawn, and answer nothing that comes after.

        Ctrl-C still ends. Does nothing where standard input is no terminal.
        """
        if not sys.stdin.isatty():
            yield
            return
        place = sys.stdin.fileno()
        before = termios.tcgetattr(place)
        silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
        termios.tcsetattr(place, termios.TCSANOW, silent)
        try:
            yield
        finally:
            termios.tcsetattr(place, termios.TCSAFLUSH, before)

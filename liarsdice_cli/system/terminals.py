"""Keys that are pressed while the program computes: hide them, then keep them for the next question or drop them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_kept = ""
"""Text that was typed while the program computed and that no question has used yet."""


def typed_ahead() -> tuple[str, bool]:
    """Remove and return the next text that `hidden_keys` kept, and whether it is a whole line.

    A line has no end character. After the last whole line, the text is the beginning of an unfinished line, or "".
    """
    global _kept
    line, end, rest = _kept.partition("\n")
    _kept = rest
    return line, bool(end)


if sys.platform == "win32":

    @contextmanager
    def hidden_keys(keep: bool = False) -> Iterator[None]:
        """Do nothing: Windows keeps the keys that are pressed meanwhile, and shows them when they are read."""
        yield

else:
    import os
    import termios

    @contextmanager
    def hidden_keys(keep: bool = False) -> Iterator[None]:
        """Suppress the echo of keys, which would disturb the drawing.

        keep : keep the keys for `typed_ahead`; otherwise drop them, so that they do not answer a later question

        Ctrl-C still interrupts. Does nothing if standard input is not a terminal.
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
            if keep:
                _keep(place, silent)
            termios.tcsetattr(place, termios.TCSANOW if keep else termios.TCSAFLUSH, before)

    def _keep(place: int, silent: list[object]) -> None:
        """Read all that has been typed, the beginning of a line included, and keep it."""
        global _kept
        flags, keys = silent[3], list(silent[6])  # type: ignore[call-overload]
        keys[termios.VMIN], keys[termios.VTIME] = 0, 0  # reading does not wait
        termios.tcsetattr(place, termios.TCSANOW, [*silent[:3], flags & ~termios.ICANON, *silent[4:6], keys])  # type: ignore[operator]
        typed = b""
        while piece := os.read(place, 4096):
            typed += piece
        _kept += typed.replace(b"\0", b"").decode(sys.stdin.encoding or "utf-8", "replace")

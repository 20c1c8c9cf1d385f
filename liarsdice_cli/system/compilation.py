"""A message when numba compiles a function. That takes some seconds in the first run after an installation."""

from __future__ import annotations

from collections.abc import Callable

_announce: Callable[[], None] | None = None


def announce_by(announce: Callable[[], None] | None) -> None:
    """Call a function when the first function is compiled, not if its code is in the cache; None for no call."""
    global _announce
    _announce = announce


def started() -> None:
    """Announce that a function is being compiled, once."""
    global _announce
    announce, _announce = _announce, None
    if announce is not None:
        announce()

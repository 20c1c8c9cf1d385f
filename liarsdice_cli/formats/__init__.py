"""One file a format: games and profiles as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

REGISTERED: list[Callable[[], Iterable[Any]]] = []
"""The functions that load the formats of rooms above this one, rows of `registry.Format`."""


def register(load: Callable[[], Iterable[Any]]) -> None:
    """Register a function that loads formats for `registry.table`. It is called when the table is read, not before."""
    REGISTERED.append(load)

"""Games, profiles and strategies as files, with one module for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

REGISTERED: list[Callable[[], Iterable[Any]]] = []
"""The functions that load the formats of higher packages, rows of `registry.Format`."""
WRITERS: list[Callable[[], object]] = []
"""The functions that import the modules of higher packages that register writers (`writing.writes`)."""


def register(load: Callable[[], Iterable[Any]]) -> None:
    """Register a function that loads formats for `registry.table`. It is called when the table is read, not before."""
    REGISTERED.append(load)


def register_writers(load: Callable[[], object]) -> None:
    """Register a function that imports writers. It is called when `writing.write` has no writer for a type yet."""
    WRITERS.append(load)

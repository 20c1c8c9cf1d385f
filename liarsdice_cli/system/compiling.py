"""Functions compiled by numba when they are first called, and kept on disk for the next time.

Compiling takes seconds, so what is kept matters; but whatever is wrong with the place or with what is kept there, a function
must run. numba looks at a kept index before it sees whether it belongs to the source, and fails at names that are gone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"reassoc", "contract", "nsz", "arcp"},  # nothing that forgets infinities and what is no number
    "error_model": "numpy",
}


def compiled(function: _Function) -> _Function:
    """The function, compiled for every kind of argument that it meets; other threads run meanwhile.

    What was compiled is kept beside the source or in the user's cache folder; where neither can be written, or what is
    there cannot be used, it is compiled anew.
    """
    try:
        dispatcher: Any = njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # nowhere to keep it
        dispatcher = njit(**_OPTIONS)(function)
    else:
        _forget_the_unreadable(dispatcher)
    result: _Function = dispatcher
    return result


def inlined(function: _Function) -> _Function:
    """A function that becomes part of each place in compiled functions that calls it."""
    result: _Function = njit(inline="always", **_OPTIONS)(function)
    return result


def _forget_the_unreadable(dispatcher: Any) -> None:
    """Drop the index of kept code if it cannot be read, as after a change of the names in it."""
    cache = dispatcher._cache
    try:
        cache._cache_file._load_index()
    except Exception:
        with suppress(Exception):
            cache.flush()

"""Arrays that grow."""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from typing import Any

import numpy as np

from liarsdice_cli.system.memory import size

_MAPPED, _HUGE = 1 << 20, 1 << 24
"""Arrays of at least this many bytes get memory of their own from the system, and large pages. The last page of an array is
half empty on average."""


def longer(array: Any, length: int) -> Any:
    """Return the array with room for `length` rows, or itself if it has that room; MemoryError without such memory.

    New zeros are not written, so that they take no memory yet.

    >>> longer(np.array([[1, 2]]), 2).tolist()
    [[1, 2], [0, 0]]
    """
    if length <= len(array):
        return array
    found = _zeros((length, *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found


def _zeros(shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    """Return an array of zeros. A large one leaves nothing behind when it is freed.

    C libraries keep freed arrays of several megabytes for later ones. While many arrays grow in turn, these do not fit, so that
    a fifth of the memory can be of no use.
    """
    needed = int(np.prod(shape)) * kind.itemsize
    if needed < _MAPPED or sys.platform == "win32":  # Windows gives a large array memory of its own anyway
        return np.zeros(shape, kind)
    try:
        memory = mmap.mmap(-1, needed, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"no memory for {size(needed)}") from error
    if needed >= _HUGE and sys.platform == "linux":
        with suppress(OSError):  # the system may have no large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, kind).reshape(shape)

"""Which machine this is, in names of files that several machines may see."""

from __future__ import annotations

import os
import platform
import zlib
from contextlib import suppress
from functools import cache

DIGITS = 8
"""The digits of `machine`."""


@cache
def machine() -> str:
    """Return eight hexadecimal digits that stand for this machine, so that its leftover files are told from those of others.

    Containers count as machines of their own, even under their host's name: each numbers its processes for itself.
    """
    return f"{zlib.crc32(f'{platform.node()} {_process_space()}'.encode()):0{DIGITS}x}"


def _process_space() -> str:
    """Return the name of the namespace in which this process has its number; only Linux has several."""
    with suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return ""

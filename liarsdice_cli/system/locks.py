"""Tell whether the writer of a file still runs: locks on open files, and the machine in a file's name.

A lock belongs to the process that has the file open, and the system releases it however that process ends. Windows has no such
locks, but it neither moves nor removes an open file, which serves the same purpose.
"""

from __future__ import annotations

import os
import platform
import sys
import zlib
from contextlib import suppress
from functools import cache
from typing import BinaryIO

DIGITS = 8
"""The digits of `machine`."""

if sys.platform == "win32":
    LOCKS = False

    def lock(file: BinaryIO) -> None:
        """Do nothing: an open file is protected without a lock."""

else:
    import fcntl

    LOCKS = True
    """Whether the system has locks and can move open files."""

    def lock(file: BinaryIO) -> None:
        """Lock a file until it is closed.

        Raises BlockingIOError if another process holds the lock, another OSError if the file system has no locks.
        """
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@cache
def machine() -> str:
    """Return eight hexadecimal digits that stand for this machine, for the names of files that several machines may see.

    A container counts as a machine of its own, even under its host's name, because it numbers its own processes.
    """
    return f"{zlib.crc32(f'{platform.node()} {_process_space()}'.encode()):0{DIGITS}x}"


def _process_space() -> str:
    """Return the name of the namespace that numbers this process; only Linux has several."""
    with suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return ""

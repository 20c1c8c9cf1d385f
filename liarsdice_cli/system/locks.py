"""Locks on open files, by which a process knows that the writer of a file is gone; Windows keeps order in another way.

Everywhere but on Windows a lock belongs to whoever has the file open, and the system takes it back however that process ends;
and an open file can be moved and removed. Windows has no such locks, but there nobody can move or remove what is open.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    LOCKS = False

    def lock(file: BinaryIO) -> None:
        """Nothing needs to be done: that the file is open is as good."""

else:
    import fcntl

    LOCKS = True
    """Whether there are locks, and open files can be moved."""

    def lock(file: BinaryIO) -> None:
        """Lock a file until it is closed.

        Raises BlockingIOError if another has its lock, another OSError where the file system knows no locks.
        """
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

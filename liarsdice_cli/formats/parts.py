"""Files in the making: each is written beside its place, as a part file, and moved there when it is whole.

A writer that is killed leaves its part file behind, and the next writer to the same place removes it. To be certain that
nobody writes there any more, a writer holds a lock on its part file, which the system takes back however a process ends:
who gets the lock of another's part file knows that its writer is gone. Not every network file system tells other machines
of its locks, so only part files of this machine are removed; their names, `.NAME.mmmmmmmmrrrrrrrr.part`, say which machine
made them, in eight digits, before eight random ones. Windows has no such locks, but there nobody can remove what a process
has open; a day of rest makes up for the moment between closing and moving.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from liarsdice_cli.system.locks import LOCKS, lock
from liarsdice_cli.system.machines import machine

_SUFFIX = ".part"
_DIGITS = 8
_REST = 24 * 3600
"""Seconds after which a part file that nobody has open is left behind for certain."""


@contextmanager
def moved_into_place(target: Path) -> Iterator[BinaryIO]:
    """Yields a new file to write, which becomes the target, with its mode, when the block ends well; else it is removed.

    Removes what writers to the same place have left behind who are gone. Raises OSError.
    """
    remove_orphans(target)
    while True:
        part = target.with_name(f"{_begin(target)}{os.urandom(_DIGITS // 2).hex()}{_SUFFIX}")
        try:  # before there is a file: an interrupt may come at any moment
            with part.open("xb") as file:
                if not _locked(file) or not part.exists():
                    continue  # somebody took it for an orphan before it was locked
                yield file
                file.flush()
                os.fsync(file.fileno())
                if LOCKS:  # while the lock is held; Windows moves no open file, and has no modes
                    if target.exists():
                        part.chmod(target.stat().st_mode & 0o777)
                    part.replace(target)
            if not LOCKS:
                part.replace(target)
            return
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def remove_orphans(target: Path) -> None:
    """Remove the part files of a target that this machine made and whose writers are gone; others stay, as do doubtful ones."""
    begin = _begin(target)
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            fits = entry.name.startswith(begin) and len(entry.name) == len(begin) + _DIGITS + len(_SUFFIX)
            if fits and entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                _remove_orphan(Path(entry.path))


def _remove_orphan(part: Path) -> None:
    with suppress(OSError):  # somebody holds the lock, has it open on Windows, or was quicker
        if not LOCKS:
            if time.time() - part.stat().st_mtime > _REST:
                part.unlink()
            return
        with part.open("r+b") as file:
            lock(file)
            part.unlink()


def _locked(file: BinaryIO) -> bool:
    """Lock a file; False if another has it. Where the file system knows no locks nobody can get one: that is as good."""
    try:
        lock(file)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _begin(target: Path) -> str:
    """How the names of a target's part files begin on this machine."""
    return f".{target.name}.{machine()}"

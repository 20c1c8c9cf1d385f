"""Folders for what a process needs only while it runs."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from weakref import finalize

_BEGIN = "liarsdice-"


def folder(owner: object) -> Path:
    """Make a folder that is removed with its owner, or at the end of the process.

    A killed process leaves its folder behind, so this also removes the folders of processes that have ended. Raises OSError if
    no folder can be made.
    """
    _remove_orphans(gettempdir())
    made = TemporaryDirectory(prefix=f"{_BEGIN}{os.getpid()}-", ignore_cleanup_errors=True)
    finalize(owner, made.cleanup)
    return Path(made.name)


def _remove_orphans(place: str) -> None:
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            process = entry.name.removeprefix(_BEGIN).partition("-")[0]
            if (
                entry.name.startswith(_BEGIN)
                and process.isdigit()
                and entry.is_dir(follow_symlinks=False)
                and _gone(int(process))
            ):
                shutil.rmtree(entry.path, ignore_errors=True)


def _gone(process: int) -> bool:
    """Whether there is no such process; False where that cannot be known without disturbing one."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False

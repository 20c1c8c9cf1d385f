"""Folders for what a process needs only while it runs.

Their names, `liarsdice-mmmmmmmm-PROCESS-...`, say which machine made them, in eight digits, and which process. Machines and
containers can share a folder for temporary files, but not the numbers of their processes. So each removes only its own.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from weakref import finalize

from liarsdice_cli.system.locks import machine


def folder(owner: object) -> Path:
    """Return a new folder that is removed with its owner, or at the end of the process.

    A process that is killed leaves its folder behind. So the folders of this machine's ended processes are removed here.

    Raises OSError if no folder can be made.
    """
    _remove_orphans(gettempdir())
    made = TemporaryDirectory(prefix=f"{_begin()}{os.getpid()}-", ignore_cleanup_errors=True)
    finalize(owner, made.cleanup)
    return Path(made.name)


def _begin() -> str:
    """Return the first part of the names of this machine's folders."""
    return f"liarsdice-{machine()}-"


def _remove_orphans(place: str) -> None:
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            process = entry.name.removeprefix(_begin()).partition("-")[0]
            if (
                entry.name.startswith(_begin())
                and process.isascii()
                and process.isdigit()
                and entry.is_dir(follow_symlinks=False)
                and _gone(int(process))
            ):
                shutil.rmtree(entry.path, ignore_errors=True)


def _gone(process: int) -> bool:
    """Return whether there is no such process; False on Windows, where asking would end it."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False

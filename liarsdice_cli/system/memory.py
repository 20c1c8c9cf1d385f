"""The memory that the machine has left."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from liarsdice_cli.errors import counted

_KEPT_FREE = 0.05
"""The part of the free memory that is left to everything else."""


def available() -> int:
    """Bytes that can be had now: what Linux says, or a control group allows; elsewhere all memory that there is."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else [1 << 62]
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable")))
    with suppress(OSError, ValueError):
        group = Path("/sys/fs/cgroup")
        found.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    return int(min(found) * (1 - _KEPT_FREE))


def size(count: int) -> str:
    """Bytes as a person reads them.

    >>> size(4_227_858_432), size(900)
    ('4.23 GB', '900 bytes')
    """
    if count >= 10**18:
        return f"{counted(count)} bytes"
    for unit, name in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            whole = count / unit
            return f"{whole:,.0f} {name}" if whole >= 100 else f"{whole:.3g} {name}"
    return f"{count} bytes"

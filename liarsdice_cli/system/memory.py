"""Free memory, and sizes in readable units."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from liarsdice_cli.text import counted

SHARE = 0.8
"""The part of the free memory that a solver may fill by default."""
_KEPT_FREE = 0.05
"""The part of the free memory that is left to other processes."""
CONTROL_GROUP = Path("/sys/fs/cgroup")
"""The folder of this process's control group on Linux."""
_sharers = 1
_UNITS = {"TB": 10**12, "GB": 10**9, "MB": 10**6, "kB": 10**3}
_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([kmgt]?)b?", re.IGNORECASE)


@contextmanager
def shared_by(processes: int) -> Iterator[None]:
    """Divide the available memory of this process by a number of processes that share the machine, within the block."""
    global _sharers  # for all threads, as they share the memory
    before, _sharers = _sharers, processes
    try:
        yield
    finally:
        _sharers = before


def available() -> int:
    """Return the bytes that are free now, as Linux or Windows or a control group reports; on other systems all memory.

    For one of several workers on a machine, return its share, see `shared_by`.
    """
    found = [_of_the_system()]
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found.append(next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable")))
    with suppress(OSError, ValueError):
        found.append(_of_the_group())
    return int(min(found) * (1 - _KEPT_FREE) / _sharers)


def _of_the_group() -> int:
    """Return the bytes that the control group (version 2) has left.

    The group counts cached pages of files as used. Inactive pages are free: the system drops them as soon as a process asks
    for memory. Raises OSError or ValueError if there is no limit.
    """
    most, used = (int((CONTROL_GROUP / name).read_text("ascii")) for name in ("memory.max", "memory.current"))
    statistics = dict(line.split() for line in (CONTROL_GROUP / "memory.stat").read_text("ascii").splitlines())
    return most - used + int(statistics.get("inactive_file", 0))


def limit_to_machine() -> None:
    """Limit the memory of this process to that of the machine, so that larger requests fail; only on Linux."""
    if sys.platform == "linux":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_AS, (_of_the_system(), hard))


if sys.platform == "win32":

    def _of_the_system() -> int:
        """Return the free bytes: the third of the eight numbers that Windows fills in. The first is their size in bytes."""
        import ctypes

        status = (ctypes.c_ulonglong * 8)(64)
        ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
        return status[2]

else:

    def _of_the_system() -> int:
        """Return the bytes of all memory."""
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def size(count: int) -> str:
    """Return a number of bytes in a readable unit.

    >>> size(4_227_858_432), size(900)
    ('4.23 GB', '900 bytes')
    """
    if count >= 10**18:
        return f"{counted(count)} bytes"
    for name, unit in _UNITS.items():
        if count >= unit:
            whole = count / unit
            return f"{whole:,.0f} {name}" if whole >= 100 else f"{whole:.3g} {name}"
    return f"{count} bytes"


def bytes_of(text: str) -> int:
    """Return the bytes of a size such as 20GB; ValueError for any other text.

    >>> bytes_of("20GB"), bytes_of("1.5 MB"), bytes_of("900")
    (20000000000, 1500000, 900)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a size: give bytes, or a number with a unit, such as 20GB")
    unit = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}[match[2].lower()]
    return int(float(match[1]) * unit)

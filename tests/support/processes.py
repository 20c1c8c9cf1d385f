"""The processes of tests: each ends with the test that started it, whatever becomes of the test."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

_HEEDED = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
_started: list[subprocess.Popen[Any]] = []


def popen(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a process in a group of its own, which signals reach, whatever has been done to this one.

    A shell without job control starts what runs in the background with SIGINT ignored, `nohup` ignores SIGHUP, and a
    process hands that down; a signal that has a handler is one that its children heed.
    """
    before = {number: signal.signal(number, signal.default_int_handler) for number in _HEEDED}
    try:
        process = subprocess.Popen(command, start_new_session=True, **options)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    _started.append(process)
    return process


def end_all() -> None:
    """End every process that is left, and all of its group."""
    while _started:
        process = _started.pop()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

"""Start processes in tests; each ends with its test, even if the test fails."""

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
    """Start a process in its own group that receives signals, even if this process ignores them.

    A shell without job control starts background processes with SIGINT ignored, and `nohup` ignores SIGHUP. Children inherit
    an ignored signal, but not a handler, so this function sets handlers while the child starts.
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
    """End every remaining process and its group."""
    while _started:
        process = _started.pop()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

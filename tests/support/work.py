"""Measure work by counts, which are the same on every machine, not by time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(function: Callable[[], object], module: str) -> int:
    """Return the number of lines of a module that Python runs during a call, repetitions included."""
    count, file, before = 0, sys.modules[module].__file__, sys.gettrace()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if frame.f_code.co_filename != file:
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count

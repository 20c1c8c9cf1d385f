"""How much work something is, in what every machine does alike: counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(function: Callable[[], object], module: str) -> int:
    """How many lines of a module Python runs during a call, each as often as it is run."""
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

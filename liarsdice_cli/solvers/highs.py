"""HiGHS without its output: the only module that creates a `highspy.Highs`.

HiGHS writes to standard output directly, bypassing Python, and would corrupt JSON output.
"""

from __future__ import annotations

from typing import Any


def silent_highs() -> Any:
    """Return a new highspy.Highs that prints nothing.

    Release 1.16 prints its name when Python's callback is set. highspy sets it in the constructor, before the caller can switch
    output off, so the output is switched off right before. Tested with releases 1.10 to 1.16.
    """
    import highspy

    class Silent(highspy.Highs):
        def enableCallbacks(self) -> None:  # noqa: N802
            """Switch output off, then set the callback."""
            self.silent()
            super().enableCallbacks()  # type: ignore[no-untyped-call]

    highs: Any = Silent()  # type: ignore[no-untyped-call]
    highs.silent()
    return highs

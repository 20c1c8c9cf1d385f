"""HiGHS without its output: the only place where the program makes one.

HiGHS writes to standard output itself, past Python, where a program may be reading JSON.
"""

from __future__ import annotations

from typing import Any


def silent_highs() -> Any:
    """Return a new highspy.Highs that prints nothing.

    Release 1.16 prints its name when Python's callback is set, which highspy does as it makes a Highs, before the caller can
    switch output off. So the output is switched off right before that. Tried with releases from 1.10 to 1.16.
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

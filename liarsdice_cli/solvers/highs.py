"""HiGHS without its output: the only module that creates and runs a `highspy.Highs`.

HiGHS writes to standard output directly, bypassing Python, and would corrupt JSON output.
"""

from __future__ import annotations

import signal
import time
from typing import Any

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.system import interrupts

_POLL = 0.1
"""Seconds between two looks at the clock while HiGHS runs."""


def silent_highs() -> Any:
    """Return a new highspy.Highs that prints nothing.

    Release 1.16 prints its name when Python's callback is set. highspy sets the callback in the constructor, before the caller
    can switch output off. So output is switched off right before. Tested with releases 1.10 to 1.16.
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


def new_highs(presolve: bool) -> Any:
    """Return a HiGHS that solves by the simplex method on one processor, and prints nothing."""
    return _configured({"solver": "simplex", "presolve": "choose" if presolve else "off"})


def interior_highs() -> Any:
    """Return a HiGHS that solves by the interior point method on one processor, goes on to no vertex, and prints nothing."""
    highs = _configured({"solver": "ipm", "run_crossover": "off", "ipm_optimality_tolerance": 1e-12})
    highs.setOptionValue("solver", "ipx")  # its name since HiGHS has two interior point methods; older releases refuse it
    return highs


def _configured(more: dict[str, Any]) -> Any:
    highs = silent_highs()
    options: dict[str, Any] = {
        "threads": 1,
        "small_matrix_value": 1e-12,
        "primal_feasibility_tolerance": 1e-9,
        "dual_feasibility_tolerance": 1e-9,
    }
    for option, setting in (options | more).items():
        highs.setOptionValue(option, setting)
    return highs


def run(highs: Any, deadline: float) -> bool:
    """Run HiGHS in a thread, so that Ctrl-C and the deadline end it; says whether it found an optimum.

    Ctrl-C is recorded, not raised, while it is waited for: Python 3.11 takes a thread whose join was interrupted for ended.
    Raises TimeLimitError at the deadline, of time.monotonic.
    """
    import highspy

    highs.HandleUserInterrupt = True
    with interrupts.recorded() as came:
        thread = highs.startSolve()
        while thread.is_alive() and not came and time.monotonic() < deadline:
            thread.join(_POLL)
        if thread.is_alive():
            highs.cancelSolve()
            thread.join(5)
    if came:
        signal.raise_signal(came[0])  # now as it would have been
    if time.monotonic() >= deadline:
        raise TimeLimitError("stopped at the time limit while solving the linear program")
    return bool(highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)

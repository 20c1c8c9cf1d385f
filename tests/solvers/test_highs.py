"""HiGHS prints nothing, whichever solver uses it; Ctrl-C and time limits stop it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from math import inf
from typing import Any

import pytest

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.solvers.highs import new_highs, run
from liarsdice_cli.solvers.registry import METHODS
from tests.support.command_line import ROOT, environment

PACKAGE = ROOT / "liarsdice_cli"
EVERY_USER = """
import sys
from math import inf
import highspy
import liarsdice_cli as ld
from liarsdice_cli.bots.zero_intelligence.randomised import best_levels
from liarsdice_cli.solvers import highs

made = []
make = highspy.Highs.__init__
highspy.Highs.__init__ = lambda highs: (made.append(highs), make(highs))[1]
for method in sys.argv[1:]:
    before = len(made)
    ld.solve(ld.rules("joker", 3), method=method)
    assert len(made) > before, method
best_levels(3, steps=4)
empty = highs.new_highs(presolve=True)
assert not highs.run(empty, inf)
assert empty.addVars(1, [-highspy.kHighsInf], [0.0]) == highspy.HighsStatus.kOk
empty.changeColCost(0, 1.0)
assert not highs.run(empty, inf)
assert empty.setOptionValue("no such option", 1) == highspy.HighsStatus.kError
"""


def test_no_caller_of_highs_prints_in_a_real_process() -> None:
    methods = [method.name for method in METHODS.values() if "highspy" in method.packages]
    assert len(methods) == 3
    run = subprocess.run(
        [sys.executable, "-c", EVERY_USER, *methods], cwd=ROOT, env=environment(), capture_output=True, timeout=300, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_only_one_module_creates_highs() -> None:
    sources = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    assert [name for name, text in sources.items() if re.search(r"highspy\.Highs\b|import Highs\b", text)] == [
        "solvers/highs.py"
    ]
    assert not [name for name, text in sources.items() if re.search(r"(import|from) scipy", text)]  # it bundles its own HiGHS


def setting(highs: Any, option: str) -> Any:
    return highs.getOptionValue(option)[1]


def test_highs_uses_the_simplex_method_one_thread_and_tight_tolerances() -> None:
    """Vertices have small denominators; tight tolerances keep small payoffs that stand beside large ones."""
    highs = new_highs(presolve=True)
    assert (setting(highs, "solver"), setting(highs, "threads"), setting(highs, "output_flag")) == ("simplex", 1, False)
    tolerances = ("small_matrix_value", "primal_feasibility_tolerance", "dual_feasibility_tolerance")
    assert [setting(highs, name) for name in tolerances] == [1e-12, 1e-9, 1e-9]


class Endless:
    """A stand-in for HiGHS and its thread, which runs until it is cancelled and joined."""

    def __init__(self, interrupted: bool = False) -> None:
        self.interrupted, self.alive, self.cancelled, self.HandleUserInterrupt = interrupted, True, False, False

    def startSolve(self) -> Endless:  # noqa: N802
        assert self.HandleUserInterrupt, "else it cannot be cancelled"
        return self

    def cancelSolve(self) -> None:  # noqa: N802
        self.cancelled = True

    def getModelStatus(self) -> None:  # noqa: N802
        assert not self.alive

    def is_alive(self) -> bool:
        return self.alive

    def join(self, seconds: float) -> None:
        assert seconds > 0
        self.alive = not self.cancelled
        if self.interrupted and not self.cancelled:
            signal.raise_signal(signal.SIGINT)


def test_ctrl_c_is_raised_after_highs_has_stopped() -> None:
    endless = Endless(interrupted=True)
    with pytest.raises(KeyboardInterrupt):
        run(endless, inf)
    assert (endless.cancelled, endless.alive) == (True, False)


def test_the_time_limit_is_raised_after_highs_has_stopped() -> None:
    endless = Endless()
    with pytest.raises(TimeLimitError, match=r"^stopped at the time limit while solving the linear program$"):
        run(endless, time.monotonic() + 0.01)
    assert (endless.cancelled, endless.alive) == (True, False)


def test_a_passed_deadline_raises_and_an_empty_model_has_no_optimum() -> None:
    highs = new_highs(presolve=True)
    with pytest.raises(TimeLimitError):
        run(highs, -inf)
    assert run(highs, inf) is False

"""HiGHS prints nothing, whichever release is installed and whichever solver uses it."""

from __future__ import annotations

import re
import subprocess
import sys

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
from liarsdice_cli.solvers.exact import linear_program

made = []
make = highspy.Highs.__init__
highspy.Highs.__init__ = lambda highs: (made.append(highs), make(highs))[1]
for method in sys.argv[1:]:
    before = len(made)
    ld.solve(ld.rules("joker", 3), method=method)
    assert len(made) > before, method
best_levels(3, steps=4)
empty = linear_program.new_highs(presolve=True)
assert not linear_program.run(empty, inf)
assert empty.addVars(1, [-highspy.kHighsInf], [0.0]) == highspy.HighsStatus.kOk
empty.changeColCost(0, 1.0)
assert not linear_program.run(empty, inf)
assert empty.setOptionValue("no such option", 1) == highspy.HighsStatus.kError
"""


def test_no_user_of_highs_prints_in_a_real_process() -> None:
    methods = [method.name for method in METHODS.values() if "highspy" in method.packages]
    assert len(methods) == 3
    run = subprocess.run(
        [sys.executable, "-c", EVERY_USER, *methods], cwd=ROOT, env=environment(), capture_output=True, timeout=300, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_highs_is_made_at_one_place() -> None:
    sources = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    assert [name for name, text in sources.items() if re.search(r"highspy\.Highs\b|import Highs\b", text)] == [
        "solvers/highs.py"
    ]
    assert not [name for name, text in sources.items() if "scipy.optimize" in text]  # which has a HiGHS of its own

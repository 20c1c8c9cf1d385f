"""The compiled functions for the kinds of numbers that most tests meet, made and kept before workers start.

What numba compiles it keeps on disk, where every later process finds it. Workers that start together would find nothing
and compile the same, each for itself.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.command_line import KUHN, run_here


def compile_all() -> None:
    """Some seconds where nothing is kept yet, else a moment."""
    with TemporaryDirectory() as folder:  # arrays of float64, then those of a strategy file
        kept = Path(folder) / "strategy.ldz"
        solved = run_here("solve", "--rules", "joker", "--sides", 2, "--method", "dcfr+", "--iterations", 2, "-o", kept)
        assert (solved.code, run_here("verify", kept).code) == (0, 0)
    assert run_here("solve", KUHN, "--method", "dcfr+", "--iterations", 2).code == 0

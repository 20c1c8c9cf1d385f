"""The compiled functions for every kind of number that they meet, made and kept before workers start.

What numba compiles it keeps on disk, where every later process finds it. Workers that start together would find nothing
and compile the same, each for itself.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import solver as public_tree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from tests.support.command_line import KUHN, run_here


def compile_all() -> None:
    """Some seconds where nothing is kept yet, else a moment."""
    with mock.patch.object(public_tree, "SMALL", 0):  # arrays of float32
        small = public_tree.PublicTree(public_game(rules("joker", 2)), minimiser("dcfr+"))
        small.iterate()
        small.bounds()
    with TemporaryDirectory() as folder:  # of float64, then of a strategy file
        kept = Path(folder) / "strategy.ldz"
        solved = run_here("solve", "--rules", "joker", "--sides", 2, "--method", "dcfr+", "--iterations", 2, "-o", kept)
        assert (solved.code, run_here("verify", kept).code) == (0, 0)
    assert run_here("solve", KUHN, "--method", "dcfr+", "--iterations", 2).code == 0

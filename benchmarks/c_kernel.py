"""The same iteration by public_tree.c, compiled when asked: what a plain C kernel takes on this machine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.walk import NOTHING

SOURCE = Path(__file__).parent / "public_tree.c"
# As the compiled Python: sums may be reordered, numbers that are not finite stay visible.
FLAGS = ("-fno-math-errno", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math", "-freciprocal-math")
AGREE = 1e-4
"""How far, in parts of the largest number, two kernels that do the same may be apart after `ITERATIONS`."""
ITERATIONS = 50


def compiler() -> str | None:
    """The C compiler of this machine, if it has one."""
    return shutil.which("cc")


def _library(real: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.so"
        command = [str(compiler()), "-O3", "-march=native", *FLAGS, "-shared", "-fPIC", f"-DREAL={real}", str(SOURCE)]
        subprocess.run([*command, "-o", str(path)], check=True)
        return ctypes.CDLL(str(path))


class CKernel:
    """Arrays of its own for the game and the minimiser of a solver, and iterations over them in C."""

    def __init__(self, solver: PublicTree) -> None:
        self.solver, self.iteration = solver, 0
        self.regrets = tuple(np.zeros_like(one) for one in solver.regrets)
        self.averages = tuple(np.zeros_like(one) for one in solver.averages)
        number: Any = ctypes.c_double if solver.kind is np.float64 else ctypes.c_float
        self.learn = _library("double" if solver.kind is np.float64 else "float").learn
        sizes = ("bids", "mine_rolls", "other_rolls", "counts")
        arrays = ("before_mover", "before_other", "matching", "won", "learner", "other", "average")
        rates = ("scale", "floor", "weight", "nothing", "least")
        kinds = ((sizes, ctypes.c_int64), (arrays, ctypes.c_void_p), (rates, number))
        self.walk = type("Walk", (ctypes.Structure,), {"_fields_": [(name, kind) for names, kind in kinds for name in names]})

    def half(self, learner: int) -> None:
        """Update one player."""
        solver, other, step = self.solver, 1 - learner, self.solver.minimiser.step(self.iteration + 1)
        assert (step.discount, step.discount_negative, step.prediction) == (1, 1, 0), "public_tree.c knows no such minimiser"
        tables, root = solver.walks.tables[learner], solver.walks.roots[learner]
        reach, value = root.reach[0], np.empty_like(root.value[0])
        arrays = (*tables.before, tables.matching, tables.won, self.regrets[learner], self.regrets[other])
        walk = self.walk(
            solver.game.bids,
            len(value),
            len(reach),
            tables.won.shape[2],
            *(array.ctypes.data for array in (*arrays, self.averages[other])),
            *(step.regret_weight, step.floor, step.average_weight, NOTHING, float(np.finfo(solver.kind).tiny)),
        )
        assert self.learn(ctypes.byref(walk), int(learner == 0), *(ctypes.c_void_p(a.ctypes.data) for a in (reach, value)))

    def iterate(self) -> None:
        """Update player 1 and then player 2."""
        self.half(0)
        self.half(1)
        self.iteration += 1

    def take(self) -> None:
        """The solver's state."""
        for mine, its in zip((*self.regrets, *self.averages), (*self.solver.regrets, *self.solver.averages), strict=True):
            mine[:] = its
        self.iteration = self.solver.iteration

    def apart(self, learner: int) -> float:
        """How far what updating a player changes is from the solver's, in parts of its largest number."""
        pairs = (
            (self.regrets[learner], self.solver.regrets[learner]),
            (self.averages[1 - learner], self.solver.averages[1 - learner]),
        )
        return max(float(np.abs(mine - its).max() / np.abs(its).max()) for mine, its in pairs)


def drift(kernel: CKernel) -> float:
    """The largest difference over some iterations, each player's update from the same state.

    Not from the same start: where regrets are 0 but for rounding, the two may soon choose differently, both rightly.
    """
    worst = 0.0
    for _ in range(ITERATIONS):
        kernel.take()
        kernel.half(0)
        kernel.solver.iterate()
        worst = max(worst, kernel.apart(0))
        kernel.regrets[0][:] = kernel.solver.regrets[0]
        kernel.half(1)
        worst = max(worst, kernel.apart(1))
    return worst

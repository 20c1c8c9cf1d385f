"""An iteration of the public-tree solver in plain C (public_tree.c, compiled on demand), to compare its speed."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from liarsdice_cli.solvers.public_tree.arrays import NEGLIGIBLE
from liarsdice_cli.solvers.public_tree.solver import REGRETS, PublicTree
from liarsdice_cli.strategies.shard import BLOCKS, COLUMNS, ROWS, Shard
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

SOURCE = Path(__file__).parent / "public_tree.c"
# The same as for the compiled Python: sums may be reordered; infinities and NaN are kept.
FLAGS = ("-fno-math-errno", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math", "-freciprocal-math")
AGREE = 1e-4
"""The largest difference of two equal kernels after a player's update, relative to the largest number."""
ITERATIONS = 50


def compiler() -> str | None:
    """Return the path of the C compiler, or None if there is none."""
    return shutil.which("cc")


def _library(real: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.so"
        command = [str(compiler()), "-O3", "-march=native", *FLAGS, "-shared", "-fPIC", f"-DREAL={real}", str(SOURCE)]
        subprocess.run([*command, "-o", str(path)], check=True)
        return ctypes.CDLL(str(path))


class CKernel:
    """Iterations in C, with the game and the minimiser of a solver, on its own copy of the tree, which does not grow.

    The solver's tree must be a single shard.
    """

    def __init__(self, solver: PublicTree) -> None:
        assert not solver.store.shards, "one shard"
        self.solver, self.iteration = solver, 0
        self.shard = Shard((REGRETS, AVERAGE_STRATEGY), solver.kind)
        self.store = StrategyStore(solver.store.rolls, solver.store.bidding, (REGRETS,), solver.kind, cut=solver.store.bids)
        self.store.top = self.shard
        tables = solver.traverser.shard_traverser.showdowns
        known = solver.store.widths, tables.group, tables.quantity, tables.most
        self.tables = [np.array(one, np.int64) for one in known]
        self.take()
        self.real: Any = ctypes.c_double if solver.kind is np.float64 else ctypes.c_float
        self.learn = _library("double" if solver.kind is np.float64 else "float").learn
        whole, pointer = ctypes.c_int64, ctypes.c_void_p
        fields: list[tuple[str, Any]] = []
        fields += [(name, whole) for name in ("bids", "players", "groups", "most_rolls")]
        fields += [(name, pointer) for name in ("widths", "group", "quantity", "most")]
        fields += [(name, pointer) for name in ("matches", "first_column", "columns", "blocks", "used")]
        fields += [("room_rows", whole)]
        fields += [(name, pointer) for name in ("regrets", "averages")]
        fields += [(name, self.real) for name in ("scale", "floor", "weight", "nothing", "least")]
        fields += [(name, whole) for name in ("update_player", "average_player", "visited")]
        self.fields = type("Pass", (ctypes.Structure,), {"_fields_": fields})

    def update(self, player: int) -> None:
        """Update one player."""
        solver, shard, step = self.solver, self.shard, self.solver.minimiser.step(self.iteration + 1)
        assert (step.discount, step.discount_negative, step.prediction) == (1, 1, 0), "public_tree.c knows no such minimiser"
        traverser = solver.traverser.shard_traverser
        tables, reach = traverser.showdowns, traverser.opening.reach[0]
        players, groups, rolls = tables.matches.shape
        arrays = *self.tables, tables.matches, shard.first_column, shard.columns, shard.blocks, shard.used
        walk = self.fields(
            len(tables.group),
            players,
            groups,
            rolls,
            *(array.ctypes.data for array in arrays),
            shard.capacity[ROWS],
            *(array.ctypes.data for array in shard.arrays.values()),
            *(step.regret_weight, step.floor, step.average_weight, NEGLIGIBLE),
            float(np.finfo(solver.kind).tiny),
            *(player, (player - 1) % players, 0),
        )
        assert self.learn(ctypes.byref(walk), ctypes.c_void_p(reach.ctypes.data))

    def iterate(self) -> None:
        """Update all players in turn."""
        for player in range(self.solver.game.players):
            self.make_room()
            self.update(player)
        self.iteration += 1

    def make_room(self) -> None:
        """Reserve memory for new rows, as the solver does before every update."""
        self.store.reserve(float("inf"), [self.store.top])

    def take(self) -> None:
        """Copy the solver's state."""
        its = self.solver.store.top
        self.shard.states, self.shard.first_column = its.states.copy(), its.first_column.copy()
        self.shard.columns, self.shard.blocks = its.columns.copy(), its.blocks.copy()
        self.shard.used[:] = its.used
        self.shard.arrays = {name: its.arrays[name].copy() for name in (REGRETS, AVERAGE_STRATEGY)}
        self.iteration = self.solver.iteration

    def apart(self) -> float:
        """Return the largest difference from the solver's numbers, relative to their largest; infinity if the trees differ."""
        its = self.solver.store.top
        columns, blocks = (int(its.used[field]) for field in (COLUMNS, BLOCKS))
        if not np.array_equal(self.shard.used[:ROWS], its.used[:ROWS]):
            return float("inf")
        if (self.shard.columns[:columns] != its.columns[:columns]).any():
            return float("inf")
        pairs = [
            [shard.arrays[name][shard.blocks[:blocks]] for shard in (self.shard, its)] for name in (REGRETS, AVERAGE_STRATEGY)
        ]
        return max(float(np.abs(mine - other).max() / max(np.abs(other).max(), 1e-300)) for mine, other in pairs)


def drift(kernel: CKernel) -> float:
    """Return the largest difference over `ITERATIONS` iterations; both kernels start every update from the same state.

    Independent runs would diverge: if a regret is 0 up to rounding, the two may choose different actions, both correctly.
    """
    worst = 0.0
    for _ in range(ITERATIONS * kernel.solver.game.players):
        kernel.take()
        kernel.make_room()
        kernel.update(kernel.solver.update_player)
        kernel.solver.update()
        worst = max(worst, kernel.apart())
    return worst

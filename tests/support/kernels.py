"""The compiled functions for the kinds of numbers that tests meet, made and kept before workers start.

What numba compiles it keeps on disk, where every later process finds it. Workers that start together would find nothing
and compile the same, each for itself.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from liarsdice_cli.formats.efg.filling import Filling
from liarsdice_cli.games.impartial import sieve
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.traversal import traverse
from liarsdice_cli.solvers.public_tree.traversers import ArrayNames
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from tests.support.command_line import KUHN, run_here


def compile_all(large: bool) -> None:
    """A moment where all is kept already; else a minute or less, which several processes share.

    large : whether there will be large games, which only slow tests have
    """
    kernels = [_walk_of_a_small_game, _small_ones, *[_walk_of_a_large_game, _judge_of_a_large_game] * large]
    dispatcher: Any = traverse
    if len(dispatcher._cache._cache_file._load_index()) >= (3 if large else 1):
        for kernel in kernels:
            kernel()
        return
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 3), get_context("spawn")) as pool:
        for kept in [pool.submit(kernel) for kernel in kernels]:
            kept.result()


def _solver(preset: str, sides: int, dice: tuple[int, int]) -> PublicTree:
    return PublicTree(public_game(rules(preset, sides, dice)), minimiser("dcfr+"), threads=1)


def _walk_of_a_large_game() -> None:
    """In float32."""
    solver = _solver("common", 6, (2, 1))
    solver.traverser.shard_traverser.compile(ArrayNames(AVERAGE_STRATEGY), solver.tree.top)


def _judge_of_a_large_game() -> None:
    """In float64, of what is kept in float32."""
    solver = _solver("common", 6, (2, 1))
    solver.responses.traverser.shard_traverser.compile(ArrayNames(AVERAGE_STRATEGY), solver.tree.top)


def _walk_of_a_small_game() -> None:
    """In float64, and so does its judge, as do those of its strategy files."""
    solver = _solver("joker", 2, (1, 1))
    solver.traverser.shard_traverser.compile(ArrayNames(AVERAGE_STRATEGY), solver.tree.top)


def _small_ones() -> None:
    assert run_here("solve", KUHN, "--method", "dcfr+", "--iterations", 2).code == 0
    Filling(["", "."])
    sieve.wins((1, 2), 4)

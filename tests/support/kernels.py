"""Compile the functions for the number types of the tests before workers start.

numba caches compiled code on disk, where every later process finds it. Workers that start together would find no cache, and
each would compile the same functions.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

from liarsdice_cli.formats.efg.filling import Filling
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.traversal import traverse
from liarsdice_cli.solvers.regret.minimisers import minimiser
from tests.support.command_line import KUHN, run_here


def compile_all(large: bool) -> None:
    """Compile everything in several processes, in a minute or less; if all is cached, load it in a moment.

    large : whether to include large games, which only slow tests have
    """
    kernels = [_small_game, _locked_game, _trembling_game, _small_ones, *[_large_game] * large]
    dispatcher: Any = traverse
    if len(dispatcher._cache._cache_file._load_index()) >= (8 if large else 6):
        for kernel in kernels:
            kernel()
        return
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 3), get_context("spawn")) as pool:
        for kept in [pool.submit(kernel) for kernel in kernels]:
            kept.result()


def _large_game() -> None:
    """Compile for float32, in which a large game is solved, and float64, in which it is evaluated."""
    PublicTree(public_game(rules("common", 6, (2, 1))), minimiser("dcfr+"), threads=1).compile()


def _small_game() -> None:
    """Compile for float64, which a small game and its strategy files use."""
    PublicTree(public_game(rules("joker", 2, (1, 1))), minimiser("dcfr+"), threads=1).compile()


def _trembling_game() -> None:
    PublicTree(public_game(rules("joker", 2, (1, 1))), minimiser("dcfr+"), threads=1, tremble=0.1).compile()


def _locked_game() -> None:
    game = public_game(rules("joker", 2, (1, 1)))
    call = np.zeros((game.bidding.actions(0), len(game.rolls[1])))
    call[0] = 1
    PublicTree(game, minimiser("dcfr+"), threads=1, lock={(0,): call}).compile()


def _small_ones() -> None:
    assert run_here("solve", KUHN, "--method", "dcfr+", "--iterations", 2).code == 0
    Filling(["", "."])

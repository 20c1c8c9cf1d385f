"""Compare the public-tree solver with OpenSpiel and plain C: the part `public` of `make bench`; a few minutes.

Times are wall time and processor time of all threads. On a busy machine only the processor time is meaningful.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from benchmarks.measure import call_alone
from benchmarks.solving import Game

if TYPE_CHECKING:  # a case that measures another program must not import ours
    from liarsdice_cli.solvers.public_tree.solver import PublicTree

ITERATIONS = 64
"""The first iterations of a run. They visit most of the tree, so their mean time is not shorter than in a long run."""
GROWN = 64
"""The iterations in which a tree grows, before it is compared with plain C."""


ONE_DIE = Game("top-wild", 6, "1,1")
FOUR_SIDES = Game("common", 4, "2,2")
JOKER = Game("joker", 6, "2,2")


def _took(work: Callable[[], Any]) -> tuple[float, float]:
    """Return wall seconds and processor seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def iterations(game: Game, method: str, threads: int, count: int) -> list[float]:
    """Return wall and processor milliseconds an iteration: the best of three runs of the first `count` iterations."""
    game.solver(method, threads).iterate()

    def work() -> None:
        for _ in range(count):
            solver.iterate()

    runs = []
    for _ in range(3):
        solver = game.solver(method, threads)
        runs.append(_took(work))
    return [min(run[kind] for run in runs) / count * 1e3 for kind in (0, 1)]


def compiling(kind: str) -> list[float]:
    """Return wall and processor seconds of the first iteration, and of the first bounds after it."""
    from liarsdice_cli.strategies import store

    store.SMALL = 0 if kind == "float32" else 1 << 62
    solver = Game("common", 3, "1,1").solver()
    return [*_took(solver.iterate), *_took(solver.bounds)]


def open_spiel() -> list[float]:
    """Return wall and processor milliseconds an iteration of OpenSpiel's C++ CFR+ for `ONE_DIE`."""
    import pyspiel

    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("liars_dice", {"dice_sides": 6, "bidding_rule": "reset-face"}))
    solver.evaluate_and_update_policy()

    def work() -> None:
        for _ in range(20):
            solver.evaluate_and_update_policy()

    return [seconds / 20 * 1e3 for seconds in _took(work)]


def plain_c(game: Game, kind: str) -> list[float]:
    """Return processor milliseconds of our traversal, our whole iteration, and plain C, and the largest difference of results.

    Both run the same iterations in turns, each on its own tree, which has grown before; the best of three runs counts. Raises
    AssertionError if the results differ.
    """
    from benchmarks.c_kernel import AGREE, CKernel, drift
    from liarsdice_cli.solvers.public_tree import traversers
    from liarsdice_cli.strategies import store

    kernels: Any = traversers
    store.SMALL = 0 if kind == "float32" else 1 << 62
    store.default_cut = lambda bids: bids  # one shard
    apart = drift(CKernel(_solver(game)))
    assert apart <= AGREE, apart
    walking, traverse = [0.0], kernels.traverse

    def timed(*arguments: Any) -> int:
        begun = time.process_time()
        visited: int = traverse(*arguments)
        walking[0] += time.process_time() - begun
        return visited

    kernels.traverse = timed
    best = [float("inf")] * 3
    for _ in range(3):
        ours = _solver(game)
        kernel = CKernel(ours)
        spent, walking[0] = [0.0, 0.0], 0.0
        for _ in range(ITERATIONS):
            spent[0] += _took(ours.iterate)[1]
            spent[1] += _took(kernel.iterate)[1]
        best = [min(pair) for pair in zip(best, (walking[0], *spent), strict=True)]
    return [*(seconds / ITERATIONS * 1e3 for seconds in best), apart]


def _solver(game: Game) -> PublicTree:
    """Return a solver with a grown tree that visits all histories and expands no others, as the traversal in C does."""
    solver = game.solver()
    solver.rare_threshold = 0.0
    for _ in range(GROWN):
        solver.iterate()
    solver.expansion_threshold = inf
    return solver


def _measured(case: Callable[..., list[float]], *arguments: object) -> tuple[list[float], float] | None:
    """Run a case in its own process; return its numbers and its peak memory in MB, or None if it failed."""
    ended = call_alone(case, *arguments)
    return (ended.json, ended.megabytes) if ended.code == 0 else None


def tables() -> None:
    """Print all rows."""
    print("\n## Public tree: an iteration, milliseconds of clock and processor\n")
    print("| work | clock | processor | peak MB | ratio, by processor |\n|---|---|---|---|---|")
    others = _measured(open_spiel)
    if others:
        print(f"| {ONE_DIE}: OpenSpiel's C++ CFR+ | {others[0][0]:.1f} | {others[0][1]:.1f} | {others[1]:.0f} | 1 |")
    else:
        print("| OpenSpiel's C++ CFR+ (`pip install open_spiel` to compare) | not installed | | | |")
    for game, method, threads in (
        (ONE_DIE, "dcfr+", 1),
        (ONE_DIE, "cfr+", 1),
        (FOUR_SIDES, "dcfr+", 1),
        (FOUR_SIDES, "dcfr", 1),
        (JOKER, "dcfr+", 1),
        (JOKER, "dcfr+", 2),
    ):
        _row(game, method, threads, others[0][1] if others and game == ONE_DIE else None)
    _kernels()
    _compile_times()


def _row(game: Game, method: str, threads: int, other: float | None) -> None:
    measured = _measured(iterations, game, method, threads, ITERATIONS)
    assert measured
    (clock, processor), memory = measured
    ratio = f"{other / processor:.0f} times OpenSpiel" if other else ""
    named = f"`{method}`, {threads} thread{'s' * (threads > 1)}"
    print(f"| {game}: {named} | {clock:.3g} | {processor:.3g} | {memory:.0f} | {ratio} |")


def _kernels() -> None:
    from benchmarks.c_kernel import ITERATIONS as CHECKED
    from benchmarks.c_kernel import compiler

    print(f"\n## Public tree: beside plain C, `cc -O3 -march=native`, one thread, {ITERATIONS} iterations\n")
    if not compiler():
        print("There is no C compiler on this machine.")
        return
    print(
        f"| game | floats | our traversal, ms | C, ms | ratio | all of our iteration, ms | apart in {CHECKED} iterations |"
        "\n|---|---|---|---|---|---|---|"
    )
    for game in (ONE_DIE, FOUR_SIDES, JOKER):
        for kind in ("float32",) if game == JOKER else ("float64", "float32"):
            measured = _measured(plain_c, game, kind)
            assert measured, f"plain C and ours differ for {game} in {kind}"
            ours, whole, other, apart = measured[0]
            print(f"| {game} | {kind} | {ours:.3g} | {other:.3g} | {ours / other:.2f} | {whole:.3g} | {apart:.0e} |")


def _compile_times() -> None:
    print("\n## Public tree: compiling, once for each kind of float and each change of the code\n")
    print("| arrays of | first iteration, processor s | first bounds | the same from numba's cache |\n|---|---|---|---|")
    for kind in ("float64", "float32"):
        with tempfile.TemporaryDirectory() as cache:
            os.environ["NUMBA_CACHE_DIR"] = cache
            cold, warm = _measured(compiling, kind), _measured(compiling, kind)
            del os.environ["NUMBA_CACHE_DIR"]
        assert cold
        assert warm
        print(f"| {kind} | {cold[0][1]:.1f} | {cold[0][3]:.1f} | {warm[0][1]:.2f} and {warm[0][3]:.2f} |")

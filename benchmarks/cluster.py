"""`python benchmarks/cluster.py`: compare workers with threads, and write the table in docs/results.md.

It measures the time of an iteration, the time of the driver, and the bytes of the messages; three minutes on two quiet cores.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.results import Page, parser
from benchmarks.solving import Game
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.remote import RemoteBackend
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.system.cluster import Message, Worker, WorkerLostError, result_of
from liarsdice_cli.system.local_cluster import LocalCluster, LocalWorker

GAME = Game("common", 6, "3,3")
BEFORE, ITERATIONS, ROUNDS = 1200, 30, 3
"""Iterations before the first measurement, iterations of one measurement, and measurements of each number of workers."""
WORKERS = (1, 2, 4, 8)


class CountingWorker(LocalWorker):
    """A worker on this machine that counts the bytes of its messages."""

    bytes = 0

    def send(self, message: Message) -> None:
        CountingWorker.bytes += len(message.pickled)
        super().send(message)

    def receive(self) -> Any:
        try:
            message = self.child.connection.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error
        CountingWorker.bytes += len(message)
        return result_of(pickle.loads(message))


class CountingCluster(LocalCluster):
    """A cluster of counting workers."""

    def start(self, count: int, make: Any, *arguments: Any) -> list[Worker]:
        return [CountingWorker(make, arguments) for _ in range(count)]


def new(workers: int = 0) -> PublicTree:
    """Return a solver with this number of workers; with two threads if it is 0."""
    if workers:
        return PublicTree(GAME.public(), minimiser("dcfr+"), cluster=CountingCluster(workers))
    return GAME.solver(threads=2)


class Run(NamedTuple):
    """Wall seconds, processor seconds of the driver, and bytes of all messages, for one iteration."""

    clock: float
    driver: float
    bytes: float


def measured(solver: PublicTree) -> Run:
    """Return the mean over `ITERATIONS` iterations."""
    CountingWorker.bytes = 0
    clock, driver = time.perf_counter(), time.process_time()
    for _ in range(ITERATIONS):
        solver.iterate()
    spent = time.perf_counter() - clock, time.process_time() - driver
    return Run(spent[0] / ITERATIONS, spent[1] / ITERATIONS, CountingWorker.bytes / ITERATIONS)


@contextmanager
def prepared(state: str, workers: int) -> Iterator[PublicTree]:
    """Yield a solver with this number of workers (0: two threads), resumed from a checkpoint."""
    solver = new(workers)
    try:
        solver.compile()
        checkpoint.read(state, solver)
        for _ in range(3):
            solver.iterate()
        yield solver
    finally:
        if isinstance(solver.backend, RemoteBackend):
            solver.backend.close()


def by_turns(state: str) -> tuple[dict[int, Run], list[int]]:
    """Return the run of median time for each number of workers, and the bytes in memory of each of four workers."""
    runs: dict[int, list[Run]] = {}
    held: list[int] = []
    for _ in range(ROUNDS):
        for workers in (0, *WORKERS):
            with prepared(state, workers) as solver:
                runs.setdefault(workers, []).append(measured(solver))
                if workers == 4:
                    held = [worker.bytes for worker in solver.workers]
    return {workers: sorted(some)[len(some) // 2] for workers, some in runs.items()}, held


def local_call(calls: int = 300) -> float:
    """Return the mean seconds of a call to a worker on this machine that does no work."""
    worker = LocalWorker(dict, ())
    worker.send(Message("copy"))
    worker.receive()
    begun = time.perf_counter()
    for _ in range(calls):
        worker.send(Message("copy"))
        worker.receive()
    worker.close()
    return (time.perf_counter() - begun) / calls


def beside_threads() -> Iterator[str]:
    """Yield the lines of the table."""
    with tempfile.TemporaryDirectory() as folder:
        state = str(Path(folder) / "state")
        solver = new()
        for _ in range(BEFORE):
            solver.iterate()
        checkpoint.write(state, solver, None)
        size = Path(state).stat().st_size
        runs, held = by_turns(state)
    yield f"{GAME.preset} {GAME.dice}, after {BEFORE} iterations ({size / 1e6:.0f} MB), the middle of {ROUNDS} measurements of"
    yield f"{ITERATIONS} iterations, by turns:\n"
    yield "| | ms an iteration | of two threads | driver's processor, ms | its share | kB sent |"
    yield "|---|---|---|---|---|---|"
    threads = runs[0].clock
    yield f"| 2 threads | {threads * 1e3:.1f} | 1 | | | |"
    for workers in WORKERS:
        run = runs[workers]
        yield (
            f"| {workers} worker{'s' * (workers > 1)} | {run.clock * 1e3:.1f} | {run.clock / threads:.2f} "
            f"| {run.driver * 1e3:.2f} | {run.driver / run.clock:.1%} | {run.bytes / 1e3:.0f} |"
        )
    yield f"\nOf 4 workers the one that holds most has {max(held) / sum(held):.3f} of all bytes."
    yield f"A call takes {local_call() * 1e3:.2f} ms."


PAGE = Page("results.md", {"python benchmarks/cluster.py": beside_threads})

if __name__ == "__main__":
    parser(__doc__).parse_args()
    PAGE.write()

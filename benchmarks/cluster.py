"""Shards on workers: beside threads, the bytes of messages, the time of driver and workers, and a model of larger clusters.

Run it to measure again and write its tables in docs/results.md; about seven minutes on two quiet cores. `make bench` has the
first table.
"""

from __future__ import annotations

import json
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil, inf
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.kept import replaced
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.load_balancing import balance, loads
from liarsdice_cli.solvers.public_tree.remote import RemoteBackend
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.system.cluster import Message, Worker, WorkerLostError, result_of
from liarsdice_cli.system.local_cluster import LocalCluster, LocalWorker

PAGE = Path(__file__).parent.parent / "docs" / "results.md"
GAME = ("common", (3, 3))
BEFORE, ITERATIONS, ROUNDS = 1200, 30, 3
"""Iterations before anything is measured, and those of a measurement; so many of them, by turns."""
WORKERS = (1, 2, 4, 8)
CORES, MEMORY, NETWORK, CALL = 16, 128e9 * 0.8, 1.25e9, 5e-4
"""Of a machine in the model: processors, bytes for shards; bytes a second between machines, and seconds for a call."""
LARGE = (("joker", (3, 3)), ("dudo", (3, 3)), ("common", (4, 4)), ("common", (5, 5)))
SECONDS = 60
"""For which each of the large games is solved to see how it grows."""
TARGET = 1e-3
MORE_ITERATIONS, MORE_BYTES = 0.64, 0.27
"""Powers of the exploitability by which both went on rising in an earlier run of `joker` 3,3, from 1.5e-2 down to 1e-3."""


def named(game: tuple[str, tuple[int, ...]]) -> str:
    """As a person writes it."""
    return f"{game[0]} {','.join(map(str, game[1]))}"


class CountingWorker(LocalWorker):
    """A worker of this machine that counts the bytes of its messages."""

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
    """Such workers."""

    def start(self, count: int, make: Any, *arguments: Any) -> list[Worker]:
        return [CountingWorker(make, arguments) for _ in range(count)]


def new(game: tuple[str, tuple[int, ...]], workers: int = 0) -> PublicTree:
    """A solver with two threads, or on so many workers."""
    public = public_game(rules(game[0], 6, game[1], payoffs="zero-sum"))
    if workers:
        return PublicTree(public, minimiser("dcfr+"), cluster=CountingCluster(workers))
    return PublicTree(public, minimiser("dcfr+"), threads=2)


class Run(NamedTuple):
    """Of an iteration: seconds of the clock and of the driver's processor, those of every worker, and bytes that are sent."""

    clock: float
    driver: float
    workers: tuple[float, ...]
    bytes: float


def measured(solver: PublicTree) -> Run:
    """The mean of some iterations."""
    CountingWorker.bytes = 0
    clock, driver = time.perf_counter(), time.process_time()
    for _ in range(ITERATIONS):
        solver.iterate()
    spent = time.perf_counter() - clock, time.process_time() - driver
    took = tuple(worker.seconds for worker in solver.workers)
    return Run(spent[0] / ITERATIONS, spent[1] / ITERATIONS, took, CountingWorker.bytes / ITERATIONS)


@contextmanager
def prepared(state: str, workers: int) -> Iterator[PublicTree]:
    """A solver on so many workers (0: two threads) with a state that was kept, ready to go on."""
    solver = new(GAME, workers)
    try:
        solver.compile()
        checkpoint.read(state, solver)
        for _ in range(3):
            solver.iterate()
        yield solver
    finally:
        if isinstance(solver.backend, RemoteBackend):
            solver.backend.close()


class Measured(NamedTuple):
    """For each number of workers the run of the middle, and what one of them found.

    held   : for each number of workers the bytes that every worker holds
    shares : of the work, shard by shard
    """

    runs: dict[int, Run]
    held: dict[int, list[int]]
    shares: list[float]


def by_turns(state: str, rounds: int = ROUNDS) -> Measured:
    """Measure so many times, one number of workers after another."""
    runs: dict[int, list[Run]] = {}
    held: dict[int, list[int]] = {}
    work: list[float] = []
    for _ in range(rounds):
        for workers in (0, *WORKERS):
            with prepared(state, workers) as solver:
                runs.setdefault(workers, []).append(measured(solver))
                held[workers] = [worker.bytes for worker in solver.workers]
                if workers == 1:
                    assert isinstance(solver.backend, RemoteBackend)
                    work = solver.backend.work.tolist()
    middle = {workers: sorted(some)[len(some) // 2] for workers, some in runs.items()}
    return Measured(middle, held, [one / sum(work) for one in work])


class Model(NamedTuple):
    """What an iteration is made of.

    driver : seconds of the driver, while the workers wait
    each   : and for every worker
    work   : seconds of all workers together
    bytes  : of all messages
    shares : of the work, shard by shard
    """

    driver: float
    each: float
    work: float
    bytes: float
    shares: Sequence[float]

    def seconds(self, workers: int, cores: int, call: float, bytes_a_second: float) -> float:
        """Of an iteration of two players: the driver's, those of the worker with most work, of calls, and of messages."""
        owners = balance(self.shares, [shard % workers for shard in range(len(self.shares))], workers)
        most = max(loads(self.shares, owners, workers))
        return self.driver + self.each * workers + self.work * max(most, 1 / cores) + 2 * call + self.bytes / bytes_a_second


def local_call(calls: int = 300) -> float:
    """Seconds of a call to a worker of this machine that has nothing to do."""
    worker = LocalWorker(dict, ())
    worker.send(Message("copy"))
    worker.receive()
    begun = time.perf_counter()
    for _ in range(calls):
        worker.send(Message("copy"))
        worker.receive()
    worker.close()
    return (time.perf_counter() - begun) / calls


def model_of(runs: dict[int, Run], shares: Sequence[float]) -> Model:
    """What the runs with one worker and with most say."""
    one, most = runs[WORKERS[0]], runs[WORKERS[-1]]
    each = max(0.0, (most.driver - one.driver) / (WORKERS[-1] - WORKERS[0]))
    return Model(one.driver - each, each, sum(one.workers), one.bytes, shares)


def beside_threads() -> tuple[str, Model]:
    """Return the table of the measurements here, and the model of an iteration."""
    with tempfile.TemporaryDirectory() as folder:
        state = str(Path(folder) / "state")
        solver = new(GAME)
        for _ in range(BEFORE):
            solver.iterate()
        checkpoint.write(state, solver, None)
        size = Path(state).stat().st_size
        found = by_turns(state)
    threads, call = found.runs[0], local_call()
    model = model_of(found.runs, found.shares)
    lines = [
        f"{named(GAME)}, after {BEFORE} iterations ({size / 1e6:.0f} MB), the middle of {ROUNDS} measurements of {ITERATIONS} "
        "iterations, by turns:\n",
        "| | ms an iteration | of two threads | driver's processor, ms | its share | kB sent | workers', ms | model, ms |",
        "|---|---|---|---|---|---|---|---|",
        f"| 2 threads | {threads.clock * 1e3:.1f} | 1 | | | | | |",
    ]
    for workers in WORKERS:
        run = found.runs[workers]
        lines.append(
            f"| {workers} worker{'s' * (workers > 1)} | {run.clock * 1e3:.1f} | {run.clock / threads.clock:.2f} "
            f"| {run.driver * 1e3:.2f} | {run.driver / run.clock:.1%} | {run.bytes / 1e3:.0f} "
            f"| {sum(run.workers) * 1e3:.1f} | {model.seconds(workers, 2, call, inf) * 1e3:.1f} |"
        )
    most = max(found.held[4]) / sum(found.held[4])
    lines.append(f"\nOf 4 workers the one that holds most has {most:.3f} of all bytes. A call takes {call * 1e3:.2f} ms.")
    return "\n".join(lines), model


class Growth(NamedTuple):
    """How a large game went.

    bytes, iterations, reached : held in the end, done, and half the distance of the bounds that were proved
    work                       : seconds of all workers in an iteration, over the last tenth
    """

    bytes: int
    iterations: int
    reached: float
    work: float


def grown(game: tuple[str, tuple[int, ...]]) -> Growth:
    """Solve a large game for some time."""
    dice = ",".join(map(str, game[1]))
    command = [sys.executable, "-m", "liarsdice_cli", "solve", "--rules", game[0], "--dice", dice, "--payoffs", "zero-sum"]
    options = ["--method", "dcfr+", "--cluster", "local:2", "--time-limit", str(SECONDS), "--json", "-q"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    history = json.loads(run.stdout)["run_history"]
    lower, upper = history["proved"]
    late = history["workers"][-max(1, len(history["workers"]) // 10) :]
    work = statistics.fmean(sum(one["seconds"] for one in workers) for workers in late)
    return Growth(sum(one["bytes"] for one in late[-1]), history["iterations"], (upper - lower) / 2, work)


def projected(game: tuple[str, tuple[int, ...]], found: Growth, model: Model) -> str:
    """A row: what was measured, and what that gives for the target."""
    further = max(found.reached / TARGET, 1.0)
    iterations, size = found.iterations * further**MORE_ITERATIONS, found.bytes * further**MORE_BYTES
    work = found.work * size / found.bytes
    machines = max(1, ceil(size / MEMORY))
    there = model._replace(work=work, bytes=model.bytes * 4)
    workers = min(CORES * machines, len(model.shares))
    days = iterations * there.seconds(workers, CORES * machines, CALL, NETWORK) / 86_400
    alone = iterations * there.seconds(1, 1, CALL, NETWORK) / 86_400
    return (
        f"| {named(game)} | {found.bytes / 1e9:.2f} | {found.reached:.1e} | {size / 1e9:.1f} "
        f"| {iterations:,.0f} | {alone:.2f} | {machines} of {CORES} cores: {days:.2f} |"
    )


def main() -> None:
    """Measure everything and write the page's tables."""
    table, model = beside_threads()
    rows = [projected(game, grown(game), model) for game in LARGE]
    head = (
        f"| game, six sides | GB after {SECONDS} s | half the distance of bounds | GB at {TARGET:.0e} | iterations "
        "| days on one core | machines, and days |\n|---|---|---|---|---|---|---|"
    )
    PAGE.write_text(replaced(PAGE.read_text(), "python benchmarks/cluster.py", (table, "", head, *rows)))


if __name__ == "__main__":
    main()

"""Run solvers on workers, kill workers, and compare with a solver without workers."""

from __future__ import annotations

import os
import pickle
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.remote import RemoteBackend
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.system.cluster import Cluster, Message, Worker, WorkerLostError, call_method, result_of
from liarsdice_cli.system.cluster_names import cluster
from tests.support.progress import Recorded

GAMES: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "two": ("common", 4, (2, 2)),
    "three": ("joker", 6, (1, 1, 1)),
    "larger": ("common", 6, (2, 2)),
}
"""Games that are cut into shards: rules, sides, dice; the last is kept in float32."""
MOST_AT_ONCE = 2
"""Number of workers killed without progress of the solver; fewer than end a run, see `MAX_LOSSES`."""


def _sent(value: Any) -> Any:
    """Return a copy of a value as it arrives at another process; its arrays are read-only, as those from Ray are."""
    buffers: list[bytes] = []
    content = pickle.dumps(value, 5, buffer_callback=lambda buffer: buffers.append(bytes(buffer.raw())))
    return pickle.loads(content, buffers=buffers)


class PretendWorker:
    """A worker in this process that is called like one in another process.

    Calls and replies are pickled, and wait in a queue as in a pipe: the next `receive` returns the oldest unread reply.
    """

    def __init__(self, place: PretendCluster, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.place = place
        self.target = _sent(make)(*_sent(arguments))
        self.unread: list[tuple[str, Sequence[Any]]] = []
        self.killed = False

    def send(self, message: Message) -> None:
        self._alive()
        self.place.calls += 1
        self.unread.append(_sent((message.method, message.arguments)))

    def receive(self) -> Any:
        self._alive()
        assert self.unread, "one answer for a call"
        call = self.unread.pop(0)
        if self.place.losses and self.place.calls > self.place.losses[0]:
            del self.place.losses[0]
            self.killed = True
            self._alive()
        return result_of(_sent(call_method(self.target, *call)))

    def _alive(self) -> None:
        if self.killed:
            raise WorkerLostError

    def close(self) -> None:
        self.killed = True


class PretendCluster:
    """A cluster of `count` pretended workers, which start at once and can be lost at chosen moments.

    calls  : number of calls so far
    losses : numbers of calls after which a worker is lost
    """

    def __init__(self, count: int) -> None:
        self.count, self.calls = count, 0
        self.losses: list[int] = []

    @property
    def workers_per_machine(self) -> int:
        return self.count

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        return [PretendWorker(self, make, arguments) for _ in range(count)]

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        return workers[:1]


def place_of(where: str) -> Cluster:
    """Return the cluster with this name; the workers of `pretend:N` are objects in this process."""
    kind, _, count = where.partition(":")
    return PretendCluster(int(count)) if kind == "pretend" else cluster(where)


def solver(
    game: str = "two",
    where: str | None = None,
    method: str = "dcfr+",
    progress: Progress = SILENT,
    **options: Any,
) -> PublicTree:
    """Return a solver of one of the games, on the workers of a cluster or in one thread of this process."""
    preset, sides, dice = GAMES[game]
    public = public_game(rules(preset, sides, dice, payoffs="zero-sum"))
    if where is None:
        return PublicTree(public, minimiser(method), threads=1, **options)
    found = PublicTree(public, minimiser(method), cluster=place_of(where), **options)
    found.progress = progress
    return found


@contextmanager
def on_workers(game: str, where: str, method: str = "dcfr+", **options: Any) -> Iterator[tuple[PublicTree, RemoteBackend]]:
    """Yield a solver on workers and its backend, and end the workers afterwards."""
    found = solver(game, where, method, **options)
    assert isinstance(found.backend, RemoteBackend)
    try:
        yield found, found.backend
    finally:
        found.backend.close()


def state(one: PublicTree, folder: Path) -> bytes:
    """Return the whole state of a solver as a checkpoint."""
    kept(one, folder / "state")
    return (folder / "state").read_bytes()


def kept(one: PublicTree, file: Path) -> None:
    """Write the checkpoint from which a solver continues if a worker is lost, as a run does every few minutes."""
    one.retry(partial(checkpoint.write, str(file), one, None))
    one.restore = partial(checkpoint.read, str(file), one)


def kill(one: PublicTree, number: int) -> None:
    """Kill a worker."""
    assert isinstance(one.backend, RemoteBackend)
    worker, place = one.backend.members[number % len(one.workers)]
    if isinstance(worker, PretendWorker):
        worker.close()
    else:
        os.kill(place.process, 9)


@contextmanager
def killing(one: PublicTree, pauses: Callable[[], float]) -> Iterator[list[int]]:
    """Kill workers one by one in the background, with a pause before each; yield the numbers of the killed workers.

    At most two are killed before the solver makes new progress, and at most two in the same turn. On a slow machine, pauses can
    end before the lost work is done again, and a run that loses workers without progress is ended. No worker is killed twice.
    """
    holder, dead = one.backend, set[Worker]()
    assert isinstance(holder, RemoteBackend)
    killed: list[int] = []
    over = threading.Event()
    chosen = random.Random(1)

    def work() -> None:
        furthest, since, met = (-1, 0), 0, Counter[tuple[int, int]]()
        while not over.wait(pauses()):
            worker, turn = chosen.randrange(1 << 20), (one.iteration, one.update_player)
            if turn > furthest:
                furthest, since = turn, 0
            with suppress(ProcessLookupError, ZeroDivisionError, IndexError):  # they are being replaced
                victim = holder.members[worker % len(holder.members)].worker
                if since < MOST_AT_ONCE and met[turn] < MOST_AT_ONCE and victim not in dead:
                    kill(one, worker)
                    killed.append(worker)
                    dead.add(victim)
                    since, met[turn] = since + 1, met[turn] + 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def the_same_with_losses(where: str, kills: int, iterations: int = 0, seed: int = 1) -> tuple[int, list[str]]:
    """Solve until `kills` workers are killed at random moments and `iterations` are done, and check that the state is bit for
    bit the same as without workers.

    Return the number of killed workers, and the messages.
    """
    progress = Recorded()
    pauses = random.Random(seed)
    with TemporaryDirectory() as name, on_workers("larger", where, progress=progress) as (one, _):
        folder = Path(name)
        one.compile()
        kept(one, folder / "kept")
        print("begun", flush=True)
        with killing(one, lambda: 1 + 3 * pauses.random() if kills else 1e6) as killed:
            while len(killed) < kills or one.iteration < iterations:
                one.iterate()
                if one.iteration % 50 == 0:
                    kept(one, folder / "kept")
        alone = solver("larger")
        while alone.iteration < one.iteration:
            alone.iterate()
        assert one.bounds() == alone.bounds()
        assert state(one, folder) == state(alone, folder)
    return len(killed), progress.messages


if __name__ == "__main__":
    print(the_same_with_losses(sys.argv[1], *map(int, sys.argv[2:])))

"""The shards of a strategy store in this process, and the choice between them and shards on workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.solvers.public_tree import shard_io
from liarsdice_cli.solvers.public_tree.remote import RemoteShards
from liarsdice_cli.solvers.public_tree.traversers import Backend, ShardRequest, Traversal
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import OwnShards
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.system.processes import cores


class LocalBackend:
    """The shards of a tree in this process, traversed by threads (see `Backend`).

    threads : by default one a processor; never more than there are shards
    """

    def __init__(self, store: StrategyStore, threads: int | None = None) -> None:
        self.store = store
        self.threads = min(threads or cores(), len(store.shards)) if store.shards else 1
        self._pool = None if self.threads == 1 else ThreadPoolExecutor(self.threads)

    def traverse(self, request: ShardRequest, done: set[int], stop: Callable[[], bool]) -> int:
        """See `Backend`; `stop` is polled before every shard except the first."""

        def work(one: tuple[int, Ints]) -> int:
            if done and stop():
                return 0
            number, subtrees = one
            visited = request.traverser.run(request.traversal, self.store.shards[number], request.below, subtrees)
            done.add(number)
            return visited

        if self._pool is None:
            return sum(map(work, request.by_shard()))
        futures = [self._pool.submit(work, one) for one in request.by_shard()]
        try:
            return sum(future.result() for future in futures)
        finally:  # after Ctrl-C, begin no other shard
            for future in futures:
                future.cancel()

    def reserve(self, memory: float) -> bool:
        """See `Backend`."""
        return self.store.reserve(memory, [shard for _, shard in self.store.all_shards])

    def begin(self) -> None:
        """See `Backend`."""
        self.store.shards = OwnShards(self.store.new_shard() for _ in self.store.shards)

    def compile(self, passes: Sequence[tuple[Any, Traversal]]) -> None:
        """Do nothing: the traversal of the top shard has compiled everything in this process."""

    def save(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """See `Backend`."""
        return [shard_io.write(shard, out) for shard in self.store.shards]

    def load(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checksums: Sequence[int]) -> None:
        """See `Backend`."""
        file.seek(starts[0])
        self.store.shards = OwnShards(
            shard_io.read(self.store, number, size, checksum, file)
            for number, (size, checksum) in enumerate(zip(sizes, checksums, strict=True))
        )

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """No workers."""
        return ()

    def recover(self) -> None:
        """Do nothing: threads are not lost."""

    def replace_workers(self) -> str:
        """Do nothing: threads are not lost."""
        return ""


def backend_of(store: StrategyStore, threads: int | None = None) -> Backend:
    """Return the backend that holds the shards of a tree; in this process, a new one with some threads."""
    return store.shards.backend if isinstance(store.shards, RemoteShards) else LocalBackend(store, threads)

"""Who holds the shards of a tree: threads of this process share them, unless they are elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.solvers.public_tree import sections
from liarsdice_cli.solvers.public_tree.elsewhere import DistantShards
from liarsdice_cli.solvers.public_tree.walks import Holder, Numbers, ShardWalk
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import OwnShards
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.system.processes import cores


class Here:
    """The shards of a tree that is whole in this process, walked by so many threads (see `Holder`).

    threads : one a processor if nothing is said, but not more than there are shards
    """

    def __init__(self, tree: StrategyStore, threads: int | None = None) -> None:
        self.tree = tree
        self.threads = min(threads or cores(), len(tree.shards)) if tree.shards else 1
        self._pool = None if self.threads == 1 else ThreadPoolExecutor(self.threads)

    def walk(self, asked: ShardWalk, done: set[int], stop: Callable[[], bool]) -> int:
        """See `Holder`; `stop` is asked before every shard but the first."""

        def work(one: tuple[int, Ints]) -> int:
            if done and stop():
                return 0
            number, subtrees = one
            visited = asked.walker.walk(asked.plan, self.tree.shards[number], asked.below, subtrees)
            done.add(number)
            return visited

        if self._pool is None:
            return sum(map(work, asked.by_shard()))
        return sum(future.result() for future in [self._pool.submit(work, one) for one in asked.by_shard()])

    def make_room(self, memory: float) -> bool:
        """See `Holder`."""
        return self.tree.reserve(memory, [shard for _, shard in self.tree.all_shards])

    def begin(self) -> None:
        """See `Holder`."""
        self.tree.shards = OwnShards(self.tree.new_shard() for _ in self.tree.shards)

    def compile(self, numbers: Sequence[tuple[Any, Numbers]]) -> None:
        """What walks at the top need is compiled there."""

    def keep(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """See `Holder`."""
        return [sections.write(self.tree, number, shard, out) for number, shard in enumerate(self.tree.shards)]

    def take(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checks: Sequence[int]) -> None:
        """See `Holder`."""
        file.seek(starts[0])
        self.tree.shards = OwnShards(
            sections.read(self.tree, number, size, check, file)
            for number, (size, check) in enumerate(zip(sizes, checks, strict=True))
        )

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """There are no workers."""
        return ()

    def recover(self) -> None:
        """Nobody is lost here."""

    def mend(self) -> str:
        """Nobody is lost here."""
        return ""


def holder_of(tree: StrategyStore, threads: int | None = None) -> Holder:
    """Who holds the shards of a tree; if that is this process, so many threads share them."""
    return tree.shards.holder if isinstance(tree.shards, DistantShards) else Here(tree, threads)

"""The worker's side of `remote`: it holds some shards of a tree and traverses them for the driver."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays, shard_io
from liarsdice_cli.solvers.public_tree.traversers import ShardTraverser, Traversal
from liarsdice_cli.strategies.shard import Shard, sizes_of
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system import cluster


class Turn(NamedTuple):
    """The traversal that the driver asks a worker for.

    traversal : its mode and what it learns, the same for all workers
    fresh     : whether full shards make room first
    roots     : integers (subtrees, 4), see `StrategyStore.roots`: the subtrees to traverse, all in shards of this worker
    reach     : (subtrees, players, rolls), see `arrays.Subtrees`
    """

    traversal: Traversal
    fresh: bool
    roots: Ints
    reach: Floats


class Report(NamedTuple):
    """The shards that a worker has traversed since its last report, and the state of all that it holds.

    visited : the number of histories visited
    done    : the numbers of the shards traversed
    seconds : for each of them the processor time
    held    : the numbers of all shards of the worker
    sizes   : integers (held, 9), their `Shard.size`
    short   : whether one of them could not make room for lack of memory
    roots   : integers (subtrees, 4), `Turn.roots` with the subtrees that have been expanded
    value   : (subtrees, rolls of the update player), 0 in shards that have not been traversed
    """

    visited: int
    done: list[int]
    seconds: list[float]
    held: list[int]
    sizes: Ints
    short: bool
    roots: Ints
    value: Floats


class ShardWorker:
    """The shards of one worker.

    names, kind  : the names of the arrays, and their kind of float
    keeps_values : as in `StrategyStore`
    """

    def __init__(self, game: PublicGame, cut: int, names: Sequence[str], kind: Any, keeps_values: bool) -> None:
        self.game, self.kind, self.memory = game, kind, inf
        rolls = [len(rolls) for rolls in game.rolls]
        self.store = StrategyStore(rolls, game.bidding, names, kind, cut, keeps_values=keeps_values)
        self.held: dict[int, Shard] = {}
        self._traversers: dict[tuple[str, bool], ShardTraverser] = {}
        self._left: list[tuple[int, Ints]] = []
        self._used = np.zeros(2, np.int64)
        self._short = False

    def location(self) -> cluster.WorkerLocation:
        """Return the location of this worker."""
        return cluster.location()

    def limit(self, memory: float) -> None:
        """Set the bytes that the shards may fill."""
        self.memory = memory

    def begin(self, held: Sequence[int]) -> None:
        """Replace all shards by these, without expanded histories."""
        self.held = {number: self.store.new_shard() for number in held}

    def compile(self, passes: Sequence[tuple[Any, Traversal]]) -> None:
        """Compile such passes, each in a kind of float."""
        for kind, traversal in passes:
            self._traverser(kind, traversal).compile(traversal, self.store.new_shard())

    def _traverser(self, kind: Any, traversal: Traversal) -> ShardTraverser:
        key = np.dtype(kind).name, traversal.tremble > 0
        if key not in self._traversers:
            self._traversers[key] = ShardTraverser(self.game, np.dtype(kind).type, all_bids=key[1])
        return self._traversers[key]

    def traverse(self, turn: Turn, seconds: float) -> Report:
        """Traverse at least one shard, and more until the time is over; `resume` continues with the others."""
        if turn.fresh:
            self._short = not self.store.reserve(self.memory, list(self.held.values()))
        _, players, width = turn.reach.shape
        kind = turn.reach.dtype.type
        self._traversal, self._shard_traverser = turn.traversal, self._traverser(kind, turn.traversal)
        self._subtrees = arrays.subtrees_below(
            turn.roots.copy(), self._used, players, width, kind
        )  # arrays from Ray are read-only
        self._subtrees.reach[:] = turn.reach
        owners = turn.roots[:, SHARD]
        self._left = [(number, np.flatnonzero(owners == number)) for number in np.unique(owners).tolist()[::-1]]
        return self.resume(seconds)

    def resume(self, seconds: float) -> Report:
        """Traverse at least one more shard of the turn if any is left, and more until the time is over."""
        until, subtrees, visited = time.monotonic() + seconds, self._subtrees, 0
        done: list[int] = []
        took: list[float] = []
        while self._left and (not done or time.monotonic() < until):
            number, own = self._left.pop()
            before = time.thread_time()
            visited += self._shard_traverser.run(self._traversal, self.held[number], subtrees, own)
            took.append(time.thread_time() - before)
            done.append(number)
        sizes = sizes_of(self.held.values())
        value = subtrees.value[:, : int(self.store.widths[self._traversal.update_player])]
        return Report(visited, done, took, list(self.held), sizes, self._short, subtrees.roots, value)

    def content(self, number: int, roots: Ints) -> Any:
        """Return a shard as bytes. `roots` are its subtrees."""
        self._set_roots(roots)
        views = [np.frombuffer(piece, np.uint8) for piece in shard_io.pieces(self.held[number])]
        return np.concatenate(views) if views else np.zeros(0, np.uint8)

    def hand_over(self, number: int, roots: Ints) -> Any:
        """Return a shard as bytes and drop it."""
        content = self.content(number, roots)
        del self.held[number]
        return content

    def accept(self, number: int, roots: Ints, size: Ints, content: Any) -> None:
        """Add a shard that another worker has handed over."""
        self._set_roots(roots)
        self.held[number] = shard_io.shard_of(self.store, number, size, content)

    def save(self, file: str, roots: Ints, starts: dict[int, int]) -> dict[int, int]:
        """Write shards at their places into an existing file; return the CRC-32 of each. Raises OSError."""
        self._set_roots(roots)
        found = {}
        try:
            with open(file, "r+b") as out:
                for number, start in starts.items():
                    out.seek(start)
                    found[number] = shard_io.write(self.held[number], out)
                out.flush()
                os.fsync(out.fileno())
        except FileNotFoundError as error:
            raise self._not_found(file) from error
        return found

    def load(self, file: str, roots: Ints, starts: dict[int, int], sizes: dict[int, Ints], checksums: dict[int, int]) -> None:
        """Replace all shards by those at some places of a file.

        Raises ValueError if they are damaged, OSError if the file cannot be read.
        """
        self._set_roots(roots)
        self.held = {}
        try:
            with open(file, "rb") as source:
                for number, start in starts.items():
                    source.seek(start)
                    self.held[number] = shard_io.read(self.store, number, sizes[number], checksums[number], source)
        except FileNotFoundError as error:
            raise self._not_found(file) from error

    def _not_found(self, file: str) -> LiarsDiceError:
        return LiarsDiceError(
            f"the worker on {self.location().machine} cannot find {file}: with several machines, name a file in a folder "
            "that all of them share"
        )

    def _set_roots(self, roots: Any) -> None:
        self.store.roots, self.store.subtrees[0] = roots, len(roots)

"""The worker's side of `elsewhere`: it holds some shards of a tree and traverses them when the driver asks."""

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
from liarsdice_cli.solvers.public_tree import arrays, sections
from liarsdice_cli.solvers.public_tree.walks import Numbers, Plan, ShardWalker
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system import cluster


class Turn(NamedTuple):
    """The traversal that the driver asks a worker for.

    plan  : see `Plan.sent`
    fresh : whether the shards make room first, for histories that found none
    roots : integers (subtrees, 4), see `StrategyStore.roots`: the subtrees to traverse, all in shards of this worker
    reach : (subtrees, players but the update player, rolls), see `arrays.Subtrees`
    """

    plan: Plan
    fresh: bool
    roots: Ints
    reach: Floats


class Report(NamedTuple):
    """The shards that a worker has traversed since its last report, and the state of all that it holds.

    visited : the number of histories visited
    walked  : the numbers of the shards traversed
    seconds : for each of them the processor time
    held    : the numbers of all shards of the worker
    sizes   : integers (held, 7), their `Shard.size`
    short   : whether one of them found no memory for more room
    roots   : integers (subtrees, 4), `Turn.roots` with the subtrees that have been expanded
    value   : (subtrees, rolls of the update player), 0 in shards that have not been traversed
    """

    visited: int
    walked: list[int]
    seconds: list[float]
    held: list[int]
    sizes: Ints
    short: bool
    roots: Ints
    value: Floats


class ShardWorker:
    """Shards that a worker holds.

    kept, kind : the names of the arrays, and their kind of float
    """

    def __init__(self, game: PublicGame, cut: int, kept: Sequence[str], kind: Any) -> None:
        self.game, self.kind, self.memory = game, kind, inf
        self.tree = StrategyStore([len(rolls) for rolls in game.rolls], game.bidding, kept, kind, cut)
        self.held: dict[int, Shard] = {}
        self._walkers: dict[str, ShardWalker] = {}
        self._left: list[tuple[int, Ints]] = []
        self._used = np.zeros(2, np.int64)
        self._short = False

    def place(self) -> cluster.Place:
        """Where this is."""
        return cluster.here()

    def limit(self, memory: float) -> None:
        """Let the shards take so many bytes."""
        self.memory = memory

    def begin(self, held: Sequence[int]) -> None:
        """Hold these shards and no others, in which nothing has grown."""
        self.held = {number: self.tree.new_shard() for number in held}

    def compile(self, numbers: Sequence[tuple[Any, Numbers]]) -> None:
        """Compile walks in some kinds of float on some arrays."""
        for kind, names in numbers:
            self._walker(kind).compile(names, self.tree.new_shard())

    def _walker(self, kind: Any) -> ShardWalker:
        name = np.dtype(kind).name
        if name not in self._walkers:
            self._walkers[name] = ShardWalker(self.game, np.dtype(kind).type)
        return self._walkers[name]

    def walk(self, turn: Turn, seconds: float) -> Report:
        """Traverse shards for so many seconds, but at least one; `walk_on` continues with the others."""
        if turn.fresh:
            self._short = not self.tree.reserve(self.memory, list(self.held.values()))
        players, learner, (_, _, width) = self.game.players, turn.plan.learner, turn.reach.shape
        kind = turn.reach.dtype.type
        self._plan, self._walks = turn.plan.received(kind), self._walker(kind)
        self._subtrees = arrays.below(turn.roots.copy(), self._used, players, width, kind)  # arrays from Ray are read-only
        self._subtrees.reach[:, np.arange(players) != learner] = turn.reach
        owners = turn.roots[:, SHARD]
        self._left = [(number, np.flatnonzero(owners == number)) for number in np.unique(owners).tolist()[::-1]]
        return self.walk_on(seconds)

    def walk_on(self, seconds: float) -> Report:
        """Traverse more shards of the turn for so many seconds, but at least one if any is left."""
        until, subtrees, visited = time.monotonic() + seconds, self._subtrees, 0
        walked: list[int] = []
        took: list[float] = []
        while self._left and (not walked or time.monotonic() < until):
            number, own = self._left.pop()
            before = time.thread_time()
            visited += self._walks.walk(self._plan, self.held[number], subtrees, own)
            took.append(time.thread_time() - before)
            walked.append(number)
        sizes = np.array([shard.size for shard in self.held.values()]).reshape(-1, 7)
        value = subtrees.value[:, : int(self.tree.widths[self._plan.learner])]
        return Report(visited, walked, took, list(self.held), sizes, self._short, subtrees.roots, value)

    def section(self, number: int, roots: Ints) -> Any:
        """A shard as bytes, where `roots` are its subtrees."""
        self._set_roots(roots)
        views = [np.frombuffer(piece, np.uint8) for piece in sections.pieces(self.tree, number, self.held[number])]
        return np.concatenate(views) if views else np.zeros(0, np.uint8)

    def give(self, number: int, roots: Ints) -> Any:
        """A shard as bytes, which is then no longer held here."""
        content = self.section(number, roots)
        del self.held[number]
        return content

    def accept(self, number: int, roots: Ints, size: Ints, content: Any) -> None:
        """Hold a shard that another worker gave."""
        self._set_roots(roots)
        self.held[number] = sections.shard_of(self.tree, number, size, content)

    def keep(self, file: str, roots: Ints, starts: dict[int, int]) -> dict[int, int]:
        """Write shards at their places into a file that is there already; return the CRC-32 of each. Raises OSError."""
        self._set_roots(roots)
        found = {}
        try:
            with open(file, "r+b") as out:
                for number, start in starts.items():
                    out.seek(start)
                    found[number] = sections.write(self.tree, number, self.held[number], out)
                out.flush()
                os.fsync(out.fileno())
        except FileNotFoundError as error:
            raise self._unseen(file) from error
        return found

    def take(self, file: str, roots: Ints, starts: dict[int, int], sizes: dict[int, Ints], checks: dict[int, int]) -> None:
        """Hold the shards that stand at some places of a file, and no others.

        Raises ValueError where they are damaged, OSError where the file cannot be read.
        """
        self._set_roots(roots)
        self.held = {}
        try:
            with open(file, "rb") as kept:
                for number, start in starts.items():
                    kept.seek(start)
                    self.held[number] = sections.read(self.tree, number, sizes[number], checks[number], kept)
        except FileNotFoundError as error:
            raise self._unseen(file) from error

    def _unseen(self, file: str) -> LiarsDiceError:
        return LiarsDiceError(
            f"the worker on {self.place().machine} does not find {file}: with several machines, name a file in a folder that "
            "all of them share"
        )

    def _set_roots(self, roots: Any) -> None:
        self.tree.roots, self.tree.subtrees[0] = roots, len(roots)

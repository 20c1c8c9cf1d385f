"""Some shards of a tree in the process of a worker, which walks them: what `elsewhere` calls."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.grown import OWNER, ROOT, GrownTree, Shard
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays, sections
from liarsdice_cli.solvers.public_tree.walks import Numbers, Plan, ShardWalker
from liarsdice_cli.system import cluster


class Turn(NamedTuple):
    """What a worker is to walk.

    plan  : as it is sent
    fresh : whether shards may make room before
    roots : `GrownTree.roots` of the subtrees that are due, shard by shard
    reach : (subtrees, players but the learner, rolls), see `arrays.Subtrees`; its kind of float is that of the walk
    """

    plan: Plan
    fresh: bool
    roots: Ints
    reach: Floats


class Report(NamedTuple):
    """What came of that so far.

    done    : the shards that were walked since the last report, rising; they go on where those of the last one ended
    values  : (their subtrees, rolls), of each what it is worth to the learner with each roll
    roots   : integers (their subtrees): the histories that they begin with
    visited : histories
    seconds : floats (done): the time of the processor that each took
    numbers, sizes : all shards held, and `Shard.size` of each
    left    : whether shards are left to walk
    short   : whether memory did not do
    """

    done: list[int]
    values: Floats
    roots: Ints
    visited: int
    seconds: list[float]
    numbers: list[int]
    sizes: Ints
    left: bool
    short: bool


class ShardWorker:
    """Shards that a worker holds.

    kept, kind : the names of the arrays, and their kind of float
    """

    def __init__(self, game: PublicGame, cut: int, kept: Sequence[str], kind: Any) -> None:
        self.game, self.kind, self.memory = game, kind, inf
        self.tree = GrownTree([len(rolls) for rolls in game.rolls], game.bidding, kept, kind, cut)
        self.held: dict[int, Shard] = {}
        self._walkers: dict[str, ShardWalker] = {}
        self._left: list[tuple[int, Any]] = []
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
        """Walk what is due for so long, but at least one shard; see `walk_on` for the rest."""
        if turn.fresh:
            self._short = not self.tree.make_room(self.memory, list(self.held.values()))
        self._plan, self._walks = turn.plan.received(turn.reach.dtype.type), self._walker(turn.reach.dtype)
        self._subtrees = self._subtrees_of(turn)
        owners: Any = turn.roots[:, OWNER]
        self._left = [(number, np.flatnonzero(owners == number)) for number in np.unique(owners).tolist()[::-1]]
        return self.walk_on(seconds)

    def _subtrees_of(self, turn: Turn) -> arrays.Subtrees:
        count, learner, width = len(turn.roots), turn.plan.learner, self._walks.width
        reach = np.zeros((count, self.game.players, width), turn.reach.dtype)
        others = [player for player in range(self.game.players) if player != learner]
        reach[:, others, : turn.reach.shape[2]] = turn.reach
        used, due = np.array([count, 0], np.int64), np.ones(count, np.bool_)
        return arrays.Subtrees(turn.roots.copy(), used, due, reach, np.zeros((count, width), turn.reach.dtype))

    def walk_on(self, seconds: float) -> Report:
        """Walk more of what is due, for so long."""
        until, visited = time.monotonic() + seconds, 0
        done: list[int] = []
        took: list[float] = []
        chosen: list[Any] = [np.zeros(0, np.int64)]
        while self._left and (not done or time.monotonic() < until):
            number, own = self._left.pop()
            before = time.thread_time()
            visited += self._walks.walk(self._plan, self.held[number], self._subtrees, own)
            took.append(time.thread_time() - before)
            done.append(number)
            chosen.append(own)
        rows, rolls = np.concatenate(chosen), int(self.tree.widths[self._plan.learner])
        values, roots = self._subtrees.value[rows, :rolls], self._subtrees.roots[rows, ROOT]
        return Report(done, values, roots, visited, took, *self.sizes(), bool(self._left), self._short)

    def sizes(self) -> tuple[list[int], Ints]:
        """The shards held, and how large each is."""
        return list(self.held), np.array([shard.size for shard in self.held.values()], np.int64).reshape(-1, 7)

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
        """Write shards at their places into a file that is there already; returns the CRC-32 of each."""
        self._set_roots(roots)
        found = {}
        try:
            with open(file, "r+b") as out:
                for number, start in starts.items():
                    out.seek(start)
                    found[number] = sections.write(self.tree, number, self.held[number], out)
                out.flush()
                os.fsync(out.fileno())
        except OSError as error:
            raise self._unseen(file, error) from error
        return found

    def take(self, file: str, roots: Ints, starts: dict[int, int], sizes: dict[int, Ints], checks: dict[int, int]) -> None:
        """Hold the shards that stand at some places of a file, and no others; ValueError where they are damaged."""
        self._set_roots(roots)
        self.held = {}
        try:
            with open(file, "rb") as kept:
                for number, start in starts.items():
                    kept.seek(start)
                    self.held[number] = sections.read(self.tree, number, sizes[number], checks[number], kept)
        except OSError as error:
            raise self._unseen(file, error) from error

    def _unseen(self, file: str, error: OSError) -> LiarsDiceError:
        return LiarsDiceError(
            f"the worker on {self.place().machine} cannot use {file}: {error.strerror or error}; with several machines, name a "
            "file in a folder that all of them share"
        )

    def _set_roots(self, roots: Any) -> None:
        self.tree.roots, self.tree.subtrees[0] = roots, len(roots)

"""Walks over a whole grown tree: down the top shard, over the shards below wherever they are, and up the top shard again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system.cluster import WorkerLostError

_OPENING = np.zeros(1, np.int64)


class Numbers(NamedTuple):
    """The arrays of a shard that a walk works on, by name: weights, last regrets, averages and what is locked; "" for none."""

    weights: str
    last: str = ""
    averages: str = ""
    lock: str = ""

    def rows(self, shard: Shard) -> arrays.Rows:
        """A shard with these arrays."""
        weights = shard.arrays[self.weights]
        more = (shard.arrays[name] if name else weights[:0] for name in (self.last, self.averages, self.lock))
        return arrays.Rows(shard.first_entry, shard.first_child, shard.children, shard.used, weights, *more)


class Plan(NamedTuple):
    """A walk over the whole tree: what it does at the histories of which player, on which arrays, at which rates."""

    mode: int
    learner: int
    averaged: int
    numbers: Numbers
    rates: arrays.WalkRates

    def sent(self) -> Plan:
        """As it goes to other processes: with Python's floats, which are pickled in a fraction of the time of NumPy's."""
        return self._replace(rates=arrays.WalkRates(*map(float, self.rates)))

    def received(self, kind: Any) -> Plan:
        """As it was, in a kind of float."""
        return self._replace(rates=arrays.WalkRates(*map(kind, self.rates)))


def plain(kind: Any = np.float64, tremble: float = 0.0) -> arrays.WalkRates:
    """The rates of walks that learn nothing."""
    numbers = (1, 1, 1, 0, 0, 0, 0, 0, 0, np.finfo(kind).tiny, tremble, 0, 1)
    return arrays.WalkRates(*map(kind, numbers))


class ShardWalker:
    """Walks over one shard at a time, or one a thread, in one kind of float."""

    def __init__(self, game: PublicGame, kind: Any) -> None:
        self.game, self.kind = game, kind
        self.tables, self.opening = arrays.look_ups(game, kind), arrays.whole(game, kind)
        self.nothing_below = arrays.below(np.zeros((0, 4), np.int64), np.zeros(2, np.int64), game.players, 0, kind)
        self._stacks = threading.local()

    @property
    def width(self) -> int:
        """The padded rolls of the player who has most."""
        return int(self.opening.value.shape[1])

    def walk(self, plan: Plan, shard: Shard, subtrees: arrays.Subtrees, chosen: Ints) -> int:
        """Walk subtrees of a shard from which no bid leads out; see `walk_to`."""
        return self.walk_to(plan, w.WHOLE, shard, subtrees, chosen, len(self.tables.group), self.nothing_below)

    def walk_to(
        self,
        plan: Plan,
        span: int,
        shard: Shard,
        subtrees: arrays.Subtrees,
        chosen: Ints,
        cut: int,
        below: arrays.Subtrees,
    ) -> int:
        """Do what `walk.walk` says; returns the histories visited. LiarsDiceError where a number is no longer finite."""
        if not hasattr(self._stacks, "stack"):
            self._stacks.stack = arrays.new_stack(self.tables)
        rows = plan.numbers.rows(shard)
        how = plan.mode, span, plan.learner, plan.averaged, self.tables
        visited = int(w.walk(*how, rows, subtrees, chosen, cut, below, plan.rates, self._stacks.stack))
        if visited < 0:
            raise LiarsDiceError(
                "a number in the arrays is no longer finite (overflow, or a damaged checkpoint), so there is no answer: "
                "start again, or use another ",
                Argument("method"),
            )
        return visited

    def compile(self, numbers: Numbers, shard: Shard) -> None:
        """Compile what a walk needs, or find it where it is kept, without a step."""
        self.walk(Plan(w.LEARN, 0, w.NOBODY, numbers, plain(self.kind)), shard, self.opening, _OPENING[:0])


class ShardWalk(NamedTuple):
    """The traversal of the shards that `Walks` asks a `Holder` for.

    walker, plan : how to traverse
    below        : the subtrees below the cut; those that are due get their roots and values
    shards       : the shards of the subtrees that are due, rising
    """

    walker: ShardWalker
    plan: Plan
    below: arrays.Subtrees
    shards: Ints

    def by_shard(self) -> list[tuple[int, Ints]]:
        """Every shard that is due, with its subtrees."""
        rows = np.flatnonzero(self.below.due)
        owners = self.below.roots[rows, SHARD]
        ends = np.cumsum(np.bincount(owners)[self.shards])
        return list(zip(self.shards.tolist(), np.split(rows[np.argsort(owners, kind="stable")], ends), strict=False))


class Holder(Protocol):
    """Who holds the shards below the top one and walks them: threads of this process, or workers elsewhere."""

    def walk(self, asked: ShardWalk, done: set[int], stop: Callable[[], bool]) -> int:
        """Walk the subtrees that are due and fill in their values, and in `done` their shards; the histories visited.

        Where `stop` says so, it ends with shards that are not done, but at least with one that is: else a turn that is
        stopped at once, again and again, would begin anew with room that it does not have without the stops.
        """

    def compile(self, numbers: Sequence[tuple[Any, Numbers]]) -> None:
        """Compile walks in some kinds of float on some arrays, wherever that is not done anyway."""

    def begin(self) -> None:
        """All shards as they are before anything has grown."""

    def make_room(self, memory: float) -> bool:
        """Make room where histories found none in the last walk; False if that takes more memory than there is."""

    def keep(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """Write every shard into a file at its place (see `sections`), the first where the file stands; the CRC-32 of each."""

    def take(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checks: Sequence[int]) -> None:
        """Hold the shards in a file instead; ValueError where one is damaged. `starts` has where the last ends, too."""

    def recover(self) -> None:
        """Bring everything back to where it was before the walk in which a worker was lost."""

    def mend(self) -> str:
        """Replace the workers that were lost, and say so; then all shards have to begin anew, or be taken from a file."""

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """How every worker does."""


class Walks:
    """Walks over a grown tree in one kind of float: down to the cut, then the shards, each alone, then up again.

    visited : how many histories they came to, all together
    """

    def __init__(self, game: PublicGame, tree: StrategyStore, holder: Holder, kind: Any) -> None:
        self.game, self.tree, self.holder, self.kind = game, tree, holder, kind
        self.walker = ShardWalker(game, kind)
        self.below = self._new_below()
        self.visited = 0

    def _new_below(self) -> arrays.Subtrees:
        return arrays.below(self.tree.roots, self.tree.subtrees, self.game.players, self.walker.width, self.kind)

    def fit(self) -> None:
        """Follow the tree where it has made room for more subtrees, or begins anew: what is known of them stays."""
        if self.below.roots is not self.tree.roots:
            before = self.below.value
            self.below = self._new_below()
            known = min(len(before), len(self.below.value))
            self.below.value[:known] = before[:known]

    def run(self, plan: Plan, done: set[int] | None = None, stop: Callable[[], bool] = lambda: False) -> float | None:
        """Walk the whole tree; returns the probability that the learner is not the one who loses.

        done : the shards that have been walked in an earlier try, of which the values are known; filled
        stop : asked now and then; where it says so the walk ends with None and can be taken up again

        Raises WorkerLostError where a worker is lost while learning: the tree is then of no use until it is recovered.
        """
        while True:
            try:
                return self._run(plan, set() if done is None else done, stop)
            except WorkerLostError:
                if plan.mode == w.LEARN:
                    raise
                self.holder.recover()

    def _run(self, plan: Plan, done: set[int], stop: Callable[[], bool]) -> float | None:
        opening = self.walker.opening
        if self.tree.shards:
            self.fit()
            self.below.due[:] = False
            self._walk_top(plan, w.DOWN)
            self.tree.assign_shards()
            shards = self._due(done)
            self.visited += self.holder.walk(ShardWalk(self.walker, plan, self.below, shards), done, stop)
            if not done.issuperset(shards.tolist()):
                return None
        self.visited += self._walk_top(plan, w.UP if self.tree.shards else w.WHOLE)
        done.clear()
        rolls = self.game.rolls[plan.learner]
        return float(opening.value[0, : len(rolls)].astype(np.float64) @ rolls)

    def _walk_top(self, plan: Plan, span: int) -> int:
        opening = self.walker.opening
        return self.walker.walk_to(plan, span, self.tree.top, opening, _OPENING, self.tree.cut, self.below)

    def _due(self, done: set[int]) -> Ints:
        """The shards to whose subtrees the walk down has come, rising; those that are done are no longer due."""
        due, roots = self.below.due, self.tree.roots
        if done:
            due[np.isin(roots[:, SHARD], list(done))] = False
        return np.flatnonzero(np.bincount(roots[np.flatnonzero(due), SHARD]))

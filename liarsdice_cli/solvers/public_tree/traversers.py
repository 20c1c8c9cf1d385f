"""Traversals of a whole strategy store: down the top shard, through the shards below, and up the top shard again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree.arrays import DOWN, NO_PLAYER, UP, WHOLE, Pass
from liarsdice_cli.solvers.public_tree.traversal import traverse
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import MOST_BLOCKS, Shard
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system.cluster import WorkerLostError

LEARN, RESPOND, EVALUATE = 0, 1, 2
"""The modes of a traversal: update the update player's regrets, compute its best response, or evaluate the strategies."""
_OPENING = np.zeros(1, np.int64)


class ArrayNames(NamedTuple):
    """The names of a shard's arrays in their roles in a traversal; "" for a role without an array.

    weights      : players act in proportion to these: regrets while learning, otherwise a strategy
    last_regrets : of minimisers that predict
    averages     : the sums of strategies that learning adds to
    lock         : fixed probabilities, 0 for all actions of a roll without a lock
    """

    weights: str
    last_regrets: str = ""
    averages: str = ""
    lock: str = ""


class Traversal(NamedTuple):
    """A traversal of the whole tree.

    average_player : the player whose average strategy it updates, or NO_PLAYER
    rates          : of the minimiser that learns (see `arrays.Rates`), as Python's floats; empty if nothing is learnt
    tremble        : the probability with which a player acts uniformly at random
    mirror         : the rate and the factor of a step of mirror descent (see `arrays.Mirror`); empty for other learning
    """

    mode: int
    update_player: int
    names: ArrayNames
    average_player: int = NO_PLAYER
    rates: tuple[float, ...] = ()
    tremble: float = 0.0
    mirror: tuple[float, ...] = ()


class Region(NamedTuple):
    """The part of a shard that a pass covers (see `traversal.traverse`).

    subtrees : subtrees of the shard; the pass starts at the rows `chosen`
    cut      : the first bid that leads out of the shard, to the subtrees `below`
    """

    subtrees: arrays.Subtrees
    chosen: Ints
    cut: int
    below: arrays.Subtrees


class ShardTraverser:
    """Traverses one shard at a time in each thread, in one kind of float.

    all_bids : whether every bid has a column, as where players tremble; then learning expands no history after a settled bid
    """

    def __init__(self, game: PublicGame, kind: Any, all_bids: bool = False) -> None:
        self.game, self.kind = game, kind
        self.bids = arrays.bid_tables(game, game.settled if all_bids else None)
        self.showdowns = arrays.showdown_tables(game, kind)
        self.opening = arrays.whole_tree(game, kind)
        self._none_below = arrays.subtrees_below(np.zeros((0, 4), np.int64), np.zeros(2, np.int64), game.players, 0, kind)
        self._stacks = threading.local()

    @property
    def width(self) -> int:
        """The largest padded number of rolls of a player."""
        return int(self.opening.value.shape[1])

    def run(self, traversal: Traversal, shard: Shard, subtrees: arrays.Subtrees, chosen: Ints) -> int:
        """Traverse subtrees of a shard below the cut; see `run_to_cut`."""
        return self.run_to_cut(traversal, WHOLE, shard, Region(subtrees, chosen, self.game.bids, self._none_below))

    @property
    def stack(self) -> arrays.Stack:
        """The stack of this thread, with what the last pass has left."""
        if not hasattr(self._stacks, "stack"):
            self._stacks.stack = arrays.new_stack(self.showdowns, self.bids.endings)
        found: arrays.Stack = self._stacks.stack
        return found

    def run_to_cut(self, traversal: Traversal, span: int, shard: Shard, region: Region) -> int:
        """Make one pass; return the number of histories visited. LiarsDiceError if a number is no longer finite."""
        names, kind, entries = traversal.names, self.kind, shard.arrays
        weights = entries[names.weights]
        rooms = min(len(shard.blocks), MOST_BLOCKS), shard.capacity[3]
        layout = arrays.Layout(shard.states, shard.first_column, shard.columns, shard.blocks, shard.used, *rooms)
        context = arrays.Context(self.bids, self.showdowns, layout, weights, self.stack, kind(np.finfo(kind).tiny))
        current = Pass(traversal.update_player, traversal.average_player, span, traversal.mode == RESPOND)
        learning = None
        if traversal.mode == LEARN:
            last_regrets = entries[names.last_regrets] if names.last_regrets else weights[:0]
            rates = arrays.Rates(*map(kind, traversal.rates))
            learning = arrays.Learning(entries[names.averages], last_regrets, shard.values, rates)
        lock = entries[names.lock] if names.lock else None
        tremble = kind(traversal.tremble) if traversal.tremble else None
        mirror = arrays.Mirror(*map(kind, traversal.mirror)) if traversal.mirror else None
        visited = int(traverse(current, context, *region, learning, lock, tremble, mirror))
        if visited < 0:
            raise LiarsDiceError(
                "a number in the arrays is no longer finite (overflow, or a damaged checkpoint), so there is no answer: "
                "start again, or use another ",
                Argument("method"),
            )
        return visited

    def compile(self, traversal: Traversal, shard: Shard) -> None:
        """Compile such a pass, or load it from the cache, without visiting a history."""
        self.run(traversal, shard, self.opening, _OPENING[:0])


class ShardRequest(NamedTuple):
    """The traversal of the shards below the cut that `TreeTraverser` asks a `Backend` for.

    traverser, traversal : how to traverse
    below                : the subtrees below the cut; those that are due get their roots and values
    shards               : the shards of the subtrees that are due, rising
    """

    traverser: ShardTraverser
    traversal: Traversal
    below: arrays.Subtrees
    shards: Ints

    def by_shard(self) -> list[tuple[int, Ints]]:
        """Return every shard that is due, with its subtrees."""
        rows = np.flatnonzero(self.below.due)
        owners = self.below.roots[rows, SHARD]
        ends = np.cumsum(np.bincount(owners)[self.shards])
        return list(zip(self.shards.tolist(), np.split(rows[np.argsort(owners, kind="stable")], ends), strict=False))


class Backend(Protocol):
    """The shards below the top one and the processes that traverse them: threads of this process, or workers of a cluster."""

    def traverse(self, request: ShardRequest, done: set[int], stop: Callable[[], bool]) -> int:
        """Traverse the subtrees that are due and fill in their values; return the number of histories visited.

        done : filled with the shards that have been traversed
        stop : polled; if it returns true, the traversal ends early, but not before `done` has a shard. Otherwise a turn that
               is always stopped at once would start over with more room than without the stops, and change the result
        """

    def compile(self, passes: Sequence[tuple[Any, Traversal]]) -> None:
        """Compile such passes, each in a kind of float, in every process that has not compiled them."""

    def begin(self) -> None:
        """Reset all shards to unexpanded ones."""

    def reserve(self, memory: float) -> bool:
        """Make room in shards that ran out of it in the last pass; return False if that takes more memory than there is."""

    def save(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """Write every shard into a file (see `shard_io`); return the CRC-32 of each.

        starts : the place of each shard, of which the first is the file's position, and the end of the last
        """

    def load(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checksums: Sequence[int]) -> None:
        """Replace the shards by those in a file; ValueError if one is damaged. `starts` is as for `save`."""

    def recover(self) -> None:
        """Restore the state before the traversal in which a worker was lost."""

    def replace_workers(self) -> str:
        """Replace lost workers and return a report; every shard must then be reset or loaded."""

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """The state of every worker."""


class TreeTraverser:
    """Traverses a strategy store in one kind of float: down to the cut, each shard on its own, then up again.

    below   : the subtrees below the cut
    visited : the number of histories visited so far
    """

    def __init__(self, game: PublicGame, store: StrategyStore, backend: Backend, kind: Any) -> None:
        self.game, self.store, self.backend, self.kind = game, store, backend, kind
        self.shard_traverser = ShardTraverser(game, kind, store.all_bids)
        self.below = self._new_below()
        self.visited = 0

    def _new_below(self) -> arrays.Subtrees:
        width = self.shard_traverser.width
        return arrays.subtrees_below(self.store.roots, self.store.subtrees, self.game.players, width, self.kind)

    def fit(self) -> None:
        """Follow the tree after it has made room for more subtrees or has been reset, and keep the values of subtrees."""
        if self.below.roots is not self.store.roots:
            before = self.below.value
            self.below = self._new_below()
            known = min(len(before), len(self.below.value))
            self.below.value[:known] = before[:known]

    def run(self, traversal: Traversal, done: set[int] | None = None, stop: Callable[[], bool] = lambda: False) -> float | None:
        """Traverse the whole tree; return the probability that the update player does not lose, or None if stopped.

        done : the shards that an earlier, stopped call has traversed; their values are known. Filled
        stop : polled; if it returns true, the traversal ends and a later call with the same `done` continues it

        Raises WorkerLostError if a worker is lost while learning. The tree must then be recovered.
        """
        opening, rolls = self.shard_traverser.opening, self.game.rolls[traversal.update_player]
        if not self.run_from(opening, traversal, set() if done is None else done, stop):
            return None
        return float(opening.value[0, : len(rolls)].astype(np.float64) @ rolls)

    def run_from(
        self, root: arrays.Subtrees, traversal: Traversal, done: set[int], stop: Callable[[], bool] = lambda: False
    ) -> bool:
        """Traverse the tree from one history of the top shard, and fill in its value; return False if stopped.

        root : the history, as one subtree with every player's reach; other arguments and errors are those of `run`
        """
        while True:
            try:
                return self._run_from(root, traversal, done, stop)
            except WorkerLostError:
                if traversal.mode == LEARN:
                    raise
                done.clear()  # the restored tree may be another one, so no value of a shard can be kept
                self.backend.recover()

    def _run_from(self, root: arrays.Subtrees, traversal: Traversal, done: set[int], stop: Callable[[], bool]) -> bool:
        if self.store.shards:
            self.fit()
            self.below.due[:] = False
            self._run_top(root, traversal, DOWN)
            self.store.assign_shards()
            shards = self._due(done)
            request = ShardRequest(self.shard_traverser, traversal, self.below, shards)
            self.visited += self.backend.traverse(request, done, stop)
            if not done.issuperset(shards.tolist()):
                return False
        self.visited += self._run_top(root, traversal, UP if self.store.shards else WHOLE)
        done.clear()
        return True

    def _run_top(self, root: arrays.Subtrees, traversal: Traversal, span: int) -> int:
        region = Region(root, _OPENING, self.store.cut, self.below)
        return self.shard_traverser.run_to_cut(traversal, span, self.store.top, region)

    def _due(self, done: set[int]) -> Ints:
        """Return the shards whose subtrees are due, rising; subtrees of shards that are done are no longer due."""
        due, roots = self.below.due, self.store.roots
        if done:
            due[np.isin(roots[:, SHARD], list(done))] = False
        return np.flatnonzero(np.bincount(roots[np.flatnonzero(due), SHARD]))

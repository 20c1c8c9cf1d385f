"""Strategies stored by expanded histories; at every unexpanded history the mover calls.

A betting tree has 2^N histories, of which play reaches few. A history is *expanded* when it gets its *entries*, a float for
every action and roll of its mover, and its *children*, the histories after each higher bid. The mover calls with every roll at
an unexpanded history, and wherever all entries of a roll are 0 (in the opening, which is always expanded, it makes the lowest
bid). So a store is a complete strategy of every player.

Expanded histories lie in *shards*. The top shard begins with the opening. Bids from the `cut` on lead out of it into
*subtrees*, each of which lies whole in one of the other shards. No shard points into another, so that a process can work on,
write and read each of them by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.games.bidding import OPENING, Bidding
from liarsdice_cli.strategies.shard import ENTRIES, HISTORIES, NONE, REFUSED, OwnShards, Shard, Shards, entry_count, padded

LAST_BID, MOVER, ROOT, SHARD = range(4)
"""The columns of `StrategyStore.roots`."""
SMALL = 1 << 22
"""The most entries of a small game with all histories expanded: two arrays of this length take 64 MB in float64."""
CUT_FROM = 14
"""The fewest bids of a betting tree that is cut into shards: for fewer, one shard is quick enough."""


def default_cut(bids: int) -> int:
    """Return the lowest bid that leads out of the top shard of a tree with this many bids; `bids` if the tree is not cut.

    It is high enough that shards balance, and low enough that the top, which one processor traverses while the others wait,
    is a few percent of the work (docs/results.md).

    >>> default_cut(8), default_cut(24), default_cut(36), default_cut(60)
    (8, 4, 5, 8)
    """
    return bids if bids < CUT_FROM else min(bids // 6, 2 + bids // 10)


def shard_count(bids: int) -> int:
    """Return the number of shards below the top. It depends on the bids alone, so that results do not depend on the workers.

    >>> shard_count(24), shard_count(36)
    (16, 64)
    """
    return 16 if bids < 30 else 64


def float_type(bidding: Bidding, rolls: Sequence[int]) -> type[np.floating[Any]]:
    """Return the type of the entries: float64 in a small game, float32 in a large one to have room for more.

    Everything that is computed for a small game, by the solver or from a file, is compiled for one type.

    rolls : the number of rolls of each player; a history has two actions on average, so it counts as twice the largest

    >>> float_type(Bidding.free(12), (6, 6)), float_type(Bidding.free(24), (21, 21))
    (<class 'numpy.float64'>, <class 'numpy.float32'>)
    """
    return np.float64 if bidding.history_count * 2 * max(rolls) <= SMALL else np.float32


class StrategyStore:
    """The expanded histories of a game, in shards.

    bidding      : which bids may be made when
    rolls        : the number of rolls of each player
    widths       : the padded rolls of each player
    cut          : the lowest bid that leads out of the top shard
    top, shards  : the shard of the opening, and those of subtrees (see `Shards`)
    roots        : integers (room for subtrees, 4): the last bid, the mover, the history in the shard (NONE while unexpanded)
                   and the number of the shard
    subtrees     : the number of subtrees, and of those that found no room; integers (2)
    root         : the last bid and the mover where the tree begins: OPENING and 0 for a whole game
    """

    def __init__(
        self,
        rolls: Sequence[int],
        bidding: Bidding,
        names: Sequence[str],
        kind: Any,
        cut: int | None = None,
        root: tuple[int, int] = (OPENING, 0),
    ) -> None:
        self.bidding, self.root, bids = bidding, root, bidding.bids
        self.cut = default_cut(bids) if cut is None else cut
        self.widths = np.array([padded(one) for one in rolls], np.int64)
        self.rolls = tuple(rolls)
        self._names, self._kind = tuple(names), kind
        self.shards: Shards = OwnShards(self.new_shard() for _ in range(shard_count(bids) if self.cut < bids else 0))
        self.reset()

    def new_shard(self) -> Shard:
        """Return an empty shard for this store."""
        return Shard(self._names, self._kind)

    def reset(self) -> None:
        """Expand the root alone, with room for some more. Emptying the shards below is left to the process that holds them."""
        self.top = self.new_shard()
        self.roots = np.zeros((0, 4), np.int64)
        self.subtrees, self._assigned = np.zeros(2, np.int64), 0
        last, mover = self.root
        entries = entry_count(self.bidding, last, int(self.widths[mover]))
        self.top.reserve(16, 16 * self.bids, 16 * self.bids * int(self.widths.max()))
        self.top.used[:] = 1, self.bidding.child_slots(last), entries, 0
        if self.shards:
            self._reserve_subtrees(1 << 8)

    @property
    def bids(self) -> int:
        """The number of bids."""
        return self.bidding.bids

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.widths)

    @property
    def all_shards(self) -> Iterator[tuple[int, Shard]]:
        """The shards with their numbers, the top one first; its number is NONE."""
        yield NONE, self.top
        yield from enumerate(self.shards)

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of all shards, the top one first: (1 + shards, 7)."""
        return np.vstack([self.top.size, self.shards.sizes])

    @property
    def histories(self) -> int:
        """The number of expanded histories."""
        return int(self.sizes[:, 3 + HISTORIES].sum())

    @property
    def bytes_used(self) -> int:
        """The memory of all expanded histories."""
        histories, children, entries, _ = self.sizes[:, 3:].sum(axis=0).tolist()
        return self.top.bytes_of((histories, children, entries))

    def _reserve_subtrees(self, subtrees: int) -> None:
        self.roots = np.vstack([self.roots, np.full((subtrees - len(self.roots), 4), NONE, np.int64)])
        self.subtrees[1] = 0

    def reserve(self, most_bytes: float, shards: Sequence[Shard]) -> bool:
        """Make room where histories and subtrees found none; return False if that takes more than this memory in all.

        shards : those in this process; a shard gets room for half as much again as it uses
        """
        if self.subtrees[1]:
            self._reserve_subtrees(2 * len(self.roots))
        allowed = most_bytes - sum(shard.bytes_of(shard.capacity) for shard in shards)
        for shard in shards:
            if shard.used[REFUSED]:
                capacity = self._larger_capacity(shard)
                allowed -= shard.bytes_of(capacity) - shard.bytes_of(shard.capacity)
                if allowed < 0:
                    return False
                shard.reserve(*capacity)
        return True

    def _larger_capacity(self, shard: Shard) -> tuple[int, int, int]:
        histories, children, entries = (int(used) for used in shard.used[:3])
        return (
            max(shard.capacity[0], 64, 3 * histories // 2),
            max(shard.capacity[1], 16 * self.bids, 3 * children // 2),
            max(shard.capacity[2], 16 * self.bids * int(self.widths.max()), 3 * entries // 2),
        )

    def assign_shards(self) -> None:
        """Put every new subtree into the shard that holds the fewest entries."""
        if self.subtrees[0] == self._assigned:
            return
        self._assigned = int(self.subtrees[0])
        new = np.flatnonzero(self.roots[: self.subtrees[0], SHARD] == NONE)
        if len(new) == 0:
            return
        held = self.shards.sizes[:, 3 + ENTRIES].astype(np.float64)
        mean = max(1.0, held.sum() / max(1, self.subtrees[0] - len(new)))
        for subtree in new.tolist():
            self.roots[subtree, SHARD] = number = int(np.argmin(held))
            held[number] += mean

    def find(self, history: Sequence[int]) -> tuple[Shard, int] | None:
        """Return the shard and the number of the history with these rising bids from the root; None if it is unexpanded."""
        shard, here, last = self.top, 0, self.root[0]
        for bid in history:
            if not self.bidding.has_choice(bid):
                return None
            child = int(shard.children[shard.first_child[here] + bid - last - 1])
            if child == NONE:
                return None
            if shard is self.top and bid >= self.cut:
                shard, child = self.shards[self.roots[child, SHARD]], int(self.roots[child, ROOT])
                if child == NONE:
                    return None
            here, last = child, bid
        return shard, here

    def state_after(self, history: Sequence[int]) -> tuple[int, int]:
        """Return the last bid and the mover after these bids from the root."""
        last, first = self.root
        return (last, *history)[-1], (first + len(history)) % self.players

    def entries(self, shard: Shard, history: int, last: int, mover: int, name: str) -> Any:
        """Return a view of a history's entries in the array of this name: (actions, rolls)."""
        width, first = int(self.widths[mover]), int(shard.first_entry[history])
        own = shard.arrays[name][first : first + entry_count(self.bidding, last, width)]
        return own.reshape(-1, width)[:, : self.rolls[mover]]

    def states(self, shard: Shard, number: int) -> Ints:
        """Return the last bid and the mover of every history of the shard with this number: (histories, 2).

        A history's entries and children lie after those of all histories that were expanded before it, so that these states
        say where everything is (see `lay_out`).
        """
        found = np.zeros((int(shard.used[HISTORIES]), 2), np.int64)
        history, last, mover = self.shard_roots(number)
        bids = np.arange(min(self.bids, self.cut) if number == NONE else self.bids)
        while len(history):
            found[history] = np.stack([last, mover], axis=1)
            parent, bid = np.nonzero((bids > last[:, None]) & (bids <= (last + self._child_counts(last))[:, None]))
            child = shard.children[shard.first_child[history[parent]] + bid - last[parent] - 1]
            parent, bid, child = (one[child != NONE] for one in (parent, bid, child))
            history, last, mover = child, bid, (mover[parent] + 1) % self.players
        return found

    def shard_roots(self, number: int) -> tuple[Ints, Ints, Ints]:
        """Return the histories of a shard that are no child within it: their numbers, last bids and movers."""
        if number == NONE:
            last, mover = self.root
            return np.array([0]), np.array([last]), np.array([mover])
        own = self._subtrees_in(number)
        return own[:, ROOT], own[:, LAST_BID], own[:, MOVER]

    def _subtrees_in(self, number: int) -> Ints:
        roots = self.roots[: self.subtrees[0]]
        own: Ints = roots[(roots[:, SHARD] == number) & (roots[:, ROOT] != NONE)]
        return own

    def lay_out(self, shard: Shard, states: Ints) -> None:
        """Compute where a shard's entries and children are; ValueError for impossible states (see `states`)."""
        last, mover = states.T
        _within(last, OPENING, self.bids - 1)
        _within(mover, 0, self.players - 1)
        children = self._child_counts(last)
        actions = np.where(last == OPENING, len(self.bidding.openings), children + 2)  # see `Bidding.actions`
        entries = actions * self.widths[mover]
        shard.used[:3] = len(states), children.sum(), entries.sum()
        count = len(states)
        if len(shard.first_entry) < count:
            shard.first_entry, shard.first_child = np.zeros(count, np.int64), np.zeros(count, np.int64)
        shard.first_entry[:count] = np.cumsum(entries) - entries
        shard.first_child[:count] = np.cumsum(children) - children

    def _child_counts(self, last: Ints) -> Ints:
        """Return `Bidding.child_slots` after every last bid; ValueError if there is no such bid."""
        counts: Ints = self.bidding.stops[last] - 1 - last - (self.bidding.final_action_count == 1)
        if len(counts) and counts.min() < 0:
            raise ValueError("a last bid is out of its range")
        return counts

    def check_subtrees(self, shards: int) -> None:
        """Raise ValueError unless the subtrees are possible, each in one of this many shards."""
        roots = self.roots[: self.subtrees[0]]
        _within(roots[:, LAST_BID], self.cut, self.bids - 1)
        self._child_counts(roots[:, LAST_BID])
        _within(roots[:, MOVER], 0, self.players - 1)
        _within(roots[:, ROOT], NONE, 1 << 40)
        _within(roots[:, SHARD], 0, shards - 1)

    def check(self, shard: Shard, states: Ints, number: int) -> None:
        """Raise ValueError unless every child is the right history of the shard (from the cut on, the right subtree).

        number : of the shard, NONE for the top one

        A shard that passes is a forest, so that no traversal can leave it.
        """
        last, mover = states.T
        roots = self.roots[: self.subtrees[0]]
        parent = np.repeat(np.arange(len(last)), self._child_counts(last))
        bid = np.arange(len(parent)) - shard.first_child[parent] + last[parent] + 1
        children = shard.children[: len(parent)]
        if np.any((children != NONE) & (last[parent] == OPENING) & ~self.bidding.can_open[bid]):
            raise ValueError("an opening that there is not")
        for leads_out in (False, True):
            which = (children != NONE) & (((bid >= self.cut) & (number == NONE)) == leads_out)
            child, to = children[which], roots[:, [LAST_BID, MOVER]] if leads_out else states
            _within(child, 0, len(to) - 1)
            expected = np.stack([bid[which], (mover[parent[which]] + 1) % self.players], axis=1)
            if len(child) and (np.bincount(child).max() > 1 or not np.array_equal(to[child], expected)):
                raise ValueError("a child is not the history that follows")
        if number == NONE:
            if len(states) == 0 or states[0].tolist() != list(self.root):
                raise ValueError("no opening")
            return
        own = self._subtrees_in(number)
        _within(own[:, ROOT], 0, len(states) - 1)
        if not np.array_equal(states[own[:, ROOT]], own[:, [LAST_BID, MOVER]]):
            raise ValueError("a subtree begins elsewhere")
        led = np.concatenate([children[children != NONE], own[:, ROOT]])
        if len(led) and np.bincount(led).max() > 1:
            raise ValueError("a subtree begins within another")


def _within(numbers: Ints, least: int, most: int) -> None:
    if len(numbers) and not least <= numbers.min() <= numbers.max() <= most:
        raise ValueError("a number is out of its range")

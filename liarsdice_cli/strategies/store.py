"""The strategy store: a strategy for each player, in expanded histories only.

A history (a set of rising bids) is *expanded* when it is given *columns*, each for one action of its mover: the number of the
history after it, and its *entries*, a float for each roll. A bid lacks a column only if a lower legal bid on its face has one
and the history after that lower bid is unexpanded. At an unexpanded history the mover calls with every roll. So both bids would
be called, and the higher one is true less often: no player needs it, and a best response among the columns is one among all
bids. When the history after the highest bid of a face that has a column is expanded, the next bid on the face gets one.

The mover never takes an action without a column, and calls wherever all entries of a roll are 0 (in the opening, which is
always expanded, it makes the lowest bid). So a store is a complete strategy of every player.

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
from liarsdice_cli.strategies.columns import check_columns, within
from liarsdice_cli.strategies.shard import (
    BID,
    BLOCK,
    BLOCKS,
    CHILD,
    HISTORIES,
    LANES,
    LAST_BID,
    MOST_BLOCKS,
    MOVER,
    NEXT,
    NONE,
    REFUSED,
    USED,
    OwnShards,
    Shard,
    Shards,
    padded,
)
from liarsdice_cli.system.memory import available

ROOT, SHARD = 2, 3
"""The fields of `StrategyStore.roots` after `LAST_BID` and `MOVER`."""
SMALL = 1 << 22
"""The most entries of a small game with all histories expanded: two arrays of this length take 64 MB in float64."""
CUT_FROM = 14
"""The fewest bids of a betting tree that is cut into shards: for fewer, one shard is quick enough."""
MOST_GROWTH, LEAST_GROWTH = 1 / 2, 1 / 32
"""The room that a crowded shard gets, as a share of what it uses."""


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
    all_bids     : whether every bid must have a column, as where players tremble
    keeps_values : whether shards keep `Shard.values`
    """

    all_bids = False

    def __init__(
        self,
        rolls: Sequence[int],
        bidding: Bidding,
        names: Sequence[str],
        kind: Any,
        cut: int | None = None,
        root: tuple[int, int] = (OPENING, 0),
        keeps_values: bool = False,
    ) -> None:
        self.bidding, self.root, bids, self.keeps_values = bidding, root, bidding.bids, keeps_values
        self.cut = default_cut(bids) if cut is None else cut
        self.widths = np.array([padded(one) for one in rolls], np.int64)
        self.rolls = tuple(rolls)
        self._names, self._kind = tuple(names), kind
        self.shards: Shards = OwnShards(self.new_shard() for _ in range(shard_count(bids) if self.cut < bids else 0))
        self.reset()

    def new_shard(self) -> Shard:
        """Return an empty shard for this store."""
        return Shard(self._names, self._kind, int(self.widths.max()) if self.keeps_values else 0)

    def reset(self) -> None:
        """Expand the root alone, with room for some more. Emptying the shards below is left to the process that holds them."""
        self.top = self.new_shard()
        self.roots = np.zeros((0, 4), np.int64)
        self.subtrees, self._assigned = np.zeros(2, np.int64), 0
        blocks = 16 * self.bids * int(self.widths.max()) // LANES
        self.top.reserve(16, 16 * self.bids, blocks, blocks)
        self.add_history(self.top, *self.root)
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

    def keep_only(self, name: str) -> None:
        """Drop all arrays of entries except the one of this name, and all values, in every shard."""
        self.keeps_values = False
        for _, shard in self.all_shards:
            shard.arrays, shard.values = {name: shard.arrays[name]}, np.zeros((len(shard.values), 0), shard.values.dtype)

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of all shards, the top one first: (1 + shards, 9)."""
        return np.vstack([self.top.size, self.shards.sizes])

    @property
    def histories(self) -> int:
        """The number of expanded histories."""
        return int(self.sizes[:, USED][:, HISTORIES].sum())

    @property
    def bytes_used(self) -> int:
        """The memory of all expanded histories."""
        return self.top.bytes_of(tuple(self.sizes[:, USED].sum(axis=0).tolist()))

    def _reserve_subtrees(self, subtrees: int) -> None:
        self.roots = np.vstack([self.roots, np.full((subtrees - len(self.roots), 4), NONE, np.int64)])
        self.subtrees[1] = 0

    def reserve(self, most_bytes: float, shards: Sequence[Shard]) -> bool:
        """Make room where histories and subtrees found none; return False if a shard cannot get it.

        most_bytes : the most memory of all shards together; they never take more than is free
        shards     : those in this process; a shard gets room for half as much again as it uses, or its share of the free memory
                     if that is less. So the shards fill nearly all of it
        """
        if self.subtrees[1]:
            self._reserve_subtrees(2 * len(self.roots))
        crowded, full = [shard for shard in shards if shard.used[REFUSED]], False
        if crowded:
            free = min(most_bytes - sum(shard.bytes_of(shard.capacity) for shard in shards), available())
            for shard in crowded:
                before = shard.bytes_of(shard.capacity)
                full = not self._grow(shard, free, free / len(shards)) or full
                free -= shard.bytes_of(shard.capacity) - before
        return not full

    def _grow(self, shard: Shard, free: float, share: float) -> bool:
        """Make more room in a shard; return False if that, or a copy while it is sorted, takes more than the free memory.

        share : the most that it should take
        """
        room, copy = shard.bytes_of(shard.capacity), shard.bytes_of(tuple(shard.size[USED].tolist()))
        most, share = shard.bytes_of(self._larger_capacity(shard, MOST_GROWTH)) - room, min(share, free - copy)
        growth = MOST_GROWTH * share / most if most > max(0, share) else MOST_GROWTH
        capacity = self._larger_capacity(shard, max(LEAST_GROWTH, growth))
        needed = shard.bytes_of(capacity) - room
        if needed == 0 or needed + copy > free:
            return False
        try:
            shard.reserve(*capacity)
        except MemoryError:
            return False
        if shard is not self.top:
            shard.sort_columns()
        return True

    def _larger_capacity(self, shard: Shard, growth: float) -> tuple[int, int, int, int]:
        histories, columns, blocks, rows = (int(used * (1 + growth)) for used in shard.used[:4])
        some = 16 * self.bids * int(self.widths.max()) // LANES
        wanted = (
            max(64, histories),
            max(16 * self.bids, columns),
            max(some, blocks),
            max(some, rows),
        )
        first, second, third, fourth = (
            max(room, min(want, MOST_BLOCKS)) for room, want in zip(shard.capacity, wanted, strict=True)
        )
        return first, second, third, fourth

    def assign_shards(self) -> None:
        """Put every new subtree into the shard that holds the fewest blocks."""
        if self.subtrees[0] == self._assigned:
            return
        self._assigned = int(self.subtrees[0])
        new = np.flatnonzero(self.roots[: self.subtrees[0], SHARD] == NONE)
        if len(new) == 0:
            return
        held = self.shards.sizes[:, USED][:, BLOCKS].astype(np.float64)
        mean = max(1.0, held.sum() / max(1, self.subtrees[0] - len(new)))
        for subtree in new.tolist():
            self.roots[subtree, SHARD] = number = int(np.argmin(held))
            held[number] += mean

    def add_history(self, shard: Shard, last: int, mover: int) -> int:
        """Return the number of a new history with a column for every action; it makes room if there is none."""
        actions, width = self.bidding.column_bids(last), int(self.widths[mover])
        history, columns, blocks, rows, _ = (int(used) for used in shard.used)
        wanted = history + 1, columns + len(actions), blocks + len(actions) * width // LANES, rows
        if any(want > room for want, room in zip(wanted, shard.capacity, strict=True)):
            shard.reserve(*(max(2 * want, room) for want, room in zip(wanted, shard.capacity, strict=True)))
        shard.states[history], shard.first_column[history] = (last, mover), NONE
        shard.used[HISTORIES] += 1
        shard.append(history, actions, width)
        return history

    def column(self, shard: Shard, history: int, bid: int) -> int:
        """Return the column of a bid at a history, or NONE."""
        endings = 0 if shard.states[history, LAST_BID] == OPENING else self.bidding.final_action_count
        return next((one for one in shard.columns_of(history)[endings:] if shard.columns[one, BID] == bid), NONE)

    def find(self, history: Sequence[int]) -> tuple[Shard, int] | None:
        """Return the shard and the number of the history with these rising bids from the root; None if it is unexpanded."""
        shard, here = self.top, 0
        for bid in history:
            column = self.column(shard, here, bid)
            child = NONE if column == NONE else int(shard.columns[column, CHILD])
            if child == NONE:
                return None
            if shard is self.top and bid >= self.cut:
                shard, child = self.shards[self.roots[child, SHARD]], int(self.roots[child, ROOT])
                if child == NONE:
                    return None
            here = child
        return shard, here

    def state_after(self, history: Sequence[int]) -> tuple[int, int]:
        """Return the last bid and the mover after these bids from the root."""
        last, first = self.root
        return (last, *history)[-1], (first + len(history)) % self.players

    def entries(self, shard: Shard, history: int, name: str) -> Any:
        """Return a history's entries in the array of this name, 0 for an action without a column: (actions, rolls)."""
        last, mover = shard.states[history].tolist()
        found = np.zeros((self.bidding.actions(last), self.rolls[mover]), shard.arrays[name].dtype)
        own = shard.entries(name, shard.columns_of(history), int(self.widths[mover]))
        found[self.rows(shard, history)] = own[:, : self.rolls[mover]]
        return found

    def set_entries(self, shard: Shard, history: int, name: str, rolls: Any, values: Any) -> None:
        """Set the entries of some rolls at a history with all columns: (actions, rolls)."""
        width, columns = int(self.widths[shard.states[history, MOVER]]), shard.columns_of(history)
        entries = shard.entries(name, columns, width)
        entries[:, : self.rolls[shard.states[history, MOVER]]][:, rolls] = values[self.rows(shard, history)]
        places = shard.columns[columns, BLOCK].astype(np.int64)[:, None] + np.arange(width // LANES)
        shard.set_blocks(name, places.reshape(-1), entries.reshape(-1, LANES))

    def rows(self, shard: Shard, history: int) -> list[int]:
        """Return for every column of a history the position of its action among the legal ones."""
        last = int(shard.states[history, LAST_BID])
        endings = 0 if last == OPENING else self.bidding.final_action_count
        rows = {bid: row for row, bid in enumerate(self.bidding.following(last), endings)}
        bids = shard.columns[shard.columns_of(history)[endings:], BID].tolist()
        return [*range(endings), *(rows[bid] for bid in bids)]

    def _subtrees_in(self, number: int) -> Ints:
        roots = self.roots[: self.subtrees[0]]
        own: Ints = roots[(roots[:, SHARD] == number) & (roots[:, ROOT] != NONE)]
        return own

    def lay_out(self, shard: Shard, states: Ints, columns: Ints, entries: int) -> None:
        """Fill a new shard with histories and columns, whose entries are 0; ValueError for impossible ones.

        states  : the last bid and the mover of every history: (histories, 2)
        columns : the history, the bid and the child of every column, as `Shard` orders them: (columns, 3)
        entries : the number of entries that are known to be there, so that no room is made for others
        """
        last, mover = states.T
        owner, bid, child = columns.T
        within(last, OPENING, self.bids - 1)
        within(mover, 0, self.players - 1)
        within(owner, 0, len(states) - 1)
        if not np.bincount(owner, minlength=len(states)).all():
            raise ValueError("a history without an action")
        widths = self.widths[mover[owner]]
        if not widths.sum() == entries <= LANES * MOST_BLOCKS:
            raise ValueError("another number of entries")
        within(bid, 0 if len(states) == 0 else OPENING, self.bids - 1)
        within(child, NONE, MOST_BLOCKS)
        order = np.argsort(owner, kind="stable")
        shard.reserve(len(states), len(columns), entries // LANES, 1)
        shard.used[:3] = len(states), len(columns), entries // LANES
        shard.states[: len(states)] = states
        shard.first_column[: len(states)] = order[np.searchsorted(owner[order], np.arange(len(states)))]
        own = shard.columns[: len(columns)]
        own[:, BID], own[:, CHILD], own[:, BLOCK] = bid, child, (np.cumsum(widths) - widths) // LANES
        own[order[:-1], NEXT] = np.where(owner[order[1:]] == owner[order[:-1]], order[1:], NONE)
        own[order[-1:], NEXT] = NONE

    def check_subtrees(self, shards: int) -> None:
        """Raise ValueError unless the subtrees are possible, each in one of this many shards."""
        roots = self.roots[: self.subtrees[0]]
        within(roots[:, LAST_BID], self.cut, self.bids - 1)
        if not all(self.bidding.has_choice(bid) for bid in np.unique(roots[:, LAST_BID]).tolist()):
            raise ValueError("a subtree without a choice")
        within(roots[:, MOVER], 0, self.players - 1)
        within(roots[:, ROOT], NONE, 1 << 40)
        within(roots[:, SHARD], 0, shards - 1)

    def check(self, shard: Shard, number: int) -> None:
        """Raise ValueError unless a shard holds a strategy that a best response among its columns judges rightly.

        Every column must be a legal action, its child the right history of the shard (from the cut on, the right subtree), and
        every action without a column one that the bidder does not need.

        number : of the shard, NONE for the top one

        A shard that passes is a forest, so that no traversal can leave it.
        """
        states, owner = shard.states[: shard.used[HISTORIES]].astype(np.int64), shard.owners().astype(np.int64)
        columns = shard.columns[: len(owner)].astype(np.int64)
        check_columns(self.bidding, states, columns, owner, self.all_bids)
        led = columns[:, CHILD] != NONE
        parent, bid, child = owner[led], columns[led, BID], columns[led, CHILD]
        roots = self.roots[: self.subtrees[0]]
        for leads_out in (False, True):
            which = ((bid >= self.cut) & (number == NONE)) == leads_out
            to = roots[:, [LAST_BID, MOVER]] if leads_out else states
            within(child[which], 0, len(to) - 1)
            expected = np.stack([bid[which], (states[parent[which], MOVER] + 1) % self.players], axis=1)
            if which.any() and (np.bincount(child[which]).max() > 1 or not np.array_equal(to[child[which]], expected)):
                raise ValueError("a child is not the history that follows")
        if number == NONE:
            if len(states) == 0 or states[0].tolist() != list(self.root):
                raise ValueError("no opening")
            return
        own = self._subtrees_in(number)
        within(own[:, ROOT], 0, len(states) - 1)
        if not np.array_equal(states[own[:, ROOT]], own[:, [LAST_BID, MOVER]]):
            raise ValueError("a subtree begins elsewhere")
        reached = np.concatenate([child, own[:, ROOT]])
        if len(reached) and np.bincount(reached).max() > 1:
            raise ValueError("a subtree begins within another")

"""Strategies over the betting histories that have grown; wherever none has, whoever moves calls.

A betting tree has 2^N histories, and play comes to few of them. So a history exists only where something is kept of it: its
*numbers*, one for every action and roll of its mover, and its *children*, the histories after each higher bid. Where a child
does not exist its mover calls, whatever was rolled, and so does a mover whose numbers are all 0 (in the opening, which always
exists, the lowest bid is made). So what is kept is a complete strategy of every player.

Histories live in *shards*. The top shard begins with the opening; bids from the `cut` on lead out of it into *subtrees*, and
every subtree lies whole in one of the other shards. No shard points into another, so that each can be worked on, written and
read by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import OPENING, Bidding

NONE = -1
"""The child where no history has grown."""
HISTORIES, PLACES, NUMBERS, REFUSED = range(4)
"""What `Shard.used` counts: histories, places for children, numbers; and histories that found no room."""
LAST_BID, MOVER, ROOT, OWNER = range(4)
"""The columns of `StrategyStore.roots`."""
LANES = 8
"""Rolls are padded to a multiple of this, so that compiled loops have no remainder; what stands there means nothing."""
SMALL = 1 << 22
"""Numbers, if every history grew, up to which a game is a small one: two arrays of so many take 64 MB in float64."""
_CUT_FROM = 14
"""Bids from which a betting tree is cut: below that one shard is quick enough."""


def padded(rolls: int) -> int:
    """So many rolls and what fills them up.

    >>> padded(6), padded(21), padded(56)
    (8, 24, 56)
    """
    return -(-rolls // LANES) * LANES


def cut_of(bids: int) -> int:
    """The bid from which on a tree with so many bids is cut into subtrees; as many as there are bids for none.

    High enough that shards can be dealt out evenly, and low enough that the top, which one processor walks while the others
    wait, is a few percent of the work (benchmarks/cluster.md).

    >>> cut_of(8), cut_of(24), cut_of(36), cut_of(60)
    (8, 4, 5, 8)
    """
    return bids if bids < _CUT_FROM else min(bids // 6, 2 + bids // 10)


def shards_of(bids: int) -> int:
    """The shards below the top of a cut tree with so many bids; so nothing that is computed depends on how many work on them.

    >>> shards_of(24), shards_of(36)
    (16, 64)
    """
    return 16 if bids < 30 else 64


def kind_of(bidding: Bidding, rolls: Sequence[int]) -> type[np.floating[Any]]:
    """The kind of float in which numbers are kept: float64 in a small game; in a large one float32, to have room for more.

    So all that is computed for a small game, by the solver or from a file, is compiled for one kind.

    rolls : how many each player has; a history has two actions on average, so that twice the most rolls are counted for each

    >>> kind_of(Bidding.free(12), (6, 6)), kind_of(Bidding.free(24), (21, 21))
    (<class 'numpy.float64'>, <class 'numpy.float32'>)
    """
    return np.float64 if bidding.history_count * 2 * max(rolls) <= SMALL else np.float32


def entry_count(bidding: Bidding, last: int, width: int) -> int:
    """The numbers of a history after a last bid: of every action (see `Bidding.actions`), times rolls."""
    return bidding.actions(last) * width


class Shard:
    """Histories that have grown, numbered from 0 as they grew; more can grow while there is room.

    first    : integers (room for histories): where a history's numbers begin in every array that is kept, an action after
               the other (the call first, then the bids upwards), each with its mover's padded rolls
    place    : integers (room for histories): where its children begin
    children : 32-bit integers (room for children): after each higher bid but the highest (see `Bidding.places`), the number of
               the history in this shard, or of the subtree; NONE where nothing has grown
    used     : how much of the room is used, and how many histories found none since there was made more
    kept     : the flat arrays of numbers by their names; those that are not kept have no room
    """

    def __init__(self, kept: Sequence[str], kind: Any) -> None:
        self.first, self.place = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.children = np.zeros(0, np.int32)
        self.used = np.zeros(4, np.int64)
        self.kept: dict[str, Floats] = {name: np.zeros(0, kind) for name in kept}

    @property
    def rooms(self) -> tuple[int, int, int]:
        """The room for histories, for children and for numbers."""
        return len(self.first), len(self.children), len(next(iter(self.kept.values())))

    @property
    def size(self) -> Ints:
        """The three rooms, and then what is `used`: (7)."""
        return np.array([*self.rooms, *self.used], np.int64)

    def make_room(self, histories: int, places: int, numbers: int) -> None:
        """Have room for at least so much; MemoryError where that cannot be had."""
        self.first, self.place = _longer(self.first, histories), _longer(self.place, histories)
        self.children = _longer(self.children, places, NONE)
        for name, array in self.kept.items():
            self.kept[name] = _longer(array, numbers)
        self.used[REFUSED] = 0

    def bytes_of(self, rooms: tuple[int, int, int]) -> int:
        """The memory that so much room takes."""
        histories, places, numbers = rooms
        return 16 * histories + 4 * places + numbers * sum(array.itemsize for array in self.kept.values())


class Shards(Protocol):
    """The shards below the top one, wherever they are: in this process, in a file, with workers elsewhere."""

    @property
    def sizes(self) -> Ints:
        """`Shard.size` of every one: (shards, 7)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Shard]: ...

    def __getitem__(self, number: int, /) -> Shard:
        """A shard: itself if it is here, else a copy that was fetched."""


class OwnShards(list[Shard]):
    """Shards in the memory of this process."""

    @property
    def sizes(self) -> Ints:
        """See `Shards`."""
        return np.array([shard.size for shard in self], np.int64).reshape(-1, 7)


def _longer(array: Any, length: int, fill: int = 0) -> Any:
    """The array with more room; the new part is not touched where it can be zeros, so it takes no memory yet."""
    if length <= len(array):
        return array
    longer = np.full(length, fill, array.dtype) if fill else np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


class StrategyStore:
    """All shards of a game.

    bidding      : which bids may be made when
    widths       : the padded rolls of each player
    cut          : the first bid that leads out of the top shard
    top, shards  : the shard of the opening, and those of subtrees, wherever they are (see `Shards`)
    roots        : integers (room for subtrees, 4): the last bid, who moves, the history in the shard (NONE until it has
                   grown) and the number of the shard
    subtrees     : how many there are, and how many found no room; integers (2)
    root         : the last bid where the tree begins, and who moves there: -1 and 0 for the opening
    """

    def __init__(
        self,
        rolls: Sequence[int],
        bidding: Bidding,
        kept: Sequence[str],
        kind: Any,
        cut: int | None = None,
        root: tuple[int, int] = (OPENING, 0),
    ) -> None:
        self.bidding, self.root, bids = bidding, root, bidding.bids
        self.cut = cut_of(bids) if cut is None else cut
        self.widths = np.array([padded(one) for one in rolls], np.int64)
        self.rolls = tuple(rolls)
        self._kept, self._kind = tuple(kept), kind
        self.shards: Shards = OwnShards(self.new_shard() for _ in range(shards_of(bids) if self.cut < bids else 0))
        self.plant()

    def new_shard(self) -> Shard:
        """A shard for this tree, in which nothing has grown."""
        return Shard(self._kept, self._kind)

    def plant(self) -> None:
        """Begin anew with the root alone, and room for some more; what grew in the shards below is left to who has them."""
        self.top = self.new_shard()
        self.roots = np.zeros((0, 4), np.int64)
        self.subtrees, self._settled = np.zeros(2, np.int64), 0
        last, mover = self.root
        numbers = entry_count(self.bidding, last, int(self.widths[mover]))
        self.top.make_room(16, 16 * self.bids, 16 * self.bids * int(self.widths.max()))
        self.top.used[:] = 1, self.bidding.places(last), numbers, 0
        if self.shards:
            self._make_subtree_room(1 << 8)

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
        """The top shard and those below it, one after the other, each after its number, which is NONE for the top one."""
        yield NONE, self.top
        yield from enumerate(self.shards)

    @property
    def sizes(self) -> Ints:
        """`Shard.size` of all shards, the top one first: (1 + shards, 7)."""
        return np.vstack([self.top.size, self.shards.sizes])

    @property
    def histories(self) -> int:
        """How many histories have grown."""
        return int(self.sizes[:, 3 + HISTORIES].sum())

    @property
    def bytes_used(self) -> int:
        """The memory of all that has grown."""
        histories, places, numbers, _ = self.sizes[:, 3:].sum(axis=0).tolist()
        return self.top.bytes_of((histories, places, numbers))

    def _make_subtree_room(self, subtrees: int) -> None:
        self.roots = np.vstack([self.roots, np.full((subtrees - len(self.roots), 4), NONE, np.int64)])
        self.subtrees[1] = 0

    def make_room(self, most_bytes: float, shards: Sequence[Shard]) -> bool:
        """Make room where histories and subtrees found none; False if more than so many bytes were needed in all.

        shards : those that are here; a shard gets half as much again as it uses
        """
        if self.subtrees[1]:
            self._make_subtree_room(2 * len(self.roots))
        allowed = most_bytes - sum(shard.bytes_of(shard.rooms) for shard in shards)
        for shard in shards:
            if shard.used[REFUSED]:
                rooms = self._more_room(shard)
                allowed -= shard.bytes_of(rooms) - shard.bytes_of(shard.rooms)
                if allowed < 0:
                    return False
                shard.make_room(*rooms)
        return True

    def _more_room(self, shard: Shard) -> tuple[int, int, int]:
        histories, places, numbers = (int(used) for used in shard.used[:3])
        return (
            max(shard.rooms[0], 64, 3 * histories // 2),
            max(shard.rooms[1], 16 * self.bids, 3 * places // 2),
            max(shard.rooms[2], 16 * self.bids * int(self.widths.max()), 3 * numbers // 2),
        )

    def settle(self) -> None:
        """Give subtrees that are new an owner: the shard that holds least."""
        if self.subtrees[0] == self._settled:
            return
        self._settled = int(self.subtrees[0])
        new = np.flatnonzero(self.roots[: self.subtrees[0], OWNER] == NONE)
        if len(new) == 0:
            return
        held = self.shards.sizes[:, 3 + NUMBERS].astype(np.float64)
        usual = max(1.0, held.sum() / max(1, self.subtrees[0] - len(new)))
        for subtree in new.tolist():
            self.roots[subtree, OWNER] = owner = int(np.argmin(held))
            held[owner] += usual

    def find(self, history: Sequence[int]) -> tuple[Shard, int] | None:
        """The shard and the number of the history with these rising bids from the root; None where it has not grown."""
        shard, here, last = self.top, 0, self.root[0]
        for bid in history:
            if not self.bidding.decides(bid):
                return None
            child = int(shard.children[shard.place[here] + bid - last - 1])
            if child == NONE:
                return None
            if shard is self.top and bid >= self.cut:
                shard, child = self.shards[self.roots[child, OWNER]], int(self.roots[child, ROOT])
                if child == NONE:
                    return None
            here, last = child, bid
        return shard, here

    def after(self, history: Sequence[int]) -> tuple[int, int]:
        """The last bid after these bids from the root, and who moves."""
        last, first = self.root
        return history[-1] if history else last, (first + len(history)) % self.players

    def numbers(self, shard: Shard, history: int, last: int, mover: int, name: str) -> Any:
        """The numbers of a history under a name, in place: (actions, rolls)."""
        width, first = int(self.widths[mover]), int(shard.first[history])
        own = shard.kept[name][first : first + entry_count(self.bidding, last, width)]
        return own.reshape(-1, width)[:, : self.rolls[mover]]

    def moves(self, shard: Shard, number: int) -> Ints:
        """The last bid of every history of the shard with a number, and who moves: (histories, 2), followed from its roots.

        A history's numbers and children lie after those of all that grew before it, so this says where everything is.
        """
        found = np.zeros((int(shard.used[HISTORIES]), 2), np.int64)
        history, last, mover = self.roots_of(number)
        bids = np.arange(min(self.bids, self.cut) if number == NONE else self.bids)
        while len(history):
            found[history] = np.stack([last, mover], axis=1)
            parent, bid = np.nonzero((bids > last[:, None]) & (bids <= (last + self._places(last))[:, None]))
            child = shard.children[shard.place[history[parent]] + bid - last[parent] - 1]
            parent, bid, child = (one[child != NONE] for one in (parent, bid, child))
            history, last, mover = child, bid, (mover[parent] + 1) % self.players
        return found

    def roots_of(self, number: int) -> tuple[Ints, Ints, Ints]:
        """The histories of a shard that nothing in it leads to: their numbers, last bids and movers."""
        if number == NONE:
            last, mover = self.root
            return np.array([0]), np.array([last]), np.array([mover])
        roots = self.roots[: self.subtrees[0]]
        own = roots[(roots[:, OWNER] == number) & (roots[:, ROOT] != NONE)]
        return own[:, ROOT], own[:, LAST_BID], own[:, MOVER]

    def lay_out(self, shard: Shard, moves: Ints) -> None:
        """Say where the numbers and children of a shard's histories are; ValueError for what cannot be such `moves`."""
        last, mover = moves.T
        _within(last, OPENING, self.bids - 1)
        _within(mover, 0, self.players - 1)
        places = self._places(last)
        actions = np.where(last == OPENING, len(self.bidding.openings), places + 2)  # see `Bidding.actions`
        numbers = actions * self.widths[mover]
        shard.used[:3] = len(moves), places.sum(), numbers.sum()
        count = len(moves)
        if len(shard.first) < count:
            shard.first, shard.place = np.zeros(count, np.int64), np.zeros(count, np.int64)
        shard.first[:count], shard.place[:count] = np.cumsum(numbers) - numbers, np.cumsum(places) - places

    def _places(self, last: Ints) -> Ints:
        """`Bidding.places` after every last bid; ValueError where nothing can follow one."""
        places: Ints = self.bidding.stops[last] - 1 - last - (self.bidding.endings == 1)
        if len(places) and places.min() < 0:
            raise ValueError("a last bid is out of its range")
        return places

    def check_subtrees(self, shards: int) -> None:
        """ValueError unless the subtrees are some that there can be, each in one of so many shards."""
        roots = self.roots[: self.subtrees[0]]
        _within(roots[:, LAST_BID], self.cut, self.bids - 1)
        self._places(roots[:, LAST_BID])
        _within(roots[:, MOVER], 0, self.players - 1)
        _within(roots[:, ROOT], NONE, 1 << 40)
        _within(roots[:, OWNER], 0, shards - 1)

    def check(self, shard: Shard, moves: Ints, number: int) -> None:
        """ValueError unless every child is one history of the shard (from the cut on, a subtree), and the one it has to be.

        number : of the shard, NONE for the top one. What has been checked is a tree, so that no walk can leave it.
        """
        last, mover = moves.T
        roots = self.roots[: self.subtrees[0]]
        parent = np.repeat(np.arange(len(last)), self._places(last))
        bid = np.arange(len(parent)) - shard.place[parent] + last[parent] + 1
        children = shard.children[: len(parent)]
        if np.any((children != NONE) & (last[parent] == OPENING) & ~self.bidding.opens[bid]):
            raise ValueError("an opening that there is not")
        for leads_out in (False, True):
            which = (children != NONE) & (((bid >= self.cut) & (number == NONE)) == leads_out)
            child, to = children[which], roots[:, [LAST_BID, MOVER]] if leads_out else moves
            _within(child, 0, len(to) - 1)
            expected = np.stack([bid[which], (mover[parent[which]] + 1) % self.players], axis=1)
            if len(child) and (np.bincount(child).max() > 1 or not np.array_equal(to[child], expected)):
                raise ValueError("a child is not the history that follows")
        if number == NONE:
            if len(moves) == 0 or moves[0].tolist() != list(self.root):
                raise ValueError("no opening")
            return
        own = roots[(roots[:, OWNER] == number) & (roots[:, ROOT] != NONE)]
        _within(own[:, ROOT], 0, len(moves) - 1)
        if not np.array_equal(moves[own[:, ROOT]], own[:, [LAST_BID, MOVER]]):
            raise ValueError("a subtree begins elsewhere")
        led = np.concatenate([children[children != NONE], own[:, ROOT]])
        if len(led) and np.bincount(led).max() > 1:
            raise ValueError("a subtree begins within another")


def _within(numbers: Ints, least: int, most: int) -> None:
    if len(numbers) and not least <= numbers.min() <= numbers.max() <= most:
        raise ValueError("a number is out of its range")

"""Shards: the arrays in which expanded histories lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import Bidding

NONE = -1
"""The child where the history is unexpanded."""
HISTORIES, CHILDREN, ENTRIES, REFUSED = range(4)
"""The columns of `Shard.used`: the numbers of histories, children and entries, and of histories that found no room."""
LANES = 8
"""Rolls are padded to a multiple of this, so that compiled loops have no remainder; the padding is never read."""


def padded(rolls: int) -> int:
    """Return a number of rolls, rounded up to a multiple of `LANES`.

    >>> padded(6), padded(21), padded(56)
    (8, 24, 56)
    """
    return -(-rolls // LANES) * LANES


def entry_count(bidding: Bidding, last: int, width: int) -> int:
    """Return the number of entries of a history after a last bid: actions (see `Bidding.actions`) times padded rolls."""
    return bidding.actions(last) * width


class Shard:
    """Expanded histories, numbered from 0 in the order of their expansion; more can be expanded while there is room.

    first_entry : integers (room for histories): where a history's entries begin in every array: an action after the other
                  (the call first, then the bids upwards), each with its mover's padded rolls
    first_child : integers (room for histories): where its children begin
    children    : 32-bit integers (room for children): after each higher bid but the highest (see `Bidding.child_slots`), the
                  number of the history in this shard, or of the subtree; NONE if it is unexpanded
    used        : how much of the room is used, and how many histories found no room since the last `reserve`
    arrays      : the flat arrays of entries by their names
    """

    def __init__(self, names: Sequence[str], kind: Any) -> None:
        self.first_entry, self.first_child = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.children = np.zeros(0, np.int32)
        self.used = np.zeros(4, np.int64)
        self.arrays: dict[str, Floats] = {name: np.zeros(0, kind) for name in names}

    @property
    def capacity(self) -> tuple[int, int, int]:
        """The room for histories, for children and for entries."""
        return len(self.first_entry), len(self.children), len(next(iter(self.arrays.values())))

    @property
    def size(self) -> Ints:
        """The three numbers of `capacity`, then the four of `used`: (7)."""
        return np.array([*self.capacity, *self.used], np.int64)

    def reserve(self, histories: int, children: int, entries: int) -> None:
        """Make room for at least these numbers; MemoryError if the system has no such memory."""
        self.first_entry, self.first_child = _longer(self.first_entry, histories), _longer(self.first_child, histories)
        self.children = _longer(self.children, children, NONE)
        for name, array in self.arrays.items():
            self.arrays[name] = _longer(array, entries)
        self.used[REFUSED] = 0

    def bytes_of(self, capacity: tuple[int, int, int]) -> int:
        """Return the memory that room for these numbers takes."""
        histories, children, entries = capacity
        return 16 * histories + 4 * children + entries * sum(array.itemsize for array in self.arrays.values())


class Shards(Protocol):
    """The shards below the top one: in this process, in a file, or with workers."""

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of every shard: (shards, 7)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Shard]: ...

    def __getitem__(self, number: int, /) -> Shard:
        """Return the shard if it is in this process, otherwise a copy."""


class OwnShards(list[Shard]):
    """Shards in the memory of this process."""

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of every shard: (shards, 7)."""
        return np.array([shard.size for shard in self], np.int64).reshape(-1, 7)


def _longer(array: Any, length: int, fill: int = 0) -> Any:
    """Return the array with more room. New zeros are not written, so that they take no memory yet."""
    if length <= len(array):
        return array
    longer = np.full(length, fill, array.dtype) if fill else np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer

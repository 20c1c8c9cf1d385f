"""Shards: the arrays in which expanded histories lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.system.growing import longer

NONE = -1
"""The child where the history is unexpanded, and the next column after the last."""
HISTORIES, COLUMNS, BLOCKS, ROWS, REFUSED = range(5)
"""The fields of `Shard.used`: the numbers of histories, columns, blocks and rows, and of requests that found no room."""
ROOM, USED = slice(4), slice(4, 8)
"""The parts of `Shard.size`: the room for histories, columns, blocks and rows, and how many there are."""
LAST_BID, MOVER = range(2)
"""The fields of `Shard.states`, and the first two of `StrategyStore.roots`."""
BID, CHILD, BLOCK, NEXT = range(4)
"""The fields of `Shard.columns`."""
LANES = 8
"""Rolls are padded to a multiple of this, so that compiled loops have no remainder; the reach of the padding is 0."""
ZEROS = 0
"""The row that holds zeros for every block without a row of its own."""
MOST_BLOCKS = 2**31 - 1
"""The most blocks of a shard."""


def padded(rolls: int) -> int:
    """Return a number of rolls, rounded up to a multiple of `LANES`.

    >>> padded(6), padded(21), padded(56)
    (8, 24, 56)
    """
    return -(-rolls // LANES) * LANES


class Shard:
    """Expanded histories, numbered from 0 in the order in which they were added, and the columns of their actions.

    A column has an entry for each padded roll of the mover in every array. Eight entries are a *block*. Most blocks hold only
    zeros, so a block gets a *row* of its own when one of its entries is no longer 0.

    states       : 16-bit integers (room for histories, 2): the last bid and the mover
    first_column : 32-bit integers (room for histories)
    columns      : 32-bit integers (room for columns, 4): of one action at one history, the bid that it makes, or the last bid
                   for an action that ends the round; the number of the history after it in this shard, or of the subtree,
                   NONE if that is unexpanded; its first block; and the next column of the same history, or NONE
    blocks       : unsigned 32-bit integers (room for blocks): the row of each block in every array, or ZEROS
    used         : how much of the room is used, and how many requests found no room since the last `reserve`
    arrays       : floats (room for rows, 8), by their names; row ZEROS is 0
    values       : floats (room for histories, width): the value of each history to its mover at the last visit, for each roll,
                   divided by the other players' reach; all 0 before the first visit. The width is 0 if values are not kept

    A history has first the columns of the final actions (none in the opening). The others follow as they were added, and with
    higher numbers.
    """

    def __init__(self, names: Sequence[str], kind: Any, width: int = 0) -> None:
        self.states, self.first_column = np.zeros((0, 2), np.int16), np.zeros(0, np.int32)
        self.columns, self.blocks = np.zeros((0, 4), np.int32), np.zeros(0, np.uint32)
        self.used = np.array([0, 0, 0, 1, 0], np.int64)
        self.arrays: dict[str, Floats] = {name: np.zeros((1, LANES), kind) for name in names}
        self.values: Floats = np.zeros((0, width), kind)

    @property
    def capacity(self) -> tuple[int, int, int, int]:
        """The room for histories, for columns, for blocks and for rows."""
        return len(self.first_column), len(self.columns), len(self.blocks), min(map(len, self.arrays.values()))

    @property
    def size(self) -> Ints:
        """The four numbers of `capacity`, then the five of `used`: (9)."""
        return np.array([*self.capacity, *self.used], np.int64)

    def reserve(self, histories: int, columns: int, blocks: int, rows: int) -> None:
        """Make room for at least these numbers; MemoryError without such memory, and then `capacity` still holds."""
        self.states, self.values = longer(self.states, histories), longer(self.values, histories)
        self.first_column = longer(self.first_column, histories)
        self.columns, self.blocks = longer(self.columns, columns), longer(self.blocks, blocks)
        for name, array in self.arrays.items():
            self.arrays[name] = longer(array, rows)
        self.used[REFUSED] = 0

    def bytes_of(self, capacity: tuple[int, int, int, int]) -> int:
        """Return the memory that room for these numbers takes."""
        histories, columns, blocks, rows = capacity
        of_history: int = 8 + self.values.shape[1] * self.values.itemsize
        of_row = LANES * sum(array.itemsize for array in self.arrays.values())
        return of_history * histories + 16 * columns + 4 * blocks + of_row * rows

    def entries(self, name: str, columns: Any, width: int) -> Floats:
        """Return the entries of some columns with the same number of padded rolls: (columns, padded rolls)."""
        places = self.columns[columns, BLOCK].astype(np.int64)[:, None] + np.arange(width // LANES)
        found: Floats = self.arrays[name][self.blocks[places]].reshape(len(places), width)
        return found

    def set_blocks(self, name: str, places: Any, entries: Floats) -> None:
        """Set the entries of some blocks, and give a row to each that needs one: (blocks, 8)."""
        needy = places[(self.blocks[places] == ZEROS) & (entries != 0).any(axis=1)]
        rows = int(self.used[ROWS]) + len(needy)
        if rows > len(next(iter(self.arrays.values()))):
            self.reserve(0, 0, 0, 3 * rows // 2)
        self.blocks[needy] = np.arange(self.used[ROWS], rows)
        self.used[ROWS] = rows
        own = self.blocks[places] != ZEROS
        self.arrays[name][self.blocks[places[own]]] = entries[own]

    def columns_of(self, history: int) -> list[int]:
        """Return the numbers of a history's columns."""
        found, column = [], int(self.first_column[history])
        while column != NONE:
            found.append(column)
            column = int(self.columns[column, NEXT])
        return found

    def owners(self) -> Ints:
        """Return the history of every column."""
        owner = np.full(int(self.used[COLUMNS]), NONE, np.int32)
        column = self.first_column[: self.used[HISTORIES]]
        history = np.arange(len(column), dtype=np.int32)
        while len(column):
            owner[column] = history
            column = self.columns[column, NEXT]
            history, column = history[column != NONE], column[column != NONE]
        return owner

    def sort_columns(self) -> None:
        """Sort the columns, blocks and rows into the order in which a traversal visits them, so that it reads memory in order.

        Blocks whose entries have all become 0 again give their rows back. Only the speed and the memory depend on it. The
        children of all columns must be histories of this shard.
        """
        owner, before = self.owners(), self.columns[: self.used[COLUMNS]]
        place = np.zeros(int(self.used[HISTORIES]), np.int64)
        place[self._visits(owner)] = np.arange(len(place))
        order = np.argsort(place[owner], kind="stable")
        moved_to = np.empty_like(order)
        moved_to[order] = np.arange(len(order))
        starts = before[:, BLOCK].astype(np.int64)
        lengths = np.diff(starts, append=self.used[BLOCKS])[order]
        starts_now = np.cumsum(lengths) - lengths
        rows = self.blocks[np.repeat(starts[order] - starts_now, lengths) + np.arange(int(lengths.sum()))]
        self._sort_rows(rows)
        self.blocks[: len(rows)] = rows
        following = before[order, NEXT]
        before[:, [BID, CHILD]] = before[order][:, [BID, CHILD]]
        before[:, BLOCK], before[:, NEXT] = starts_now, np.where(following == NONE, NONE, moved_to[following])
        first = self.first_column[: len(place)]
        first[:] = moved_to[first]

    def _sort_rows(self, rows: Ints) -> None:
        """Sort the rows as they appear in `rows`, and number them anew there: ZEROS if all entries are 0."""
        filled = np.zeros(int(self.used[ROWS]), np.bool_)
        for array in self.arrays.values():
            filled |= array[: len(filled)].any(axis=1)
        rows[~filled[rows]] = ZEROS
        own = rows != ZEROS
        self.used[ROWS] = 1 + np.count_nonzero(own)
        for array in self.arrays.values():
            array[1 : self.used[ROWS]] = array[rows[own]]
            array[self.used[ROWS] : len(filled)] = 0
        rows[own] = np.arange(1, self.used[ROWS])

    def _visits(self, owner: Ints) -> list[int]:
        """Return the histories in the order in which a traversal visits them; `owner` is the history of every column."""
        led = np.flatnonzero(self.columns[: len(owner), CHILD] != NONE)
        children, found = self.columns[led, CHILD], list[int]()
        following: list[list[int]] = [[] for _ in range(int(self.used[HISTORIES]))]
        for history, child in zip(owner[led].tolist(), children.tolist(), strict=True):
            following[history].append(child)
        waiting = np.setdiff1d(np.arange(len(following)), children)[::-1].tolist()
        while waiting:
            found.append(waiting.pop())
            waiting += reversed(following[found[-1]])
        return found

    def append(self, history: int, bids: Sequence[int], width: int) -> None:
        """Add columns to a history, for which there must be room."""
        before, (column, block) = self.columns_of(history), self.used[[COLUMNS, BLOCKS]].tolist()
        for bid in bids:
            self.columns[column] = bid, NONE, block, NONE
            if before:
                self.columns[before[-1], NEXT] = column
            else:
                self.first_column[history] = column
            before.append(column)
            column, block = column + 1, block + width // LANES
        self.used[[COLUMNS, BLOCKS]] = column, block


class Shards(Protocol):
    """The shards below the top one: in this process, in a file, or with workers."""

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of every shard: (shards, 9)."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Shard]: ...

    def __getitem__(self, number: int, /) -> Shard:
        """Return the shard if it is in this process, otherwise a copy."""


class OwnShards(list[Shard]):
    """Shards in the memory of this process."""

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of every shard: (shards, 9)."""
        return sizes_of(self)


def sizes_of(shards: Iterable[Shard]) -> Ints:
    """Return the `Shard.size` of some shards: (shards, 9)."""
    return np.array([shard.size for shard in shards], np.int64).reshape(-1, 9)

"""A shard as bytes, for checkpoints and for sending it to another process.

First come the last bid and the mover of every history, as 16-bit integers. Then every column has its history, bid and child, as
32-bit integers; the columns of a history keep the order in which they were added. Then comes the row of every block, as an
unsigned 32-bit integer. The values of the histories follow, if the shard keeps them. Last come the rows of each array of
floats, without the row of zeros. All numbers are little-endian. The lengths follow from `Shard.size`, which is stored
separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, cast
from zlib import crc32

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.strategies.shard import BID, CHILD, LANES, ROOM, ROWS, USED, ZEROS, Shard
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

_PIECE = 1 << 24
_MOST_ROOM = 1 << 34


def length(store: StrategyStore, size: Ints) -> int:
    """Return the number of bytes of a shard; ValueError for an impossible size."""
    rooms, used = size[ROOM].tolist(), size[USED].tolist()
    if not all(0 <= some <= room <= _MOST_ROOM for some, room in zip(used, rooms, strict=True)) or size[8] < 0 or used[3] < 1:
        raise ValueError("a shard is larger than its room")
    histories, columns, blocks, rows = used
    values = store.top.values
    of_row = LANES * sum(array.itemsize for array in store.top.arrays.values())
    return int((4 + values.shape[1] * values.itemsize) * histories + 12 * columns + 4 * blocks + of_row * (rows - 1))


def starts(store: StrategyStore, sizes: Ints, first: int) -> list[int]:
    """Return the starts of consecutive shards of these sizes in a file, and the end of the last."""
    lengths = [length(store, size) for size in sizes]
    return [int(first + before) for before in np.cumsum([0, *lengths])]


def pieces(shard: Shard) -> Iterator[memoryview]:
    """Yield the bytes of a shard in pieces."""
    histories, columns, blocks, rows, _ = shard.used.tolist()
    owned = np.column_stack([shard.owners(), shard.columns[:columns][:, [BID, CHILD]]])
    floats = shard.values[:histories], *(array[1:rows] for array in shard.arrays.values())
    arrays: list[Any] = [shard.states[:histories], owned, shard.blocks[:blocks], *floats]
    for array in arrays:
        if array.size:
            whole = memoryview(cast(Any, np.ascontiguousarray(array))).cast("B")
            yield from (whole[start : start + _PIECE] for start in range(0, len(whole), _PIECE))


def write(shard: Shard, out: Any) -> int:
    """Write the bytes of a shard at the position of `out`; return their CRC-32."""
    checksum = 0
    for piece in pieces(shard):
        out.write(piece)
        checksum = crc32(piece, checksum)
    return checksum


def read(store: StrategyStore, number: int, size: Ints, checksum: int, file: BinaryIO) -> Shard:
    """Read a shard at the position of `file`; ValueError unless its CRC-32 fits and it is valid."""
    content = file.read(length(store, size))
    if crc32(content) != checksum:
        raise ValueError("the sum is wrong")
    return shard_of(store, number, size, content)


def shard_of(store: StrategyStore, number: int, size: Ints, content: Any) -> Shard:
    """Return the shard with these bytes; ValueError unless it is valid and fits the subtrees of the tree."""
    shard = store.new_shard()
    shard.reserve(*size[ROOM].tolist())
    histories, columns, blocks, rows = size[USED].tolist()
    values = shard.values[:histories]
    floats = (values.dtype, values.size), *((array.dtype, LANES * (rows - 1)) for array in shard.arrays.values())
    numbers = (np.int16, 2 * histories), (np.int32, 3 * columns), (np.uint32, blocks)
    states, owned, places, kept, *contents = _arrays(content, [*numbers, *floats])
    store.lay_out(shard, states.reshape(-1, 2).astype(np.int64), owned.reshape(-1, 3).astype(np.int64), LANES * blocks)
    if not np.array_equal(shard.used[:ROWS], size[USED][:ROWS]):
        raise ValueError("a shard holds something else")
    if not np.array_equal(np.sort(places[places != ZEROS]), np.arange(1, rows)):
        raise ValueError("two blocks with the same row")
    shard.blocks[:blocks], shard.used[:] = places, size[4:]
    store.check(shard, number)
    values[:] = kept.reshape(values.shape)
    if not np.isfinite(values).all():
        raise ValueError("a number is not finite")
    for (name, array), own in zip(shard.arrays.items(), contents, strict=True):
        array[1:rows] = own.reshape(-1, LANES)
        if not np.isfinite(array[1:rows]).all():
            raise ValueError("a number is not finite")
        if name == AVERAGE_STRATEGY and array[1:rows].min(initial=0) < 0:
            raise ValueError("a strategy is negative")
    return shard


def _arrays(content: Any, counts: Sequence[tuple[Any, int]]) -> Iterator[Any]:
    """Yield consecutive arrays of these kinds and lengths; ValueError if bytes are left over."""
    offset = 0
    for kind, count in counts:
        yield np.frombuffer(content, kind, count, offset) if count else np.zeros(0, kind)
        offset += count * np.dtype(kind).itemsize
    if offset != len(content):
        raise ValueError("the arrays are too long")

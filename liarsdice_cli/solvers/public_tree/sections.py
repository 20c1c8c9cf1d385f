"""A shard as bytes: what a checkpoint keeps of it, and what goes from one process to another.

The last bid and the mover of every history (16-bit integers), the children (32-bit integers), and one after the other the
arrays of numbers, of each what is used. All numbers are little-endian. How much there is of each follows from `Shard.size`,
which whoever keeps a section keeps with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, cast
from zlib import crc32

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.strategies.shard import CHILDREN, Shard
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import AVERAGES

_PIECE = 1 << 24
_MOST_ROOM = 1 << 36


def length(tree: StrategyStore, size: Ints) -> int:
    """The bytes of a shard of some size; ValueError for a size that there cannot be."""
    rooms, used = size[:3].tolist(), size[3:6].tolist()
    if not all(0 <= some <= room <= _MOST_ROOM for some, room in zip(used, rooms, strict=True)) or size[6] < 0:
        raise ValueError("a shard is larger than its room")
    histories, places, numbers = used
    return int(4 * histories + 4 * places + numbers * sum(array.itemsize for array in tree.top.arrays.values()))


def starts(tree: StrategyStore, sizes: Ints, first: int) -> list[int]:
    """Where the sections of shards of these sizes begin that follow one another from a place on, and where they end."""
    lengths = [length(tree, size) for size in sizes]
    return [int(first + before) for before in np.cumsum([0, *lengths])]


def pieces(tree: StrategyStore, number: int, shard: Shard) -> Iterator[memoryview]:
    """The bytes of the shard with a number, one piece after the other."""
    _, places, numbers, _ = shard.used.tolist()
    moves = tree.states(shard, number).astype(np.int16)
    arrays: list[Any] = [moves, shard.children[:places], *(kept[:numbers] for kept in shard.arrays.values())]
    for array in arrays:
        if array.size:
            whole = memoryview(cast(Any, np.ascontiguousarray(array))).cast("B")
            yield from (whole[start : start + _PIECE] for start in range(0, len(whole), _PIECE))


def write(tree: StrategyStore, number: int, shard: Shard, out: Any) -> int:
    """Write the bytes of a shard where `out` stands; returns their CRC-32."""
    check = 0
    for piece in pieces(tree, number, shard):
        out.write(piece)
        check = crc32(piece, check)
    return check


def read(tree: StrategyStore, number: int, size: Ints, check: int, file: BinaryIO) -> Shard:
    """The shard whose bytes begin where `file` stands; ValueError unless they have this CRC-32 and are a shard."""
    content = file.read(length(tree, size))
    if crc32(content) != check:
        raise ValueError("the sum is wrong")
    return shard_of(tree, number, size, content)


def shard_of(tree: StrategyStore, number: int, size: Ints, content: Any) -> Shard:
    """The shard that some bytes are; ValueError unless all of it lies where it may, with the subtrees that the tree has."""
    shard = tree.new_shard()
    shard.reserve(*size[:3].tolist())
    histories, places, numbers = size[3:6].tolist()
    counts = (np.int16, 2 * histories), (np.int32, places), *((array.dtype, numbers) for array in shard.arrays.values())
    found, children, *kept = _arrays(content, counts)
    moves = found.reshape(-1, 2).astype(np.int64)
    tree.lay_out(shard, moves)
    if not np.array_equal(shard.used[:3], size[3:6]):
        raise ValueError("a shard holds something else")
    shard.used[:] = size[3:]
    shard.children[: shard.used[CHILDREN]] = children
    tree.check(shard, moves, number)
    for (name, array), own in zip(shard.arrays.items(), kept, strict=True):
        array[:numbers] = own
        if not np.isfinite(array[:numbers]).all():
            raise ValueError("a number is not finite")
        if name == AVERAGES and numbers and array[:numbers].min() < 0:
            raise ValueError("a strategy is negative")
    return shard


def _arrays(content: Any, counts: Sequence[tuple[Any, int]]) -> Iterator[Any]:
    """Arrays of these kinds and lengths, one after the other; ValueError unless they are all that there is."""
    offset = 0
    for kind, count in counts:
        yield np.frombuffer(content, kind, count, offset) if count else np.zeros(0, kind)
        offset += count * np.dtype(kind).itemsize
    if offset != len(content):
        raise ValueError("the arrays are too long")

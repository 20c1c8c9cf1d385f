"""List what a solver keeps; take checkpoints apart, and put changed parts together with correct checksums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np

from liarsdice_cli.solvers.public_tree import shard_io
from liarsdice_cli.strategies.store import StrategyStore


def arrays_of(store: StrategyStore) -> Iterator[Any]:
    """Yield everything that a store holds as arrays, without unused capacity."""
    yield store.roots[: store.subtrees[0]]
    for _, shard in store.all_shards:
        histories, columns, blocks, rows, _ = shard.used
        yield from (shard.used, shard.states[:histories], shard.first_column[:histories], shard.columns[:columns])
        yield shard.values[:histories]
        yield shard.blocks[:blocks]
        yield from (array[:rows] for array in shard.arrays.values())


def parted(whole: bytes, tree: StrategyStore) -> list[bytes]:
    """Return the part of a checkpoint before the shards, and the bytes of every shard."""
    place = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    contents = []
    for _ in range(4):
        length = int.from_bytes(whole[place : place + 8], "little")
        contents.append(whole[place + 8 : place + 8 + length])
        place += 8 + length
    starts = shard_io.starts(tree, np.frombuffer(contents[2], np.int64).reshape(-1, 9), place)
    return [whole[:place], *(whole[start:end] for start, end in pairwise(starts))]


def sealed(parts: list[bytes]) -> bytes:
    """Return the checkpoint of these parts with correct checksums."""
    sums = np.array([crc32(part) for part in parts], "<u4").tobytes()
    return b"".join([*parts, sums, crc32(sums).to_bytes(4, "little")])


def mended(data: bytes) -> bytes:
    """Return a changed checkpoint of an uncut tree with correct checksums, or unchanged if its parts cannot be found."""
    place = data.find(b"\n", data.find(b"\n") + 1) + 1
    for _ in range(4):
        place += 8 + int.from_bytes(data[place : place + 8], "little")
    sums = len(data) - 3 * 4
    return sealed([data[:place], data[place:sums]]) if place <= sums else data

"""Fill the entries of a shard."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.strategies.shard import BLOCKS, LANES, Shard


def draw(shard: Shard, name: str, generator: np.random.Generator, share: float = 1.0) -> None:
    """Fill an array with random numbers, this share of them not 0."""
    size = int(shard.used[BLOCKS]), LANES
    numbers = generator.random(size) * (generator.random(size) < share)
    shard.set_blocks(name, np.arange(size[0]), numbers.astype(shard.arrays[name].dtype))

"""Load balancing: the assignment of shards to workers, by the measured work of every shard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from liarsdice_cli.extensive.stream import Ints

_ENOUGH = 0.01
"""A move must change the loads by at least this part of the mean load."""


def loads(work: Sequence[float], owners: Sequence[int], workers: int) -> list[float]:
    """Return the work of every worker.

    >>> loads([1, 2, 3], [0, 1, 0], 2)
    [4.0, 2.0]
    """
    found: list[float] = np.bincount(owners, work, workers).tolist()
    return found


def balance(work: Sequence[float], owners: Sequence[int], workers: int) -> list[int]:
    """Return a worker for every shard with a smaller largest load, moving few shards.

    work   : of every shard, in any unit
    owners : the present worker of every shard

    Each step moves one shard from the worker with the largest load to the one with the smallest. It takes the shard that brings
    the two loads closest, and stops when the gain is too small. Cost: a pass over the shards for each move.

    >>> balance([5, 1, 1, 1], [0, 0, 0, 0], 2), balance([1, 1, 1, 1], [0, 1, 0, 1], 2)
    ([1, 0, 0, 0], [0, 1, 0, 1])
    """
    owners, each = list(owners), np.asarray(work, float)
    while True:
        now = loads(work, owners, workers)
        most, least = int(np.argmax(now)), int(np.argmin(now))
        gap = now[most] - now[least]
        own: Ints = np.flatnonzero(np.array(owners) == most)
        fits = own[each[own] < gap]
        if len(fits) == 0:
            return owners
        best = int(fits[np.argmin(np.abs(2 * each[fits] - gap))])
        if min(each[best], gap - each[best]) <= _ENOUGH * sum(now) / workers:
            return owners
        owners[best] = least

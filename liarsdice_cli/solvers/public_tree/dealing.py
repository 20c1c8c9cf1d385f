"""Which worker holds which shard: dealt out by measured work, and dealt anew where workers wait for one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from liarsdice_cli.extensive.stream import Ints

_ENOUGH = 0.01
"""A shard is not moved for less than this part of what a worker does on average."""


def loads(work: Sequence[float], deal: Sequence[int], workers: int) -> list[float]:
    """The work of every worker.

    >>> loads([1, 2, 3], [0, 1, 0], 2)
    [4.0, 2.0]
    """
    found: list[float] = np.bincount(deal, work, workers).tolist()
    return found


def dealt(work: Sequence[float], deal: Sequence[int], workers: int) -> list[int]:
    """For every shard its worker, from a deal in which few shards change theirs: the largest load gets smaller, step by step.

    work : of every shard, in any unit
    deal : for every shard the worker that has it now

    Every step moves one shard from the worker with the largest load to the one with the smallest, the one that brings both
    loads nearest to each other, until that gains nothing. Cost: a pass over the shards for each that is moved.

    >>> dealt([5, 1, 1, 1], [0, 0, 0, 0], 2), dealt([1, 1, 1, 1], [0, 1, 0, 1], 2)
    ([1, 0, 0, 0], [0, 1, 0, 1])
    """
    deal, each = list(deal), np.asarray(work, float)
    while True:
        now = loads(work, deal, workers)
        most, least = int(np.argmax(now)), int(np.argmin(now))
        gap = now[most] - now[least]
        own: Ints = np.flatnonzero(np.array(deal) == most)
        fits = own[each[own] < gap]
        if len(fits) == 0:
            return deal
        best = int(fits[np.argmin(np.abs(2 * each[fits] - gap))])
        if min(each[best], gap - each[best]) <= _ENOUGH * sum(now) / workers:
            return deal
        deal[best] = least

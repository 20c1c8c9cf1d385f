"""Dividing histories that lie in one piece among the shards of a strategy store."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.strategies.shard import LANES, LAST_BID, MOVER, NONE, OwnShards, Shard
from liarsdice_cli.strategies.store import StrategyStore

_TOGETHER = 1 << 16
"""Columns whose entries are copied at a time."""


class Forest(NamedTuple):
    """Expanded histories, numbered from 0, of which the first is the root, and their columns.

    states  : the last bid and the mover of every history: (histories, 2)
    columns : the history, the bid and the child of every column, as `Shard` orders them: (columns, 3)
    led     : the column that leads to each history, NONE for the root
    """

    states: Ints
    columns: Ints
    led: Ints


def divide(store: StrategyStore, forest: Forest, name: str, rows: Callable[[Ints], Floats]) -> None:
    """Fill an empty store with all histories of a forest, the subtrees divided among the shards by their numbers of columns.

    name : of the entries
    rows : returns the entries of columns: (columns, padded rolls or more)
    """
    states, columns, _ = forest
    owner, bid, child = columns.T
    roots, subtree = _subtrees(forest, store.cut)
    held_by = _balanced(np.bincount(subtree[owner] + 1, minlength=len(roots) + 1)[1:], len(store.shards))
    shard_of, number = np.append(held_by, NONE)[subtree], np.zeros(len(states), np.int64)
    for one in range(NONE, len(store.shards)):
        own = np.flatnonzero(shard_of == one)
        number[own] = np.arange(len(own))
    crosses = (child != NONE) & (shard_of[owner] == NONE) & (shard_of[child] != NONE)
    to = np.where(child == NONE, NONE, np.where(crosses, subtree[child], number[child]))
    store.roots = np.column_stack([states[roots], number[roots], held_by])
    store.subtrees[0] = len(roots)
    filled = []
    for one in range(NONE, len(store.shards)):
        own = np.flatnonzero(shard_of[owner] == one)
        layout = np.column_stack([number[owner[own]], bid[own], to[own]])
        widths = store.widths[states[owner[own], MOVER]]
        filled.append(store.new_shard())
        store.lay_out(filled[-1], states[shard_of == one], layout, int(widths.sum()))
        _fill(filled[-1], name, own, widths, rows)
    store.top, store.shards = filled[0], OwnShards(filled[1:])


def _subtrees(forest: Forest, cut: int) -> tuple[Ints, Ints]:
    """Return the roots of all subtrees below a cut, and for every history the number of its subtree, or NONE above the cut."""
    states, columns, led = forest
    parent = np.where(led == NONE, 0, columns[led, 0])
    below = states[:, LAST_BID] >= cut
    below[0] = False
    begins = below & ~below[parent]
    root = np.where(below & ~begins, parent, np.arange(len(states)))
    while not np.array_equal(root, root[root]):
        root = root[root]
    roots = np.flatnonzero(begins)
    number = np.full(len(states), NONE)
    number[roots] = np.arange(len(roots))
    return roots, number[root]


def _balanced(sizes: Ints, shards: int) -> Ints:
    """Return a shard for each subtree, the largest first, each in the shard that holds least."""
    held, found = [(0, shard) for shard in range(shards)], np.zeros(len(sizes), np.int64)
    for subtree in np.argsort(-sizes, kind="stable").tolist():
        size, found[subtree] = heapq.heappop(held)
        heapq.heappush(held, (size + int(sizes[subtree]), int(found[subtree])))
    return found


def _fill(shard: Shard, name: str, columns: Ints, widths: Ints, rows: Callable[[Ints], Floats]) -> None:
    """Fill the entries of all columns of a shard, some columns at a time."""
    ends = np.append(0, np.cumsum(widths))
    for first in range(0, len(columns), _TOGETHER):
        some = slice(first, min(first + _TOGETHER, len(columns)))
        entries, widest = rows(columns[some]), int(widths[some].max())
        if np.all(widths[some] == widest):
            kept = entries[:, :widest].reshape(-1)
        else:
            kept = entries[np.arange(entries.shape[1]) < widths[some, None]]
        shard.set_blocks(name, np.arange(ends[some.start] // LANES, ends[some.stop] // LANES), kept.reshape(-1, LANES))

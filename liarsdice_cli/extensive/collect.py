"""Collect the blocks of a stream into a `GameTree` in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Ints, TreeStream
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.text import counted

MEMORY_LIMIT = 50_000_000
"""The largest tree, in nodes, that is held in memory. Its columns take about 2 GB."""


def collect(stream: TreeStream) -> GameTree:
    """Return the game of a stream, whose information sets may have any numbers.

    The table has chance's sets first, then those of each player, each in the order of their first nodes.
    Cost: about 40 bytes a node. Raises LiarsDiceError for more than `MEMORY_LIMIT` nodes.
    """
    if stream.nodes > MEMORY_LIMIT:
        raise LiarsDiceError(
            f"the tree has {counted(stream.nodes)} nodes; at most {MEMORY_LIMIT:,} are held in memory",
            *((": ", *stream.cure) if stream.cure else ()),
        )
    player, number = np.empty(stream.nodes, np.int8), np.empty(stream.nodes, np.int32)
    outcome = np.empty(stream.nodes, np.int32)
    sets: list[tuple[Ints, Ints, Ints]] = []
    start = 0
    for block in stream.blocks():
        nodes = slice(start, start := start + len(block.player))
        player[nodes], number[nodes], outcome[nodes] = block.player, block.number, block.outcome
        sets.append((block.player[block.first], block.number[block.first], block.actions[block.first]))
    owner, called, choices = map(np.concatenate, zip(*sets, strict=True))
    order = np.argsort(owner, kind="stable")
    table = InfoSets(owner[order].astype(np.int8), called[order].astype(np.int64), choices[order], _StreamLabels(stream, order))
    return GameTree(
        stream.title,
        stream.comment,
        stream.players,
        stream.action_lists,
        stream.outcomes,
        table,
        _rows(table, player, number),
        outcome,
        stream.node_labels,
    )


def _rows(sets: InfoSets, player: Ints, number: Ints) -> Ints:
    """Return the row of every node's information set; `sets` has the rows of chance first, then those of each player."""
    owners = np.arange(CHANCE, int(sets.player.max(initial=CHANCE)) + 1)
    before = np.searchsorted(sets.player, owners).astype(np.int32)
    if np.array_equal(sets.number, np.arange(1, len(sets) + 1) - before[sets.player - CHANCE]):  # 1, 2, ...: no search
        return np.where(player == TERMINAL, np.int32(NONE), before[player - CHANCE] + number - np.int32(1))
    keys = _keys(sets.player, sets.number)
    ranked = np.argsort(keys)
    ranks = np.searchsorted(keys[ranked], _keys(player, number))
    return np.where(player == TERMINAL, NONE, np.append(ranked, NONE)[ranks]).astype(np.int32)


def _keys(player: Ints, number: Ints) -> Ints:
    """Return a number for each information set of each player; no two are equal, since a set's number has 32 bits."""
    return (player.astype(np.int64) << 33) + number


class _StreamLabels(Sequence[str]):
    """The labels of a stream's information sets, read from the stream when one is first used.

    order : for every row of the table the rank of its set by first nodes, among the sets of all players
    """

    def __init__(self, stream: TreeStream, order: Ints) -> None:
        self._stream, self._order = stream, order

    @cached_property
    def _labels(self) -> list[str]:
        labels = [label for block in self._stream.blocks() for label in block.labels(np.flatnonzero(block.first))]
        return [labels[rank] for rank in self._order.tolist()]

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, row):  # type: ignore[no-untyped-def]  # an index or a slice, as of a list
        return self._labels[row]

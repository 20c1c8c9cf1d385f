"""The columns of histories, and new histories and columns while learning: parts of the compiled traversal.

`strategies.store` says which columns a history has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.solvers.public_tree.arrays import BidTables, Layout, bids_after
from liarsdice_cli.strategies.shard import (
    BID,
    BLOCK,
    BLOCKS,
    CHILD,
    COLUMNS,
    HISTORIES,
    LAST_BID,
    MOVER,
    NEXT,
    NONE,
    REFUSED,
    ROWS,
)
from liarsdice_cli.system.compiling import part_in_place


class Parent(NamedTuple):
    """A history: its last bid, -1 in the opening, its mover and its first column."""

    last: int
    mover: int
    first_column: int


@part_in_place
def load_columns(columns: Ints, first: int, column: Ints, block: Ints) -> int:
    """Fill `column` and `block` with the columns of a history and their first blocks; return their number."""
    here, actions = first, 0
    while here != NONE:
        column[actions], block[actions] = here, columns[here, BLOCK]
        here = columns[here, NEXT]
        actions += 1
    return actions


@part_in_place
def expand(tables: BidTables, shard: Layout, last: Any, mover: Any, all_bids: bool, reserved: Any) -> int:
    """Return the number of a new history after a last bid; NONE if the shard has no room, also for the averages of its call.

    all_bids : whether it gets columns for all bids, and not only for the lowest on each face
    reserved : blocks for one more column, for which there must be room too; 0 for none
    """
    width: Any = np.int64(tables.blocks[mover])
    endings = tables.endings
    actions = endings + (bids_after(tables.stop, last) if all_bids else tables.faces[last])
    if not _has_room(shard, np.int64(1), actions + 1, actions * width + reserved, width):
        return NONE
    history: int = shard.used[HISTORIES]
    shard.used[HISTORIES] += 1
    shard.states[history, LAST_BID], shard.states[history, MOVER] = last, mover
    shard.first_column[history] = shard.used[COLUMNS]
    for action in range(actions):
        bid = last
        if action >= endings:
            bid = last + 1 + action - endings if all_bids else tables.lowest[last, action - endings]
        column = _add_column(shard, bid, width)
        if action + 1 < actions:
            shard.columns[column, NEXT] = column + 1
    return history


@part_in_place
def expand_child(
    tables: BidTables,
    shard: Layout,
    below_roots: Ints,
    below_used: Ints,
    parent: Parent,
    column: int,
    all_bids: bool,
    crosses: bool,
) -> int:
    """Expand the history after the bid of a column, and return it, or the subtree; NONE if there is no room.

    The next bid on the same face gets a column, unless it has one.

    below_roots, below_used : `roots` and `used` of the subtrees below the cut
    parent  : the history at which the bid is made
    crosses : whether the bid crosses the cut, so that a subtree follows
    """
    bid, child = shard.columns[column, BID], NONE
    after = parent.mover + 1 if parent.mover + 1 < len(tables.blocks) else 0
    missing = _next_missing(tables, shard.columns, parent, bid)
    reserved: Any = np.int64(tables.blocks[parent.mover]) if missing != NONE else 0
    if not crosses:
        child = expand(tables, shard, np.int64(bid), np.int64(after), all_bids, reserved)
    elif below_used[0] == len(below_roots):
        below_used[1] += 1
    elif _has_room(shard, np.int64(0), np.int64(1), reserved, np.int64(0)):
        child = below_used[0]
        below_used[0] += 1
        below_roots[child, LAST_BID], below_roots[child, MOVER] = bid, after
    if child != NONE and missing != NONE:
        _append(shard, parent.first_column, missing, reserved)
    shard.columns[column, CHILD] = child
    return child


@part_in_place
def _next_missing(tables: BidTables, columns: Ints, parent: Parent, bid: int) -> int:
    """Return the next bid on the face of a bid that is legal at a history, if it has no column there yet; otherwise NONE."""
    above: int = tables.next_on_face[bid]
    if above == NONE or (parent.last >= 0 and above >= tables.stop[parent.last]):
        return NONE
    column = parent.first_column
    while column != NONE:
        if columns[column, BID] == above:
            return NONE
        column = columns[column, NEXT]
    return above


@part_in_place
def _has_room(shard: Layout, histories: Any, columns: Any, blocks: Any, rows: Any) -> bool:
    """Return whether the shard has room for more, and count a refusal if not."""
    found = (
        shard.used[HISTORIES] + histories <= len(shard.first_column)
        and shard.used[COLUMNS] + columns <= len(shard.columns)
        and shard.used[BLOCKS] + blocks <= shard.room_for_blocks
        and shard.used[ROWS] + rows <= shard.room_for_rows
    )
    if not found:
        shard.used[REFUSED] += 1
    return bool(found)


@part_in_place
def _add_column(shard: Layout, bid: int, blocks: int) -> int:
    """Return a new column of this many blocks, the last of its history, with entries of 0; there must be room."""
    column: int = shard.used[COLUMNS]
    shard.columns[column, BID], shard.columns[column, CHILD] = bid, NONE
    shard.columns[column, BLOCK], shard.columns[column, NEXT] = shard.used[BLOCKS], NONE
    shard.used[COLUMNS] += 1
    shard.used[BLOCKS] += blocks
    return column


@part_in_place
def _append(shard: Layout, first: int, bid: int, blocks: int) -> None:
    """Add a column for a bid to the history with this first column; there must be room."""
    column = first
    while shard.columns[column, NEXT] != NONE:
        column = shard.columns[column, NEXT]
    shard.columns[column, NEXT] = _add_column(shard, bid, blocks)

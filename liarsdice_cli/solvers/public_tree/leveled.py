"""All expanded histories of a game of two players in one shard, by level: the layout that a GPU works on.

The tree grows between passes, and not in a pass as in `traversal`. Its entries are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays, expanding
from liarsdice_cli.solvers.public_tree.arrays import BidTables, Layout
from liarsdice_cli.solvers.public_tree.expanding import Parent, expand_child
from liarsdice_cli.strategies.shard import (
    BID,
    CHILD,
    COLUMNS,
    HISTORIES,
    LANES,
    LAST_BID,
    MOST_BLOCKS,
    MOVER,
    NEXT,
    NONE,
    Shard,
)
from liarsdice_cli.strategies.sharding import Forest, divide
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.system.compiling import compiled_in_place
from liarsdice_cli.system.growing import longer


class Levels(NamedTuple):
    """The expanded histories level by level, and their columns history by history, in 32-bit integers.

    level    : where each level begins among the histories, and the end of the last
    begin    : where each history begins among the columns, the final actions first, and the end of the last
    last_bid : of each history
    led      : the column that leads to each history, NONE for the root
    own      : the last column of the mover's own on the way to each history, or NONE
    bid, child : of each column, as in `Shard.columns`
    """

    level: Any
    begin: Any
    last_bid: Any
    led: Any
    own: Any
    bid: Any
    child: Any


class Relations(NamedTuple):
    """Two relations that a shard does not store: the history of each column, and the column that leads to each history."""

    owner: Ints
    led: Ints


@compiled_in_place(arrays, expanding)
def _expand_all(tables: BidTables, layout: Layout, relations: Relations, wanted: Ints, below: Ints, none_below: Ints) -> None:
    """Expand the histories after some columns, for which there must be room."""
    owner, led = relations
    for column in wanted:
        history, first = owner[column], layout.used[COLUMNS]
        parent = Parent(int(layout.states[history, LAST_BID]), int(layout.states[history, MOVER]), layout.first_column[history])
        child = expand_child(tables, layout, below, none_below, parent, column, False, False)
        for new in range(first, layout.used[COLUMNS]):
            owner[new] = history
        if child != NONE:
            led[child], here = column, layout.first_column[child]
            while here != NONE:
                owner[here] = child
                here = layout.columns[here, NEXT]


@compiled_in_place()
def _sort(states: Ints, first_column: Ints, columns: Ints, levels: Levels, order: Ints, column_at: Ints) -> int:
    """Fill `levels`, `order` with the histories at their places, and `column_at`; return the number of levels."""
    found, next_column, level, level_end = 1, 0, 0, 1
    levels.led[0] = levels.own[0] = NONE
    levels.level[0], levels.level[1] = 0, 1
    for place in range(len(order)):
        if place == level_end:
            level, level_end = level + 1, found
            levels.level[level + 1] = found
        history = order[place]
        levels.begin[place], levels.last_bid[place] = next_column, states[history, LAST_BID]
        column = first_column[history]
        while column != NONE:
            column_at[next_column], levels.bid[next_column] = column, columns[column, BID]
            child, levels.child[next_column] = columns[column, CHILD], NONE
            if child != NONE:
                order[found], levels.child[next_column] = child, found
                levels.led[found], levels.own[found] = next_column, levels.led[place]
                found += 1
            next_column, column = next_column + 1, columns[column, NEXT]
    levels.begin[len(order)] = next_column
    return level + 1


def played_before(levels: Levels, before: Ints) -> tuple[Ints, Ints]:
    """Return where each column's average comes from, and the calls of new histories at which their player moves first.

    Until now, the player of a new history called there. So the average of the call is that of the player's last own column.

    before : as `LeveledTree.sort` returns it, and so is the first result
    """
    calls, own, sources = levels.begin[1:-1], levels.own[1:], before.copy()
    new = before[calls] == NONE
    later = new & (own != NONE)
    sources[calls[later]] = before[own[later]]
    return sources, calls[new & (own == NONE)]


class LeveledTree:
    """The expanded histories of a game, at first the root alone.

    Histories and columns keep their numbers when the tree grows; `sort` gives them places by level.

    place     : the place of every column after the last sort
    column_at : the column at every place
    """

    def __init__(self, game: PublicGame) -> None:
        self.game, self.bids = game, arrays.bid_tables(game)
        self._shard = Shard((), np.float32)
        self._relations = Relations(*(np.zeros(0, np.int32) for _ in Relations._fields))
        self.place = self.column_at = np.zeros(0, np.int32)
        last, bidding = game.last, game.bidding
        self._reserve(1, game.bids + bidding.final_action_count)
        self._shard.states[0], self._shard.first_column[0], self._relations.led[0] = (last, game.first), NONE, NONE
        self._shard.used[HISTORIES] = 1
        self._shard.append(0, bidding.column_bids(last), int(self.bids.blocks[game.first]) * LANES)

    @property
    def histories(self) -> int:
        """The number of expanded histories."""
        return int(self._shard.used[HISTORIES])

    @property
    def columns(self) -> int:
        """The number of columns."""
        return int(self._shard.used[COLUMNS])

    def most_columns(self, expansions: int) -> int:
        """Return the most columns that there are after this many expansions."""
        return self.columns + expansions * (int(self.bids.faces.max(initial=0)) + self.bids.endings + 1)

    def expand(self, wanted: Ints) -> None:
        """Expand the histories after these columns."""
        self._reserve(self.histories + len(wanted), self.most_columns(len(wanted)) + 1)
        shard = self._shard
        layout = Layout(shard.states, shard.first_column, shard.columns, shard.blocks, shard.used, MOST_BLOCKS, MOST_BLOCKS)
        _expand_all(self.bids, layout, self._relations, wanted, np.zeros((0, 4), np.int64), np.zeros(2, np.int64))

    def _reserve(self, histories: int, columns: int) -> None:
        """Make room for this many in all, and then for half as many more."""
        owner, led = self._relations
        if histories > len(led) or columns > len(owner):
            histories, columns = 3 * histories // 2, 3 * columns // 2
            self._shard.reserve(histories, columns, 0, 0)
            self._relations = Relations(longer(owner, columns), longer(led, histories))

    def sort(self) -> tuple[Levels, Ints]:
        """Sort histories and columns by level; return them, and where each column was after the last sort, or NONE.

        The histories of a level are in the order of the columns that lead to them.
        """
        shard, histories, columns, before = self._shard, self.histories, self.columns, self.place
        sizes = histories + 1, histories + 1, histories, histories, histories, columns, columns
        levels = Levels(*(np.empty(size, np.int32) for size in sizes))
        self.place, self.column_at = np.empty(columns, np.int32), np.empty(columns, np.int32)
        count = _sort(shard.states, shard.first_column, shard.columns, levels, np.zeros(histories, np.int32), self.column_at)
        self.place[self.column_at] = np.arange(columns, dtype=np.int32)
        moved = np.full(columns, NONE, np.int32)
        moved[self.place[: len(before)]] = before
        return levels._replace(level=levels.level[: count + 1].copy()), moved

    def store(self, name: str, kind: Any, rows: Callable[[Ints], Floats]) -> StrategyStore:
        """Return a strategy store with these histories, in shards.

        name, kind : of its entries
        rows       : returns the entries of columns: (columns, padded rolls or more)
        """
        game, shard, histories, columns = self.game, self._shard, self.histories, self.columns
        found = StrategyStore([len(rolls) for rolls in game.rolls], game.bidding, [name], kind, root=(game.last, game.first))
        states, (owner, led) = shard.states[:histories].astype(np.int64), self._relations
        layout = np.column_stack([owner[:columns], shard.columns[:columns, [BID, CHILD]]]).astype(np.int64)
        divide(found, Forest(states, layout, led[:histories].astype(np.int64)), name, rows)
        return found

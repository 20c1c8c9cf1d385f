"""Where everything lies: the rows of both players' arrays in closed form.

The histories of the betting tree stand in prefix order, and the rows of a player are the actions at the player's histories
one after the other (call first, then the bids upwards); where calling is all that can be done, after the highest bid, there
is nothing to decide and no row. So the rows below a history are consecutive in both arrays, and how many there are
depends on its last bid alone.

With `mover[k]` the rows of the player who moves after bid k, in the subtree below it, and `other[k]` the other's:

    mover[k] = actions after k + sum of other[j] over j > k,    other[k] = sum of mover[j] over j > k
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.tree import Ints


@dataclass(frozen=True)
class Layout:
    """The rows of a betting tree with N bids.

    >>> Layout(2).rows, Layout(24).rows
    ((2, 2), (12582911, 12582911))
    """

    bids: int

    def actions(self, last: int) -> int:
        """The number of actions after a last bid (-1 for the opening): a call and the higher bids, none if only a call."""
        return self.bids if last < 0 else 0 if last == self.bids - 1 else self.bids - last

    @cached_property
    def _below(self) -> tuple[list[int], list[int]]:
        mover, other = [0] * self.bids, [0] * self.bids
        sum_mover = sum_other = 0
        for last in reversed(range(self.bids)):
            mover[last], other[last] = self.actions(last) + sum_other, sum_mover
            sum_mover, sum_other = sum_mover + mover[last], sum_other + other[last]
        return mover, other

    @cached_property
    def before(self) -> Ints:
        """Integers (2, bids + 1): the rows of the mover and of the other below all bids lower than a bid."""
        return np.array([np.concatenate([[0], np.cumsum(rows)]) for rows in self._below], np.int64)

    @cached_property
    def rows(self) -> tuple[int, int]:
        """The rows of both players' arrays."""
        mover, other = self._below
        return self.bids + sum(other), sum(mover)

    def first_rows(self, history: Sequence[int]) -> tuple[int, int]:
        """The first rows of both players, player 1's first, at or below the history with these rising bids.

        >>> [Layout(3).first_rows(history) for history in ([], [0], [0, 1], [1])]
        [(0, 0), (3, 0), (3, 3), (5, 3)]
        """
        rows, last = [0, 0], -1
        for length, bid in enumerate(history):
            bidder, answerer = length % 2, (length + 1) % 2
            passed_answerer, passed_bidder = (self.before[:, bid] - self.before[:, last + 1]).tolist()
            rows[answerer] += passed_answerer
            rows[bidder] += self.actions(last) + passed_bidder
            last = bid
        return rows[0], rows[1]

    def first_row(self, history: Sequence[int]) -> int:
        """The first row, in the array of who moves there, of the history with these rising bids."""
        return self.first_rows(history)[len(history) % 2]

    def rows_below(self, last: int) -> tuple[int, int]:
        """The rows of who moves after this last bid and of the other, from that history on."""
        mover, other = self._below
        return mover[last], other[last]

    def history_rows(self, player: int) -> Ints:
        """The first rows of all histories at which a player has something to decide, rising.

        Counted from the first row below bid k, they are in the arrays of who moves after it and of the other

            mover[k] = 0, and the rows passed up to bid j plus other[j] for j > k,    other[k] = the same with mover[j]

        where the mover has passed the actions after k, too. What can only be called has no row. Cost: as many numbers as
        there are histories, times about two.

        >>> Layout(3).history_rows(0).tolist(), Layout(3).history_rows(1).tolist()
        ([0, 3], [0, 3])
        """
        mover: dict[int, Ints] = {}
        other: dict[int, Ints] = {}
        for last in reversed(range(-1, self.bids)):
            higher, count = range(last + 1, self.bids), self.actions(last)
            passed_mover, passed_other = self.before - self.before[:, last + 1 : last + 2]
            here, nowhere = np.zeros(min(count, 1), np.int64), np.zeros(0, np.int64)
            mover[last] = np.concatenate([here, *(count + passed_other[bid] + other[bid] for bid in higher)])
            other[last] = np.concatenate([nowhere, *(passed_mover[bid] + mover[bid] for bid in higher)])
        return other[-1] if player else mover[-1]

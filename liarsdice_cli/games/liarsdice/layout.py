"""Where everything lies: the rows of both players' arrays in closed form.

The histories of the betting tree stand in prefix order, and the rows of a player are the actions at the player's own
histories one after the other (call first, then the bids upwards); where calling is all that can be done, after the
highest bid, there is nothing to decide and no row. So the rows below a history are consecutive in both arrays, and how
many there are depends on its last bid alone.

With `mover[k]` the rows of the player who moves after bid k, in the subtree below it, and `other[k]` the other's:

    mover[k] = actions after k + sum of other[j] over j > k,    other[k] = sum of mover[j] over j > k
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        mover, other, last = 0, 0, -1
        for bid in history:
            passed_mover, passed_other = (self.before[:, bid] - self.before[:, last + 1]).tolist()
            mover, other, last = other + passed_mover, mover + self.actions(last) + passed_other, bid
        return (mover, other) if len(history) % 2 == 0 else (other, mover)

    def first_row(self, history: Sequence[int]) -> int:
        """The first row, in the array of who moves there, of the history with these rising bids."""
        return self.first_rows(history)[len(history) % 2]

    def rows_below(self, last: int) -> tuple[int, int]:
        """The rows of who moves after this last bid and of the other, from that history on."""
        mover, other = self._below
        return mover[last], other[last]

    def history_rows(self, player: int) -> Ints:
        """The first rows of all histories of a player that have rows, rising. Cost: a few vector steps a pair of bids.

        >>> Layout(3).history_rows(0).tolist(), Layout(3).history_rows(1).tolist()
        ([0, 3], [0, 3])
        """
        below: dict[int, tuple[Ints, Ints]] = {}
        for last in reversed(range(-1, self.bids)):
            below[last] = self._histories_below(last, below)
        return below[-1][player]

    def _histories_below(self, last: int, below: Mapping[int, tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
        """The first rows of the histories from one with this last bid on, of who moves there and of the other.

        They count from the first rows there; `below` has the same for every higher bid. After the next bid the two change
        places. What lies below that bid comes after what lies below the lower ones and, for who moves first, after the
        actions of this history itself, which is left out where it has none.
        """
        actions, higher = self.actions(last), range(last + 1, self.bids)
        passed_mover, passed_other = self.before - self.before[:, last + 1 : last + 2]
        itself, nothing = np.zeros(min(actions, 1), np.int64), np.zeros(0, np.int64)
        mover = [itself, *(actions + passed_other[bid] + below[bid][1] for bid in higher)]
        other = [nothing, *(passed_mover[bid] + below[bid][0] for bid in higher)]
        return np.concatenate(mover), np.concatenate(other)

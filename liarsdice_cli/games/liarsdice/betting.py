"""The betting of Liar's Dice in closed form: the tree below a roll, counted and numbered without being built.

With N bids a betting history is any subset of the bids (they rise), held as a bit mask: bit k for bid k. Each history is
a decision node; each but the opening has a call, a terminal node, as its first branch, then the higher bids in order.
So there are 2^N decision nodes and 2^N - 1 calls. With n players, a history of length L belongs to player L mod n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.tree import BLOCK, Ints


class Stretch(NamedTuple):
    """Consecutive histories of a betting tree in prefix order, three columns of one length.

    history : the bids made so far, as a bit mask
    player  : who moves
    rank    : how many histories of this player precede this one in prefix order
    """

    history: Ints
    player: Ints
    rank: Ints

    @property
    def last_bid(self) -> Ints:
        """The number of the last bid of every history, -1 in the opening."""
        return np.frexp(self.history.astype(np.float64))[1] - 1


@dataclass(frozen=True)
class Betting:
    """The betting tree with a number of bids and of players.

    >>> Betting(bids=4, players=2).nodes, Betting(bids=4, players=2).histories
    (31, (8, 8))
    """

    bids: int
    players: int

    @property
    def decision_nodes(self) -> int:
        """2^N histories."""
        return 1 << self.bids

    @property
    def nodes(self) -> int:
        """2^(N+1) - 1 nodes: the histories, and a call after each but the opening."""
        return (1 << self.bids + 1) - 1

    @cached_property
    def histories(self) -> tuple[int, ...]:
        """The number of histories at which each player moves: the sum of C(N, L) over the lengths L at which they do."""
        counts, longer = [0] * self.players, 1
        for length in range(self.bids + 1):
            counts[length % self.players] += longer
            longer = longer * (self.bids - length) // (length + 1)
        return tuple(counts)

    def _extensions(self, bids: int, longer: int) -> int:
        """The number of ways to add some of so many bids, `longer` of them up to multiples of the number of players."""
        return sum(comb(bids, length) for length in range(longer, bids + 1, self.players))

    def rank(self, history: Sequence[int]) -> int:
        """How many histories of the player who moves after these rising bids precede this one in prefix order.

        >>> betting = Betting(bids=3, players=2)
        >>> [betting.rank(history) for history in ([], [0, 1], [0, 2], [1, 2], [0], [0, 1, 2], [1], [2])]
        [0, 1, 2, 3, 0, 1, 2, 3]
        """
        before, last = 0, -1
        for length, bid in enumerate(history):
            left = (len(history) - length) % self.players
            before += left == 0
            for lower in range(last + 1, bid):
                before += self._extensions(self.bids - 1 - lower, (left - 1) % self.players)
            last = bid
        return before

    def stretches(self) -> Iterator[Stretch]:
        """All histories in prefix order, in pieces of at most `BLOCK / 2` (the calls double that to nodes).

        Cost: a few nanoseconds a history; memory for one piece. Raises nothing up to 52 bids, where masks end.
        """
        seen = np.zeros(self.players, np.int64)
        for history in _pieces(0, self.bids, self.bids):
            player = np.bitwise_count(history).astype(np.int64) % self.players
            rank = np.empty(len(history), np.int64)
            for mover in range(self.players):
                own = player == mover
                rank[own] = np.arange(seen[mover], seen[mover] + np.count_nonzero(own))
                seen[mover] += np.count_nonzero(own)
            yield Stretch(history, player, rank)


def _pieces(history: int, left: int, bids: int) -> Iterator[Ints]:
    """The extensions of a history, itself first, by the `left` highest of the bids, in prefix order."""
    if 2**left <= BLOCK // 2:
        yield _extensions(left) << (bids - left) | history
        return
    yield np.array([history], np.int64)
    while 2**left > BLOCK // 2:
        yield from _pieces(history | 1 << (bids - left), left - 1, bids)
        left -= 1
    yield _extensions(left)[1:] << (bids - left) | history


@cache
def _extensions(bids: int) -> Ints:
    """All subsets of some bids in prefix order.

    Those that hold the lowest bid come after the empty one; the rest is the same order among the higher bids.

    >>> [f"{mask:03b}" for mask in _extensions(3)]
    ['000', '001', '011', '111', '101', '010', '110', '100']
    """
    if bids == 0:
        return np.zeros(1, np.int64)
    higher = _extensions(bids - 1) << 1
    return np.concatenate([[0], higher | 1, higher[1:]])

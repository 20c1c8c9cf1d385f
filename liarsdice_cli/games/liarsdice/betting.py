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

from liarsdice_cli.extensive.stream import BLOCK, Ints


class Pattern(NamedTuple):
    """The ways to go on from any history by some of the highest bids, in prefix order; the first way is to add none.

    added  : the bids added, as a bit mask of those highest bids
    last   : the number among them of the last one added, -1 where there is none
    player : who moves
    rank   : how many of the ways before have the same player
    counts : for each player the ways after which that player moves
    """

    added: Ints
    last: Ints
    player: Ints
    rank: Ints
    counts: Ints


class Stretch(NamedTuple):
    """Consecutive histories of a betting tree in prefix order: those of a pattern, with the first or without it.

    after   : the bids made before the pattern begins, as a bit mask
    lowest  : the number of the lowest bid that may follow
    pattern : how the histories go on from there by bids from that one on
    skipped : 1 where the pattern's first history belongs to an earlier stretch, else 0
    place   : the number of histories that precede the stretch
    before  : for each player the number of histories that precede those of the pattern
    """

    after: int
    lowest: int
    pattern: Pattern
    skipped: int
    place: int
    before: Ints

    @property
    def history(self) -> Ints:
        """The bids of every history as a bit mask."""
        return self.pattern.added[self.skipped :] << self.lowest | self.after


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

    def rank(self, history: Sequence[int]) -> int:
        """How many histories of the player who moves after these rising bids precede this one in prefix order.

        >>> betting = Betting(bids=3, players=2)
        >>> [betting.rank(history) for history in ([], [0, 1], [0, 2], [1, 2], [0], [0, 1, 2], [1], [2])]
        [0, 1, 2, 3, 0, 1, 2, 3]
        """
        return self._before(history, len(history) % self.players)

    def _before(self, history: Sequence[int], player: int) -> int:
        """How many histories of a player precede these rising bids in prefix order."""
        before, last = 0, -1
        for length, bid in enumerate(history):
            left = (player - length) % self.players
            before += left == 0
            for lower in range(last + 1, bid):
                before += _extension_count(self.bids - 1 - lower, (left - 1) % self.players, self.players)
            last = bid
        return before

    def stretches(self, first: int = 0) -> Iterator[Stretch]:
        """The histories in prefix order, in stretches of at most `BLOCK / 2` (the calls double that to nodes).

        first : begin with the stretch that holds the history which so many precede

        Cost: some microseconds a stretch; patterns are made once. Raises nothing up to 52 bids, where masks end.
        """
        seen = None
        for after, lowest, skipped, place in self._cuts(0, 0, 0, first):
            if seen is None:
                seen = self._preceding(after | skipped << lowest)
            turn = after.bit_count() % self.players
            pattern = _pattern(self.bids - lowest, turn, self.players)
            before = seen - skipped * (np.arange(self.players) == turn)
            yield Stretch(after, lowest, pattern, skipped, place, before)
            seen = before + pattern.counts

    def _cuts(self, after: int, lowest: int, place: int, first: int) -> Iterator[tuple[int, int, int, int]]:
        """Where the stretches of the subtree of a history lie: after, lowest, skipped and place of each."""
        if self._fits(lowest):
            yield after, lowest, 0, place
            return
        if place >= first:
            yield after, self.bids, 0, place
        place += 1
        while not self._fits(lowest):
            lowest += 1
            size = 1 << self.bids - lowest
            if place + size > first:
                yield from self._cuts(after | 1 << lowest - 1, lowest, place, first)
            place += size
        yield after, lowest, 1, place

    def _fits(self, lowest: int) -> bool:
        """Whether the ways to go on by bids from the lowest on are few enough for one stretch."""
        return 1 << self.bids - lowest <= BLOCK // 2

    def _preceding(self, history: int) -> Ints:
        """For each player how many histories precede this one, a bit mask, in prefix order."""
        bids = [bid for bid in range(self.bids) if history >> bid & 1]
        return np.array([self._before(bids, player) for player in range(self.players)], np.int64)


@cache
def _extension_count(bids: int, longer: int, players: int) -> int:
    """The number of ways to add some of so many bids, `longer` of them up to multiples of the number of players."""
    return sum(comb(bids, length) for length in range(longer, bids + 1, players))


@cache
def _pattern(bids: int, turn: int, players: int) -> Pattern:
    """The ways to go on by the highest `bids` when it is the turn of a player."""
    added = _extensions(bids)
    player = (np.bitwise_count(added).astype(np.int64) + turn) % players
    rank = np.empty(len(added), np.int64)
    for mover in range(players):
        own = player == mover
        rank[own] = np.arange(np.count_nonzero(own))
    return Pattern(added, np.frexp(added.astype(np.float64))[1] - 1, player, rank, np.bincount(player, minlength=players))


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

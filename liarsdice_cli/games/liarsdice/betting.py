"""The betting tree of Liar's Dice in closed form: the tree below a roll, counted and numbered without being built.

Bids rise, so a history is a set of the N bids, stored as a bit mask: bit k for bid k. Each history is a decision node. Its
branches are the final actions (a call, and perhaps spot-on; none in the opening), which end in terminal nodes, then the legal
bids in order. With n players, player L mod n moves after L bids. If the bidding is free (see `games.bidding`), every set is a
history: there are 2^N decision nodes and 2^N - 1 calls. Otherwise, 2^k histories begin with an opening bid that has k higher
bids in its group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import BLOCK, Ints
from liarsdice_cli.games.bidding import OPENING, Bidding

_BITS = 63
"""Bids that NumPy's integers hold as a bit mask."""


class Extensions(NamedTuple):
    """All extensions of a history by some consecutive bids, in prefix order; the first adds no bid.

    added  : the bids added, as a bit mask of those bids; Python's integers for more than `_BITS` bids
    last   : the index among them of the last one added, -1 if none is
    player : the player to move after the extension
    rank   : the number of earlier extensions with the same player to move
    counts : for each player, the number of extensions after which that player moves
    """

    added: Ints
    last: Ints
    player: Ints
    rank: Ints
    counts: Ints


class HistoryRange(NamedTuple):
    """Consecutive histories of a betting tree in prefix order: the extensions of a prefix, with or without the prefix itself.

    prefix     : the bids of the prefix, as a bit mask
    lowest     : the number of the lowest bid that may follow
    extensions : of the prefix, by bids from the lowest on
    skipped    : 1 if the prefix itself belongs to an earlier range, otherwise 0
    start      : the number of histories before the range
    before     : for each player, the number of histories before the first extension, which is the prefix itself
    """

    prefix: int
    lowest: int
    extensions: Extensions
    skipped: int
    start: int
    before: Ints

    @property
    def history(self) -> Ints:
        """The bids of every history as a bit mask; Python's integers if 63 bits are too few."""
        added = self.extensions.added[self.skipped :]
        if max(self.prefix.bit_length(), self.lowest + int(self.extensions.last.max()) + 1) > _BITS:
            added = added.astype(object)
        return added << self.lowest | self.prefix


@dataclass(frozen=True)
class Betting:
    """The betting tree of a bidding with a number of players.

    >>> free = Betting(Bidding.free(4), players=2)
    >>> free.nodes, free.histories
    (31, (8, 8))
    >>> Betting(Bidding(4, (1, 2), group_size=4), players=2).histories
    (4, 3)
    """

    bidding: Bidding
    players: int

    @property
    def final_action_count(self) -> int:
        """The number of terminal nodes after each history but the opening: a call, and perhaps spot-on."""
        return self.bidding.final_action_count

    @property
    def bids(self) -> int:
        """The number N of bids."""
        return self.bidding.bids

    @property
    def decision_nodes(self) -> int:
        """The number of histories; see `Bidding.history_count`."""
        return self.bidding.history_count

    @property
    def nodes(self) -> int:
        """The number of histories and terminal nodes."""
        return self.node_of(self.decision_nodes)

    def node_of(self, history: int) -> int:
        """Return the number of nodes before the history with a given index; each but the opening is followed by its terminal
        nodes.
        """
        return max(0, (1 + self.final_action_count) * history - self.final_action_count)

    def history_at(self, node: int) -> int:
        """Return the index of the history at a node, or of the one that the terminal node follows."""
        return (node + self.final_action_count) // (1 + self.final_action_count)

    @cached_property
    def histories(self) -> tuple[int, ...]:
        """The number of histories at which each player moves.

        A bid is added to an extension or not, so the extensions by k + 1 bids follow from those by k. They are added up for k =
        0, 1, 2, ..., and counted for every opening with k higher bids in its group.
        """
        after = Counter(self.bidding.stop(bid) - bid - 1 for bid in self.bidding.openings)
        counts, ways = [0] * self.players, [0] * self.players
        counts[0] = ways[1 % self.players] = 1
        for bids in range(max(after, default=-1) + 1):
            for player in range(self.players):
                counts[player] += after[bids] * ways[player]
            ways = [ways[player] + ways[player - 1] for player in range(self.players)]
        return tuple(counts)

    def rank(self, history: Sequence[int]) -> int:
        """Return the number of histories before this one, in prefix order, at which the same player moves.

        >>> betting = Betting(Bidding.free(3), players=2)
        >>> [betting.rank(history) for history in ([], [0, 1], [0, 2], [1, 2], [0], [0, 1, 2], [1], [2])]
        [0, 1, 2, 3, 0, 1, 2, 3]
        """
        return self._before(history, len(history) % self.players)

    def _before(self, history: Sequence[int], player: int) -> int:
        """Return the number of histories before this one, in prefix order, at which a given player moves."""
        before = 0
        for length, (last, bid) in enumerate(pairwise([OPENING, *history])):
            left = (player - length) % self.players
            before += left == 0
            for lower in self.bidding.following(last):
                if lower >= bid:
                    break
                longer = self.bidding.stop(lower) - 1 - lower
                before += _extension_count(longer, (left - 1) % self.players, self.players)
        return before

    def ranges(self, first: int = 0) -> Iterator[HistoryRange]:
        """Yield the histories in prefix order, in ranges of at most `BLOCK / 2` (terminal nodes double that).

        first : start with the range that holds the history of this index

        Cost: some microseconds per range; the extensions are computed once.
        """
        if not self.bidding.is_free and self.decision_nodes <= BLOCK // 2:
            yield HistoryRange(0, 0, _all_histories(self), 0, 0, np.zeros(self.players, np.int64))
            return
        seen = None
        for prefix, lowest, stop, skipped, start in self._all_bounds(first):
            if seen is None:
                seen = self._preceding(prefix | skipped << lowest)
            turn = prefix.bit_count() % self.players
            extensions = _extensions(stop - lowest, turn, self.players)
            before = seen - skipped * (np.arange(self.players) == turn)
            yield HistoryRange(prefix, lowest, extensions, skipped, start, before)
            seen = before + extensions.counts

    def _all_bounds(self, first: int) -> Iterator[_Bounds]:
        """Yield the bounds of the ranges; unless the bidding is free, the opening and each opening bid start a range."""
        if self.bidding.is_free:
            yield from _split(_Bounds(0, 0, self.bids, 0, 0), first)
            return
        if first == 0:
            yield _Bounds(0, self.bids, self.bids, 0, 0)
        start = 1
        for bid in self.bidding.openings:
            if start + self.bidding.subtree_histories(bid) > first:
                yield from _split(_Bounds(1 << bid, bid + 1, self.bidding.stop(bid), 0, start), first)
            start += self.bidding.subtree_histories(bid)

    def _preceding(self, history: int) -> Ints:
        """Return, for each player, the number of histories before this one, a bit mask, in prefix order."""
        bids = [bid for bid in range(self.bids) if history >> bid & 1]
        return np.array([self._before(bids, player) for player in range(self.players)], np.int64)


class _Bounds(NamedTuple):
    """The bounds of a range: the fields of `HistoryRange`, and `stop`, the first bid that is too high to follow."""

    prefix: int
    lowest: int
    stop: int
    skipped: int
    start: int


def _split(tree: _Bounds, first: int) -> Iterator[_Bounds]:
    """Yield the bounds of the ranges in the subtree of a history."""
    prefix, lowest, stop, _, start = tree
    if _fits(lowest, stop):
        yield tree
        return
    if start >= first:
        yield _Bounds(prefix, stop, stop, 0, start)
    start += 1
    while not _fits(lowest, stop):
        lowest += 1
        size = 1 << stop - lowest
        if start + size > first:
            yield from _split(_Bounds(prefix | 1 << lowest - 1, lowest, stop, 0, start), first)
        start += size
    yield _Bounds(prefix, lowest, stop, 1, start)


def _fits(lowest: int, stop: int) -> bool:
    """Return whether the extensions by bids from the lowest on are few enough for one range."""
    return 1 << stop - lowest <= BLOCK // 2


@cache
def _extension_count(bids: int, longer: int, players: int) -> int:
    """Return the number of extensions by bids out of `bids`, whose length is `longer` up to a multiple of the number of
    players.
    """
    return sum(comb(bids, length) for length in range(longer, bids + 1, players))


@cache
def _extensions(bids: int, turn: int, players: int) -> Extensions:
    """Return the extensions by bids out of `bids` when a given player is to move."""
    added = _subset_masks(bids)
    return _tabulated(added, np.bitwise_count(added).astype(np.int64), _last(added), turn, players)


@lru_cache(maxsize=16)
def _all_histories(betting: Betting) -> Extensions:
    """Return all histories of a bidding that is not free, as extensions of the opening."""
    kind: Any = np.int64 if betting.bids <= _BITS else object
    added, length, last = [np.zeros(1, kind)], [np.zeros(1, np.int64)], [np.full(1, OPENING)]
    for bid in betting.bidding.openings:
        higher = _subset_masks(betting.bidding.stop(bid) - bid - 1)
        added.append(higher.astype(kind) << bid + 1 | 1 << bid)
        length.append(np.bitwise_count(higher) + np.int64(1))
        last.append(bid + 1 + _last(higher))
    return _tabulated(np.concatenate(added), np.concatenate(length), np.concatenate(last), 0, betting.players)


def _last(added: Ints) -> Ints:
    """Return the number of the highest bid in every bit mask, -1 for an empty one."""
    return np.frexp(added.astype(np.float64))[1].astype(np.int64) - 1


def _tabulated(added: Ints, length: Ints, last: Ints, turn: int, players: int) -> Extensions:
    """Return the table of extensions from their bids, their lengths and their last bids."""
    player = (length + turn) % players
    rank = np.empty(len(added), np.int64)
    for mover in range(players):
        own = player == mover
        rank[own] = np.arange(np.count_nonzero(own))
    return Extensions(added, last, player, rank, np.bincount(player, minlength=players))


@cache
def _subset_masks(bids: int) -> Ints:
    """Return all subsets of some bids in prefix order.

    The subsets with the lowest bid follow the empty one. The rest are in the same order among the higher bids.

    >>> [f"{mask:03b}" for mask in _subset_masks(3)]
    ['000', '001', '011', '111', '101', '010', '110', '100']
    """
    if bids == 0:
        return np.zeros(1, np.int64)
    higher = _subset_masks(bids - 1) << 1
    return np.concatenate([[0], higher | 1, higher[1:]])

"""The betting of Liar's Dice in closed form: the tree below a roll, counted and numbered without being built.

A betting history is a set of the N bids (they rise), held as a bit mask: bit k for bid k. Each history is a decision node;
each but the opening has a call, a terminal node, as its first branch (where a bid may be said to be spot-on, that as its
second), then the bids that may follow in order. With n players, a history of length L belongs to player L mod n. Where the
bidding is free (see `games.bidding`) every set is a history: there are 2^N decision nodes and 2^N - 1 calls. Else it is so
below every opening: with k bids after it in its run, 2^k histories begin with it.
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
    """The ways to go on from any history by some bids in a row, in prefix order; the first way is to add none.

    added  : the bids added, as a bit mask of those bids; Python's integers where there are more than `_BITS`
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


class HistoryRange(NamedTuple):
    """Consecutive histories of a betting tree in prefix order: those of a extensions, with the first or without it.

    prefix  : the bids made before the extensions begins, as a bit mask
    lowest  : the number of the lowest bid that may follow
    extensions : how the histories go on from there by bids from that one on
    skipped : 1 where the extensions's first history belongs to an earlier span, else 0
    start   : the number of histories that precede the span
    before  : for each player the number of histories that precede those of the extensions
    """

    prefix: int
    lowest: int
    extensions: Extensions
    skipped: int
    start: int
    before: Ints

    @property
    def history(self) -> Ints:
        """Return the bids of every history as a bit mask; Python's integers if 63 bits are too few."""
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
        """The terminal nodes after each history but the opening: a call, and perhaps spot-on."""
        return self.bidding.final_action_count

    @property
    def bids(self) -> int:
        """The number N of bids."""
        return self.bidding.bids

    @property
    def decision_nodes(self) -> int:
        """The histories; see `Bidding.history_count`."""
        return self.bidding.history_count

    @property
    def nodes(self) -> int:
        """The histories, and the endings (a call, perhaps another) after each but the opening."""
        return self.node_of(self.decision_nodes)

    def node_of(self, history: int) -> int:
        """How many nodes precede the history that so many precede; each but the opening is followed by its endings."""
        return max(0, (1 + self.final_action_count) * history - self.final_action_count)

    def history_at(self, node: int) -> int:
        """How many histories precede the one that the node is, or whose ending it is."""
        return (node + self.final_action_count) // (1 + self.final_action_count)

    @cached_property
    def histories(self) -> tuple[int, ...]:
        """The number of histories at which each player moves.

        Adding one more bid or not, ways to go on become ways of one bid more: they are added up for 0, 1, 2, ... bids, and
        counted where an opening has so many after it.
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
        """How many histories of the player who moves after these bids precede this one in prefix order.

        >>> betting = Betting(Bidding.free(3), players=2)
        >>> [betting.rank(history) for history in ([], [0, 1], [0, 2], [1, 2], [0], [0, 1, 2], [1], [2])]
        [0, 1, 2, 3, 0, 1, 2, 3]
        """
        return self._before(history, len(history) % self.players)

    def _before(self, history: Sequence[int], player: int) -> int:
        """How many histories of a player precede that of these bids in prefix order."""
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
        """The histories in prefix order, in ranges of at most `BLOCK / 2` (the calls double that to nodes).

        first : begin with the span that holds the history which so many precede

        Cost: some microseconds a span; patterns are made once.
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
        """Where the ranges lie; unless the bidding is free the opening has one of its own, and so has what each begins."""
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
        """For each player how many histories precede this one, a bit mask, in prefix order."""
        bids = [bid for bid in range(self.bids) if history >> bid & 1]
        return np.array([self._before(bids, player) for player in range(self.players)], np.int64)


class _Bounds(NamedTuple):
    """What is known of a span before it is made: see `HistoryRange`, and the first bid that is too high to follow."""

    prefix: int
    lowest: int
    stop: int
    skipped: int
    start: int


def _split(tree: _Bounds, first: int) -> Iterator[_Bounds]:
    """Where the ranges of the subtree of a history lie."""
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
    """Whether the ways to go on by bids from the lowest on are few enough for one span."""
    return 1 << stop - lowest <= BLOCK // 2


@cache
def _extension_count(bids: int, longer: int, players: int) -> int:
    """The number of ways to add some of so many bids, `longer` of them up to multiples of the number of players."""
    return sum(comb(bids, length) for length in range(longer, bids + 1, players))


@cache
def _extensions(bids: int, turn: int, players: int) -> Extensions:
    """The ways to go on by some of so many bids when it is the turn of a player."""
    added = _subset_masks(bids)
    return _tabulated(added, np.bitwise_count(added).astype(np.int64), _last(added), turn, players)


@lru_cache(maxsize=16)
def _all_histories(betting: Betting) -> Extensions:
    """All histories of a bidding that is not free."""
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
    """Return the extensions of some continuations: their bids, the number of bids, and the last bid."""
    player = (length + turn) % players
    rank = np.empty(len(added), np.int64)
    for mover in range(players):
        own = player == mover
        rank[own] = np.arange(np.count_nonzero(own))
    return Extensions(added, last, player, rank, np.bincount(player, minlength=players))


@cache
def _subset_masks(bids: int) -> Ints:
    """All subsets of some bids in prefix order.

    Those that hold the lowest bid come after the empty one; the rest is the same order among the higher bids.

    >>> [f"{mask:03b}" for mask in _subset_masks(3)]
    ['000', '001', '011', '111', '101', '010', '110', '100']
    """
    if bids == 0:
        return np.zeros(1, np.int64)
    higher = _subset_masks(bids - 1) << 1
    return np.concatenate([[0], higher | 1, higher[1:]])

"""Expanding histories: one at a time, or all that a strategy of any kind reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Bools
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.strategies.shard import NONE, Shard, entry_count
from liarsdice_cli.strategies.store import LAST_BID, MOVER, ROOT, SHARD, StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, StoredStrategy

_TOGETHER = 1 << 12
"""Histories after which progress is reported."""
_Waiting = tuple[tuple[int, ...], tuple[Bools, ...], int]
"""A history, for each player the rolls with which that player reaches it, and where its parent keeps it."""


class TooManyHistoriesError(LiarsDiceError):
    """A strategy reaches more histories than may be expanded."""


def expanded(strategy: Strategy, progress: Progress = SILENT, max_histories: int | None = None) -> StoredStrategy:
    """Return a strategy of any kind as a stored one.

    progress      : counts histories, thousands at a time; of all 2^N the unreached ones are left out
    max_histories : the most histories to expand, or None

    The strategy is asked once at every history, in prefix order, except where two players do not reach it by their own play:
    no player can gain there. Raises TooManyHistoriesError, and MemoryError if there is no room. Cost: 8 bytes an entry.
    """
    rules = strategy.rules
    rolls = [rules.roll_count(player) for player in range(rules.players)]
    store = StrategyStore(rolls, rules.bidding, (AVERAGE_STRATEGY,), np.float64, cut=rules.bid_count)
    _Expansion(strategy, store, progress, inf if max_histories is None else max_histories).run()
    return StoredStrategy(rules, store)


def expand(store: StrategyStore, history: Sequence[int]) -> tuple[Shard, int]:
    """Expand the history with these rising bids from the root, and those before it; return its shard and number.

    >>> from liarsdice_cli.games.bidding import Bidding
    >>> store = StrategyStore([2, 2], Bidding.free(4), ("averages",), np.float64)
    >>> expand(store, [0, 2])[1], store.histories, store.find([0, 2])[1], store.find([1])
    (2, 3, 2, None)
    """
    shard, here, (last, first) = store.top, 0, store.root
    for length, bid in enumerate(history, 1):
        mover, place = (first + length) % store.players, int(shard.first_child[here]) + bid - last - 1
        leads_out = shard is store.top and bid >= store.cut
        child = int(shard.children[place])
        if child == NONE:
            child = _new_subtree(store, bid, mover) if leads_out else new_history(store, shard, bid, mover)
            shard.children[place] = child
        if leads_out:
            subtree, shard = child, store.shards[store.roots[child, SHARD]]
            if store.roots[subtree, ROOT] == NONE:
                store.roots[subtree, ROOT] = new_history(store, shard, bid, mover)
            child = int(store.roots[subtree, ROOT])
        here, last = child, bid
    return shard, here


def _new_subtree(store: StrategyStore, bid: int, mover: int) -> int:
    """Return the number of a new subtree, which is in a shard."""
    subtree = int(store.subtrees[0])
    if subtree == len(store.roots):
        store.subtrees[1] += 1
        store.reserve(float("inf"), [])
    store.roots[subtree, [LAST_BID, MOVER]] = bid, mover
    store.subtrees[0] += 1
    store.assign_shards()
    return subtree


def new_history(store: StrategyStore, shard: Shard, last: int, mover: int) -> int:
    """Return the number of a new history after a last bid, with room for its entries and children."""
    histories, children, entries, _ = (int(used) for used in shard.used)
    new = entry_count(store.bidding, last, int(store.widths[mover]))
    wanted = histories + 1, children + store.bidding.child_slots(last), entries + new
    if any(want > room for want, room in zip(wanted, shard.capacity, strict=True)):
        shard.reserve(*(max(2 * want, room) for want, room in zip(wanted, shard.capacity, strict=True)))
    shard.first_entry[histories], shard.first_child[histories] = entries, children
    shard.used[:3] = wanted
    return histories


class _Expansion:
    """One run of `expanded`, into the top shard of a store that is not cut."""

    def __init__(self, strategy: Strategy, store: StrategyStore, progress: Progress, max_histories: float) -> None:
        self.strategy, self.store, self.shard = strategy, store, store.top
        self.progress, self.max_histories = progress, max_histories

    def run(self) -> None:
        """Expand every history that matters."""
        all_rolls = tuple(np.ones(rolls, bool) for rolls in self.store.rolls)
        waiting: list[_Waiting] = [((), all_rolls, NONE)]
        done = 0
        while waiting:
            history, reached, place = waiting.pop()
            last, mover = self.store.state_after(history)
            number = new_history(self.store, self.shard, last, mover) if history else 0
            if place != NONE:
                self.shard.children[place] = number
            waiting += self._below(history, reached, number)
            done += 1
            if done > self.max_histories:
                raise TooManyHistoriesError(f"the strategy reaches more than {self.max_histories:,} betting histories")
            if done % _TOGETHER == 0:
                self.progress.advance(_TOGETHER)

    def _below(self, history: tuple[int, ...], reached: tuple[Bools, ...], number: int) -> Iterator[_Waiting]:
        """Store the probabilities after a history; yield the histories that follow, the highest bid first."""
        store, (last, mover) = self.store, self.store.state_after(history)
        probabilities = self.strategy.at(history)
        store.entries(self.shard, number, last, mover, AVERAGE_STRATEGY)[:] = probabilities
        bids = store.bidding.following(last)
        for row, bid in zip(reversed(range(len(probabilities))), reversed(bids), strict=False):
            if not store.bidding.has_choice(bid):
                continue
            own = reached[mover] & (probabilities[row] > 0)
            later = (*reached[:mover], own, *reached[mover + 1 :])
            if sum(not one.any() for one in later) < 2:
                yield (*history, bid), later, int(self.shard.first_child[number]) + bid - last - 1

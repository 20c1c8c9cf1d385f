"""Expanding histories: one at a time, or all that a strategy of any kind reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Bools
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.strategies.shard import CHILD, LAST_BID, MOVER, NONE, Shard
from liarsdice_cli.strategies.store import ROOT, SHARD, StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, Stored, StoredStrategy, stored_in

_TOGETHER = 1 << 12
"""Histories after which progress is reported."""
_Waiting = tuple[tuple[int, ...], tuple[Bools, ...], int]
"""A history, for each player the rolls with which that player reaches it, and the column that leads to it."""
_OWN_MISTAKES = 2
"""The number of players that miss a history by their own play, from which no player can gain there."""


class TooManyHistoriesError(LiarsDiceError):
    """A strategy reaches more histories than may be expanded."""


def expanded(
    strategy: Strategy, progress: Progress = SILENT, max_histories: int | None = None, *, after_mistakes: bool = False
) -> StoredStrategy:
    """Return a strategy of any kind as a stored one.

    progress       : counts histories, thousands at a time
    max_histories  : the most histories to expand, or None
    after_mistakes : expand every history; otherwise leave out those that two players miss by their own play, because no player
                     can gain there

    The strategy is asked once at every history, in prefix order. Raises TooManyHistoriesError, and MemoryError if there is no
    room. Cost: 8 bytes an entry.
    """
    rules = strategy.rules
    rolls = [rules.roll_count(player) for player in range(rules.players)]
    store = StrategyStore(rolls, rules.bidding, (AVERAGE_STRATEGY,), np.float64, cut=rules.bid_count)
    missing = rules.players + 1 if after_mistakes else _OWN_MISTAKES
    _expand_histories(strategy, store, progress, inf if max_histories is None else max_histories, missing)
    return StoredStrategy(rules, store)


def stored(strategy: Strategy) -> Stored:
    """Return a strategy in a store: the one that `stored_in` finds; one of another kind is expanded."""
    return stored_in(strategy) or expanded(strategy)


def expand(store: StrategyStore, history: Sequence[int]) -> tuple[Shard, int]:
    """Expand the history with these rising bids from the root, and those before it, with all columns.

    Returns its shard and number. The histories before it must have a column for the next bid.

    >>> from liarsdice_cli.games.bidding import Bidding
    >>> store = StrategyStore([2, 2], Bidding.free(4), ("averages",), np.float64)
    >>> expand(store, [0, 2])[1], store.histories, store.find([0, 2])[1], store.find([1])
    (2, 3, 2, None)
    """
    shard, here = store.top, 0
    for length, bid in enumerate(history, 1):
        mover, column = (store.root[1] + length) % store.players, store.column(shard, here, bid)
        leads_out = shard is store.top and bid >= store.cut
        child = int(shard.columns[column, CHILD])
        if child == NONE:
            child = _new_subtree(store, bid, mover) if leads_out else store.add_history(shard, bid, mover)
            shard.columns[column, CHILD] = child
        if leads_out:
            subtree, shard = child, store.shards[store.roots[child, SHARD]]
            if store.roots[subtree, ROOT] == NONE:
                store.roots[subtree, ROOT] = store.add_history(shard, bid, mover)
            child = int(store.roots[subtree, ROOT])
        here = child
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


def _expand_histories(strategy: Strategy, store: StrategyStore, progress: Progress, max_histories: float, missing: int) -> None:
    """Expand every history that fewer than `missing` players miss, in the top shard of a store that is not cut."""
    waiting: list[_Waiting] = [((), tuple(np.ones(rolls, bool) for rolls in store.rolls), NONE)]
    done = 0
    while waiting:
        history, reached, place = waiting.pop()
        number = store.add_history(store.top, *store.state_after(history)) if history else 0
        if place != NONE:
            store.top.columns[place, CHILD] = number
        following = _store_entries(strategy, store, history, reached, number)
        waiting += (one for one in following if sum(not own.any() for own in one[1]) < missing)
        done += 1
        if done > max_histories:
            raise TooManyHistoriesError(f"the strategy reaches more than {max_histories:,} betting histories")
        if done % _TOGETHER == 0:
            progress.advance(_TOGETHER)


def _store_entries(
    strategy: Strategy, store: StrategyStore, history: tuple[int, ...], reached: tuple[Bools, ...], number: int
) -> Iterator[_Waiting]:
    """Store the probabilities after a history; yield the histories that follow, the highest bid first."""
    last, mover = store.state_after(history)
    probabilities = strategy.at(history)
    store.set_entries(store.top, number, AVERAGE_STRATEGY, slice(None), probabilities)
    bids, columns = store.bidding.following(last), store.top.columns_of(number)
    for row, bid in zip(reversed(range(len(probabilities))), reversed(bids), strict=False):
        if not store.bidding.has_choice(bid):
            continue
        own = reached[mover] & (probabilities[row] > 0)
        yield (*history, bid), (*reached[:mover], own, *reached[mover + 1 :]), columns[row]

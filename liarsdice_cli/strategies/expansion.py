"""Histories that are made to grow: a strategy of any kind as a grown one, asked history by history and written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.strategies.store import LAST_BID, MOVER, NONE, OWNER, ROOT, Shard, StrategyStore, entry_count
from liarsdice_cli.strategies.stored import StoredStrategy

_TOGETHER = 1 << 12
"""Histories after which progress is reported."""


def expanded(strategy: Strategy, advance: Callable[[int], None] = lambda histories: None) -> StoredStrategy:
    """A strategy, asked once at every history to which others than two of the players can come, as a grown one.

    advance : called now and then with the number of histories done since; there are 2^N, and those that are left out count

    Where two players never come by their own play nobody can gain, and nothing is kept. Raises MemoryError if there is no
    room. Cost: 8 bytes a number; the strategy is asked in prefix order.
    """
    rules = strategy.rules
    rolls = [rules.roll_count(player) for player in range(rules.players)]
    tree = StrategyStore(rolls, rules.bidding, ("averages",), np.float64, cut=rules.bid_count)
    _Planter(strategy, tree, advance).plant()
    return StoredStrategy(rules, tree)


def expand(tree: StrategyStore, history: Sequence[int]) -> tuple[Shard, int]:
    """Return the shard and the number of the history with these rising bids from the root; expand it, and those before it.

    >>> from liarsdice_cli.games.bidding import Bidding
    >>> tree = StrategyStore([2, 2], Bidding.free(4), ("averages",), np.float64)
    >>> expand(tree, [0, 2])[1], tree.histories, tree.find([0, 2])[1], tree.find([1])
    (2, 3, 2, None)
    """
    shard, here, (last, first) = tree.top, 0, tree.root
    for length, bid in enumerate(history, 1):
        mover, place = (first + length) % tree.players, int(shard.place[here]) + bid - last - 1
        leads_out = shard is tree.top and bid >= tree.cut
        child = int(shard.children[place])
        if child == NONE:
            child = _new_subtree(tree, bid, mover) if leads_out else new_history(tree, shard, bid, mover)
            shard.children[place] = child
        if leads_out:
            subtree, shard = child, tree.shards[tree.roots[child, OWNER]]
            if tree.roots[subtree, ROOT] == NONE:
                tree.roots[subtree, ROOT] = new_history(tree, shard, bid, mover)
            child = int(tree.roots[subtree, ROOT])
        here, last = child, bid
    return shard, here


def _new_subtree(tree: StrategyStore, bid: int, mover: int) -> int:
    """The number of a new subtree, with an owner."""
    subtree = int(tree.subtrees[0])
    if subtree == len(tree.roots):
        tree.subtrees[1] += 1
        tree.make_room(float("inf"), [])
    tree.roots[subtree, [LAST_BID, MOVER]] = bid, mover
    tree.subtrees[0] += 1
    tree.settle()
    return subtree


def new_history(tree: StrategyStore, shard: Shard, last: int, mover: int) -> int:
    """The number of a new history after a last bid, with room for it and its children."""
    histories, places, numbers, _ = (int(used) for used in shard.used)
    new = entry_count(tree.bidding, last, int(tree.widths[mover]))
    wanted = histories + 1, places + tree.bidding.places(last), numbers + new
    if any(want > room for want, room in zip(wanted, shard.rooms, strict=True)):
        shard.make_room(*(max(2 * want, room) for want, room in zip(wanted, shard.rooms, strict=True)))
    shard.first[histories], shard.place[histories] = numbers, places
    shard.used[:3] = wanted
    return histories


class _Planter:
    """Lets the histories of a strategy grow, one after the other."""

    def __init__(self, strategy: Strategy, tree: StrategyStore, advance: Callable[[int], None]) -> None:
        self.strategy, self.tree, self.shard, self.advance = strategy, tree, tree.top, advance

    def plant(self) -> None:
        """All of them."""
        everybody = tuple(np.ones(rolls, bool) for rolls in self.tree.rolls)
        waiting: list[tuple[tuple[int, ...], tuple[Any, ...], int]] = [((), everybody, NONE)]
        done = 0
        while waiting:
            history, comes, place = waiting.pop()
            number = new_history(self.tree, self.shard, history[-1], len(history) % self.tree.players) if history else 0
            if place != NONE:
                self.shard.children[place] = number
            waiting += self._below(history, comes, number)
            done += 1
            if done % _TOGETHER == 0:
                self.advance(_TOGETHER)

    def _below(
        self, history: tuple[int, ...], comes: tuple[Any, ...], number: int
    ) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...], int]]:
        """Write down what is done after a history; yields the histories that follow, the highest bid first.

        comes : for each player, the rolls with which their own play comes here
        """
        tree, last, mover = self.tree, history[-1] if history else OPENING, len(history) % self.tree.players
        said = self.strategy.at(history)
        tree.numbers(self.shard, number, last, mover, "averages")[:] = said
        bids = tree.bidding.following(last)
        for action, bid in zip(reversed(range(len(said))), reversed(bids), strict=False):
            if not tree.bidding.decides(bid):
                continue
            own = comes[mover] & (said[action] > 0)
            later = (*comes[:mover], own, *comes[mover + 1 :])
            if sum(not one.any() for one in later) < 2:
                yield (*history, bid), later, int(self.shard.place[number]) + bid - last - 1

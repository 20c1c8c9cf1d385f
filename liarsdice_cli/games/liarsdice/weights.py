"""Strategies as arrays of weights laid out over the betting tree: from a strategy to the arrays, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy, mover

_TOGETHER = 1 << 12
"""Histories after which progress is reported."""


def weights_of(strategy: Strategy, advance: Callable[[int], None] = lambda histories: None) -> tuple[Floats, Floats]:
    """The probabilities of a strategy for two players: an array for each, (rows, rolls) as `Layout` says.

    strategy : of rules with N bids
    advance  : called now and then with the number of histories done since, 2^N in all

    What can only be called, after the highest bid, has no row. Raises MemoryError if the arrays cannot be had. Cost: the
    strategy is asked once a history; 8 bytes a number.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Equal
    >>> first, second = weights_of(Equal(rules("joker", 2, (1, 1))))
    >>> first.tolist(), second.tolist()
    ([[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]])
    """
    rules = strategy.rules
    layout = Layout(rules.bid_count)
    first, second = (np.empty((rows, rules.roll_count(player))) for player, rows in enumerate(layout.rows))
    arrays, filled = (first, second), [0, 0]
    for number, history in enumerate(prefix_order(rules.bid_count), 1):
        count, player = layout.actions(history[-1] if history else -1), mover(rules, history)
        if count:
            arrays[player][filled[player] : filled[player] + count] = strategy.at(history)
            filled[player] += count
        if number % _TOGETHER == 0:
            advance(_TOGETHER)
    return arrays


def prefix_order(bids: int) -> Iterator[tuple[int, ...]]:
    """All histories of so many bids, at least one, each before those that go on from it; in that order rows have no gaps.

    >>> list(prefix_order(2))
    [(), (0,), (0, 1), (1,)]
    """
    history = [0]
    yield ()
    while history:
        yield tuple(history)
        if history[-1] + 1 < bids:
            history.append(history[-1] + 1)
        else:
            history.pop()
            if history:
                history[-1] += 1


@dataclass(frozen=True, eq=False)
class Averages:
    """Weights of both players, laid out as `Layout` says, in proportion to which they act."""

    rules: Rules
    arrays: tuple[Floats, Floats]

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self.rules.bid_count)

    def at(self, history: Sequence[int]) -> Floats:
        """See `strategy.Strategy`."""
        player, last = len(history) % 2, history[-1] if history else -1
        count = self._layout.actions(last)
        if count == 0:
            return np.ones((1, self.rules.roll_count(player)))
        first = self._layout.first_row(history)
        return proportions(self.weights(player, first, first + count))

    def weights(self, player: int, start: int, stop: int) -> Any:
        """A player's rows from start up to stop."""
        return self.arrays[player][start:stop]


def proportions(weights: Any) -> Floats:
    """The probabilities in proportion to the weights of each column, all alike where every one is 0.

    >>> proportions(np.array([[1, 0], [3, 0]])).tolist()
    [[0.25, 0.5], [0.75, 0.5]]
    """
    numbers = weights.astype(np.float64)
    total = numbers.sum(axis=0)
    shares: Floats = np.where(total > 0, numbers / np.where(total > 0, total, 1), 1 / len(numbers))
    return shares

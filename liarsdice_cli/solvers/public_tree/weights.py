"""Any strategy as the arrays of a public tree, so that what is written for those serves it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from liarsdice_cli.games.liarsdice.strategy import Strategy, mover
from liarsdice_cli.solvers.public_tree.layout import Layout
from liarsdice_cli.tree import Floats

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

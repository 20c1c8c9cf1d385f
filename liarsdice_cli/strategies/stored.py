"""What players do who act in proportion to the numbers of a grown tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.strategies.store import StrategyStore


@dataclass(frozen=True, eq=False)
class StoredStrategy:
    """The strategy of all players that act in proportion to the numbers of a grown tree under a name.

    start : the rest of a round that the tree is of; None where it is the whole game

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.strategies.expansion import expanded
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> grown = expanded(Uniform(rules("joker", 2, (1, 1))))
    >>> grown.tree.histories, grown.at([]).tolist(), grown.at([1]).tolist()
    (2, [[0.5, 0.5], [0.5, 0.5]], [[1.0, 1.0]])
    """

    rules: Rules
    tree: StrategyStore
    name: str = "averages"
    values: Any = field(default=None)
    start: Subgame | None = None

    def at(self, history: Sequence[int]) -> Floats:
        """See `strategy.Strategy`."""
        if self.start is None:
            return at(self.tree, self.name, history)
        return self.start.spread(history, at(self.tree, self.name, self.start.within(history)))


def at(tree: StrategyStore, name: str, history: Sequence[int]) -> Floats:
    """What the mover after these rising bids from the root does: probabilities, (actions, rolls)."""
    last, mover = tree.after(history)
    found = tree.find(history)
    if found is None:
        calls = np.zeros((tree.bidding.actions(last), tree.rolls[mover]))
        calls[0] = 1
        return calls
    return proportions(tree.numbers(*found, last, mover, name))


def proportions(weights: Any) -> Floats:
    """The probabilities in proportion to the weights of each column; all to the first action where every one is 0.

    >>> proportions(np.array([[1, 0], [3, 0]])).tolist()
    [[0.25, 1.0], [0.75, 0.0]]
    """
    numbers = weights.astype(np.float64)
    total = numbers.sum(axis=0)
    numbers[0, total <= 0] = 1
    shares: Floats = numbers / np.where(total > 0, total, 1)
    return shares

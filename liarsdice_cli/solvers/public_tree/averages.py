"""The strategies of a public tree in memory, as `games.liarsdice.strategy` asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.solvers.public_tree.layout import Layout
from liarsdice_cli.tree import Floats


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

"""Strategies that act in proportion to the entries of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.strategies.combined import WithImpossibleBids
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.text import numbered

AVERAGE_STRATEGY = "averages"
"""The name of the entries of an average strategy."""


@runtime_checkable
class Stored(Strategy, Protocol):
    """A strategy of all players that acts in proportion to the entries of a store, in memory or in a file.

    store  : the entries
    values : for each player the values of subtrees (see `solvers.public_tree.values.subtree_values`), or None
    start  : the subgame that the store is of; None for the whole game
    """

    @property
    def store(self) -> StrategyStore:
        """The store."""

    @property
    def values(self) -> Any:
        """The values of subtrees, or None."""

    @property
    def start(self) -> Subgame | None:
        """The subgame, or None."""


@dataclass(frozen=True, eq=False)
class StoredStrategy:
    """A `Stored` strategy whose store is in memory, or with workers.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> from liarsdice_cli.strategies.expansion import expanded
    >>> stored = expanded(Uniform(rules("joker", 2, (1, 1))))
    >>> stored.store.histories, stored.at([]).tolist(), stored.at([1]).tolist()
    (2, [[0.5, 0.5], [0.5, 0.5]], [[1.0, 1.0]])
    """

    rules: Rules
    store: StrategyStore
    values: Any = field(default=None)
    start: Subgame | None = None

    def __repr__(self) -> str:
        return f"StoredStrategy({self.rules}; {numbered(self.store.histories, 'histories')})"

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        if self.start is None:
            return at(self.store, history)
        return self.start.with_all_actions(history, at(self.store, self.start.local_history(history)))


def local_history(strategy: Stored, history: Sequence[int]) -> Sequence[int]:
    """Return a history as its store numbers the bids; LiarsDiceError for bids that its subgame leaves out."""
    return history if strategy.start is None else strategy.start.local_history(history)


def is_expanded(strategy: Stored, history: Sequence[int]) -> bool:
    """Return whether a history is expanded, so that its mover does not just call.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> from liarsdice_cli.strategies.expansion import expanded
    >>> stored = expanded(Uniform(rules("joker", 2, (1, 1))))
    >>> is_expanded(stored, [0]), is_expanded(stored, [1])
    (True, False)
    """
    return strategy.store.find(local_history(strategy, history)) is not None


def stored_in(strategy: Strategy) -> Stored | None:
    """Return the strategy, or the one that `WithImpossibleBids` wraps, if it is stored; otherwise None.

    Payoffs and regrets are the same without impossible bids: a player who makes one is called, and loses.
    """
    found = strategy.of if isinstance(strategy, WithImpossibleBids) else strategy
    return found if isinstance(found, Stored) else None


def at(store: StrategyStore, history: Sequence[int]) -> Floats:
    """Return the mover's probabilities after these rising bids from the root of a store: (actions, rolls)."""
    last, mover = store.state_after(history)
    found = store.find(history)
    if found is None:
        calls = np.zeros((store.bidding.actions(last), store.rolls[mover]))
        calls[0] = 1
        return calls
    return proportions(store.entries(*found, AVERAGE_STRATEGY))


def proportions(weights: Any) -> Floats:
    """Return probabilities in proportion to the weights of each column; the first action if all weights are 0.

    >>> proportions(np.array([[1, 0], [3, 0]])).tolist()
    [[0.25, 1.0], [0.75, 0.0]]
    """
    found = weights.astype(np.float64)
    total = found.sum(axis=0)
    found[0, total <= 0] = 1
    shares: Floats = found / np.where(total > 0, total, 1)
    return shares

"""A mixture of strategies of Liar's Dice: one is drawn before each round, unseen, and kept to its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.mixture import posterior
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy


@dataclass(frozen=True)
class Mixture:
    """The behaviour strategy that is realization-equivalent to a mixture (`extensive.mixture`).

    strategies : of the same rules
    weights    : the probability of each

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> from liarsdice_cli.strategies.combined import WithImpossibleBids
    >>> two = rules("common", 2)
    >>> Mixture((Uniform(two), WithImpossibleBids(two, Uniform(two))), (0.5, 0.5)).at([1, 2]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """

    strategies: tuple[Strategy, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.strategies) != len(self.weights) or min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-9:
            raise UsageError("a mixture has a weight of 0 or more for each strategy, and the weights add up to 1")

    @property
    def rules(self) -> Rules:
        """The rules of the game that it plays."""
        return self.strategies[0].rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`. Cost: that of every strategy at each history at which the player to move has acted."""
        behaviour = np.stack([strategy.at(history) for strategy in self.strategies])
        answer: Floats = np.einsum("sr,sar->ar", self.posterior(history), behaviour)
        return answer

    def posterior(self, history: Sequence[int]) -> Floats:
        """Return the probability of each strategy given the roll and the player's own bids, shape (strategies, rolls)."""
        reach = np.ones((len(self.strategies), BettingState(self.rules, history).roll_count))
        for length in range(len(history) - self.rules.players, -1, -self.rules.players):
            before = history[:length]
            row = BettingState(self.rules, before).index(history[length])
            reach *= np.stack([strategy.at(before)[row] for strategy in self.strategies])
        return posterior(self.weights, reach)

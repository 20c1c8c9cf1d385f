"""The zero-intelligence player behind the protocol of bots."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.zero_intelligence.policy import Mixture, ZeroIntelligence
from liarsdice_cli.bots.zero_intelligence.tails import Number, Tails, binomial
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.tree import Floats


class ZeroIntelligenceBot(Policy):
    """Plays `ZeroIntelligence` with one level, or with one that it draws anew for every round.

    name    : the specification, `zero-intelligence:LEVEL`
    weights : the probability of each level
    tails   : by which it reckons

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bot = ZeroIntelligenceBot("zero-intelligence:1/6", {1 / 6: 1.0})
    >>> bot.distribution(View(rules("common", 6), (2,), (8,))).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, name: str, weights: Mapping[Number, float], tails: Tails = binomial) -> None:
        self.name, self.weights, self.tails = name, dict(weights), tails
        self.looks_back = len(weights) > 1  # earlier bids tell which level was drawn
        self._strategies: dict[Rules, ZeroIntelligence | Mixture] = {}

    def distribution(self, view: View) -> Floats:
        """See `Policy`."""
        said = self.strategy(view.rules).probabilities(view.history, view.roll)
        return np.array([said.get(action, 0.0) for action in view.actions])

    def strategy(self, rules: Rules) -> ZeroIntelligence | Mixture:
        """See `Policy`."""
        if rules not in self._strategies:
            (level, *more) = self.weights
            self._strategies[rules] = (
                Mixture.of_levels(rules, self.weights, tails=self.tails)
                if more
                else ZeroIntelligence(rules, level, tails=self.tails)
            )
        return self._strategies[rules]

"""The zero-intelligence player behind the protocol of bots."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.zero_intelligence.payoff import Raise, as_level, calls, omega, probability_bad
from liarsdice_cli.bots.zero_intelligence.policy import Mixture, ZeroIntelligence, sight
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import CALL
from liarsdice_cli.games.liarsdice.tails import Tails, binomial

_SMALL = 500
"""Bids times rolls up to which everything that a player does is planned at once."""


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
        (level, *more) = self.weights
        if not more and view.rules.bid_count * view.rules.roll_count(view.player) > _SMALL:
            return self._of_level(view, as_level(level))
        said = self.strategy(view.rules).probabilities(view.history, view.roll)
        return np.array([said.get(action, 0.0) for action in view.actions])

    def _of_level(self, view: View, level: Fraction) -> Floats:
        """The same for one roll alone, where a plan for all rolls and bids would take longer."""
        seen = sight(view.rules, view.player, view.roll)
        chosen = None
        if view.last is None or not calls(seen, view.last, level):
            lowest = {bid.face: bid for bid in reversed(view.legal) if bid.quantity <= seen.total}  # the best of its face
            possible = (lowest[face] for face in sorted(lowest, key=lambda face: view.legal.index(lowest[face])))
            worth = (Raise(bid, probability_bad(seen, bid), omega(seen, bid, level)) for bid in possible)
            chosen = max(worth, key=lambda one: one.rank, default=None)
        action = CALL if chosen is None else view.rules.bids.index(chosen.bid)
        taken: Floats = (np.array(view.actions) == action).astype(np.float64)
        return taken

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

"""The zero-intelligence player as a bot, with given levels or with those that the theory finds best."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.zero_intelligence.levels import merged
from liarsdice_cli.bots.zero_intelligence.payoff import as_level, best_raise, calls
from liarsdice_cli.bots.zero_intelligence.policy import LevelMixture, ZeroIntelligence, robust_level, robust_levels
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.player_view import PlayerView
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, binomial
from liarsdice_cli.strategies.combined import BySeat

_SMALL = 500
"""The number of bids times rolls up to which the whole strategy of a player is computed at once."""


class ZeroIntelligenceBot(Policy):
    """Plays `ZeroIntelligence` with one level, or with a level that it draws in every round.

    name    : the specification, `zero-intelligence:LEVEL`
    weights : the probability of each level
    tails   : the tail probabilities to use

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bot = ZeroIntelligenceBot("zero-intelligence:1/6", {1 / 6: 1.0})
    >>> bot.distribution(View(rules("common", 6), (2,), (8,))).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, name: str, weights: Mapping[Number, float], tails: TailProbabilities = binomial) -> None:
        self.name, self.weights, self.tails = name, dict(weights), tails
        self.looks_back = len(weights) > 1  # earlier bids depend on the level that was drawn
        self._seats: dict[Rules, tuple[ZeroIntelligence | LevelMixture, ...]] = {}

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for rules with stairs."""
        if rules.stairs:
            why = "counts dice one by one, so it does not play with stairs"
            raise LiarsDiceError(f"{self.name} {why}: give ", Argument("stairs", False))

    def levels(self, rules: Rules, player: int) -> Mapping[Number, float]:
        """Return the levels of a player, from 0, in a round of these rules, with their probabilities."""
        return self.weights

    def distribution(self, view: View) -> Floats:
        """Return the probability of each of `view.actions`."""
        if not self.looks_back and view.rules.bid_count * view.rules.roll_count(view.player) > _SMALL:
            (level,) = self.levels(view.rules, view.player)
            return self._of_level(view, as_level(level))
        said = self._of_seats(view.rules)[view.player].probabilities(view.history, view.roll)
        return np.array([said.get(action, 0.0) for action in view.actions])

    def _of_level(self, view: View, level: Fraction) -> Floats:
        """Return the probabilities for one roll, without computing the strategy of all rolls and bids."""
        seen = PlayerView.of_player(view.rules, view.player, view.roll)
        chosen = None
        if view.last is None or not calls(seen, view.last, level, self.tails):
            lowest = {bid.face: bid for bid in reversed(view.legal) if bid.quantity <= seen.total}  # the best of its face
            chosen = best_raise(seen, sorted(lowest.values(), key=view.legal.index), level, self.tails)
        return view.pure(CALL if chosen is None else view.rules.bids.index(chosen.bid))

    def strategy(self, rules: Rules) -> Strategy:
        """Return the strategy of all players."""
        seats = self._of_seats(rules)
        return seats[0] if all(one is seats[0] for one in seats) else BySeat(rules, seats)

    def _of_seats(self, rules: Rules) -> tuple[ZeroIntelligence | LevelMixture, ...]:
        """Return the strategy of every player: one for all players if their levels are the same."""
        if rules not in self._seats:
            levels = [self.levels(rules, player) for player in range(rules.players)]
            alike = all(one == levels[0] for one in levels)
            made = tuple(self._drawing(rules, one) for one in (levels[:1] if alike else levels))
            self._seats[rules] = made * rules.players if alike else made
        return self._seats[rules]

    def _drawing(self, rules: Rules, weights: Mapping[Number, float]) -> ZeroIntelligence | LevelMixture:
        """Return the player that draws from these levels."""
        if self.looks_back:
            return LevelMixture.of_levels(rules, weights, tails=self.tails)
        (level,) = weights
        return ZeroIntelligence(rules, level, tails=self.tails)


class RobustBot(ZeroIntelligenceBot):
    """Plays `ZeroIntelligence` with the best worst case in the normal model, given its own dice and those of all others.

    drawn : whether the level is drawn from `robust_levels` in every round; otherwise it is `robust_level`

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bot = RobustBot("zero-intelligence:robust", drawn=False)
    >>> [round(level, 4) for player in (0, 1) for level in bot.levels(rules("dudo", 6, (2, 4)), player)]
    [0.2324, 0.1305]
    """

    def __init__(self, name: str, drawn: bool, tails: TailProbabilities = binomial) -> None:
        super().__init__(name, {}, tails)
        self.looks_back = drawn

    def levels(self, rules: Rules, player: int) -> Mapping[Number, float]:
        """Return `robust_levels`, merged, or `robust_level`."""
        if self.looks_back:
            return merged(rules, robust_levels(rules, player), self.tails)
        return {robust_level(rules, player): 1.0}

"""The zero-intelligence player as a bot, with given levels or with those that the theory finds best."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.zero_intelligence.levels import merged
from liarsdice_cli.bots.zero_intelligence.payoff import Raise, as_level, calls, omega, probability_bad
from liarsdice_cli.bots.zero_intelligence.policy import ByPlayer, LevelMixture, ZeroIntelligence, robust_level, robust_levels
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.player_view import PlayerView
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, binomial

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
        self._strategies: dict[Rules, ZeroIntelligence | LevelMixture | ByPlayer] = {}

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for rules with stairs."""
        if rules.stairs:
            raise LiarsDiceError(f"{self.name} counts dice one by one, so it does not play with stairs")

    def levels(self, rules: Rules, player: int) -> Mapping[Number, float]:
        """Return the levels of a player, from 0, in a round of these rules, with their probabilities."""
        return self.weights

    def distribution(self, view: View) -> Floats:
        """Return the probability of each of `view.actions`."""
        if not self.looks_back and view.rules.bid_count * view.rules.roll_count(view.player) > _SMALL:
            (level,) = self.levels(view.rules, view.player)
            return self._of_level(view, as_level(level))
        said = self.strategy(view.rules).probabilities(view.history, view.roll)
        return np.array([said.get(action, 0.0) for action in view.actions])

    def _of_level(self, view: View, level: Fraction) -> Floats:
        """Return the probabilities for one roll, without computing the strategy of all rolls and bids."""
        seen = PlayerView.of_player(view.rules, view.player, view.roll)
        chosen = None
        if view.last is None or not calls(seen, view.last, level):
            lowest = {bid.face: bid for bid in reversed(view.legal) if bid.quantity <= seen.total}  # the best of its face
            possible = (lowest[face] for face in sorted(lowest, key=lambda face: view.legal.index(lowest[face])))
            raises = (Raise(bid, probability_bad(seen, bid), omega(seen, bid, level)) for bid in possible)
            chosen = max(raises, key=lambda one: one.rank, default=None)
        action = CALL if chosen is None else view.rules.bids.index(chosen.bid)
        taken: Floats = (np.array(view.actions) == action).astype(np.float64)
        return taken

    def strategy(self, rules: Rules) -> ZeroIntelligence | LevelMixture | ByPlayer:
        """Return the strategy of all players."""
        if rules not in self._strategies:
            levels = [self.levels(rules, player) for player in range(rules.players)]
            alike = all(one == levels[0] for one in levels)
            made = tuple(self._drawing(rules, one) for one in (levels[:1] if alike else levels))
            self._strategies[rules] = made[0] if alike else ByPlayer(made)
        return self._strategies[rules]

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

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for rules with stairs."""
        if rules.stairs:
            raise LiarsDiceError(f"{self.name} counts dice one by one, so it does not play with stairs")

    def levels(self, rules: Rules, player: int) -> Mapping[Number, float]:
        """Return `robust_levels`, merged, or `robust_level`."""
        if self.looks_back:
            return merged(rules, robust_levels(rules, player), self.tails)
        return {robust_level(rules, player): 1.0}

"""The strategy of a profile in fractions, with the posteriors after mistakes.

In floats, a product with a tiny probability stands for a mistake. Fractions represent the limit: the coefficients of the lowest
power of the tremble (`extensive.trembles`) give the posterior of the player who made the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.number import smallest_integers
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.extensive.trembles import RefinedProfile
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy


class ExactStrategy:
    """The strategy of a profile in fractions, of the tree that `tree.build` makes of the rules."""

    def __init__(self, rules: Rules, profile: Profile) -> None:
        self.rules, self._profile = rules, profile
        self._strategy = ProfileStrategy.of(rules, profile.tree, profile.probabilities)
        self._priors = priors(rules, object)

    def at(self, history: Sequence[int]) -> Numbers:
        """Return the probabilities after a history as `Strategy.at` does, in fractions."""
        return self._profile.probabilities[self._strategy.action_rows(history)]

    def posterior_of_mistake(self, history: Sequence[int]) -> Numbers | None:
        """Return numbers proportional to the last bidder's posterior if the last bid is a mistake, one for each roll.

        None without perturbed plans, and for a bid that the plans never make, which happens only for plans from a file.
        """
        if not isinstance(self._profile, RefinedProfile):
            return None
        *earlier, bid = history
        state = BettingState(self.rules, earlier)
        taken = self._strategy.action_rows(earlier)[state.index(bid)]
        powers = self._profile.weights[taken].T * self._priors[state.mover]
        lowest = next((power for power in powers if any(power)), None)
        return None if lowest is None else np.array([Fraction(number) for number in smallest_integers(lowest)], object)

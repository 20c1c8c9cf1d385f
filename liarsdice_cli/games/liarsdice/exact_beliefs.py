"""Beliefs and values of a profile after a betting history, in fractions: `beliefs` without rounding.

After a mistake, floats hold a product with a tiny probability. Fractions hold the limit: the coefficients of the lowest power
of the tremble in the plans (`extensive.trembles`) give the posterior of the player who erred.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import Ints, Numbers
from liarsdice_cli.extensive.trembles import RefinedProfile
from liarsdice_cli.games.liarsdice.beliefs import Continuations, RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy


@dataclass(frozen=True, eq=False)
class ExactRollsAfter(RollsAfter):
    """Every roll of all players after a history, in fractions.

    mistaken : the players who reach the history only by mistake; their `reaches` are proportional to the posterior
    """

    mistaken: tuple[int, ...] = ()

    @property
    def reach(self) -> float:
        """The probability that play reaches the history, from 0 to 1."""
        return 0.0 if self.mistaken else super().reach


class ExactContinuations(Continuations):
    """All histories of a game, read once in fractions; see `Continuations`.

    by_mistake : for every history, whether its last bid is a mistake with every roll that its player can hold there

    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> two = rules("common", 2)
    >>> opening = ExactContinuations(two, from_sets(build(two), {})).after([])
    >>> [str(value) for value in opening.values[:, 0]]
    ['2/3', '7/12', '3/4', '0']
    """

    kind = object
    unknown = None

    def __init__(self, rules: Rules, profile: Profile, advance: Callable[[int], object] = int) -> None:
        """Read all histories.

        profile : in fractions, of the tree that `tree.build` makes of the rules
        advance : called with numbers of histories read

        Cost: that of `Continuations` in Python's fractions, about 7 s for 100,000 histories times rolls.
        """
        self.profile = profile
        self.of_profile = ProfileStrategy.of(rules, profile.tree, profile.probabilities)
        self.by_mistake = np.zeros(1 << rules.bid_count, bool)
        super().__init__(self.of_profile, advance=advance)

    def after(self, later: Sequence[int]) -> ExactRollsAfter:
        """See `Continuations`."""
        found = super().after(later)
        mistakes = [length for length in range(len(later)) if self.by_mistake[self.mask_of(later[: length + 1])]]
        mistaken = tuple(sorted({length % self.rules.players for length in mistakes}))
        return ExactRollsAfter(**vars(found), mistaken=mistaken)

    def _said(self, strategy: Strategy, history: Sequence[int]) -> Numbers:
        return self.profile.probabilities[self.of_profile.action_rows(history)]

    def _priors(self) -> list[Numbers]:
        return [np.array([chance for _, chance in self.rules.rolls(player)], object) for player in self.players]

    def _are_known(self, values: Numbers) -> bool:
        return all(value is not None for value in values.flat)

    def _ratios(self, weighed: Numbers, weight: Numbers) -> Numbers:
        found: Numbers = np.frompyfunc(lambda one, other: Fraction(one) / other if other else None, 2, 1)(weighed, weight)
        return found

    def _count_mistakes(self, player: int, later: Ints) -> None:
        if not isinstance(self.profile, RefinedProfile):
            return
        for mask in later[~(self.reaches[player, later] != 0).any(axis=1)].tolist():
            history = self.bids_of(mask)
            likely = self._likeliest_mistakes(player, history) if self.rules.bidding.allows(history) else None
            if likely is not None:
                self.reaches[player, mask, : len(likely)] = likely
                self.by_mistake[mask] = True

    def _likeliest_mistakes(self, player: int, history: Sequence[int]) -> Numbers | None:
        """Return numbers proportional to the posterior of a player whose last bid is a mistake, one for each roll.

        None for a bid that the plans never make, which happens only for plans from a file.
        """
        assert isinstance(self.profile, RefinedProfile), "asked only for perturbed plans"
        *earlier, bid = history
        taken = self.of_profile.action_rows(earlier)[BettingState(self.rules, earlier).index(bid)]
        powers = self.profile.weights[taken].T * self._priors()[player]
        return next((_whole(power) for power in powers if any(power)), None)

    def _on_purpose(self, weighed: Numbers, later: Ints) -> Numbers:
        return np.where(self.by_mistake[later][:, None], 0, weighed)


def _whole(numbers: Numbers) -> Numbers:
    """Return the smallest integers that are proportional to the numbers, as Fractions."""
    denominator = lcm(*(number.denominator for number in numbers))
    whole = [int(number * denominator) for number in numbers]
    common = gcd(*whole)
    return np.array([Fraction(number, common) for number in whole], object)

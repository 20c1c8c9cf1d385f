"""The situation of one player: the player's own dice, the last bid, and the model's numbers and advice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, Raise, call_pays, probability_called, raises, threshold
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice import player_view as seen
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import (
    CONTINUITY_CORRECTION,
    PAGE_CORRECTION,
    PlayerView,
    probability_true,
    z_score,
)
from liarsdice_cli.games.liarsdice.tail_probabilities import normal


@dataclass(frozen=True)
class Situation(Renderable):
    """The view of the player to move, and the model's numbers for it.

    last  : the last bid; None in the opening
    level : the level of the next player, and of the rule `calls_by_level`

    Raises UsageError for a last bid that the rules do not have.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> situation = Situation(PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5), Bid(16, 3))
    >>> str(situation.best.bid), situation.call_pays, situation.calls_by_level, round(float(situation.true), 4)
    ('17x3', True, False, 0.5624)
    """

    player_view: PlayerView
    last: Bid | None
    level: Fraction = LEVEL

    def __post_init__(self) -> None:
        self.player_view.raises(self.last)

    @cached_property
    def raises(self) -> list[Raise]:
        """All legal and possible raises, the best first."""
        return sorted(raises(self.player_view, self.last, self.level), key=lambda one: one.rank, reverse=True)

    @property
    def best(self) -> Raise | None:
        """The best raise; None if there is none."""
        return self.raises[0] if self.raises else None

    def called(self, one: Raise) -> Number:
        """Return the probability that the next player calls a raise."""
        return probability_called(self.player_view, one.bid, self.level)

    @cached_property
    def true(self) -> Fraction:
        """The probability that the last bid is true; 1 in the opening."""
        return Fraction(1) if self.last is None else Fraction(probability_true(self.player_view, self.last))

    @cached_property
    def expectations(self) -> tuple[Fraction, ...]:
        """The expected number of matching dice among all dice, for each face from 1."""
        return tuple(seen.expectations(self.player_view))

    def believed(self, face: int) -> int:
        """Return y0 on a face: the next player calls [r, d] with at most r - y0 matching dice; see `payoff.threshold`."""
        return threshold(
            self.level,
            len(self.player_view.own) + self.player_view.others,
            seen.match_probability(self.player_view.rules, face),
        )

    @property
    def call_pays(self) -> bool:
        """Whether calling costs less than the best raise."""
        return self.last is not None and call_pays(self.player_view, self.last, self.best)

    @property
    def calls_by_level(self) -> bool:
        """Whether the last bid is true with a probability below the level, or no raise is left."""
        return self.last is not None and (self.best is None or self.true < self.level)

    @cached_property
    def about_last(self) -> LastBid | None:
        """The numbers on the last bid; None in the opening."""
        return None if self.last is None else LastBid(self.player_view, self.last)


@dataclass(frozen=True)
class LastBid:
    """A bid from the view of a player with known dice, while all other dice are unknown and fair."""

    player_view: PlayerView
    bid: Bid

    @property
    def missing(self) -> int:
        """The number of unknown dice that must match for the bid to be true; it may be negative."""
        return self.player_view.missing(self.bid)

    @property
    def chance(self) -> Fraction:
        """The probability that one unknown die matches."""
        return seen.match_probability(self.player_view.rules, self.bid.face)

    @property
    def expected(self) -> Fraction:
        """The expected number of matching dice among all dice."""
        return seen.expectations(self.player_view)[self.bid.face - 1]

    @property
    def expected_unknown(self) -> Fraction:
        """The expected number of matching dice among the unknown dice."""
        return self.player_view.unknown * self.chance

    @property
    def deviation(self) -> float:
        """The standard deviation of both numbers."""
        return seen.deviations(self.player_view)[self.bid.face - 1]

    @property
    def true_normal(self) -> float:
        """The probability that the bid is true by the normal distribution."""
        return float(probability_true(self.player_view, self.bid, normal))

    @property
    def z_score(self) -> float | None:
        """The z-score with the correction that makes Phi(z) the probability of a bad bid; None without unknown dice."""
        return _finite(z_score(self.player_view, self.bid, CONTINUITY_CORRECTION))

    @property
    def page_z_score(self) -> float | None:
        """The z-score with the page's correction; None without unknown dice."""
        return _finite(z_score(self.player_view, self.bid, PAGE_CORRECTION))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None

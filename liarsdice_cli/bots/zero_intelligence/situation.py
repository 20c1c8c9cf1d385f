"""A player at the table: the own dice, the last bid, and what the model says of both and advises."""

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
    """What a player sees who is to move, and what the model says of it.

    last  : the last bid; None in the opening
    level : of the next player, and of the one whose rule `calls_by_level` is

    Raises UsageError, as `PlayerView.raises` does, for a last bid that the rules do not know.

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
        """All legal raises for which there are dice enough, the best first."""
        return sorted(raises(self.player_view, self.last, self.level), key=lambda one: one.rank, reverse=True)

    @property
    def best(self) -> Raise | None:
        """The best raise; None where there is none."""
        return self.raises[0] if self.raises else None

    def called(self, one: Raise) -> Number:
        """The probability that the next player calls a raise."""
        return probability_called(self.player_view, one.bid, self.level)

    @cached_property
    def true(self) -> Fraction:
        """The probability that the last bid is true; 1 in the opening."""
        return Fraction(1) if self.last is None else Fraction(probability_true(self.player_view, self.last))

    @cached_property
    def expectations(self) -> tuple[Fraction, ...]:
        """The expected number of dice that match each face, 1 first, among all: own, known and unknown."""
        return tuple(seen.expectations(self.player_view))

    def believed(self, face: int) -> int:
        """y0 on a face: the next player does not believe in so many matches among the dice unseen there, and calls
        [r, d] with at most r - y0 of its own; see `payoff.threshold`."""
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
        """Whether a player calls who does so where the bid is true with a probability below the level."""
        return self.last is not None and (self.best is None or self.true < self.level)

    @cached_property
    def about_last(self) -> LastBid | None:
        """What is known of the last bid; None in the opening."""
        return None if self.last is None else LastBid(self.player_view, self.last)


@dataclass(frozen=True)
class LastBid:
    """A bid as a player sees it who knows the own dice and nothing of the others'."""

    player_view: PlayerView
    bid: Bid

    @property
    def missing(self) -> int:
        """How many of the unknown dice must match for the bid to be true; may be below 0."""
        return self.player_view.missing(self.bid)

    @property
    def chance(self) -> Fraction:
        """The chance that one unknown die matches."""
        return seen.match_probability(self.player_view.rules, self.bid.face)

    @property
    def expected(self) -> Fraction:
        """The expected number of matching dice among all."""
        return seen.expectations(self.player_view)[self.bid.face - 1]

    @property
    def expected_unknown(self) -> Fraction:
        """The expected number of matching dice among the unknown."""
        return self.player_view.unknown * self.chance

    @property
    def deviation(self) -> float:
        """The standard deviation of either number."""
        return seen.deviations(self.player_view)[self.bid.face - 1]

    @property
    def true_normal(self) -> float:
        """The probability that the bid is true by the normal distribution."""
        return float(probability_true(self.player_view, self.bid, normal))

    @property
    def z_score(self) -> float | None:
        """The z-score with the correction that makes Phi(z) the probability of a bad bid; None where nothing is unknown."""
        return _finite(z_score(self.player_view, self.bid, CONTINUITY_CORRECTION))

    @property
    def page_z_score(self) -> float | None:
        """The z-score with the page's correction; None where nothing is unknown."""
        return _finite(z_score(self.player_view, self.bid, PAGE_CORRECTION))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None

"""What a bid is worth: the probability that it is bad, whether B calls it, the payoff of every raise, and the choice.

A moves, B is next; a payoff is the expected number of dice that A wins, so here it is never above 0. All sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats.numbers import approximate
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import PlayerView, match_probability, probability_true
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, at_least, binomial

LEVEL = Fraction(3, 10)
"""The level lambda where none is given."""
_FINEST = 10**6


def as_level(level: Number) -> Fraction:
    """A level as a fraction, so that it can equal a probability: the nearest one with a denominator of at most a million.

    Raises UsageError unless the level is above 0 and at most 1.

    >>> str(as_level(1 / 3)), str(as_level(0.3))
    ('1/3', '3/10')
    """
    if not 0 < level <= 1:
        raise UsageError(
            f"level {approximate(level)}: a player calls what is true with a probability below it; above 0, at most 1"
        )
    return max(Fraction(level).limit_denominator(_FINEST), Fraction(1, _FINEST))


def probability_bad(player_view: PlayerView, bid: Bid, tails: TailProbabilities = binomial) -> Number:
    """p = P(X + s < r) = F_X(r - s - 1), from 0 to 1; section "Calculate p"."""
    return 1 - probability_true(player_view, bid, tails)


def threshold(level: Fraction, dice: int, match: Fraction, tails: TailProbabilities = binomial) -> int:
    """y0 = min{y : P(Y >= y) < level}, the number of matches among B's unknown dice that B does not believe in.

    Section "Parsimonious model of the next player's behavior": B, who holds x, calls r iff r - x >= y0. Y ~ B(dice, match)
    is what B cannot see: the dice of A and of all others. The threshold is from 1 to dice + 1.

    >>> threshold(Fraction(3, 10), 5, Fraction(1, 3)), threshold(Fraction(1), 5, Fraction(1, 3))
    (3, 1)
    """
    return next(y for y, tail in enumerate(tails(dice, match)) if tail < level)


def probability_called(
    player_view: PlayerView, bid: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial
) -> Number:
    """P(X <= r - y0), the probability that B, whose level this is, calls the bid; section "Parsimonious model".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player_view = PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5)
    >>> round(float(probability_called(player_view, Bid(16, 3))), 4)
    0.7901
    """
    match = match_probability(player_view.rules, bid.face)
    y0 = threshold(level, len(player_view.own) + player_view.others, match, tails)
    return 1 - at_least(player_view.needed(bid) - y0 + 1, player_view.next_dice, match, tails)


def omega(player_view: PlayerView, bid: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial) -> Number:
    """The payoff of raising to [r, d]: - sum over x <= r - y0 of P(X = x) P(Z < r - s - x), from -1 to 0.

    Section "Payoff": X are B's matches, Z those of the other players; A loses a die if B calls and the bid is bad. Dice that
    everybody sees count towards r for all. Later rounds of the bidding are left out, so the true payoff is lower.

    level : of B, the next player

    Cost: as many products as B has dice.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player_view = PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5)
    >>> round(float(omega(player_view, Bid(17, 3))), 4)
    -0.5668
    """
    match = match_probability(player_view.rules, bid.face)
    needed, missing = player_view.needed(bid), player_view.missing(bid)
    return _omega(needed, missing, (len(player_view.own), player_view.next_dice, player_view.others), match, level, tails)


@cache
def _omega(
    needed: int, missing: int, dice: tuple[int, int, int], match: Fraction, level: Fraction, tails: TailProbabilities = binomial
) -> Number:
    """`omega` by numbers alone; the dice are those of A, of B and of the others."""
    own, of_next, others = dice
    y0 = threshold(level, own + others, match, tails)
    held = tails(of_next, match)
    loss: Number = Fraction(0)
    for x in range(min(needed - y0, of_next) + 1):
        loss += (held[x] - held[x + 1]) * (1 - at_least(missing - x, others, match, tails))
    return -loss


@dataclass(frozen=True)
class Raise:
    """A legal raise: `probability_bad` and `omega` of it."""

    bid: Bid
    bad: Number
    omega: Number

    @property
    def rank(self) -> tuple[Number, Number]:
        """What makes one raise better than another: the payoff; where that is the same, the probability of being true.

        Of raises that are equal in both the lowest is taken; the page says nothing of ties.
        """
        return self.omega, -self.bad


def raises(
    player_view: PlayerView, last: Bid | None, level: Fraction = LEVEL, tails: TailProbabilities = binomial
) -> Iterator[Raise]:
    """Every legal raise for which there are dice enough, from lowest to highest.

    On one face the lowest is always best: with r the sum of `omega` only gets more and larger terms.
    """
    for bid in player_view.raises(last):
        yield Raise(bid, probability_bad(player_view, bid, tails), omega(player_view, bid, level, tails))


def best_raise(
    player_view: PlayerView, last: Bid | None, level: Fraction = LEVEL, tails: TailProbabilities = binomial
) -> Raise | None:
    """The legal raise with the highest payoff, ties as `Raise.rank` says; None where no raise is left."""
    return max(raises(player_view, last, level, tails), key=lambda one: one.rank, default=None)


def calls(player_view: PlayerView, last: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial) -> bool:
    """The rule of the page: call iff the bid is true with a probability below the level."""
    return probability_true(player_view, last, tails) < level


def call_pays(player_view: PlayerView, last: Bid, raised: Raise | None, tails: TailProbabilities = binomial) -> bool:
    """Whether calling costs less than the best raise: omega_0 = -P(bid is true) > omega, or there is no raise.

    Section "Some theoretical thoughts": A is indifferent where the two are equal.
    """
    return raised is None or -probability_true(player_view, last, tails) > raised.omega

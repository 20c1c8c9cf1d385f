"""The value of a bid: the probability that it is bad or that B calls it, the payoff of every raise, and the best action.

A moves, B is next; a payoff is the expected number of dice that A wins, so here it is never above 0. All sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import PlayerView, match_probability, probability_true
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, at_least, binomial
from liarsdice_cli.text import approximate

LEVEL = Fraction(3, 10)
"""The default level lambda."""
_FINEST = 10**6


def as_level(level: Number) -> Fraction:
    """Return a level as the nearest fraction with a denominator up to a million, so that it can equal a probability.

    Raises UsageError unless the level is above 0 and at most 1.

    >>> str(as_level(1 / 3)), str(as_level(0.3))
    ('1/3', '3/10')
    """
    if not 0 < level <= 1:
        raise UsageError(
            f"level {approximate(level)}: give a probability above 0 and at most 1; a player calls bids less likely to be true"
        )
    return max(Fraction(level).limit_denominator(_FINEST), Fraction(1, _FINEST))


def probability_bad(player_view: PlayerView, bid: Bid, tails: TailProbabilities = binomial) -> Number:
    """Return p = P(X + s < r) = F_X(r - s - 1), from 0 to 1; section "Calculate p"."""
    return 1 - probability_true(player_view, bid, tails)


def threshold(level: Fraction, dice: int, match: Fraction, tails: TailProbabilities = binomial) -> int:
    """Return y0 = min{y : P(Y >= y) < level}, the smallest number of matches that B does not expect among its unknown dice.

    Section "Parsimonious model of the next player's behavior": B with x matching dice calls r iff r - x >= y0. Here
    Y ~ B(dice, match) counts the matching dice of A and of all others, which B cannot see. The threshold is from 1 to dice + 1.

    >>> threshold(Fraction(3, 10), 5, Fraction(1, 3)), threshold(Fraction(1), 5, Fraction(1, 3))
    (3, 1)
    """
    return next(y for y, tail in enumerate(tails(dice, match)) if tail < level)


def probability_called(player_view: PlayerView, bid: Bid, level: Fraction = LEVEL) -> Number:
    """Return P(X <= r - y0), the probability that B with this level calls the bid; section "Parsimonious model".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player_view = PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5)
    >>> round(float(probability_called(player_view, Bid(16, 3))), 4)
    0.7901
    """
    match = match_probability(player_view.rules, bid.face)
    y0 = threshold(level, len(player_view.own) + player_view.others, match)
    return 1 - at_least(player_view.needed(bid) - y0 + 1, player_view.next_dice, match)


def omega(player_view: PlayerView, bid: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial) -> Number:
    """Return the payoff of raising to [r, d]: - sum over x <= r - y0 of P(X = x) P(Z < r - s - x), from -1 to 0.

    Section "Payoff": X counts B's matches, Z those of the other players; A loses a die if B calls and the bid is bad. Public
    dice count towards r for all players. Later bids are ignored, so the true payoff is lower.

    level : the level of B, the next player

    Cost: one product for each die of B.

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
    """Return `omega` from numbers, to cache it; the dice are those of A, of B and of the others."""
    own, of_next, others = dice
    y0 = threshold(level, own + others, match, tails)
    held = tails(of_next, match)
    loss: Number = Fraction(0)
    for x in range(min(needed - y0, of_next) + 1):
        loss += (held[x] - held[x + 1]) * (1 - at_least(missing - x, others, match, tails))
    return -loss


@dataclass(frozen=True)
class Raise:
    """A legal raise, with its `probability_bad` and its `omega`."""

    bid: Bid
    bad: Number
    omega: Number

    @property
    def rank(self) -> tuple[Number, Number]:
        """The payoff and then the probability of being true: a higher rank is a better raise.

        The lowest of several raises with equal ranks is taken; the page does not mention ties.
        """
        return self.omega, -self.bad


def made(player_view: PlayerView, bid: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial) -> Raise:
    """Return a bid as a raise."""
    return Raise(bid, probability_bad(player_view, bid, tails), omega(player_view, bid, level, tails))


def raises(player_view: PlayerView, last: Bid | None, level: Fraction = LEVEL) -> Iterator[Raise]:
    """Yield every legal and possible raise, from lowest to highest.

    The lowest raise on a face is always the best one: as r grows, the sum in `omega` gets more and larger terms.
    """
    for bid in player_view.raises(last):
        yield made(player_view, bid, level)


def best_raise(
    player_view: PlayerView, bids: Iterable[Bid], level: Fraction = LEVEL, tails: TailProbabilities = binomial
) -> Raise | None:
    """Return the first of the bids with the highest `Raise.rank`; None if there are none."""
    return max((made(player_view, bid, level, tails) for bid in bids), key=lambda one: one.rank, default=None)


def calls(player_view: PlayerView, last: Bid, level: Fraction = LEVEL, tails: TailProbabilities = binomial) -> bool:
    """Return whether a player calls by the page's rule: the bid is true with a probability below the level."""
    return probability_true(player_view, last, tails) < level


def call_pays(player_view: PlayerView, last: Bid, raised: Raise | None) -> bool:
    """Return whether a call costs less than the best raise: omega_0 = -P(bid is true) > omega, or there is no raise.

    Section "Some theoretical thoughts": A is indifferent if the two are equal.
    """
    return raised is None or -probability_true(player_view, last) > raised.omega

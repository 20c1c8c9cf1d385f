"""The dice that a player sees, and the resulting probabilities, means, deviations and z-scores of bids and faces."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.dice import MOST
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, at_least, binomial
from liarsdice_cli.text import counted


@dataclass(frozen=True)
class PlayerView:
    """The information of player A when A is to move.

    rules     : sides, wild face and the order of bids; its numbers of dice are not used
    own       : the faces of A's dice
    unknown   : the number of dice that A cannot see
    next_dice : how many of those belong to B, the next player
    known     : faces on the table that every player sees

    Raises UsageError for faces that the dice do not have and for impossible numbers of dice.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5).total
    41
    """

    rules: Rules
    own: tuple[int, ...]
    unknown: int
    next_dice: int
    known: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.rules.stairs:
            raise UsageError(
                "stairs depend on whose dice they are, but here dice are counted one by one: give rules without stairs"
            )
        for what, dice in (("own", self.own), ("known", self.known)):
            for face in dice:
                if not 1 <= face <= self.rules.sides:
                    raise UsageError(f"{what} dice: there is no face {face} on a die; faces are 1 to {self.rules.sides}")
        if self.unknown < 0 or self.total > MOST:
            raise UsageError(
                f"{counted(self.unknown)} unknown and {len(self.own) + len(self.known)} known dice: "
                f"give 0 or more unknown ones, and no more than {MOST} dice in all"
            )
        if not 0 <= self.next_dice <= self.unknown:
            raise UsageError(
                f"the next player cannot have {counted(self.next_dice)} of {self.unknown} dice: give 0 to {self.unknown}"
            )

    @classmethod
    def of_player(cls, rules: Rules, player: int, roll: Roll) -> PlayerView:
        """Return the view of a player, from 0, in a round of these rules: the dice of all others are unknown, and the next in
        turn is B.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> PlayerView.of_player(rules("common", 6, (1, 2, 3)), 0, (4,)).unknown
        5
        """
        return cls(rules, roll, sum(rules.dice) - rules.dice[player], rules.dice[(player + 1) % rules.players])

    @property
    def total(self) -> int:
        """The number of dice at the table."""
        return len(self.own) + self.unknown + len(self.known)

    @property
    def others(self) -> int:
        """The unknown dice of the players other than B, the page's Z."""
        return self.unknown - self.next_dice

    def needed(self, bid: Bid) -> int:
        """Return the number of dice, other than those that every player sees, that must match for the bid to be true; may be
        below 0.
        """
        return bid.quantity - self.rules.matching(self.known, bid.face)

    def missing(self, bid: Bid) -> int:
        """Return r - s, the number of unknown dice that must match for the bid to be true; may be below 0."""
        return self.needed(bid) - self.rules.matching(self.own, bid.face)

    def raises(self, last: Bid | None) -> tuple[Bid, ...]:
        """Return the legal bids after the last one (None in the opening) of at most as many dice as there are, from lowest to
        highest.

        The rules' own highest quantity does not count. The last bid may be on more dice than there are.

        Raises UsageError for a bid that the rules do not have.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> [str(bid) for bid in PlayerView(rules("ones-low"), (2,), 1, 1).raises(Bid(2, 3))]
        ['2x4', '2x5', '2x6']
        """
        most = 2 * self.total + 1 if self.rules.halves else self.total + 1  # of which no bid leads back to so few dice
        game = replace(self.rules, max_quantity=most)
        following = game.bidding.following(OPENING if last is None else self._place(last, game.bids, most))
        return tuple(game.bids[bid] for bid in following if game.bids[bid].quantity <= self.total)

    def _place(self, bid: Bid, order: tuple[Bid, ...], most: int) -> int:
        if bid.face not in self.rules.faces or bid.quantity < 1:
            faces = ", ".join(map(str, self.rules.faces))
            raise UsageError(f"{bid} is not a bid: give quantity x face, such as {Bid(3, self.rules.faces[-1])}; faces {faces}")
        return order.index(Bid(min(bid.quantity, most), bid.face))


def match_probability(rules: Rules, face: int) -> Fraction:
    """Return the probability that one unknown die matches the face: 1/S for the wild face or without wild dice, otherwise 2/S.

    Section "Calculate z-score": 1/6 for the 1s and 1/3 for the other faces.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [str(match_probability(rules("ones-low"), face)) for face in (1, 2, 6)], str(match_probability(rules("common"), 2))
    (['1/6', '1/3', '1/3'], '1/6')
    """
    return Fraction(sum(rules.counts(die, face) for die in range(1, rules.sides + 1)), rules.sides)


def probability_true(player_view: PlayerView, bid: Bid, tails: TailProbabilities = binomial) -> Number:
    """Return 1 - p, A's probability that the bid is true: P(X >= r - s), X ~ B(unknown dice, match probability).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player_view = PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5)
    >>> round(float(probability_true(player_view, Bid(16, 3))), 4)
    0.5624
    """
    return at_least(player_view.missing(bid), player_view.unknown, match_probability(player_view.rules, bid.face), tails)


def probability_in_round(rules: Rules, player: int, roll: Roll, bid: Bid) -> Number:
    """Return a player's exact probability that the bid is true, given the player's roll in a round of these rules (with
    stairs).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(probability_in_round(rules("common", 6, (1, 1), stairs=True), 0, (1,), Bid(3, 5)))
    '1/3'
    """
    if not rules.stairs:
        return probability_true(PlayerView.of_player(rules, player, roll), bid)
    others = _of_others(rules, player, bid.face)
    return sum(others[max(0, bid.quantity - rules.matching(roll, bid.face)) :], Fraction(0))


def expected_of_others(rules: Rules, player: int, face: int) -> Fraction:
    """Return the expected number of matching dice of all other players for a face.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [str(expected_of_others(rules("common", 6, (1, 2), stairs=stairs), 0, 3)) for stairs in (False, True)]
    ['1/3', '1/2']
    """
    return sum((matching * chance for matching, chance in enumerate(_of_others(rules, player, face))), Fraction(0))


@cache
def _of_others(rules: Rules, player: int, face: int) -> tuple[Fraction, ...]:
    """Return the distribution of the matching dice of all other players for a face: the probability of 0, 1, 2, ..."""
    found = [Fraction(1)]
    for other, dice in enumerate(rules.dice):
        if other != player:
            own = _of_dice(rules, dice, face)
            after = [Fraction(0)] * (len(found) + len(own) - 1)
            for before, one in enumerate(found):
                for matching, share in enumerate(own):
                    after[before + matching] += one * share
            found = after
    return tuple(found)


def _of_dice(rules: Rules, dice: int, face: int) -> list[Fraction]:
    """Return the distribution of the matching dice of one player with a number of dice."""
    tails = binomial(dice, match_probability(rules, face))
    found = [Fraction(more) - Fraction(fewer) for more, fewer in pairwise(tails)]
    if rules.stairs and dice <= rules.sides:
        stairs, shown = Fraction(math.factorial(dice), rules.sides**dice), range(1, dice + 1)
        found[sum(rules.counts(die, face) for die in shown)] -= stairs
        found.append(stairs)
    return found


def expectations(player_view: PlayerView) -> list[Fraction]:
    """Return the expected number of matching dice for the faces 1..S in turn: those that A sees + n p, in dice.

    Section "Calculate z-score": my_expectation = [0,1,4,0,0,0] + [6,12,12,12,12,12], where the dice are one 2 and four 3s.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [int(mean) for mean in expectations(PlayerView(rules("ones-low"), (2, 3, 3, 3, 3), 36, 5))]
    [6, 13, 16, 12, 12, 12]
    """
    rules, seen = player_view.rules, (*player_view.own, *player_view.known)
    return [
        rules.matching(seen, face) + player_view.unknown * match_probability(rules, face) for face in range(1, rules.sides + 1)
    ]


def deviations(player_view: PlayerView) -> list[float]:
    """Return the standard deviation of the number of matching dice for the faces 1..S in turn: sqrt(n p (1 - p)), in dice.

    Section "Calculate z-score": s1 for the 1s and s2 for the others.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [round(s, 4) for s in deviations(PlayerView(rules("ones-low"), (2, 3, 3, 3, 3), 36, 5))][:2]
    [2.2361, 2.8284]
    """
    chances = (match_probability(player_view.rules, face) for face in range(1, player_view.rules.sides + 1))
    return [math.sqrt(player_view.unknown * one * (1 - one)) for one in chances]


PAGE_CORRECTION, CONTINUITY_CORRECTION = 0.5, -0.5


def z_score(player_view: PlayerView, bid: Bid, correction: float = PAGE_CORRECTION) -> float:
    """Return the number of standard deviations by which the bid exceeds A's expectation: (r + correction - mean) / deviation.

    Section "Calculate z-score": "z_score = (16+0.5-16)/s2, here 0.5 is the error adjustment". With +0.5, Phi(z) is about the
    probability that at most r dice match. The bid is bad if at most r - 1 do, so Phi(z) is p with `CONTINUITY_CORRECTION`. The
    score is infinite, with the sign of the numerator, if no dice are unknown.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> round(z_score(PlayerView(rules("ones-low"), (2, 3, 3, 3, 3), 36, 5), Bid(16, 3)), 4)
    0.1768
    """
    above = bid.quantity + correction - float(expectations(player_view)[bid.face - 1])
    deviation = deviations(player_view)[bid.face - 1]
    return above / deviation if deviation else math.copysign(math.inf, above)

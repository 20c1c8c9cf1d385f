"""The odds of a bid for a player who knows the own dice and takes the others' for fair."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from liarsdice_cli.games.liarsdice.rules import Bid, Roll, Rules


def matching_faces(rules: Rules, face: int) -> int:
    """How many of the faces of a die count for a bid on a face: 1, or 2 where another is wild."""
    return rules.matching(range(1, rules.sides + 1), face)


def odds(rules: Rules, roll: Roll, bid: Bid) -> Fraction:
    """The probability that a bid is true given the own dice, before anybody has bid: a binomial tail.

    Of the n dice of the others each matches with probability m / S, so P(true) is the sum over k from quantity - own
    matching dice of C(n, k) m^k (S - m)^(n - k) / S^n. Exact. Cost: a step a die.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(odds(rules("common", 6, (2, 2)), (3, 5), Bid(2, 3)))
    '11/36'
    """
    unknown, matching = sum(rules.dice) - len(roll), matching_faces(rules, bid.face)
    missing = max(0, bid.quantity - rules.matching(roll, bid.face))
    ways = sum(comb(unknown, k) * matching**k * (rules.sides - matching) ** (unknown - k) for k in range(missing, unknown + 1))
    return Fraction(ways, rules.sides**unknown)

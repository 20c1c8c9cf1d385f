"""The probability that at least k unknown dice match: exact binomial tails, and the page's normal approximation.

The page is mu-zhao/Liars_dice, wiki page "Zero Intelligence"; "section" in these files means its headings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from liarsdice_cli.extensive.number import Number

TailProbabilities = Callable[[int, Fraction], tuple[Number, ...]]
"""Number of dice and match probability -> P(X >= k) for k = 0, 1, ..., dice + 1; the first is 1, the last is 0."""


def normal_cdf(z: float) -> float:
    """Return Phi(z) = P(X <= z) for the standard normal X, with the full relative precision of floats in the lower tail.

    >>> normal_cdf(0.0), round(normal_cdf(-1.96), 4)
    (0.5, 0.025)
    """
    return math.erfc(-z / math.sqrt(2)) / 2


@cache
def binomial(dice: int, chance: Fraction) -> tuple[Number, ...]:
    """Return P(X >= k) for X ~ B(dice, chance), exact: the sum over j >= k of C(n, j) p^j (1 - p)^(n - j).

    Section "Calculate p": "a more accurate result by using the binomial distribution".

    dice   : n, 0 or more
    chance : p, a fraction from 0 to 1

    Cost: n operations on integers of about n digits.

    >>> [str(tail) for tail in binomial(2, Fraction(1, 3))]
    ['1', '5/9', '1/9', '0']
    """
    one, whole = chance.numerator, chance.denominator
    tails, total = [Fraction(0)], 0
    for matching in range(dice, -1, -1):
        total += math.comb(dice, matching) * one**matching * (whole - one) ** (dice - matching)
        tails.append(Fraction(total, whole**dice))
    return tuple(reversed(tails))


@cache
def normal(dice: int, chance: Fraction) -> tuple[Number, ...]:
    """Return approximately P(X >= k) for X ~ B(dice, chance): 1 - Phi((k - 1/2 - n p) / sqrt(n p (1 - p))); certain events stay
    exact.

    Section "General Idea". The half is the correction for continuity: X >= k if the normal variable is above k - 1/2.

    >>> [round(float(tail), 3) for tail in normal(2, Fraction(1, 3))]
    [1.0, 0.599, 0.106, 0.0]
    """
    deviation = math.sqrt(dice * chance * (1 - chance))
    if not deviation:
        return binomial(dice, chance)
    between = (normal_cdf((float(dice * chance) + 0.5 - matching) / deviation) for matching in range(1, dice + 1))
    return (1.0, *between, 0.0)


def at_least(quantity: int, dice: int, chance: Fraction, tails: TailProbabilities = binomial) -> Number:
    """Return P(X >= quantity): 1 for a quantity of 0 or less, 0 for one above the number of dice.

    >>> str(at_least(1, 2, Fraction(1, 3))), at_least(-4, 2, Fraction(1, 3)) == 1, at_least(3, 2, Fraction(1, 3)) == 0
    ('5/9', True, True)
    """
    return tails(dice, chance)[min(max(quantity, 0), dice + 1)]

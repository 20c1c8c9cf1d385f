"""Exact and inexact numbers as text: fractions as "p/q", floats as JSON numbers."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from typing import Any, overload

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.text import approximate

_LONGEST = 100_000
"""The most characters of a number in a file: the common divisor of two numbers of 50,000 digits takes a quarter of a second."""
_AT_ONCE = 4000
"""The most digits that are read at once; Python refuses more than 4,300."""
_EXPONENT = re.compile("(?<=[0-9.])[eE][+-]?[0-9]{1,3}$")
"""An exponent whose number has at most a thousand digits more."""


@overload
def encoded(number: Number) -> str | float: ...
@overload
def encoded(number: Number | None) -> str | float | None: ...
def encoded(number: Number | None) -> str | float | None:
    """Return a number for JSON: "4/9" if it is exact, a JSON number if it is a float.

    >>> encoded(Fraction(4, 9)), encoded(0.25)
    ('4/9', 0.25)
    """
    return number if number is None or isinstance(number, float) else exact_text(number)


def decoded(value: Any) -> Number:
    """Return the number that `encoded` or a person wrote ("1/2", 0.5, 1, "1e-5"); LiarsDiceError for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise LiarsDiceError(f'{str(value)[:40]!r} is not a number: give 0.5 or a fraction in quotes such as "1/2"')
    if isinstance(value, float):
        return value
    text = str(value)
    _check_length(text)
    try:
        if not text.isascii() or set(_EXPONENT.sub("", text)) & set("eE_"):
            raise ValueError
        return Fraction(text) if len(text) <= _AT_ONCE else Fraction(*map(_whole, text.split("/", 1)))
    except (ValueError, ZeroDivisionError) as error:
        raise LiarsDiceError(f'{text[:40]!r} is not a number: give 0.5 or a fraction in quotes such as "1/2"') from error


def kept(number: Number) -> str | float:
    """Return a number for a file as `encoded` does; LiarsDiceError for one that is too long for `decoded`."""
    found = encoded(number)
    _check_length(str(found))
    return found


def _check_length(text: str) -> None:
    if len(text) > _LONGEST:
        raise LiarsDiceError(
            f"a number has {len(text):,} characters, more than the {_LONGEST:,} that a file may have: round it"
        )


def _whole(text: str) -> int:
    """Return the number that digits write, of any length, faster than in quadratic time; ValueError for other texts."""
    if len(text) <= _AT_ONCE:
        return int(text)
    if not text.removeprefix("-").isdecimal():
        raise ValueError("not a whole number")
    half = len(text) // 2
    shift: int = 10**half
    sign = -1 if text[0] == "-" else 1
    return _whole(text[:-half]) * shift + sign * _whole(text[-half:])


def shown(number: Number | None, longest: int = 20) -> str:
    """Return a number for a person: a fraction, or its decimal value if it is long; a float in six digits.

    longest : the most characters of a fraction that is shown in full

    >>> shown(Fraction(4, 9)), shown(1 / 3), shown(Fraction(123456789, 987654321987)), shown(None)
    ('4/9', '0.333333', '0.000125 (exact in --json)', '-')
    """
    if number is None:
        return "-"
    if isinstance(number, float):
        return f"{number:.6g}"
    text = exact_text(number)
    return text if len(text) <= longest else f"{approximate(number)} (exact in --json)"


def outward(number: Number, direction: int, digits: int = 10) -> str:
    """Return a bound in some digits, rounded so that it still holds.

    direction : 1 for an upper bound, -1 for a lower one

    >>> outward(Fraction(2, 9), 1), outward(Fraction(2, 9), -1), outward(0.25, 1), outward(-1e-9 / 3, 1, digits=2)
    ('0.2222222223', '0.2222222222', '0.25', '-3.3e-10')
    """
    exact = Fraction(number)
    rounding = ROUND_CEILING if direction > 0 else ROUND_FLOOR
    rounded = Context(prec=digits, rounding=rounding).divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return f"{float(rounded):.{digits}g}" if abs(rounded) < Decimal(10) ** 300 else f"{rounded:.{digits}g}"


def down(number: Fraction) -> float:
    """Return the largest float that is not above a fraction.

    >>> down(Fraction(1, 4)), Fraction(down(Fraction(1, 3))) < Fraction(1, 3) < Fraction(up(Fraction(1, 3)))
    (0.25, True)
    """
    near = float(number)
    return near if Fraction(near) <= number else nextafter(near, -inf)


def up(number: Fraction) -> float:
    """Return the smallest float that is not below a fraction."""
    return -down(-number)


def shown_between(lower: Number, upper: Number, digits: int = 6) -> str:
    """Return bounds as text, rounded outwards, so that the shown interval still contains the proved one.

    >>> shown_between(0.27480518, 0.27480747), shown_between(Fraction(1, 3), Fraction(1, 3))
    ('0.274805 .. 0.274808', '1/3')
    """
    if isinstance(lower, Fraction) and lower == upper:
        return shown(lower)
    scale = 10**digits
    return " .. ".join(_decimal(end, digits) for end in (floor(Fraction(lower) * scale), ceil(Fraction(upper) * scale)))


def _decimal(number: int, digits: int) -> str:
    """Return a whole number of units 10^-digits as a decimal number, at any length."""
    sign, figures, _ = Decimal(number).as_tuple()
    return f"{Decimal((sign, figures, -digits)):f}"


def exact_text(number: Fraction) -> str:
    """Return the fraction in full, at any length: `str` refuses integers of more than 4,300 digits."""
    whole = number.denominator == 1
    return "/".join(f"{Decimal(part):f}" for part in (number.numerator, number.denominator)[: 1 if whole else 2])

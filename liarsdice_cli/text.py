"""Text that a person types or reads: typed numbers, counts, and untrusted input made safe to print on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from fractions import Fraction

DIE_FACES = "⚀⚁⚂⚃⚄⚅"
"""The signs of the faces of a die, from 1."""
_STEERING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that control a terminal, change the direction of writing or split a line, and show nothing."""
_JOINERS = "\u200c\u200d"
"""Characters between letters of some scripts and between parts of emoji, where they belong to the spelling."""
_NO_XML = "\ufffe\uffff"
"""Characters that no XML file may hold, besides controls and surrogates."""

_BRIEF = 20
"""The most digits of a number that a message writes in full."""
_SINGULARS = (("ies", "y"), ("ches", "ch"), ("dice", "die"), ("s", ""), ("", ""))
"""Endings of plural nouns, and what stands there in the singular."""


def whole(text: str) -> int:
    """Return the whole number that a person typed: digits from 0 to 9, perhaps with a sign; ValueError for anything else.

    Python's own `int` also accepts 1_0 and the digits of every script.

    >>> whole("10"), whole(" -3")
    (10, -3)
    """
    digits = text.strip()
    if not digits.isascii() or not digits.removeprefix("-").removeprefix("+").isdigit():
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(digits)


def decimal(text: str) -> float:
    """Return the number that a person typed, such as 0.5 or 1e-6; ValueError for anything else.

    Python's own `float` also accepts 1_0 and the digits of every script.

    >>> decimal("1e-6"), decimal(" .5")
    (1e-06, 0.5)
    """
    if not text.isascii() or "_" in text:
        raise ValueError(f"{text[:40]!r} is not a number")
    return float(text)


def counted(number: int) -> str:
    """Return a count with commas between thousands, or in powers of ten if it is too long to read.

    >>> counted(4947802324957), counted(2**400)
    ('4,947,802,324,957', 'about 2.58e+120')
    """
    if number < 10**30:
        return f"{number:,}"
    from decimal import Decimal

    exponent = Decimal(number).adjusted()
    return f"about {number // 10 ** (exponent - 2) / 100:.2f}e+{exponent}"


def approximate(number: Fraction | float) -> str:
    """Return six digits of a number, which may be too large or too small for a float.

    >>> approximate(2 / 3), approximate(10**400)
    ('0.666667', '1.00000e+400')
    """
    if isinstance(number, float):
        return f"{number:.6g}"
    try:
        near = float(number)
        if near or not number:
            return f"{near:.6g}"
    except OverflowError:
        pass
    from decimal import Decimal

    return f"{Decimal(number.numerator) / Decimal(number.denominator):.6g}"


def brief(value: object, written: Callable[[object], str] = str) -> str:
    """Return a value for a message: a long exact number in six digits, all else as `written` writes it.

    Python refuses to write whole numbers of more than 4,300 digits.

    >>> brief(12), brief(10**5000), brief("auto", repr)
    ('12', '1.00000e+5000', "'auto'")
    """
    from fractions import Fraction

    if isinstance(value, int | Fraction) and max(abs(value.numerator), value.denominator) >= 10**_BRIEF:
        return approximate(value)
    return written(value)


def numbered(count: int, nouns: str) -> str:
    """Return a number of things, as `counted` writes it; the noun is given in the plural.

    >>> numbered(1, "betting histories"), numbered(1, "dice"), numbered(1, "matches"), numbered(1000, "nodes")
    ('1 betting history', '1 die', '1 match', '1,000 nodes')
    """
    if count == 1:
        ending, singular = next(one for one in _SINGULARS if nouns.endswith(one[0]))
        nouns = nouns.removesuffix(ending) + singular
    return f"{counted(count)} {nouns}"


def comma_list(numbers: Iterable[int]) -> str:
    """Return numbers as a person types them, such as those of dice.

    >>> comma_list((2, 1))
    '2,1'
    """
    return ",".join(map(str, numbers))


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it, in two digits.

    >>> duration(0.3), duration(100), duration(40_000), duration(1e6)
    ('0.3 s', '100 s', '11 h', '12 days')
    """
    for unit, most, name in ((1, 120, "s"), (60, 120, "min"), (3600, 48, "h")):
        if seconds < most * unit:
            return f"{seconds / unit:.2g} {name}" if seconds < 99 * unit else f"{seconds / unit:.0f} {name}"
    return f"{seconds / 86400:,.0f} days"


def printable(text: str, most: int | None = None) -> str:
    """Return untrusted text as one line that cannot control the terminal.

    Control characters (ESC, BEL, C1 such as U+009B, newlines), characters that change the direction of writing, line separators
    and lone surrogates are written as Python escapes. All other text, of any language, stays unchanged.

    most : the greatest length; a longer text loses its middle

    >>> printable("a\\x1b[31m\\n\\u202eb é"), printable("0123456789", 7)
    ('a\\\\x1b[31m\\\\n\\\\u202eb é', '01...89')
    """
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else _shown(letter) for letter in text)
    if most is None or len(text) <= most:
        return text
    tail = (most - 3) // 2
    return f"{text[: most - 3 - tail]}...{text[len(text) - tail :]}"


def without_controls(text: str) -> str:
    """Return text as a picture can show it: a space for every character that controls something.

    >>> without_controls("a\\nb\\u202ec")
    'a b c'
    """
    if text.isprintable():
        return text
    return "".join(" " if _steers(letter) or letter in _NO_XML else letter for letter in text)


def quoted(text: str, most: int = 80) -> str:
    """Return part of an input for a message: in quotes, on one line, and not too long.

    >>> print(quoted("a\\tb"))
    'a\\tb'
    """
    return f"'{printable(text, most)}'"


def _shown(letter: str) -> str:
    return letter.encode("unicode_escape").decode() if _steers(letter) else letter


def _steers(letter: str) -> bool:
    return letter not in _JOINERS and category(letter) in _STEERING

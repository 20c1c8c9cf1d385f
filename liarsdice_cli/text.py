"""Text that a person typed or reads: numbers that were typed, counts, and input of any origin on one safe line."""

from __future__ import annotations

from unicodedata import category

_STEERING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that steer a terminal or the direction of writing, or split a line, and show nothing."""
_JOINERS = "\u200c\u200d"
"""Between letters of some scripts and parts of emoji, where they belong to the spelling."""


def whole(text: str) -> int:
    """The whole number that a person typed: digits from 0 to 9, perhaps with a sign; ValueError for anything else.

    Python's own `int` takes 1_0 and the digits of every script for numbers too.

    >>> whole("10"), whole(" -3")
    (10, -3)
    """
    digits = text.strip()
    if not digits.isascii() or not digits.removeprefix("-").removeprefix("+").isdigit():
        raise ValueError(f"{text[:40]!r} is no whole number")
    return int(digits)


def decimal(text: str) -> float:
    """The number that a person typed, such as 0.5 or 1e-6; ValueError for anything else.

    Python's own `float` takes 1_0 and the digits of every script for numbers too.

    >>> decimal("1e-6"), decimal(" .5")
    (1e-06, 0.5)
    """
    if not text.isascii() or "_" in text:
        raise ValueError(f"{text[:40]!r} is no number")
    return float(text)


def counted(number: int) -> str:
    """A count with thousands apart, in powers of ten where it is too long to read.

    >>> counted(4947802324957), counted(2**400)
    ('4,947,802,324,957', 'about 2.58e+120')
    """
    if number < 10**30:
        return f"{number:,}"
    from decimal import Decimal

    exponent = Decimal(number).adjusted()
    return f"about {number // 10 ** (exponent - 2) / 100:.2f}e+{exponent}"


def printable(text: str, most: int | None = None) -> str:
    """A text of any origin as one line that does nothing to a terminal: what would steer it or split the line is escaped.

    Control characters (ESC, BEL, C1 such as U+009B, newlines), formatting ones (those that turn the direction of writing),
    line separators and lone surrogates are shown as Python writes them; all other text of any language stays as it is.

    most : of a longer text the middle is left out

    >>> printable("a\\x1b[31m\\n\\u202eb é"), printable("0123456789", 7)
    ('a\\\\x1b[31m\\\\n\\\\u202eb é', '01...89')
    """
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else _shown(letter) for letter in text)
    if most is None or len(text) <= most:
        return text
    tail = (most - 3) // 2
    return f"{text[: most - 3 - tail]}...{text[len(text) - tail :]}"


def quoted(text: str, most: int = 80) -> str:
    """A piece of some input for a message: in quotes, on one line, and not too long.

    >>> print(quoted("a\\tb"))
    'a\\tb'
    """
    return f"'{printable(text, most)}'"


def _shown(letter: str) -> str:
    if letter in _JOINERS or category(letter) not in _STEERING:
        return letter
    return letter.encode("unicode_escape").decode()

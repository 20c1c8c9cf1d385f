"""The errors that a person can cause: each is one line that names the cause and what to do next.

The command line prints the message and ends with the class's `exit_code`; nothing else in the project decides on exit codes
(`docs/command-line.md` lists them).
"""

from __future__ import annotations


class LiarsDiceError(Exception):
    """A problem with a game, a file or a request that the person who asked can mend."""

    exit_code = 1


class UsageError(LiarsDiceError):
    """The request itself is impossible: options that contradict each other or rules that describe no game."""

    exit_code = 2


class TimeLimitError(LiarsDiceError):
    """The work was stopped at the time limit that the person set."""

    exit_code = 3


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

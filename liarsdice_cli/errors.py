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


def counted(number: int) -> str:
    """A count with thousands apart, in powers of ten where it is too long to read.

    >>> counted(4947802324957), counted(2**400)
    ('4,947,802,324,957', 'about 2.58e+120')
    """
    if number < 10**30:
        return f"{number:,}"
    exponent = len(str(number)) - 1
    return f"about {number // 10 ** (exponent - 2) / 100:.2f}e+{exponent}"

"""The errors that a person can cause: each is one line that names the cause and what to do next.

The command line prints the message and ends with the class's `exit_code`; nothing else in the project decides on exit codes
(`docs/command-line.md` lists them). The library speaks Python: where a message names an argument, it holds an `Argument`, and
the command line puts the option of that name in its place (`cli/wording`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any, NamedTuple
from unicodedata import category


class Argument(NamedTuple):
    """An argument of the library, perhaps with a value, in the message of an error.

    >>> str(Argument("dice")), str(Argument("method", "auto"))
    ('dice', "method='auto'")
    """

    name: str
    value: object = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value!r}"


def listed(arguments: Mapping[str, object]) -> list[str | Argument]:
    """Arguments with their values as parts of a message.

    >>> "".join(map(str, listed({"sides": 3, "dice": (2, 1)})))
    'sides=3 dice=(2, 1)'
    """
    parts: list[str | Argument] = [" "] * (2 * len(arguments) - 1)
    parts[::2] = [Argument(name, value) for name, value in arguments.items()]
    return parts


_STEERING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that steer a terminal or the direction of writing, or split a line, and show nothing."""
_JOINERS = "\u200c\u200d"
"""Between letters of some scripts and parts of emoji, where they belong to the spelling."""


class LiarsDiceError(Exception):
    """A problem with a game, a file or a request that the person who asked can mend.

    It is made of the parts of its message: text, and an `Argument` wherever one is named.

    >>> str(LiarsDiceError("600 nodes: lower ", Argument("sides"), " or ", Argument("dice")))
    '600 nodes: lower sides or dice'
    """

    exit_code = 1

    def __init__(self, *parts: str | Argument) -> None:
        super().__init__(*parts)

    @property
    def parts(self) -> tuple[str | Argument, ...]:
        """What the message is made of; to put words around it, give them to another error with these."""
        return self.args

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


class UsageError(LiarsDiceError):
    """The request itself is impossible: options that contradict each other or rules that describe no game."""

    exit_code = 2


class ArgumentError(UsageError):
    """A value that an argument cannot have, and the cure: what is wrong with it, or what to give.

    >>> str(ArgumentError("sides", 0, "give a number from 1 to 100"))
    'sides=0: give a number from 1 to 100'
    """

    def __init__(self, name: str, value: object, *cure: str | Argument) -> None:
        Exception.__init__(self, name, value, *cure)  # as they were given, so that it can be sent to another process

    @property
    def argument(self) -> Argument:
        """The argument with its value."""
        return Argument(*self.args[:2])

    @property
    def parts(self) -> tuple[str | Argument, ...]:
        """See `LiarsDiceError`."""
        return self.argument, ": ", *self.args[2:]


def check_type(name: str, value: object, kinds: type | UnionType, cure: str) -> None:
    """Raise UsageError, with the cure, if an argument of the library is not of these types.

    >>> check_type("rules", "classic", dict, "give rules")
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.UsageError: rules is of the type str: give rules
    """
    if not isinstance(value, kinds):
        raise UsageError(Argument(name), f" is of the type {type(value).__name__}: {cure}")


def check_function(name: str, value: object, cure: str) -> None:
    """Raise UsageError, with the cure, if an argument of the library cannot be called."""
    if not callable(value):
        raise UsageError(Argument(name), f" is of the type {type(value).__name__}: {cure}")


def checked_items(name: str, values: object, kinds: type | UnionType, cure: str) -> tuple[Any, ...]:
    """Return the items of an argument of the library; raise UsageError unless it holds items, all of these types.

    A text is not taken for a sequence of letters.

    >>> checked_items("heaps", [3, 4], int, "give whole numbers"), checked_items("heaps", "34", int, "give whole numbers")
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.UsageError: heaps is of the type str: give whole numbers
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UsageError(Argument(name), f" is of the type {type(values).__name__}: {cure}")
    items = tuple(values)
    for item in items:
        if not isinstance(item, kinds):
            raise UsageError(Argument(name), f" holds an item of the type {type(item).__name__}: {cure}")
    return items


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

"""The errors that a person can cause: each is one line that names the cause and what to do next.

The command line prints the message and ends with the class's `exit_code`; nothing else in the project decides on exit codes
(`docs/command-line.md` lists them). The library speaks Python: where a message names an argument, it holds an `Argument`, and
the command line puts the option of that name in its place (`cli/wording`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from types import UnionType
from typing import Any, NamedTuple

from liarsdice_cli.text import brief


class Argument(NamedTuple):
    """An argument of the library, perhaps with a value, in the message of an error.

    >>> str(Argument("dice")), str(Argument("method", "auto"))
    ('dice', "method='auto'")
    """

    name: str
    value: object = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={brief(self.value, repr)}"


def listed(arguments: Mapping[str, object]) -> list[str | Argument]:
    """Return arguments with their values as parts of a message.

    >>> "".join(map(str, listed({"sides": 3, "dice": (2, 1)})))
    'sides=3 dice=(2, 1)'
    """
    parts: list[str | Argument] = [" "] * (2 * len(arguments) - 1)
    parts[::2] = [Argument(name, value) for name, value in arguments.items()]
    return parts


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
        """The parts of the message; pass them to another error to put words around them."""
        return self.args

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


class UsageError(LiarsDiceError):
    """The request itself is impossible: options that contradict each other or rules that describe no game."""

    exit_code = 2


class ArgumentError(UsageError):
    """A value that an argument cannot have: the error says what is wrong with it, or what to give.

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
        """The parts of the message: the argument, then the cure."""
        return self.argument, ": ", *self.args[2:]


def check_type(name: str, value: object, kinds: type | UnionType, cure: str) -> None:
    """Raise UsageError, with the cure, if an argument of the library is not of these types; True and False are not numbers.

    >>> check_type("rules", "classic", dict, "give rules")
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.UsageError: rules is of the type str: give rules
    """
    if not _is_a(value, kinds):
        raise UsageError(Argument(name), f" is of the type {type(value).__name__}: {cure}")


def _is_a(value: object, kinds: type | UnionType) -> bool:
    """Return whether a value is of these types. A flag is not a number, although Python's `bool` derives from `int`."""
    return isinstance(value, kinds) and not (isinstance(value, bool) and isinstance(0, kinds))


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
        if not _is_a(item, kinds):
            raise UsageError(Argument(name), f" holds an item of the type {type(item).__name__}: {cure}")
    return items


def check_number(name: str, value: object, least: int, *, optional: bool = True) -> None:
    """Raise UsageError unless the value is a whole number of `least` or more, or None if it is optional.

    >>> check_number("rounds", 0, 1)
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.ArgumentError: rounds=0: give a whole number of 1 or more
    """
    cure = f"give a whole number of {least} or more"
    if value is None and optional:
        return
    check_type(name, value, Integral, cure + _or_left_out(optional))
    number: Any = value
    if number < least:
        raise ArgumentError(name, value, cure)


def check_time_limit(seconds: object, *, optional: bool = True) -> None:
    """Raise UsageError unless the argument `time_limit` is a number above 0, or None if it is optional. NaN is no such number.

    >>> check_time_limit(0)
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.ArgumentError: time_limit=0: give a number above 0
    """
    if seconds is None and optional:
        return
    cure = "give a number above 0"
    check_type("time_limit", seconds, Real, cure + _or_left_out(optional))
    number: Any = seconds
    if not number > 0:
        raise ArgumentError("time_limit", seconds, cure)


def _or_left_out(optional: bool) -> str:
    return ", or leave it out" if optional else ""


def check_within(name: str, value: int, most: int) -> None:
    """Raise ArgumentError unless the value is a whole number from 1 to `most`."""
    if not (is_whole(value) and 1 <= value <= most):
        raise ArgumentError(name, value, f"give a number from 1 to {most}")


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; True and False are not."""
    return _is_a(value, Integral)


def check_flags(*, optional: bool = False, **flags: object) -> None:
    """Raise UsageError unless every named value is True or False, or None if they are optional.

    >>> check_flags(misere="no")
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.UsageError: misere is of the type str: give True or False
    """
    for name, value in flags.items():
        check_type(name, value, bool | None if optional else bool, "give True or False" + _or_left_out(optional))


def check_one_of(name: str, value: str, choices: Iterable[str]) -> None:
    """Raise ArgumentError unless the value is one of the choices."""
    choices = tuple(choices)  # a dictionary raises TypeError for a value without a hash
    if value not in choices:
        raise ArgumentError(name, value, f"choose from {', '.join(choices)}")


class TimeLimitError(LiarsDiceError):
    """The work stopped at the time limit that the person set."""

    exit_code = 3

"""Locks as text: one line for each information set, with its probabilities."""

from __future__ import annotations

from fractions import Fraction

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.formats import files
from liarsdice_cli.formats.numbers import decoded
from liarsdice_cli.formats.tables import parsed_lines
from liarsdice_cli.text import brief, quoted

EXAMPLE = "P2 roll 3 after 1x5: call 1/2, 2x3 1/2"


def parsed(text: str) -> LockedSet:
    """Return the lock in a line: the set, a colon, and actions with their probabilities; UsageError for any other text.

    >>> parsed("P2 roll 3 after 1x5: call 1")
    LockedSet(name='P2 roll 3 after 1x5', probabilities=(('call', Fraction(1, 1)),))
    """
    name, colon, pairs = text.rpartition(":")
    if not colon or not name.strip():
        raise UsageError(f"lock {quoted(text)}: write an information set, a colon and its actions, as in {EXAMPLE!r}")
    return LockedSet(" ".join(name.split()), tuple(_pair(name, pair) for pair in pairs.split(",")))


def _pair(name: str, pair: str) -> tuple[str, Fraction]:
    action, _, number = pair.strip().rpartition(" ")
    words = moves(action)  # quotes are not needed, but may stand around a name with blanks as they do in a history
    try:
        return words[0] if len(words) == 1 else action.strip(), Fraction(decoded(number))
    except LiarsDiceError as error:
        wrong = f"lock at {quoted(name)}: {quoted(pair.strip())} is not an action with its probability, as in {EXAMPLE!r}"
        raise UsageError(wrong) from error


def line(one: LockedSet) -> str:
    """Return the line of a lock for a person, without the actions of probability 0.

    >>> line(LockedSet("P2 roll 1 after 1x1", (("call", Fraction(1, 2)), ("1x2", Fraction(0)), ("2x1", Fraction(1, 2)))))
    'P2 roll 1 after 1x1: call 1/2, 2x1 1/2'
    """
    return f"{one.name}: {', '.join(f'{action} {brief(number)}' for action, number in one.probabilities if number)}"


def read(name: str) -> tuple[LockedSet, ...]:
    """Return the locks in a file, one on each line; empty lines and comments (#) are ignored. Raises LiarsDiceError."""
    found = tuple(parsed_lines(name, parsed))
    if not found:
        raise LiarsDiceError(f"{files.shown(name)} has no locks: write one lock on each line, as in {EXAMPLE!r}")
    return found

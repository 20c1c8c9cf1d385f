"""The worst case of Zero Intelligence at many levels."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.specs import NORMAL, ZERO_INTELLIGENCE, policy
from liarsdice_cli.bots.zero_intelligence.levels import LevelRange, steps
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.formats.numbers import decoded, exact_text
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tail_probabilities import binomial, normal
from liarsdice_cli.studies.worst_case import WorstCase, worst_case
from liarsdice_cli.system.cluster import Cluster
from liarsdice_cli.system.tasks import in_order
from liarsdice_cli.text import counted, printable

MOST = 1000
"""Levels that a sweep may have."""


class Exploited(NamedTuple):
    """A bot and its worst case; in a sweep over all levels, also the levels with the same play."""

    bot: Policy
    levels: LevelRange | None
    worst: WorstCase


def best(found: Sequence[Exploited]) -> Exploited:
    """Return the first of those whose worst case is the best in the mean."""
    return max(found, key=lambda one: one.worst.mean)


def levels_of(spec: str, sweep: str, rules: Rules) -> Iterator[tuple[Policy, LevelRange | None]]:
    """Yield a bot for every level of a sweep; for all levels, also the levels with the same play.

    sweep : "all", or levels such as "0.05..0.95:0.05"

    Raises UsageError for a sweep that names no levels, and for one over a bot that has none.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [bot.name for bot, _ in levels_of("zero-intelligence", "1/4..1:1/4", rules("ones-low"))][:2]
    ['zero-intelligence:0.25', 'zero-intelligence:0.5']
    """
    if spec not in (ZERO_INTELLIGENCE, f"{ZERO_INTELLIGENCE}:{NORMAL}"):
        raise UsageError(f"a sweep is over the levels of {ZERO_INTELLIGENCE}: name it without a level, not {spec}")
    if sweep == "all":
        tails = binomial if spec == ZERO_INTELLIGENCE else normal
        yield from ((policy(f"{spec}:{step.level}"), step) for step in steps(rules, tails))
    else:
        yield from ((policy(f"{spec}:{_written(level)}"), None) for level in levels(sweep))


def exploited(
    swept: Iterable[tuple[Policy, LevelRange | None]], rules: Rules, place: Cluster | None
) -> Generator[Exploited, None, None]:
    """Yield the worst case of every bot that `levels_of` yields, in order.

    place : the cluster whose workers compute them, each on one thread; None for this process
    """
    return in_order(place, partial(_exploited, rules), swept)


def _exploited(rules: Rules, one: tuple[Policy, LevelRange | None]) -> Exploited:
    return Exploited(*one, worst_case(one[0], rules, threads=1))


def levels(text: str) -> list[Fraction]:
    """Return the levels from the first to the last, in steps: "0.05..0.95:0.05". UsageError for anything else.

    >>> [str(level) for level in levels("0.1..0.5:0.2")]
    ['1/10', '3/10', '1/2']
    """
    given = Argument("sweep", printable(text, 80))
    wrong = UsageError(given, ": write all, or a range such as 0.05..0.95:0.05, above 0 and at most 1")
    ends, _, width = text.partition(":")
    try:
        first, last, step = (Fraction(decoded(part)) for part in (*ends.split(".."), width))
    except (LiarsDiceError, ValueError) as error:
        raise wrong from error
    if not (0 < first <= last <= 1 and step > 0):
        raise wrong
    count = int((last - first) / step) + 1
    if count > MOST:
        raise UsageError(given, f" has {counted(count)} levels, above {MOST:,}: give wider steps, or all")
    return [first + number * step for number in range(count)]


def _written(number: Fraction) -> str:
    """Return a number as a decimal if it is one, otherwise as a fraction."""
    text = f"{float(number):.12g}"
    return text if "e" not in text and Fraction(text) == number else exact_text(number)

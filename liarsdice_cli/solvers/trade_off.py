"""The edge between what is won against one opponent and what is left against any.

A strategy has a payoff `against` the opponent's known strategy, and a least payoff against anybody, its `worst`. The pairs that
can be had, and worse ones, are a convex set; its edge is a concave line with finitely many corners. Two corners name the mean
that likes both as well: if no strategy is better for it, nothing bends between them; else what is found is a point above their
line, with which this is done again on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from liarsdice_cli.extensive.number import Number


class Pair(Protocol):
    """A strategy by what it gets."""

    @property
    def against(self) -> Number:
        """The payoff against the known strategy."""

    @property
    def worst(self) -> Number:
        """The least payoff against anybody."""


_Pair = TypeVar("_Pair", bound=Pair)


def corners(
    best: Callable[[Number], _Pair],
    safest: _Pair,
    boldest: _Pair,
    worst: Number | None = None,
    close: float = 0,
    rounds: int = -1,
) -> list[_Pair]:
    """The corners of the edge from one end to the other, in order; those that are found if it is only approximate.

    best   : a strategy that is best for the mean of `against`, with this weight, and `worst`, with what is left to 1
    worst  : if given, only what lies around this much of it is looked for
    close  : how far a point has to lie above a line, in the mean, to be looked at
    rounds : how often lines are divided; without an end if less than 0
    """
    return bends([safest, *_between(best, safest, boldest, worst, close, rounds), boldest])


def _between(
    best: Callable[[Number], _Pair], one: _Pair, other: _Pair, worst: Number | None, close: float, rounds: int
) -> Iterator[_Pair]:
    """What lies above the line from one corner to a bolder one."""
    gained, lost = other.against - one.against, one.worst - other.worst
    if rounds == 0 or gained <= 0 or lost <= 0 or (worst is not None and not other.worst <= worst <= one.worst):
        return
    weight = lost / (gained + lost)
    found = best(weight)
    if _mean(found, weight) <= _mean(one, weight) + close:
        return
    yield from _between(best, one, found, worst, close, rounds - 1)
    yield found
    yield from _between(best, found, other, worst, close, rounds - 1)


def _mean(one: Pair, weight: Number) -> Number:
    return weight * one.against + (1 - weight) * one.worst


def bends(found: Sequence[_Pair]) -> list[_Pair]:
    """Of points from the safest to the boldest, those at which their edge bends: none that others make as good or better."""
    line: list[_Pair] = []
    for one in found:
        if line and one.against <= line[-1].against:
            continue
        while line and line[-1].worst <= one.worst:
            line.pop()
        while len(line) > 1 and rise(line[-2], line[-1]) <= rise(line[-1], one):
            line.pop()
        line.append(one)
    return line


def rise(one: Pair, other: Pair) -> Number:
    """What is won for each unit that is risked, from a corner to a bolder one."""
    return (other.against - one.against) / (one.worst - other.worst)


def around(line: Sequence[_Pair], worst: Number) -> tuple[_Pair, _Pair, Number]:
    """The corners on either side of so much in the worst case, and the share of the second one in what has just that.

    The safest corner alone where less is asked for than there is, and the boldest where it has more than that.
    """
    place = max((number for number, one in enumerate(line) if one.worst >= worst), default=0)
    if place == len(line) - 1 or line[place].worst <= worst:
        return line[place], line[place], worst * 0
    one, other = line[place], line[place + 1]
    return one, other, (one.worst - worst) / (one.worst - other.worst)

"""The frontier of restricted Nash responses: the payoff against a known opponent and the payoff in the worst case.

A strategy has a payoff `against` the opponent's known strategy and a `worst` payoff against a best-responding opponent. The
attainable pairs and all worse ones form a convex set with a concave frontier of finitely many corners. Two neighbouring
corners have equal value under one weighted mean of both payoffs. If no strategy has a higher value, the frontier between them
is a straight line. Otherwise the best strategy is a point above that line, and the search continues on both sides of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from liarsdice_cli.extensive.number import Number


class Pair(Protocol):
    """A strategy with its two payoffs."""

    @property
    def against(self) -> Number:
        """The payoff against the known strategy."""

    @property
    def worst(self) -> Number:
        """The payoff against a best-responding opponent."""


_Pair = TypeVar("_Pair", bound=Pair)


def corners(
    best: Callable[[Number], _Pair],
    safest: _Pair,
    boldest: _Pair,
    worst: Number | None = None,
    close: float = 0,
    rounds: int = -1,
) -> list[_Pair]:
    """Return the corners of the frontier in order, from the safest to the boldest strategy.

    best   : returns a strategy that maximises the mean of `against`, with this weight, and `worst`, with the rest to 1
    worst  : if given, only the corners around this worst payoff are searched
    close  : the least height of a point above a line, in the mean, to count as a corner
    rounds : the depth to which lines are divided; unlimited if negative
    """
    return bends([safest, *_between(best, safest, boldest, worst, close, rounds), boldest])


def _between(
    best: Callable[[Number], _Pair], one: _Pair, other: _Pair, worst: Number | None, close: float, rounds: int
) -> Iterator[_Pair]:
    """Yield the corners above the line from one corner to a bolder one."""
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
    """Return the corners of the frontier of these points, which run from the safest to the boldest."""
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
    """Return the gain per unit of risk from a corner to a bolder one."""
    return (other.against - one.against) / (one.worst - other.worst)


def around(line: Sequence[_Pair], worst: Number) -> tuple[_Pair, _Pair, Number]:
    """Return the corners on both sides of a worst payoff, and the weight of the second in the mixture that attains it.

    If the payoff is outside the frontier, both are the safest or the boldest corner.
    """
    place = max((number for number, one in enumerate(line) if one.worst >= worst), default=0)
    if place == len(line) - 1 or line[place].worst <= worst:
        return line[place], line[place], worst * 0
    one, other = line[place], line[place + 1]
    return one, other, (one.worst - worst) / (one.worst - other.worst)

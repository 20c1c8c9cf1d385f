"""The frontier of restricted Nash responses: how much a strategy gains from one opponent for the risk it takes.

A strategy's gain is its payoff against the opponent's known strategy, and its worst case is its least payoff against any
opponent. The pairs that strategies can have, and all pairs below them, form a convex set. Its edge is a concave line with
finitely many corners. Two corners define the weighted mean for which both are equally good. If no strategy is better for
that mean, the edge is straight between them. Otherwise the better strategy is a new point above the line, and the search
continues at both sides of it.

Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.progress import SILENT, Progress

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Response(Generic[S]):
    """A restricted Nash response: a strategy that maximises weight * gain + (1 - weight) * worst_case.

    weight     : the probability that the opponent is locked to the known strategy
    gain       : the payoff against the known strategy
    worst_case : the least payoff against any opponent
    ceiling    : an upper bound on that mean, for every strategy
    """

    weight: Number
    gain: Number
    worst_case: Number
    ceiling: Number
    strategy: S

    def mean(self, weight: Number) -> Number:
        """Return the mean of the gain, with this weight, and the worst case."""
        return weight * self.gain + (1 - weight) * self.worst_case

    @property
    def is_proved(self) -> bool:
        """Whether no strategy is better for the mean, in exact fractions."""
        return isinstance(self.ceiling, Fraction) and self.ceiling == self.mean(self.weight)


class Backend(Protocol[S]):
    """Compute restricted Nash responses of one player to one known strategy of the opponent.

    player    : who responds, from 0
    ends      : the weights of the safest and of the boldest response
    tolerance : how far a response has to lie above a line, in the mean, to count as a corner
    depth     : how often a line is divided; no limit if None
    """

    player: int
    ends: tuple[Number, Number]
    tolerance: Number
    depth: int | None

    @property
    def value(self) -> tuple[Number, Number]:
        """Bounds on the value of the game for the player; equal if it is known exactly."""

    def respond(self, weight: Number) -> Response[S]:
        """Return the response if the opponent is locked with this probability, from 0 to 1."""

    def mix(self, one: S, other: S, share: Number) -> S:
        """Return the mixture that plays the other strategy with probability `share`, drawn before the game."""


@dataclass(frozen=True, eq=False)
class FrontierPoint(Generic[S]):
    """A strategy on the frontier, or close below it.

    risk       : the value of the game less the worst case
    gain       : the payoff against the known strategy
    worst_case : the least payoff against any opponent
    limit      : an upper bound on the gain of any strategy with the same worst case; the gain itself if that is proved
    """

    risk: Number
    gain: Number
    worst_case: Number
    limit: Number
    strategy: S

    def map(self, convert: Callable[[S], T]) -> FrontierPoint[T]:
        """Return the same point with the strategy converted."""
        return FrontierPoint(self.risk, self.gain, self.worst_case, self.limit, convert(self.strategy))


@dataclass(frozen=True, eq=False)
class Frontier(Generic[S]):
    """The frontier of one player.

    player  : who responds, from 0
    value   : bounds on the value of the game for that player
    points  : from the safest to the boldest; a mixture of two neighbours has every risk between theirs
    chosen  : the point with the largest gain up to the risk that was asked for, or None
    exact   : whether the points are corners of the frontier, proved in exact fractions
    rounded : whether the known strategy had to be rounded to fractions
    """

    player: int
    value: tuple[Number, Number]
    points: tuple[FrontierPoint[S], ...]
    chosen: FrontierPoint[S] | None
    exact: bool
    rounded: bool = False

    def map(self, convert: Callable[[S], T]) -> Frontier[T]:
        """Return the same frontier with every strategy converted."""
        points = tuple(point.map(convert) for point in self.points)
        chosen = None if self.chosen is None else self.chosen.map(convert)
        return Frontier(self.player, self.value, points, chosen, self.exact, self.rounded)


def frontier(backend: Backend[S], max_risk: Fraction | None = None, progress: Progress = SILENT) -> Frontier[S]:
    """Return the frontier, or the part of it around a risk, with the point that has this risk as `chosen`.

    progress : counts the responses

    If even the safest point has a larger risk than `max_risk`, that point is chosen. Cost: a response for every corner and for
    every line between two corners.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.solvers.exact.restricted_nash import ExactResponses
    >>> game = tree.build(rules.rules("common", 2))
    >>> sizes = enumerate(zip(game.infosets.player.tolist(), game.action_counts.tolist()))
    >>> uniform = {row: (Fraction(1, size),) * size for row, (player, size) in sizes if player == 0}
    >>> [(str(point.risk), str(point.gain)) for point in frontier(ExactResponses(game, 1, uniform)).points]
    [('0', '23/32'), ('1/4', '35/48')]
    """
    search = _Search(backend, progress)
    safest, boldest = map(search.respond, backend.ends)
    least = None if max_risk is None else max(backend.value[1] - max_risk, boldest.worst_case)
    line = corners([safest, *search.between(safest, boldest, least, backend.depth), boldest])
    return Frontier(
        backend.player,
        backend.value,
        tuple(search.point(one) for one in line),
        None if least is None else search.chosen(line, least),
        exact=all(one.is_proved for one in search.found),
    )


class _Search(Generic[S]):
    """The responses that a backend has found, with the limits that all of them together prove."""

    def __init__(self, backend: Backend[S], progress: Progress) -> None:
        self.backend, self.progress = backend, progress
        self.found: list[Response[S]] = []

    def respond(self, weight: Number) -> Response[S]:
        self.found.append(self.backend.respond(weight))
        self.progress.advance()
        return self.found[-1]

    def between(self, one: Response[S], other: Response[S], least: Number | None, depth: int | None) -> Iterator[Response[S]]:
        """Yield the responses above the line from one point to a bolder one.

        With `least`, only those around this worst case, and those that are better than an end. A response with weight 0 ignores
        its gain, and one with weight 1 its worst case, so another one may have the same worst case and more gain, or the
        same gain and a better worst case.
        """
        gained, lost = other.gain - one.gain, one.worst_case - other.worst_case
        if depth == 0 or gained <= 0 or lost <= 0:
            return
        if least is not None and not other.worst_case <= least <= one.worst_case and one.weight > 0 and other.weight < 1:
            return
        weight, deeper = lost / (gained + lost), None if depth is None else depth - 1
        found = self.respond(weight)
        if found.mean(weight) <= one.mean(weight) + self.backend.tolerance:
            return
        yield from self.between(one, found, least, deeper)
        yield found
        yield from self.between(found, other, least, deeper)

    def point(self, one: Response[S]) -> FrontierPoint[S]:
        return self._point(one.gain, one.worst_case, one.strategy)

    def chosen(self, line: Sequence[Response[S]], least: Number) -> FrontierPoint[S]:
        """Return the point with the worst case `least`, whose payoffs are means because a mixture's are."""
        one, other, share = neighbours(line, least)
        if one is other:
            return self.point(one)
        gain, worst_case = (
            (1 - share) * first + share * second
            for first, second in ((one.gain, other.gain), (one.worst_case, other.worst_case))
        )
        return self._point(gain, worst_case, self.backend.mix(one.strategy, other.strategy, share))

    def _point(self, gain: Number, worst_case: Number, strategy: S) -> FrontierPoint[S]:
        limits = ((one.ceiling - (1 - one.weight) * worst_case) / one.weight for one in self.found if one.weight)
        risk = max(self.backend.value[1] - worst_case, Fraction(0))  # below 0 only by the rounding of floats
        return FrontierPoint(risk, gain, worst_case, min(limits), strategy)


P = TypeVar("P", Response[Any], FrontierPoint[Any])


def corners(found: Sequence[P]) -> list[P]:
    """Return the corners of the concave line through points from the safest to the boldest, without the points below it."""
    line: list[P] = []
    for one in found:
        if line and one.gain <= line[-1].gain:
            continue
        while line and line[-1].worst_case <= one.worst_case:
            line.pop()
        while len(line) > 1 and slope(line[-2], line[-1]) <= slope(line[-1], one):
            line.pop()
        line.append(one)
    return line


def slope(one: P, other: P) -> Number:
    """Return the gain for each unit of risk, from a corner to a bolder one."""
    return (other.gain - one.gain) / (one.worst_case - other.worst_case)


def neighbours(line: Sequence[P], worst_case: Number) -> tuple[P, P, Number]:
    """Return the corners at either side of a worst case, and the share of the second one in the mixture that has just that.

    Both are the same corner if the worst case is that of a corner or beyond the ends of the line.
    """
    place = max((number for number, one in enumerate(line) if one.worst_case >= worst_case), default=0)
    if place == len(line) - 1 or line[place].worst_case <= worst_case:
        return line[place], line[place], worst_case * 0
    one, other = line[place], line[place + 1]
    return one, other, (one.worst_case - worst_case) / (one.worst_case - other.worst_case)

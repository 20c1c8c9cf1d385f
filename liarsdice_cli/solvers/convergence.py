"""Iterating until it is good enough: the loop around every regret minimiser, with bounds, limits and reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf
from typing import Protocol

from liarsdice_cli.errors import UsageError

TARGET = 1e-3
"""The exploitability that is good enough if a person names no limit."""
_SHARE = 0.1
"""The part of the time that may go into bounds."""
_APART, _LONGEST = 0.05, 10.0
"""How long at least from bounds to bounds: this part of the time so far, but not more than so many seconds."""


@dataclass(frozen=True)
class Bounds:
    """Where player 1's payoff in equilibrium lies, proved by best responses to a strategy of each player.

    lower : what player 1's strategy wins against the best response to it
    upper : what the best response to player 2's strategy wins
    """

    lower: float
    upper: float

    @property
    def exploitability(self) -> float:
        """(regret of 1 + regret of 2) / 2 of the two strategies: half the distance of the bounds."""
        return (self.upper - self.lower) / 2

    def tightened(self, other: Bounds) -> Bounds:
        """Both at once: a bound that one strategy has proved holds for the game."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))


class Iterative(Protocol):
    """A solver that gets better step by step."""

    iteration: int

    def iterate(self) -> None:
        """One step."""

    def bounds(self) -> Bounds:
        """What the strategies so far prove."""


@dataclass(frozen=True)
class Limits:
    """When to stop, at the first that is met.

    target     : exploitability of the strategies
    iterations : in all, those of a checkpoint included
    seconds    : of this run
    """

    target: float | None = None
    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.target is not None and not self.target > 0:
            raise UsageError(f"--target is {self.target}: give an exploitability above 0, such as 1e-3; 0 is never reached")

    def filled(self) -> Limits:
        """With the usual target where a person named nothing."""
        named = self.target is not None or self.iterations is not None or self.seconds is not None
        return self if named else Limits(target=TARGET)


@dataclass(frozen=True)
class Moment:
    """The state at one computation of bounds.

    bounds  : of the strategies then
    proved  : the best of this and all earlier bounds
    seconds : since the run began
    """

    iteration: int
    seconds: float
    bounds: Bounds
    proved: Bounds


@dataclass(frozen=True)
class Course:
    """How a run went: its moments, and what ended it: 'target', 'iterations', 'time' or 'interrupt'."""

    moments: tuple[Moment, ...]
    ended: str

    @property
    def last(self) -> Moment:
        """The moment that the strategies belong to."""
        return self.moments[-1]


def run(
    solver: Iterative,
    limits: Limits,
    on_moment: Callable[[Moment], None] = lambda moment: None,
    on_iteration: Callable[[int], None] = lambda iteration: None,
) -> Course:
    """Iterate until a limit is met, or Ctrl-C; bounds are computed now and then, in about a tenth of the time, and at the end.

    An interrupt within an iteration leaves it half done: the strategies are sound all the same, and so are their bounds.
    """
    limits = limits.filled()
    begun = time.monotonic()
    moments: list[Moment] = []
    deadline = begun + (inf if limits.seconds is None else limits.seconds)
    due, slowest, ended = 0.0, 0.0, ""

    def look() -> float:
        started = time.monotonic()
        bounds = solver.bounds()
        proved = moments[-1].proved.tightened(bounds) if moments else bounds
        moments.append(Moment(solver.iteration, time.monotonic() - begun, bounds, proved))
        on_moment(moments[-1])
        return time.monotonic() - started

    try:
        while not ended:
            if limits.iterations is not None and solver.iteration >= limits.iterations:
                ended = "iterations"
            elif time.monotonic() + slowest > deadline:
                ended = "time"
            elif time.monotonic() >= due:
                cost, now = look(), time.monotonic()
                if len(moments) > 1:  # the first look may have compiled something, and says nothing of the next ones
                    slowest = max(slowest, cost)
                    due = now + max(cost / _SHARE, min(_APART * (now - begun), _LONGEST))
                if limits.target is not None and moments[-1].bounds.exploitability <= limits.target:
                    return Course(tuple(moments), "target")
            if not ended:
                solver.iterate()
                on_iteration(solver.iteration)
    except KeyboardInterrupt:
        ended = "interrupt"
    if not moments or moments[-1].iteration < solver.iteration:
        look()
        if ended != "interrupt" and limits.target is not None and moments[-1].bounds.exploitability <= limits.target:
            ended = "target"
    return Course(tuple(moments), ended)


def estimate(moments: list[Moment], target: float) -> float | None:
    """Seconds that may be left to a target, from how fast exploitability fell with time lately; None while it is unknown.

    Exploitability falls about as a power of time: the line through the last moments and the one at half their time, in
    logarithms.
    """
    from math import log

    if len(moments) < 3:
        return None
    now = moments[-1]
    before = next((moment for moment in reversed(moments) if moment.seconds < now.seconds / 2), moments[0])
    if not 0 < before.seconds < now.seconds or now.bounds.exploitability >= before.bounds.exploitability:
        return None
    slope = log(before.bounds.exploitability / now.bounds.exploitability) / log(now.seconds / before.seconds)
    if now.bounds.exploitability <= target:
        return 0.0
    exponent = log(now.bounds.exploitability / target) / slope
    return None if exponent > 20 else ceil(now.seconds * (2.718281828**exponent - 1))

"""Iterating until it is good enough: the loop around every regret minimiser, with bounds, limits and reports."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Protocol

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.system import interrupts

TARGET = 1e-3
"""The exploitability that is good enough if a person names no limit, in units of the range of payoffs."""
_ROUNDING = 1e-9
"""By how much, relative to the payoffs, rounding can make true bounds contradict each other."""
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

    def tightened(self, other: Proof) -> Proof:
        """Both at once: a bound that one strategy has proved holds for the game."""
        assert isinstance(other, Bounds), "of the same game"
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def contradicts(self, other: Proof) -> bool:
        """Whether both cannot be true, rounding aside: one's lower bound is above the other's upper bound.

        >>> Bounds(0.25, 0.5).contradicts(Bounds(0.5, 0.75)), Bounds(0.25, 0.5).contradicts(Bounds(0.75, 1.0))
        (False, True)
        """
        assert isinstance(other, Bounds), "of the same game"
        apart = max(self.lower, other.lower) - min(self.upper, other.upper)
        return apart > _ROUNDING * max(1.0, abs(self.lower), abs(self.upper))


class PassingBounds(Bounds):
    """Bounds on the value of a game that changes on the way, as where errors are made at histories that have grown."""

    def tightened(self, other: Proof) -> Proof:
        """The other: those of one moment say nothing of another."""
        return other

    def contradicts(self, other: Proof) -> bool:
        """Never, likewise."""
        return False


@dataclass(frozen=True)
class Regrets:
    """What strategies of three or more players prove: no bounds on a value, which such games have not, but an ε-equilibrium.

    payoffs : of every player, under the strategies
    regrets : what every player could gain against the others' strategies
    """

    payoffs: tuple[float, ...]
    regrets: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """The largest regret: the ε of the ε-equilibrium."""
        return max(self.regrets)

    def tightened(self, other: Proof) -> Proof:
        """The other: regrets are those of strategies, and say nothing of the game."""
        return other

    def contradicts(self, other: Proof) -> bool:
        """Never: what other strategies give away is another matter."""
        return False


Proof = Bounds | Regrets
"""What average strategies prove: bounds on the value of a game of two players, the regrets of three or more."""


@dataclass(frozen=True)
class WorkerFacts:
    """How a worker in another process does.

    machine, process   : where it runs
    shards, histories  : what it holds
    bytes              : the memory of that
    seconds            : of the processor in the last iteration
    """

    machine: str
    process: int
    shards: int
    histories: int
    bytes: int
    seconds: float


class Iterative(Protocol):
    """A solver that gets better step by step.

    iteration : how many steps are done
    short     : whether it has no more memory to get much better with
    """

    iteration: int
    short: bool

    @property
    def workers(self) -> tuple[WorkerFacts, ...]:
        """How its workers do, if it has any."""

    def iterate(self, stop: Callable[[], bool]) -> None:
        """One step, or the rest of one that was stopped; `stop` is asked within a long one."""

    def bounds(self) -> Proof:
        """What the strategies so far prove."""


@dataclass(frozen=True)
class Limits:
    """When to stop, at the first that is met; without any only at an interrupt.

    target     : exploitability of the strategies
    iterations : in all, those of a checkpoint included
    seconds    : of this run
    every      : the iterations from one computation of bounds to the next, so that a run ends at the same iteration on any
                 machine; where it is left out, bounds are computed in about a tenth of the time
    """

    target: float | None = None
    iterations: int | None = None
    seconds: float | None = None
    every: int | None = None

    def __post_init__(self) -> None:
        if self.target is not None and not self.target > 0:
            raise ArgumentError("target", self.target, "give an exploitability above 0, such as 1e-3; 0 is never reached")


def above_rounding(limits: Limits, rounding_error: float) -> None:
    """Refuse a target that rounding hides, as no bounds could ever show that it is met: UsageError."""
    if limits.target is not None and limits.target <= rounding_error:
        raise ArgumentError(
            "target",
            f"{limits.target:.3g}",
            f"rounding hides exploitabilities below {rounding_error:.2g} in this game; give more, or ",
            Argument("iterations"),
            " or ",
            Argument("time_limit"),
            " alone",
        )


@dataclass(frozen=True)
class Sample:
    """The state at one computation of bounds.

    bounds  : what the strategies prove then
    proved  : for two players the best of this and all earlier bounds
    seconds : since the run began
    workers : how they do, if there are any
    """

    iteration: int
    seconds: float
    bounds: Proof
    proved: Proof
    workers: tuple[WorkerFacts, ...] = ()


@dataclass(frozen=True)
class RunHistory:
    """How a run went: its samples, and what ended it: 'target', 'iterations', 'time', 'memory' or 'interrupt'."""

    samples: tuple[Sample, ...]
    ended: str

    @property
    def last(self) -> Sample:
        """The sample that the strategies belong to."""
        return self.samples[-1]


def run(
    solver: Iterative,
    limits: Limits,
    on_sample: Callable[[Sample], None] = lambda sample: None,
    on_iteration: Callable[[RunHistory], None] = lambda so_far: None,
    earlier: Proof | None = None,
) -> RunHistory:
    """Iterate until a limit is met, or Ctrl-C; bounds are computed now and then, in about a tenth of the time, and at the end.

    on_sample    : called with each new computation of bounds
    on_iteration : called after every iteration with the history so far
    earlier      : what a run that this one continues has proved; LiarsDiceError where the bounds contradict that

    Ctrl-C or SIGTERM (in the main thread) ends the run within the iteration that is under way; a second one ends it at
    once, and all is lost. A solver that is short of memory ends it too, unless a time or a number of iterations is given.
    """
    looking = _Looking(solver, limits, on_sample, earlier)
    deadline = looking.begun + (inf if limits.seconds is None else limits.seconds)
    ended = ""
    with interrupts.recorded() as came:

        def late() -> bool:
            return time.monotonic() + looking.slowest > deadline

        while not ended:
            if looking.is_due():
                looking.look()
                if looking.reached:
                    ended = "target"
                    break
            if came:
                ended = "interrupt"
            elif limits.iterations is not None and solver.iteration >= limits.iterations:
                ended = "iterations"
            elif late():
                ended = "time"
            elif solver.short and limits.iterations is None and limits.seconds is None:
                ended = "memory"
            else:
                looking.fresh = False
                solver.iterate(lambda: bool(came) or late())
                on_iteration(RunHistory(tuple(looking.samples), ""))
        if not looking.fresh:
            looking.look()
    late_target = looking.reached and limits.every is None  # a target that only an interrupt or a clock showed
    return RunHistory(tuple(looking.samples), "target" if late_target else ended)


class _Looking:
    """The bounds of a run, which are computed now and then, in about a tenth of the time; the rest as `run` gets it.

    fresh   : whether the last sample is of the strategies as they are now
    due     : when the next one is
    slowest : how long one has taken
    """

    def __init__(self, solver: Iterative, limits: Limits, told: Callable[[Sample], None], earlier: Proof | None) -> None:
        self.solver, self.limits, self.told, self.earlier = solver, limits, told, earlier
        self.begun, self.due, self.slowest = time.monotonic(), 0.0, 0.0
        self.samples: list[Sample] = []
        self.fresh = False

    @property
    def reached(self) -> bool:
        """Whether the last sample is at the target."""
        return self.limits.target is not None and self.samples[-1].bounds.exploitability <= self.limits.target

    def is_due(self) -> bool:
        """Return whether bounds are to be computed now."""
        if self.limits.every is None:
            return time.monotonic() >= self.due
        looked = self.samples[-1].iteration if self.samples else None
        return looked != self.solver.iteration and self.solver.iteration % self.limits.every == 0

    def look(self) -> None:
        """Compute bounds, and tell them."""
        started = time.monotonic()
        bounds = self.solver.bounds()
        if self.earlier:
            _refuse_untrue(self.earlier, bounds)
        before = self.samples[-1].proved if self.samples else self.earlier
        proved = before.tightened(bounds) if before else bounds
        self.samples.append(Sample(self.solver.iteration, time.monotonic() - self.begun, bounds, proved, self.solver.workers))
        now = time.monotonic()
        if len(self.samples) > 1:  # the first one may have compiled the code
            cost = now - started
            self.slowest = max(self.slowest, cost)
            self.due = now + max(cost / _SHARE, min(_APART * (now - self.begun), _LONGEST))
        self.fresh = True
        self.told(self.samples[-1])


def _refuse_untrue(earlier: Proof, now: Proof) -> None:
    """Raise LiarsDiceError where what a checkpoint says was proved contradicts what is computed now."""
    if earlier.contradicts(now):
        assert isinstance(earlier, Bounds), "regrets contradict nothing"
        assert isinstance(now, Bounds), "of the same game"
        raise LiarsDiceError(
            f"the checkpoint's bounds, {earlier.lower:.6g} to {earlier.upper:.6g}, contradict those computed now, "
            f"{now.lower:.6g} to {now.upper:.6g}: nothing has proved them; start without ",
            Argument("resume"),
        )


def estimate(samples: Sequence[Sample], target: float) -> float | None:
    """Seconds that may be left to a target; None while that cannot be said.

    Exploitability falls about as a power of time; the power is that between the last sample and the one at half its time.
    """
    if len(samples) < 3:
        return None
    now = samples[-1]
    before = next((sample for sample in reversed(samples) if sample.seconds < now.seconds / 2), samples[0])
    fallen = before.bounds.exploitability / now.bounds.exploitability
    if not 0 < before.seconds < now.seconds or fallen <= 1:
        return None
    power = log(fallen) / log(now.seconds / before.seconds)
    further = log(max(now.bounds.exploitability / target, 1)) / power
    return now.seconds * (exp(further) - 1) if further < 20 else None

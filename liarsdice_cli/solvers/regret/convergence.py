"""The loop around every regret minimiser: iterations, bounds, limits and reports."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, log
from typing import Protocol

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.system import interrupts

TARGET = 1e-3
"""The default target: exploitability over the range of payoffs."""
_ROUNDING = 1e-9
"""The relative rounding error up to which two bounds do not contradict each other."""
_SHARE = 0.1
"""The largest share of the time for the computation of bounds."""
_APART, _LONGEST = 0.05, 10.0
"""The shortest time between two computations of bounds: this share of the time so far, at most this many seconds."""


@dataclass(frozen=True)
class Bounds:
    """Bounds on player 1's payoff in equilibrium, proved by best responses to a strategy of each player.

    lower : the payoff of player 1's strategy against the best response to it
    upper : the payoff of the best response to player 2's strategy
    """

    lower: float
    upper: float

    @property
    def exploitability(self) -> float:
        """The mean of the two strategies' regrets: half the distance of the bounds."""
        return (self.upper - self.lower) / 2

    @property
    def measure(self) -> float:
        """The number that is compared with the target."""
        return self.exploitability

    def tightened(self, other: Proof) -> Proof:
        """Return the tightest bounds of both: a bound that any strategy proves holds for the game."""
        assert isinstance(other, Bounds), "of the same game"
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def contradicts(self, other: Proof) -> bool:
        """Return whether one's lower bound is above the other's upper bound by more than rounding.

        >>> Bounds(0.25, 0.5).contradicts(Bounds(0.5, 0.75)), Bounds(0.25, 0.5).contradicts(Bounds(0.75, 1.0))
        (False, True)
        """
        assert isinstance(other, Bounds), "of the same game"
        apart = max(self.lower, other.lower) - min(self.upper, other.upper)
        return apart > _ROUNDING * max(1.0, abs(self.lower), abs(self.upper))


class PassingBounds(Bounds):
    """Bounds on the value of a game that changes during the run, such as one with trembles at expanded histories only."""

    def tightened(self, other: Proof) -> Proof:
        """Return the other: bounds from another moment are about another game."""
        return other

    def contradicts(self, other: Proof) -> bool:
        """Return False, for the same reason."""
        return False


@dataclass(frozen=True)
class SequentialBounds(PassingBounds):
    """Bounds on the value of the game, and the largest regret at any history, which the run makes small.

    regret : of both players, in the unit of the payoffs
    """

    regret: float = 0.0

    @property
    def measure(self) -> float:
        """The largest regret, which is compared with the target."""
        return self.regret


@dataclass(frozen=True)
class Regrets:
    """The payoffs and regrets of strategies of three or more players, whose games have no value: an ε-equilibrium.

    payoffs : every player's payoff
    regrets : every player's regret
    """

    payoffs: tuple[float, ...]
    regrets: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """The largest regret: the ε of the ε-equilibrium."""
        return max(self.regrets)

    @property
    def measure(self) -> float:
        """The number that is compared with the target."""
        return self.exploitability

    def tightened(self, other: Proof) -> Proof:
        """Return the other: regrets belong to strategies, not to the game."""
        return other

    def contradicts(self, other: Proof) -> bool:
        """Return False: different strategies have different regrets."""
        return False


Proof = Bounds | Regrets
"""The proof that average strategies give: bounds on the value for two players, regrets for three or more."""


@dataclass(frozen=True)
class WorkerFacts:
    """The state of a worker process.

    machine, process   : its location
    shards, histories  : the numbers of its shards and expanded histories
    bytes              : their memory
    seconds            : processor time in the last iteration
    """

    machine: str
    process: int
    shards: int
    histories: int
    bytes: int
    seconds: float


class Iterative(Protocol):
    """An iterative solver.

    iteration : the number of iterations so far
    short     : whether it lacks the memory for much further progress
    """

    iteration: int
    short: bool

    @property
    def workers(self) -> tuple[WorkerFacts, ...]:
        """The state of its workers, if it has any."""

    def iterate(self, stop: Callable[[], bool]) -> None:
        """Run one iteration, or finish one that was stopped; a long one calls `stop` on the way."""

    def bounds(self) -> Proof:
        """Return what the current strategies prove."""


@dataclass(frozen=True)
class Limits:
    """The limits of a run; the first one that is met ends it. Without limits only an interrupt does.

    target     : exploitability of the strategies
    iterations : total number of iterations, those of a checkpoint included
    seconds    : duration of this run
    every      : iterations from one computation of bounds to the next, so that a run ends at the same iteration on any
                 machine; None computes bounds in about a tenth of the time
    growth     : instead, bounds at the powers of this factor, rounded up: 1, 2, 4, ... for 2
    """

    target: float | None = None
    iterations: int | None = None
    seconds: float | None = None
    every: int | None = None
    growth: float | None = None

    def __post_init__(self) -> None:
        if self.target is not None and not self.target > 0:
            raise ArgumentError("target", self.target, "give an exploitability above 0, such as 1e-3; 0 is never reached")
        if self.target is not None and self.target > sys.float_info.max:
            raise ArgumentError("target", self.target, "give a finite exploitability, such as 1e-3")

    def with_default(self, target: float, rounding_error: float) -> Limits:
        """Return the limits; without any, with this target.

        Raises UsageError for a target below the rounding error, which no bounds could prove.
        """
        limits = self if replace(self, every=None, growth=None) != Limits() else replace(self, target=target)
        if limits.target is not None and limits.target <= rounding_error:
            raise ArgumentError(
                "target",
                f"{limits.target:.3g}",
                f"rounding hides exploitabilities below {rounding_error:.2g} in this game; give more, or only ",
                Argument("iterations"),
                " or ",
                Argument("time_limit"),
            )
        return limits


@dataclass(frozen=True)
class Sample:
    """The state at one computation of bounds.

    bounds  : what the current strategies prove
    proved  : for two players, the tightest bounds so far
    seconds : time since the start of the run
    workers : the state of the workers, if there are any
    """

    iteration: int
    seconds: float
    bounds: Proof
    proved: Proof
    workers: tuple[WorkerFacts, ...] = ()


@dataclass(frozen=True)
class RunHistory:
    """What a run did.

    ended       : the reason of its end: 'target', 'iterations', 'time', 'memory' or 'interrupt'
    interrupted : whether Ctrl-C or SIGTERM came, perhaps at the moment at which a limit was met
    """

    samples: tuple[Sample, ...]
    ended: str
    interrupted: bool = False

    @property
    def last(self) -> Sample:
        """The sample of the final strategies."""
        return self.samples[-1]

    def completed(self) -> RunHistory:
        """Return this history; KeyboardInterrupt if the run was interrupted."""
        if self.interrupted:
            raise KeyboardInterrupt
        return self


def run(
    solver: Iterative,
    limits: Limits,
    progress: Progress = SILENT,
    on_iteration: Callable[[RunHistory], None] = lambda so_far: None,
    earlier: Proof | None = None,
) -> RunHistory:
    """Iterate until a limit is met or Ctrl-C is pressed, and return the history of the run.

    Bounds are computed as `Limits.every` or `Limits.growth` says, and at the end.

    progress     : receives each new sample
    on_iteration : called after every iteration with the history so far
    earlier      : what an earlier run, which this one continues, has proved; bounds that contradict it raise LiarsDiceError

    Ctrl-C or SIGTERM (in the main thread) ends the run within the current iteration; a second one ends it at once, without a
    result. A solver that is short of memory ends it too, unless a time or a number of iterations is given.
    """
    sampling = _Sampling(solver, limits, progress, earlier)
    deadline = sampling.begun + (inf if limits.seconds is None else limits.seconds)
    ended = ""
    with interrupts.recorded() as came:

        def late() -> bool:
            return time.monotonic() + sampling.slowest > deadline

        while not ended:
            if sampling.is_due():
                sampling.sample()
                if sampling.reached:
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
                sampling.fresh = False
                solver.iterate(lambda: bool(came) or late())
                on_iteration(RunHistory(tuple(sampling.samples), ""))
        if not sampling.fresh:
            sampling.sample()
    late_target = sampling.reached and limits.every is None  # a target that only an interrupt or a clock showed
    return RunHistory(tuple(sampling.samples), "target" if late_target else ended, bool(came))


class _Sampling:
    """The samples of a run.

    fresh   : whether the last sample is of the current strategies
    due     : the time of the next sample
    slowest : the longest time of a computation of bounds
    """

    def __init__(self, solver: Iterative, limits: Limits, progress: Progress, earlier: Proof | None) -> None:
        self.solver, self.limits, self.progress, self.earlier = solver, limits, progress, earlier
        self.begun, self.due, self.slowest = time.monotonic(), 0.0, 0.0
        self.samples: list[Sample] = []
        self.fresh = False

    @property
    def reached(self) -> bool:
        """Whether the last sample is at the target."""
        return self.limits.target is not None and self.samples[-1].bounds.measure <= self.limits.target

    def is_due(self) -> bool:
        """Return whether bounds are to be computed now."""
        last = self.samples[-1].iteration if self.samples else None
        if self.limits.growth is not None:
            return last is None or self.solver.iteration >= power_above(self.limits.growth, last)
        if self.limits.every is None:
            return time.monotonic() >= self.due
        return last != self.solver.iteration and self.solver.iteration % self.limits.every == 0

    def sample(self) -> None:
        """Compute bounds and report them."""
        started = time.monotonic()
        bounds = self.solver.bounds()
        if self.earlier:
            _check_consistent(self.earlier, bounds)
        before = self.samples[-1].proved if self.samples else self.earlier
        proved = before.tightened(bounds) if before else bounds
        self.samples.append(Sample(self.solver.iteration, time.monotonic() - self.begun, bounds, proved, self.solver.workers))
        now = time.monotonic()
        if len(self.samples) > 1:  # the first one may have compiled the code
            cost = now - started
            self.slowest = max(self.slowest, cost)
            self.due = now + max(cost / _SHARE, min(_APART * (now - self.begun), _LONGEST))
        self.fresh = True
        self.progress.sample(self.samples[-1], self.limits.target)


def power_above(factor: float, number: int) -> int:
    """Return the smallest power of a factor above 1 that exceeds a whole number, rounded up.

    >>> [power_above(2, number) for number in (0, 1, 2, 3, 4)], [power_above(1.5, number) for number in (1, 2, 3, 4)]
    ([1, 2, 4, 4, 8], [2, 3, 4, 6])
    """
    exponent = max(0, int(log(max(number, 1)) / log(factor)) - 1)
    while ceil(factor**exponent) <= number:
        exponent += 1
    return ceil(factor**exponent)


def _check_consistent(earlier: Proof, now: Proof) -> None:
    """Raise LiarsDiceError if the bounds of a checkpoint contradict new ones."""
    if earlier.contradicts(now):
        assert isinstance(earlier, Bounds), "regrets contradict nothing"
        assert isinstance(now, Bounds), "of the same game"
        raise LiarsDiceError(
            f"the checkpoint's bounds, {earlier.lower:.6g} to {earlier.upper:.6g}, contradict those computed now, "
            f"{now.lower:.6g} to {now.upper:.6g}: they are not proved; name another checkpoint file to start again"
        )


def estimate(samples: Sequence[Sample], target: float) -> float | None:
    """Return an estimate of the seconds to a target; None if the samples do not allow one.

    The number that is compared with the target falls about as a power of time. The power is the one between the last sample and
    the sample at half its time.
    """
    if len(samples) < 3:
        return None
    now = samples[-1]
    before = next((sample for sample in reversed(samples) if sample.seconds < now.seconds / 2), samples[0])
    fallen = before.bounds.measure / now.bounds.measure
    if not 0 < before.seconds < now.seconds or fallen <= 1:
        return None
    power = log(fallen) / log(now.seconds / before.seconds)
    further = log(max(now.bounds.measure / target, 1)) / power
    return now.seconds * (exp(further) - 1) if further < 20 else None

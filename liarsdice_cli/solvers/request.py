"""Requests to solve a game: the method, the limits and the options of methods."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from math import inf
from numbers import Real
from os import PathLike
from typing import Any

from liarsdice_cli.errors import (
    Argument,
    ArgumentError,
    UsageError,
    check_flags,
    check_number,
    check_one_of,
    check_time_limit,
    check_type,
)
from liarsdice_cli.solvers.regret.convergence import Limits

AUTO = "auto"
"""The name that lets the selection rules choose a method."""
ARITHMETICS = RATIONAL, FLOAT = "rational", "float"
FORMS = EXTENSIVE, STRATEGIC, PUBLIC_TREE = "extensive", "strategic", "public tree"
"""Game forms: the game tree; the table of all strategies; the public tree, with private rolls at every history."""
ERRING = (
    "every player errs with probability {:g} at every decision and then acts uniformly at random; the target and the bounds of "
    "the run are for this game, while the regrets below are for the game without errors and show what these errors cost"
)
"""The note of a minimiser that solved a perturbed game."""
QUASI_PERFECT = "quasi-perfect"
"""The name of a refinement and of the method that finds it."""
SEQUENTIAL, MIRROR_DESCENT = "sequential", "mirror-descent"
"""The name of a refinement with a bound on the regret at every history, and of the method that finds it."""
EXACT_NODES = 15_000_000
"""The largest tree, in nodes, that AUTO solves exactly: one to three minutes and 2 GB.

Measured on one core of a busy machine: 0.3 to 0.8 million nodes took 1 to 10 s, 5 to 8 million 10 to 82 s, 13 million 43 to
189 s (`docs/values.csv`).
"""


SMALLEST_FACTOR = 1.01
"""The smallest factor between the iterations of two samples."""


@dataclass(frozen=True)
class Request:
    """How to solve a game; None leaves a choice to the method.

    method          : a name in `registry.methods`, or AUTO
    arithmetic      : RATIONAL or FLOAT
    form            : EXTENSIVE, STRATEGIC or PUBLIC_TREE
    refine          : QUASI_PERFECT, for an equilibrium that stays optimal after mistakes, or SEQUENTIAL, for one with a small
                      regret at every history; AUTO takes the method for it
    time_limit      : seconds
    dealing         : how the tree of rules deals the dice (`rules.DEALINGS`)
    exact_max_nodes : the largest tree, in nodes, that AUTO solves exactly
    selects         : whether the exact method looks for the preferred equilibrium; the value alone does not need it
    max_profiles    : the number of profiles after which Gambit's methods stop

    Options of regret minimisers:

    target        : the exploitability at which it stops, in units of the payoffs; Gambit's methods that approximate take it as
                    the largest regret, and mirror descent as the largest regret at any history
    iterations    : the iteration at which it stops, counted from the start of a checkpoint that is resumed
    tremble       : the probability that a player errs at an information set and acts uniformly at random
    threads       : on the public tree; None for one per processor
    memory        : bytes that the histories of the public tree may fill, on each worker of a cluster, or on the GPU; None for
                    most of the free memory
    cluster       : the workers that hold the public tree, or the GPU (`system.cluster_names`); None for this process
    checkpoint    : the file in which a run on the public tree saves its state regularly and at the end; if the file exists, the
                    run continues from it
    sample_factor : the bounds are computed at the powers of this factor, rounded up; None for a tenth of the time

    >>> Request("dcfr+", target=1e-4).limits.target
    0.0001
    """

    method: str = AUTO
    arithmetic: str | None = None
    form: str | None = None
    refine: str | None = None
    time_limit: float | None = None
    dealing: str = "ordered"
    exact_max_nodes: int = EXACT_NODES
    selects: bool = True
    max_profiles: int | None = None
    target: float | None = None
    iterations: int | None = None
    tremble: float | None = None
    threads: int | None = None
    memory: int | None = None
    cluster: str | None = None
    checkpoint: str | PathLike[str] | None = None
    sample_factor: float | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for a field of another type or out of range, and for an unknown arithmetic or form."""
        for name in ("method", "dealing"):
            check_type(name, getattr(self, name), str, "give its name as text")
        for name in ("arithmetic", "form", "refine", "cluster"):
            check_type(name, getattr(self, name), str | None, "give its name as text, or leave it out")
        check_type("checkpoint", self.checkpoint, str | PathLike | None, "give the name of a file, or leave it out")
        for name in ("target", "tremble", "sample_factor"):
            check_type(name, getattr(self, name), Real | None, "give a number, or leave it out")
        for name in ("iterations", "threads", "memory", "max_profiles"):
            check_number(name, getattr(self, name), 1)
        for name, choices in (("arithmetic", ARITHMETICS), ("form", FORMS)):
            if getattr(self, name) is not None:
                check_one_of(name, getattr(self, name), choices)
        check_flags(selects=self.selects)
        check_time_limit(self.time_limit)
        check_number("exact_max_nodes", self.exact_max_nodes, 0, optional=False)
        if self.sample_factor is not None and not SMALLEST_FACTOR <= self.sample_factor < inf:
            raise ArgumentError("sample_factor", self.sample_factor, f"give {SMALLEST_FACTOR} or more, such as 2")
        if self.tremble is not None:
            if not 0 < self.tremble < 1:
                raise ArgumentError("tremble", self.tremble, "give a probability above 0 and below 1")
            object.__setattr__(self, "tremble", float(self.tremble))  # a fraction does not fit compiled code

    def updated(self, **options: Any) -> Request:
        """Return the request with these options instead of its own; UsageError for unknown options."""
        known = [field.name for field in fields(self)]
        for name in options:
            if name not in known:
                raise UsageError(f"{name} is not an option of a request: leave it out, or choose from {', '.join(known)}")
        return replace(self, **options)

    def check_uses(self, names: Collection[str], purpose: str | Argument) -> None:
        """Raise UsageError for an option that is set, but is not one of those that a purpose uses.

        names   : the options that it uses
        purpose : its name in the message

        >>> Request(threads=2).check_uses(["target", "method"], "a picture")
        Traceback (most recent call last):
        liarsdice_cli.errors.UsageError: threads is not for a picture, which uses only target and method: leave it out
        """
        usual = Request()
        for name, value in vars(self).items():
            if name not in names and value != getattr(usual, name):
                *others, last = map(Argument, names)
                used = [part for one in others for part in (one, ", ")][:-1]
                told = (*used, " and ", last) if used else (last,)
                raise UsageError(Argument(name), " is not for ", purpose, ", which uses only ", *told, ": leave it out")

    @property
    def iterates(self) -> list[str]:
        """The names of the options that are set and that only minimisers have."""
        return self._given("iterations", "tremble", "sample_factor")

    @property
    def for_public_tree(self) -> list[str]:
        """The names of the options that are set and need a public tree."""
        return self._given("threads", "memory", "cluster", "checkpoint")

    def _given(self, *names: str) -> list[str]:
        return [name for name in names if getattr(self, name) is not None]

    @property
    def limits(self) -> Limits:
        """The limits at which a minimiser stops."""
        return Limits(self.target, self.iterations, self.time_limit, growth=self.sample_factor)

"""The value of a game of Liar's Dice for two: exact where that is quick, else enclosed by proved bounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import Counts, build
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.public_tree import memory
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Sample, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

EXACT = "exact"
REFUSED = "refused"
"""The method of a valuation that does not fit into memory."""

_DEALT = "multiset"
_NODE_BYTES = 200
"""Memory that the exact method takes for a node; 80 to 160 bytes were measured, the program of its reduction included."""
_MOST_BIDS = 44
"""Bids up to which arrays are counted at all: above, they would fill 140 TB and more."""


@dataclass(frozen=True)
class Settings:
    """How much work one game is worth.

    target      : the exploitability of a bracket that is good enough
    time_limit  : seconds a game, half of them for the exact method; None for as long as it takes
    exact_nodes : the largest tree, in nodes, that is solved exactly
    threads     : of the public-tree solver; None for one a processor
    """

    target: float = TARGET
    time_limit: float | None = None
    exact_nodes: int = exact.NODES
    threads: int | None = None


@dataclass(frozen=True)
class Valuation:
    """Player 1's payoff in equilibrium, or bounds on it, and where they come from.

    method        : 'exact', the name of a regret minimiser, or 'refused' for a game that is too large for this machine
    lower, upper  : the bounds, proved by best responses; Fractions in rational arithmetic, else floats rounded outwards;
                    None if refused
    seconds       : wall time, all attempts together
    iterations    : of the minimiser, else None
    note          : why there is no better answer, or ""
    """

    rules: Rules
    method: str
    lower: Fraction | float | None
    upper: Fraction | float | None
    seconds: float
    iterations: int | None = None
    note: str = ""

    @property
    def arithmetic(self) -> str | None:
        """'rational' or 'float', None if refused."""
        return None if self.lower is None else "rational" if isinstance(self.lower, Fraction) else "float"

    @property
    def exact(self) -> bool:
        """Whether the value itself is known: both bounds are the same fraction."""
        return isinstance(self.lower, Fraction) and self.lower == self.upper

    @property
    def value(self) -> Fraction | float | None:
        """The value where it is known, else the middle of the bounds."""
        return None if self.lower is None or self.upper is None else (self.lower + self.upper) / 2

    @property
    def exploitability(self) -> Fraction | float | None:
        """(regret of 1 + regret of 2) / 2 of the strategies behind the bounds: half their distance."""
        return None if self.lower is None or self.upper is None else (self.upper - self.lower) / 2

    def seen_by(self, seat: int, total: Fraction) -> tuple[Fraction | float, Fraction | float] | None:
        """The bounds for the player of a seat, from 0, where the payoffs of both add up to the total; None if refused."""
        if self.lower is None or self.upper is None:
            return None
        return (self.lower, self.upper) if seat == 0 else (total - self.upper, total - self.lower)


def value(
    rules: Rules, settings: Settings | None = None, on_sample: Callable[[Sample], None] = lambda sample: None
) -> Valuation:
    """The value of rules for two players to player 1, who opens.

    Bids on more dice than there are, are left out, which changes no value (see `Rules`). The exact method is taken
    for trees of up to `exact_nodes`; where it is not, or does not come to an end, the value is enclosed by regret
    minimisation on the public tree. A game whose arrays do not fit is not tried: its valuation says so.

    on_moment : called at every computation of bounds

    Raises UsageError for another number of players or a target that cannot be met, KeyboardInterrupt on Ctrl-C. Cost: see
    `exact.NODES`; for brackets `solvers.public_tree`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = value(rules("joker", 3, payoffs="zero-sum"))
    >>> found.method, str(found.value), found.exact
    ('exact', '1/3', True)
    """
    settings = settings or Settings()
    if rules.players != 2:
        raise UsageError(f"values are for two players, and the dice {','.join(map(str, rules.dice))} name {rules.players}")
    limits = Limits(settings.target, seconds=settings.time_limit)
    begun = time.monotonic()
    found = _refused(rules) or _exactly(rules, settings)
    if found is None or (found.exploitability or 0) > settings.target:
        spent = time.monotonic() - begun
        left = None if settings.time_limit is None else max(0.0, settings.time_limit - spent)
        found = _enclosed(rules, replace(limits, seconds=left), settings.threads, on_sample)
    return replace(found, seconds=time.monotonic() - begun)


def _refused(rules: Rules) -> Valuation | None:
    """The valuation of a game whose arrays nobody can hold; None for others."""
    bids = rules.without_impossible_bids().bid_count
    if bids <= _MOST_BIDS:
        return None
    return Valuation(
        rules, REFUSED, None, None, 0.0, note=f"{rules}: {bids:,} bids make 2^{bids} histories; take fewer sides or dice"
    )


def _exactly(rules: Rules, settings: Settings) -> Valuation | None:
    """The answer of the exact method, or None where the tree is too large for it or it found none."""
    small = rules.without_impossible_bids()
    nodes = Counts.of(small, _DEALT).nodes
    if nodes > settings.exact_nodes or nodes * _NODE_BYTES > memory.available():
        return None
    limit = None if settings.time_limit is None else settings.time_limit / 2
    try:
        judgement = exact.solve(build(small, _DEALT), limit)[0].judgement
    except (LiarsDiceError, MemoryError):  # out of time, of floats or of memory
        return None
    bounds = judgement.bounds
    return bounds and Valuation(rules, EXACT, Fraction(bounds[0]), Fraction(bounds[1]), 0.0)


def _enclosed(rules: Rules, limits: Limits, threads: int | None, on_sample: Callable[[Sample], None]) -> Valuation:
    """Bounds by the default minimiser, or the refusal of arrays that do not fit."""
    game, chosen = public_game(rules.without_impossible_bids()), minimiser(DEFAULT)
    try:
        memory.check(game, chosen, lambda: "take fewer sides or dice")
    except LiarsDiceError as error:
        return Valuation(rules, REFUSED, None, None, 0.0, note=str(error))
    solver = PublicTree(game, chosen, threads)
    solver.bounds()  # compiles what is not compiled yet, so that no limit counts it
    run_history = run(solver, limits, on_sample)
    if run_history.ended == "interrupt":
        raise KeyboardInterrupt
    proved = run_history.last.proved
    note = "" if run_history.ended == "target" else "stopped at the time limit"
    return Valuation(rules, chosen.name, proved.lower, proved.upper, 0.0, solver.iteration, note)

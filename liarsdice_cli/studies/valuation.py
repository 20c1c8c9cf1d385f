"""The value of a two-player game of Liar's Dice: exact if that is quick, otherwise between proved bounds."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from liarsdice_cli.errors import LiarsDiceError, UsageError, check_one_of
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.games.liarsdice.rules import FEWEST_NODES, Rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.registry import DOUBLE_ORACLE, EXACT, iterates
from liarsdice_cli.solvers.regret.convergence import TARGET, Bounds, Limits
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, MINIMISERS
from liarsdice_cli.solvers.request import AUTO, Request
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.system import memory
from liarsdice_cli.system.cluster import Cluster
from liarsdice_cli.system.tasks import as_done
from liarsdice_cli.text import comma_list

REFUSED = "refused"
"""The method of a valuation that is not tried."""

METHODS = (AUTO, EXACT, DOUBLE_ORACLE, *MINIMISERS)
"""The methods that find a value or bounds on it."""

_MOST_BIDS = 60
"""The number of bids of five dice each and six sides; games with more are left to `solve`."""
_NODE_BYTES = 200
"""Memory that the exact method takes for a node; 80 to 160 bytes were measured, including the program of its reduction."""


_USED = "method", "target", "time_limit", "exact_max_nodes", "threads", "cluster"
"""The options of a request that a value depends on."""
_NOTES = {"time": "stopped at the time limit", "memory": "stopped when memory was full"}


@dataclass(frozen=True)
class Valuation(Renderable):
    """Player 1's payoff in equilibrium, or bounds on it, with their origin: a row of a table of values.

    method        : 'exact', 'double-oracle', the name of a regret minimiser, or 'refused' for a game that is too large for
                    this machine
    lower, upper  : the bounds, proved by best responses; Fractions in rational arithmetic, otherwise floats rounded outwards;
                    None if refused
    seconds       : wall time, all attempts together
    iterations    : the iterations of the minimiser, otherwise None
    note          : the reason why there is no better answer, such as the error of an exact method, or ""
    """

    rules: Rules
    method: str
    lower: Fraction | float | None
    upper: Fraction | float | None
    seconds: float
    iterations: int | None = None
    note: str = ""

    @classmethod
    def of(cls, rules: Rules, solution: Solution) -> Valuation:
        """Return the valuation by a solution, with the best of all bounds that it found.

        Raises LiarsDiceError, with the method's reason, if it has no profile.
        """
        if not solution.solved and solution.note:
            raise LiarsDiceError(solution.note)
        history = solution.run_history
        if history is not None:
            note = _NOTES.get(history.ended, "")
            proved = history.last.proved
            assert isinstance(proved, Bounds), "two players"
            return cls(rules, solution.method, proved.lower, proved.upper, solution.seconds, history.last.iteration, note)
        bounds = solution.best.judgement.bounds
        assert bounds is not None, "two players with constant sum and perfect recall"
        return cls(rules, solution.method, *bounds, solution.seconds)

    def __repr__(self) -> str:
        if self.lower is None or self.upper is None:
            return f"Valuation({self.rules}: {self.method})"
        return f"Valuation({self.rules}: {shown_between(self.lower, self.upper)} by {self.method})"

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
        """The exact value, or the middle of the bounds."""
        return None if self.lower is None or self.upper is None else (self.lower + self.upper) / 2

    @property
    def exploitability(self) -> Fraction | float | None:
        """(regret of 1 + regret of 2) / 2 of the strategies behind the bounds: half their distance."""
        return None if self.lower is None or self.upper is None else (self.upper - self.lower) / 2

    def seen_by(self, seat: int, total: Fraction) -> tuple[Fraction | float, Fraction | float] | None:
        """Return the bounds for the player in a seat, from 0, if the payoffs of both add up to the total; None if refused."""
        if self.lower is None or self.upper is None:
            return None
        return (self.lower, self.upper) if seat == 0 else (total - self.upper, total - self.lower)


def check(request: Request) -> None:
    """Raise UsageError for a method that finds no value, and for an option that is not used."""
    check_one_of("method", request.method, METHODS)
    request.check_uses(_USED, "values")


def value(rules: Rules, request: Request | None = None, progress: Progress = SILENT) -> Valuation:
    """Return the value of two-player rules for player 1, who opens.

    request   : `target` is the exploitability of bounds that are good enough, by default `TARGET`; `time_limit` is for this
                game, half of it for an exact method; `exact_max_nodes` and `threads`; with the `method` EXACT or
                DOUBLE_ORACLE, larger games are solved exactly too, and with a minimiser none is solved exactly
    progress  : receives a sample at every computation of bounds

    Impossible bids are removed, which does not change the value. The exact method solves trees of up to `exact_max_nodes`.
    For larger trees, and if the exact method fails, regret minimisation on the public tree proves bounds. The note then gives
    the reason. If memory runs out, the bounds are those proved until then. Games of more than `_MOST_BIDS` bids are refused.

    Raises UsageError for another number of players or a target that cannot be met, KeyboardInterrupt on Ctrl-C. Cost: see
    `request.EXACT_NODES`; for bounds `solvers.public_tree`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = value(rules("joker", 3, payoffs="zero-sum"))
    >>> found.method, str(found.value), found.exact
    ('exact', '1/3', True)
    """
    request = replace(request or Request(), dealing=FEWEST_NODES)
    if rules.players != 2:
        dice, players = comma_list(rules.dice), rules.players
        raise UsageError(f"values are for two players, but dice {dice} are for {players}: give two numbers, such as 2,1")
    target = TARGET if request.target is None else request.target
    Limits(target)  # refuses a target that cannot be met
    bids = rules.without_impossible_bids().bid_count
    if bids > _MOST_BIDS:
        note = f"{rules}: {bids:,} bids make 2^{bids} histories; give fewer sides or dice"
        return Valuation(rules, REFUSED, None, None, 0.0, note=note)
    begun = time.monotonic()
    found, why = (None, "") if iterates(request.method) else _exactly(rules, request, progress)
    if found is None or (found.exploitability or 0) > target:
        spent = time.monotonic() - begun
        left = None if request.time_limit is None else max(1e-9, request.time_limit - spent)
        method = request.method if iterates(request.method) else DEFAULT
        found = _enclosed(rules, request.updated(method=method, target=target, time_limit=left), progress)
    return replace(found, seconds=time.monotonic() - begun, note="; ".join(filter(None, (why, found.note))))


def values(games: Iterable[Rules], request: Request, place: Cluster) -> Generator[Valuation, None, None]:
    """Yield the values of games as soon as the workers of a cluster find them, each on one thread; see `value`."""
    return as_done(place, partial(value, request=request.updated(threads=1, cluster=None)), games)


def _exactly(rules: Rules, request: Request, progress: Progress) -> tuple[Valuation | None, str]:
    """Return the answer of an exact method or None, with the reason if the answer is not exact.

    The reason is "" for an exact answer and for a tree above `exact_max_nodes`, which is tried only on request.
    """
    small = rules.without_impossible_bids()
    nodes = Problem.of(small, FEWEST_NODES).nodes
    fits = nodes * _NODE_BYTES <= memory.available()
    few = nodes <= request.exact_max_nodes or request.method == EXACT
    if request.method != DOUBLE_ORACLE and not few:
        return None, ""
    if request.method != DOUBLE_ORACLE and not fits:
        return None, f"not solved exactly: it needs {memory.size(nodes * _NODE_BYTES)} of free memory"
    method = EXACT if few and fits else DOUBLE_ORACLE
    limit = None if request.time_limit is None else request.time_limit / 2
    try:
        solution = ladder.solve(small, Request(method, time_limit=limit, dealing=FEWEST_NODES, selects=False), progress)
        found = Valuation.of(rules, solution)
    except MemoryError:
        return None, "not solved exactly: memory is full"
    except LiarsDiceError as error:  # out of time, or floats too rough for a proof
        return None, f"not solved exactly: {error}"
    return found, "" if found.exact else "not solved exactly: the linear program gives bounds only"


def _enclosed(rules: Rules, request: Request, progress: Progress) -> Valuation:
    """Return the bounds by the minimiser that the request names."""
    solution = ladder.solve(rules.without_impossible_bids(), request, progress)
    if solution.interrupted:
        raise KeyboardInterrupt
    return Valuation.of(rules, solution)

"""Exact equilibria of two-player Liar's Dice without a tree, by the double oracle method.

A restricted game allows a few actions at a few histories. Its equilibrium is a linear program of moderate size. Each player's
best response in the whole game yields improving actions, which are allowed in the next round. As soon as neither player has any
in floats, or the bounds in floats meet, the plans of the program are made exact, and the oracles respond to them in integers.
If both best responses win no more than the plans, they are an equilibrium of the whole game. No other profile is called one.

An interior point method solves the programs. Its plans lie amid all optimal ones, where few actions seem to improve that are
not needed in the end. Gondzio, Gonzalez-Brevis and Munari (2013) use it in column generation for this reason: "New
developments in the primal-dual column generation technique", European Journal of Operational Research 224.

Source: Bosansky, Kiekintveld, Lisy and Pechoucek (2014), "An exact double-oracle algorithm for zero-sum extensive-form games
with imperfect information", Journal of Artificial Intelligence Research 51. Here improving actions are collected at every
information set, not only along one best response, so that fewer programs are solved.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import Judgement, scaled
from liarsdice_cli.games.liarsdice.payoffs import payoff_at, total_payoff
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.double_oracle.certifying import JUDGE, of_reach_plans
from liarsdice_cli.solvers.double_oracle.oracle import Oracle, ReachPlan
from liarsdice_cli.solvers.double_oracle.restricted import ActionTriples, RestrictedGame
from liarsdice_cli.solvers.double_oracle.sequences import Sequences
from liarsdice_cli.solvers.double_oracle.showdowns import ShowdownWeights
from liarsdice_cli.solvers.double_oracle.stabilisation import StabilityCentre
from liarsdice_cli.solvers.exact import optimal_face
from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, Proof, Sample, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.listed import ListedStrategy
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import numbered

_MIN_GAIN = 1e-9
"""Least gain in floats, as a probability of winning, of an improving action."""
_CLOSE = 1e-8
"""Difference of the bounds in floats at which a proof is attempted."""
STABILISE_AFTER = 2_000_000
"""Interior point iterations times entries of their programs after which the search restarts with stabilisation: 1 to 2 s."""
_CENTRE_TARGET, _CENTRE_ITERATIONS, _CENTRE_EVERY = 2e-5, 50_000, 20
"""The first stability centre: exploitability as a share of the range of payoffs, most iterations, iterations between bounds.

All of them count work. A clock would let the speed of the machine choose the equilibrium.
"""

_Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class DoubleOracleResult:
    """An exact equilibrium.

    judgement : evaluation in fractions, proved by both best responses
    plans     : the equilibrium in fractions
    strategy  : the equilibrium with probabilities rounded to floats
    rounds    : number of linear programs solved
    histories : number of histories of the last restricted game
    sequences : number of sequences of each player in it
    digits    : most digits of a denominator in the plans
    """

    judgement: Judgement
    plans: ListedStrategy
    strategy: StoredStrategy
    rounds: int
    histories: int
    sequences: tuple[int, int]
    digits: int

    @property
    def facts(self) -> dict[str, Any]:
        """The statistics of the search, for programs."""
        return {name: getattr(self, name) for name in ("rounds", "histories", "sequences", "digits")}

    @property
    def note(self) -> str:
        """The statistics of the search in a sentence."""
        one, two = self.sequences
        return (
            f"{numbered(self.rounds, 'rounds')}, a restricted game of "
            f"{numbered(self.histories, 'histories')} with {one:,} and {two:,} sequences; "
            f"the fractions of its plans have up to {self.digits} digits"
        )


def solve(rules: Rules, progress: Progress = SILENT, time_limit: float | None = None) -> DoubleOracleResult:
    """Return an exact equilibrium of two-player rules; the same one on slow and on fast machines.

    progress   : receives the bounds of every round and iteration
    time_limit : seconds

    Raises TimeLimitError at the time limit, LiarsDiceError if no basis of the program can be made exact, KeyboardInterrupt on
    Ctrl-C. Cost: up to some tens of linear programs, with a row or column for each sequence (docs/double-oracle.csv).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(solve(rules("joker", 3, payoffs="zero-sum")).judgement.payoffs[0])
    '1/3'
    """
    reporter = _Reporter(progress, time.monotonic())
    deadline = inf if time_limit is None else reporter.begun + time_limit
    found = _Search(rules, reporter, deadline).run(STABILISE_AFTER)
    if found is None:
        search = _Search(rules, reporter, deadline)
        search.stabilise(_near_equilibrium(rules, reporter, deadline))
        found = search.run()
    assert found is not None, "without a limit to its work, a search ends with an equilibrium or an error"
    return found


def _near_equilibrium(rules: Rules, reporter: _Reporter, deadline: float) -> StoredStrategy:
    """Return strategies near an equilibrium, by a regret minimiser. Raises TimeLimitError at the deadline."""
    from liarsdice_cli.solvers.public_tree.solver import PublicTree  # imports numba

    solver = PublicTree(public_game(rules), minimiser(DEFAULT), threads=1)
    solver.compile()
    limits = Limits(_CENTRE_TARGET * solver.game.range, _CENTRE_ITERATIONS, deadline - time.monotonic(), _CENTRE_EVERY)
    if run(solver, limits, reporter).completed().ended == "time":
        raise TimeLimitError(
            f"stopped at the time limit, after {numbered(solver.iteration, 'iterations')} towards a stability centre"
        )
    return StoredStrategy(rules, solver.store)


class _Reporter(Progress):
    """Reports the bounds of every round and iteration, and the best bounds proved so far."""

    def __init__(self, progress: Progress, begun: float) -> None:
        self.progress, self.begun = progress, begun
        self.proved: Proof | None = None

    def sample(self, sample: Sample, target: float | None) -> None:
        """Report the bounds of an iteration towards the stability centre."""
        self.bounds(sample.iteration, sample.bounds)

    def bounds(self, number: int, bounds: Proof) -> None:
        """Report the bounds after a number of rounds or iterations."""
        self.proved = bounds if self.proved is None else self.proved.tightened(bounds)
        self.progress.sample(Sample(number, time.monotonic() - self.begun, bounds, self.proved), None)


class _Search:
    """A restricted game that grows until its equilibrium is one of the whole game."""

    def __init__(self, rules: Rules, reporter: _Reporter, deadline: float) -> None:
        self.rules, self.showdowns, self.reporter, self.deadline = rules, ShowdownWeights(rules), reporter, deadline
        self.centre: StabilityCentre | None = None
        self.game = RestrictedGame(self.showdowns)
        self.oracles = Oracle(self.game, 0), Oracle(self.game, 1)

    def stabilise(self, strategy: StoredStrategy) -> None:
        """Begin with a strategy near an equilibrium as stability centre."""
        self.centre = StabilityCentre(self.game, strategy, self.deadline)
        reach_plans = self.centre.reach_plans
        self._learn(reach_plans, self._best_responses(Sequences(self.game), reach_plans)[0])

    def run(self, most_work: float = inf) -> DoubleOracleResult | None:
        """Solve restricted games until an equilibrium is proved; raise TimeLimitError at the deadline.

        most_work : interior point iterations times entries after which the search gives up and returns None
        """
        work = 0
        while work <= most_work:
            sequences = Sequences(self.game)
            program = LinearProgram(sequences.form)
            highs = self._optimum(program)
            work += highs.getInfo().ipm_iteration_count * len(program.entries[0])
            reach_plans = [sequences.reach_plan(player, plan) for player, plan in enumerate(program.float_plans(highs))]
            bounds, improving = self._best_responses(sequences, reach_plans)
            self._report(Bounds(*map(float, bounds)))
            if not len(improving.action) or bounds[1] - bounds[0] < _CLOSE:
                found, improving = self._prove(sequences, program, highs, improving)
                if found is not None:
                    return found
            elif self.centre is not None:
                improving = self._separate(sequences, reach_plans, bounds, improving)
            self.game.allow(improving)
        return None

    def _separate(
        self, sequences: Sequences, reach_plans: list[ReachPlan], bounds: _Pair, improving: ActionTriples
    ) -> ActionTriples:
        """Return the improving actions at the point between the centre and the plans; if it has none, those at the plans."""
        assert self.centre is not None
        between = self.centre.towards(reach_plans)
        nearer, found = self._best_responses(sequences, between)
        self._learn(between, nearer)
        self._learn(reach_plans, bounds)
        return found if len(found.action) else improving

    def _learn(self, reach_plans: list[ReachPlan], bounds: _Pair) -> None:
        if self.centre is not None:
            self.centre.learn(reach_plans, (float(bounds[0]), -float(bounds[1])))

    def _optimum(self, program: LinearProgram) -> Any:
        """Return HiGHS at an optimum, by the simplex method if the interior point method finds none."""
        for attempt in (program.interior_optimum, program.optimum):
            highs = attempt(self.deadline)
            if highs is not None:
                return highs
        raise LiarsDiceError("HiGHS finds no optimum of the linear program, in floats; try ", Argument("method", "dcfr+"))

    def _best_responses(
        self, sequences: Sequences, reach_plans: list[ReachPlan], denominators: tuple[int, int] = (1, 1)
    ) -> tuple[_Pair, ActionTriples]:
        """Return the bounds that plans prove for player 1's payoff, and both players' improving actions.

        denominators : of both plans, if their reach probabilities are integers
        """
        wins, improving = [], []
        for player, oracle in enumerate(self.oracles):
            reach_plan, exact = reach_plans[1 - player], reach_plans[1 - player].reach.dtype == object
            whole = denominators[1 - player] * self.showdowns.total * (sequences.whole if exact else 1)
            response = oracle.respond(reach_plan)
            least = 0 if exact else _MIN_GAIN * self.showdowns.total
            improving.append(oracle.improving(reach_plan, response, sequences.arriving[player], least))
            wins.append(Fraction(int(response.wins), whole) if exact else Fraction(float(response.wins) / whole))
        best = [payoff_at(self.rules, won) for won in wins]
        return (self._constant - best[1], best[0]), ActionTriples(*map(np.concatenate, zip(*improving, strict=True)))

    @property
    def _constant(self) -> Fraction:
        return total_payoff(self.rules)

    def _prove(
        self, sequences: Sequences, program: LinearProgram, highs: Any, improving: ActionTriples
    ) -> tuple[DoubleOracleResult | None, ActionTriples]:
        """Return the equilibrium if exact plans of the program are one; otherwise None and the improving actions.

        improving : actions that improve in floats

        Raises LiarsDiceError if no action improves, but no plans are sound in exact arithmetic.
        """
        for plans in self._exact_plans(program, highs, vertices=not len(improving.action)):
            (one, below), (two, under) = map(scaled, plans)
            (lower, upper), more = self._best_responses(
                sequences, [sequences.reach_plan(0, one), sequences.reach_plan(1, two)], (below, under)
            )
            if lower == upper:
                return self._result(sequences, plans, upper), more
            if len(more.action):
                return None, ActionTriples(*map(np.concatenate, zip(improving, more, strict=True)))
        if len(improving.action):
            return None, improving
        raise LiarsDiceError("no plans of the linear program are sound in exact arithmetic; try ", Argument("method", "dcfr+"))

    def _exact_plans(self, program: LinearProgram, highs: Any, vertices: bool) -> Iterator[Plans]:
        """Yield exact plans near the end of the interior point method; with `vertices`, then those of two vertices."""
        plans = optimal_face.exact_plans(program, highs)
        if plans is not None:
            yield plans
        for presolve in (True, False) if vertices else ():
            ended = program.optimum(self.deadline, presolve)
            plans = None if ended is None else program.exact_plans(ended)
            if plans is not None:
                yield plans

    def _report(self, bounds: Bounds) -> None:
        if time.monotonic() > self.deadline:
            raise TimeLimitError(f"stopped at the time limit, after {numbered(self.game.round, 'rounds')}")
        self.reporter.bounds(self.game.round, bounds)

    def _result(self, sequences: Sequences, plans: Plans, value: Fraction) -> DoubleOracleResult:
        payoffs, none = (value, self._constant - value), Fraction(0)
        judgement = Judgement(payoffs, payoffs, (none, none), self._constant, exact=True, judge=JUDGE)
        reach_plans = sequences.reach_plan(0, plans[0]), sequences.reach_plan(1, plans[1])
        listed = of_reach_plans(self.game, reach_plans)
        longest = max(number.denominator for plan in plans for number in map(Fraction, plan.tolist()))
        one, two = (side.sequences for side in sequences.form.sides)
        return DoubleOracleResult(
            judgement, listed, expanded(listed), self.game.round, self.game.size, (one, two), len(f"{Decimal(longest):f}")
        )

"""The linear program of a perturbed game, and the exact plans at its optimum as polynomials in the tremble.

In the perturbed game a player must give every sequence of k own actions a weight of at least ε^k. Let r(ε) and s(ε) be these
least weights, x and y the realization plans, and q the values of player 2's information sets. The program is

    maximise q_0 + s(ε)·a   subject to   A' x - F' q - a = 0,   E x = e,   x >= r(ε),   a >= 0.

Here a is the cost of every sequence of player 2 compared with a best one. The dual values of the first rows, with opposite
signs, are y. The tremble occurs only in the bounds and in the objective, so one basis is optimal for all small trembles. The
weights are polynomials in ε, and their coefficients solve linear systems with the same matrix. Without trembles, r = s = 0,
this is the program of `linear_program`.

`preferred_plan` chooses among several optimal plans by a second objective. By complementary slackness x is optimal if and only
if it gives only the tremble to sequences that have a cost against y, and no sequence that y plays above its tremble has a cost.
So the optimal plans are the solutions of the same program with other sign constraints.

Source: Miltersen and Sorensen (2010), "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42;
Farina, Gatti and Sandholm (2018), "Practical exact algorithm for trembling-hand equilibrium refinements in games".
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.evaluate import scaled
from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.solvers.exact.basis import Basis, Signs
from liarsdice_cli.solvers.exact.iterative_refinement import FixedPoint, IterativeRefinement
from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix

_ZERO, _ONE = Fraction(0), Fraction(1)
ANY_BITS = 10
"""The argument `bits` for programs without trembles, which do not depend on it."""


class Slack(NamedTuple):
    """The conditions of complementary slackness on both players' sequences, one entry a sequence.

    above : for each player, the sequences that an optimal plan gives more than their tremble
    best  : for each player, the sequences without a cost against the other player's optimal plan
    """

    above: tuple[Bools, Bools]
    best: tuple[Bools, Bools]


class PerturbedProgram:
    """The program of a sequence form, perturbed or not.

    Columns: the sequences of player 1 (weights above the tremble), then q_0 and the sets of player 2, then the sequences of
    player 2 (their costs). Rows: the sequences of player 2, then the empty sequence and the sets of player 1.

    degree : the degree of the weights as polynomials in ε; 0 without trembles
    """

    def __init__(self, form: SequenceForm, trembles: bool = True) -> None:
        self.form = form
        self.program = program = LinearProgram(form)
        self.lengths = tuple(map(_lengths, form.sides))
        self.degree = int(max(np.max(lengths) for lengths in self.lengths)) if trembles else 0
        self.columns = program.columns + program.plan_rows
        plain, costs = program.matrix, np.arange(program.plan_rows)
        self.matrix = SparseMatrix(
            np.append(plain.row, costs),
            np.append(plain.column, program.columns + costs),
            np.append(plain.value, -plain.scale[: program.plan_rows]),
            plain.scale,
            self.columns,
        )
        self.refinement = IterativeRefinement(self.matrix, presolve=not trembles)  # tiny bounds do not survive presolve

    def plans(self, bits: int, deadline: float) -> Plans | None:
        """Return the plans at an optimum for the tremble 2^-bits; None if floats are too inexact or fractions too long.

        Each plan holds the coefficients of every sequence's weight, (sequences, degree + 1) Fractions. `extensive.trembles`
        decides whether the plans are an equilibrium.

        deadline : a time of time.monotonic, after which TimeLimitError is raised

        Cost: some linear programs, and two sparse systems for every power of ε.
        """
        basis = self._basis(self._right_sides, self._objectives, self._signs, bits, deadline)
        first = None if basis is None else self._first_plan(basis)
        second = None if basis is None or first is None else self._second_plan(basis)
        return None if first is None or second is None else (first, second)

    def preferred_plan(self, player: int, weights: Numbers, slack: Slack, bits: int, deadline: float) -> Numbers | None:
        """Return the optimal plan of a player that maximises a weighted sum of its sequences; None and raises as `plans`.

        weights : an integer for each sequence
        slack   : the slack of any optimal plans; the choice among them changes no result
        """
        above, best = slack
        between = np.zeros(self.program.columns - self.program.plan_columns, bool)
        preferred = np.zeros(self.columns if player == 0 else self.program.rows, object)
        preferred[: len(weights)] = weights
        if player == 0:
            fixed = np.concatenate([~best[0], between, above[1]])
            bounded = np.concatenate([np.ones(len(best[0]), bool), between, np.ones(len(best[1]), bool)])
            basis = self._basis(self._right_sides, [preferred], Signs(bounded, fixed), bits, deadline)
            return None if basis is None else self._first_plan(basis)
        bounded = np.concatenate([~above[0], between, best[1]])
        signs = Signs(bounded, np.zeros(self.columns, bool))
        basis = self._basis([preferred * self.matrix.scale], self._objectives, signs, bits, deadline)
        return None if basis is None else self._second_plan(basis)

    def largest_ratio_plan(self, sequence: int, before: int, slack: Slack, deadline: float) -> Numbers | None:
        """Return the optimal plan of player 2 that maximises the ratio of a sequence's weight to that of the one before it.

        The plan is scaled so that the earlier sequence has weight 1. Primal and dual solutions in fractions with the same value
        prove it. Returns None if floats are too inexact. Works only without trembles.
        """
        above, best = slack
        bounded = np.concatenate([~above[0], np.zeros(self.program.columns - self.program.plan_columns, bool), best[1]])
        fixed, objective = np.zeros(self.columns, bool), np.zeros(self.columns, object)
        normalised = self.program.columns + before if before else self.program.plan_columns  # its dual row sets a weight to 1
        objective[normalised], bounded[normalised] = 1, False
        bounded[self.program.plan_columns] = fixed[self.program.plan_columns] = before > 0
        right = np.zeros(self.program.rows, object)
        right[sequence] = self.matrix.scale[sequence]
        signs = Signs(bounded, fixed)
        basis = self._basis([right], [objective], signs, ANY_BITS, deadline)
        duals = None if basis is None else basis.optimal_duals(right, objective, signs)
        return None if duals is None else -duals[: self.program.plan_rows]

    def slack(self, plans: Plans) -> Slack:
        """Return the slack of optimal plans for all small ε."""
        above = [np.any(plan != self._trembles(player), axis=1) for player, plan in enumerate(plans)]
        best = [costs(self.form, player, plans[1 - player]) == 0 for player in (0, 1)]
        return Slack((above[0], above[1]), (best[0], best[1]))

    def _basis(self, right: list[Numbers], objective: list[Numbers], signs: Signs, bits: int, deadline: float) -> Basis | None:
        """Return the optimal basis; right side and objective are lists of coefficients by the power of ε. None as `plans`."""
        numbers = self._fixed_point(right, bits), self._fixed_point(objective, bits)
        return self.refinement.optimal_basis(*numbers, signs, deadline)

    def _first_plan(self, basis: Basis) -> Numbers | None:
        """Return the weights of player 1: the trembles plus the values of the columns."""
        plan: Numbers = np.full((self.program.plan_columns, self.degree + 1), _ZERO)
        plan[self._trembles(0) == 1] = _ONE
        for power, right in enumerate(self._right_sides):
            values = basis.values(right)
            if values is None:
                return None
            plan[:, power] += values[: self.program.plan_columns]
        return plan

    def _second_plan(self, basis: Basis) -> Numbers | None:
        """Return the weights of player 2: the dual values of the first rows, with opposite signs."""
        plan = np.full((self.program.plan_rows, self.degree + 1), _ZERO)
        for power, objective in enumerate(self._objectives):
            duals = basis.duals(objective)
            if duals is None:
                return None
            plan[:, power] = -duals[: self.program.plan_rows]
        return plan

    def _fixed_point(self, coefficients: list[Numbers], bits: int) -> FixedPoint:
        """Return the value of a polynomial with integer coefficients at the tremble 2^-bits."""
        digits = bits * (self.degree + 1) + self.refinement.spare + 24
        terms = (part << digits - bits * power for power, part in enumerate(coefficients))
        return FixedPoint(sum(terms, 0 * coefficients[0]), digits)

    @cached_property
    def _signs(self) -> Signs:
        """The sign constraints of the program: only q is free."""
        free = np.zeros(self.program.columns - self.program.plan_columns, bool)
        bounded = np.concatenate([np.ones(self.program.plan_columns, bool), free, np.ones(self.program.plan_rows, bool)])
        return Signs(bounded, np.zeros(self.columns, bool))

    @cached_property
    def _right_sides(self) -> list[Numbers]:
        """The right side of the integer rows: its coefficients by the power of ε."""
        right_sides = []
        for power in range(self.degree + 1):
            trembles = np.zeros(self.columns, object)
            trembles[: self.program.plan_columns] = self._trembles(0)[:, power]
            right_sides.append(self.program.right * int(power == 0) - self.matrix.times(trembles))
        return right_sides

    @cached_property
    def _objectives(self) -> list[Numbers]:
        """The objective: its coefficients by the power of ε."""
        objectives = []
        for power in range(self.degree + 1):
            objective = np.zeros(self.columns, object)
            objective[self.program.plan_columns] = int(power == 0)
            objective[self.program.columns :] = self._trembles(1)[:, power]
            objectives.append(objective)
        return objectives

    def _trembles(self, player: int) -> Numbers:
        """Return the trembles ε^length of a player's sequences as coefficients: (sequences, degree + 1) integers, 0 or 1."""
        powers = np.arange(self.degree + 1)
        trembles: Numbers = ((self.lengths[player][:, None] == powers) & (powers > 0)).astype(int).astype(object)
        return trembles


def costs(form: SequenceForm, player: int, plan: Numbers) -> Numbers:
    """Return the cost of every sequence of a player compared with a best one of its set, against the other player's plan.

    plan : (sequences of the other player, degree + 1) Fractions, polynomials in the tremble

    The costs are integers, 0 or positive, in an arbitrary unit. Each polynomial becomes one integer, its value at a tremble so
    small that its sign is the one near 0 (see `extensive.trembles`). Cost: a step per entry of the payoff matrix and sequence.
    """
    side, other = form.sides[player], form.sides[1 - player]
    numerators = scaled(plan.ravel())[0].reshape(plan.shape)
    room = 2 * sum(map(abs, form.payoff.tolist())) * max(map(abs, numerators.ravel().tolist())) + 1
    weights = np.zeros(other.sequences, object)
    for power in range(plan.shape[1]):
        weights = weights * (1 << room.bit_length() + 1) + numerators[:, power]
    entries = (form.first, form.second) if player == 0 else (form.second, form.first)
    value = np.zeros(side.sequences, object)
    np.add.at(value, entries[0], form.payoff * weights[entries[1]] * (1 if player == 0 else -1))
    cost = np.zeros(side.sequences, object)
    starts = np.searchsorted(side.set, np.arange(len(side.rows) + 1)) + 1  # a set's sequences stand together
    for row in reversed(range(len(side.rows))):
        own = slice(starts[row], starts[row + 1])
        best = max(value[own])
        cost[own] = best - value[own]
        value[side.before[row]] += best
    return cost


def _lengths(side: Side) -> Ints:
    """Return the number of actions in every sequence."""
    lengths = np.zeros(side.sequences, np.int64)
    for sequence, row in enumerate(side.set.tolist(), 1):
        lengths[sequence] = lengths[side.before[row]] + 1
    return lengths

"""The exact plans of the vertex at which HiGHS ends, from its last basis.

A basis names as many basic variables as the program has rows: columns of the program, and slacks of rows. All other
variables are 0 at the vertex. With B the square matrix of the basic variables' columns, the vertex is

    B z = right side     the values z of the basic variables, those of player 1's plan among them,
    B' y = objective     the dual values y of the rows: with the other sign, those of player 2's plan come first.

HiGHS has factorised B in floats, with payoffs divided by the largest, and so solves both systems in a moment but roughly.
Here they stand in integers: an equation that has payoffs in it is multiplied by the largest payoff. Such an equation has 0
on its right side, which stays; so both are the same systems, and `solve_exactly` refines the rough solutions to fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans
from liarsdice_cli.solvers.exact.rational import Sparse, solve_exactly


def exact_plans(program: LinearProgram, highs: Any) -> Plans | None:
    """Both players' plans in Fractions, or None where they cannot be found or have a negative weight."""
    basis = _Basis.of(program, np.array(highs.getBasicVariables()[1], np.int64))
    first = basis.first_plan(highs)
    second = None if first is None else basis.second_plan(highs)
    if first is None or second is None or min(first.tolist()) < 0 or min(second.tolist()) < 0:
        return None
    return first, second


@dataclass(frozen=True)
class _Basis:
    """The matrix B, a column for each basic variable in HiGHS's order, entry by entry as in `Sparse`.

    variables : what each column of B is: a column of the program, or the slack of row r as -(r + 1), HiGHS's numbers
    payoff    : for every entry whether it is a payoff; such equations are multiplied by the largest, the others are not
    """

    program: LinearProgram
    variables: Ints
    row: Ints
    column: Ints
    value: Numbers
    payoff: Bools

    @classmethod
    def of(cls, program: LinearProgram, variables: Ints) -> _Basis:
        """The program's entries in the basic columns, and a 1 for each basic slack in its row."""
        columns, slacks = np.flatnonzero(variables >= 0), np.flatnonzero(variables < 0)
        place = np.full(program.columns, -1)
        place[variables[columns]] = columns
        matrix = program.matrix
        basic = place[matrix.column] >= 0
        return cls(
            program,
            variables,
            row=np.concatenate([matrix.row[basic], -variables[slacks] - 1]),
            column=np.concatenate([place[matrix.column[basic]], slacks]),
            value=np.concatenate([matrix.value[basic], np.full(len(slacks), 1, object)]),
            payoff=np.concatenate([program.is_payoff[basic], np.zeros(len(slacks), bool)]),
        )

    def first_plan(self, highs: Any) -> Numbers | None:
        """Player 1's plan: the values of the basic columns that belong to it, and 0 for the others."""
        with_payoffs = np.arange(self.program.rows) < self.program.plan_rows
        values = self._solved(
            self.row, self.column, self.program.right, with_payoffs, lambda right: highs.getBasisSolve(right)[1]
        )
        if values is None:
            return None
        plan = np.full(self.program.plan_columns, Fraction(0), object)
        plan[self.variables[self._in_plan]] = np.array(values, object)[self._in_plan]
        return plan

    def second_plan(self, highs: Any) -> Numbers | None:
        """Player 2's plan: the dual values of the rows that belong to it, their signs changed."""
        objective = (self.variables == self.program.plan_columns).astype(object)  # q_0, and nothing else
        duals = self._solved(
            self.column, self.row, objective, self._in_plan, lambda right: highs.getBasisTransposeSolve(right)[1]
        )
        return None if duals is None else np.array([-number for number in duals[: self.program.plan_rows]], object)

    @property
    def _in_plan(self) -> Bools:
        """For every basic variable whether it is a weight of player 1's plan; only their columns have payoffs in them."""
        return (self.variables >= 0) & (self.variables < self.program.plan_columns)

    def _solved(
        self, equation: Ints, unknown: Ints, right: Numbers, with_payoffs: Bools, roughly: Any
    ) -> list[Fraction] | None:
        """The unknowns of the equations, in which each entry of B stands at (equation, unknown).

        with_payoffs : for every equation whether it has payoffs in it; its right side is then 0
        roughly      : solves HiGHS's own equations, divided by the largest payoff where they have payoffs, in floats
        """
        scale = np.where(with_payoffs, np.array([self.program.largest], object), np.array([1], object))
        value = np.where(self.payoff, self.value, self.value * scale[equation])
        return solve_exactly(Sparse(equation, unknown, value, self.program.rows), right, scale, roughly)

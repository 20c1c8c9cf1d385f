"""A basis of a linear program, and the exact solutions of its two linear systems.

A basis names as many basic variables as the program has rows: columns of the program, and slacks of rows. All other variables
are 0. With B the square matrix of the basic variables' columns, the basis determines

    B z = right side     the values z of the basic variables,
    B' y = objective     the dual values y of the rows.

HiGHS has factorised B in floats, and `solve_exactly` refines its rough solutions to fractions. This serves the vertex at which
HiGHS ends (`linear_program`) and the coefficients of perturbed plans (`perturbed`). The exact simplex (`simplex`) does without
it, because it is there for programs that floats cannot represent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

import numpy as np

from liarsdice_cli.extensive.evaluate import scaled
from liarsdice_cli.extensive.stream import Bools, Floats, Ints, Numbers
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix, solve_exactly

_ZERO = Fraction(0)


class Factors(Protocol):
    """A factorised basis in floats, as HiGHS has it after a run. The methods return a status and the solution."""

    def getBasisSolve(self, right: Floats) -> tuple[Any, Floats]:  # noqa: N802
        """Solve the system with this right side."""

    def getBasisTransposeSolve(self, right: Floats) -> tuple[Any, Floats]:  # noqa: N802
        """Solve the system of the transposed matrix."""


@dataclass(frozen=True)
class Signs:
    """The sign constraints on the columns of a program; a column that is neither bounded nor fixed is free.

    bounded : for every column whether it must be at least 0
    fixed   : for every column whether it must be 0; these are bounded too
    """

    bounded: Bools
    fixed: Bools


@dataclass(frozen=True)
class Basis:
    """The basic variables of a program, and the matrix of their columns with its factors.

    program   : the constraint matrix of the program
    variables : the basic variables: columns of the program, and its number of columns + r for the slack of row r
    matrix    : the square matrix B
    factors   : B in floats, rows divided by their scales; those of HiGHS change with its next run
    """

    program: SparseMatrix
    variables: Ints
    matrix: SparseMatrix
    factors: Factors

    @classmethod
    def of(cls, program: SparseMatrix, variables: Ints, factors: Factors) -> Basis:
        """Return the basis with these variables, in the order in which they were factorised."""
        slacks = variables[variables >= program.columns] - program.columns
        place = np.full(program.columns + program.rows, -1)
        place[variables] = np.arange(len(variables))
        basic = place[program.column] >= 0
        matrix = SparseMatrix(
            row=np.append(program.row[basic], slacks),
            column=np.append(place[program.column[basic]], place[program.columns + slacks]),
            value=np.append(program.value[basic], program.scale[slacks]),
            scale=program.scale,
            columns=len(variables),
        )
        return cls(program, variables, matrix, factors)

    @classmethod
    def of_highs(cls, program: SparseMatrix, highs: Any) -> Basis:
        """Return the last basis of HiGHS, which writes -(r + 1) for the slack of row r."""
        variables = np.array(highs.getBasicVariables()[1], np.int64)
        return cls.of(program, np.where(variables < 0, program.columns - 1 - variables, variables), highs)

    def values(self, right: Numbers) -> Numbers | None:
        """Return the values of all variables, columns then slacks, as Fractions; None if floats are too inexact.

        right : the right side of the integer rows
        """
        basic = solve_exactly(self.matrix, right, lambda right: self.factors.getBasisSolve(right)[1])
        if basic is None:
            return None
        values = np.full(self.program.columns + self.program.rows, _ZERO, object)
        values[self.variables] = basic
        return values

    def duals(self, objective: Numbers, slacks: Numbers | None = None) -> Numbers | None:
        """Return the dual values of the rows divided by their scales, as HiGHS has them; None if floats are too inexact.

        objective : integers, one a column
        slacks    : the same for the slacks, which have none by default
        """
        transposed = self.matrix.transposed
        basic = np.append(objective, np.zeros(self.program.rows, object) if slacks is None else slacks)[self.variables]
        duals = solve_exactly(transposed, basic * transposed.scale, lambda right: self.factors.getBasisTransposeSolve(right)[1])
        return None if duals is None else np.array(duals, object)

    def optimal_duals(self, right: Numbers, objective: Numbers, signs: Signs) -> Numbers | None:
        """Return the dual values if the basis is proved to be optimal, primal and dual feasible; otherwise None."""
        values, duals = self.values(right), self.duals(objective)
        if values is None or duals is None:
            return None
        columns, slacks = values[: self.program.columns], values[self.program.columns :]
        feasible = np.all(columns[signs.bounded] >= 0) and not np.any(columns[signs.fixed]) and not np.any(slacks)
        reduced = self.reduced_costs(objective, duals)
        optimal = np.all(reduced[~signs.fixed] <= 0) and not np.any(reduced[~signs.bounded])
        return duals if feasible and optimal else None

    def reduced_costs(self, objective: Numbers, duals: Numbers) -> Numbers:
        """Return the reduced costs of the columns times a positive number: integers, which are faster than fractions."""
        numerators, denominator = scaled(duals)
        common = lcm(*set(self.program.scale.tolist()))
        costs: Numbers = self.program.transposed_times(numerators * (common // self.program.scale))
        reduced: Numbers = objective * (common * denominator) - costs
        return reduced

"""A basis of a linear program, and the exact solutions of its two linear systems.

A basis names as many basic variables as the program has rows: columns of the program, and slacks of rows. All other variables
are 0. With B the square matrix of the basic variables' columns, the basis determines

    B z = right side     the values z of the basic variables,
    B' y = objective     the dual values y of the rows.

B is factorised once in floats; `solve_exactly` refines the rough solutions to fractions. This serves the
vertex at which HiGHS ends (`linear_program`) and the coefficients of perturbed plans (`perturbed`). The exact simplex
(`simplex`) does without it, because it is there for programs that floats cannot represent.
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
_DENSE = 200
"""Most rows of a matrix that is inverted as a dense array. To import SciPy takes longer than to solve such a program."""


class _Factors(Protocol):
    """A factorised matrix in floats, as `scipy.sparse.linalg.splu` returns it."""

    def solve(self, right: Floats, trans: str = "N") -> Floats:
        """Return the solution of the system with this right side, for "T" of the system with the transposed matrix."""


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
    factors   : B in floats, rows divided by their scales, as `factorised` returns it
    """

    program: SparseMatrix
    variables: Ints
    matrix: SparseMatrix
    factors: _Factors

    @classmethod
    def of(cls, program: SparseMatrix, variables: Ints) -> Basis | None:
        """Return the basis with these variables, in any order; None if its matrix is singular in floats."""
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
        factors = factorised(matrix)
        return None if factors is None else cls(program, variables, matrix, factors)

    @classmethod
    def of_highs(cls, program: SparseMatrix, highs: Any) -> Basis | None:
        """Return the last basis of HiGHS, which writes -(r + 1) for the slack of row r; None if it is singular in floats."""
        variables = np.array(highs.getBasicVariables()[1], np.int64)
        return cls.of(program, np.where(variables < 0, program.columns - 1 - variables, variables))

    def values(self, right: Numbers) -> Numbers | None:
        """Return the values of all variables, columns then slacks, as Fractions; None if floats are too inexact.

        right : the right side of the integer rows
        """
        basic = solve_exactly(self.matrix, right, self.factors.solve)
        if basic is None:
            return None
        values = np.full(self.program.columns + self.program.rows, _ZERO, object)
        values[self.variables] = basic
        return values

    def duals(self, objective: Numbers) -> Numbers | None:
        """Return the dual values of the rows divided by their scales, as HiGHS has them; None if floats are too inexact.

        objective : integers, one a column; the slacks have none
        """
        transposed = self.matrix.transposed
        basic = np.append(objective, np.zeros(self.program.rows, object))[self.variables]
        duals = solve_exactly(transposed, basic * transposed.scale, lambda right: self.factors.solve(right, "T"))
        return None if duals is None else np.array(duals, object)

    def optimal_duals(self, right: Numbers, objective: Numbers, signs: Signs) -> Numbers | None:
        """Return the dual values if the basis is proved to be optimal, primal and dual feasible; otherwise None."""
        values, duals = self.values(right), self.duals(objective)
        if values is None or duals is None:
            return None
        columns, slacks = values[: self.program.columns], values[self.program.columns :]
        feasible = np.all(columns[signs.bounded] >= 0) and not np.any(columns[signs.fixed]) and not np.any(slacks)
        reduced = self._reduced_costs(objective, duals)
        optimal = np.all(reduced[~signs.fixed] <= 0) and not np.any(reduced[~signs.bounded])
        return duals if feasible and optimal else None

    def _reduced_costs(self, objective: Numbers, duals: Numbers) -> Numbers:
        """Return the reduced costs of the columns times a positive number: integers, which are faster than fractions."""
        numerators, denominator = scaled(duals)
        common = lcm(*set(self.program.scale.tolist()))
        costs: Numbers = self.program.transposed_times(numerators * (common // self.program.scale))
        reduced: Numbers = objective * (common * denominator) - costs
        return reduced


@dataclass(frozen=True)
class _Inverse:
    """The dense inverse of a small matrix."""

    inverse: Floats

    def solve(self, right: Floats, trans: str = "N") -> Floats:
        """See `_Factors`."""
        solution: Floats = (self.inverse.T if trans == "T" else self.inverse) @ right
        return solution


def factorised(matrix: SparseMatrix) -> _Factors | None:
    """Return the factors of a square matrix in floats: SuperLU's, or the inverse of a small one; None if it is singular."""
    if matrix.rows <= _DENSE:
        dense = np.zeros((matrix.rows, matrix.columns))
        np.add.at(dense, (matrix.row, matrix.column), matrix.floats)
        try:
            return _Inverse(np.linalg.inv(dense))
        except np.linalg.LinAlgError:
            return None
    from scipy.sparse import csc_matrix  # type: ignore[import-untyped]
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    try:
        factors: _Factors = splu(csc_matrix((matrix.floats, (matrix.row, matrix.column)), shape=(matrix.rows, matrix.columns)))
        return factors
    except RuntimeError:
        return None

"""Exact plans inside the set of all optimal plans, where an interior point method ends.

Strict complementarity divides the columns: a column is positive in some optimum, or its reduced cost is. It divides the rows
of player 2's sequences in the same way, by dual value and slack. An interior point shows which is positive. Let M be the matrix
of the columns and rows that may be positive. All optimal values x and dual values y satisfy

    M x = right side,     M' y = objective.

A nonsingular part B of M as large as its rank is factorised in floats. All other weights are those of the interior point,
rounded; the weights of B follow from them exactly. So the plans differ from the interior point by its error only.

A vertex is optimal too, but most of its weights are 0. So its plans are arbitrary after most actions of the opponent, and often
lose to actions outside the restricted game of a double oracle.

Source: Ye (1992), "On the finite convergence of interior-point algorithms for linear programming", Mathematical Programming 57.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Floats, Numbers
from liarsdice_cli.solvers.exact.basis import Basis
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix, shifted
from liarsdice_cli.solvers.highs import new_highs, run

if TYPE_CHECKING:
    from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans

_ZERO = Fraction(0)
_PLACES = 40
"""The binary digits of the weights that are rounded."""
_ROUNDS = 30
"""The most attempts to find out which weights are 0."""


def exact_plans(program: LinearProgram, highs: Any) -> Plans | None:
    """Return plans in Fractions near those at which an interior point method ended; None if they are no plans.

    None means that the interior point is too inexact to show which weights are 0, or that the floats are. The result is not yet
    proved to be optimal. A weight that would be slightly negative becomes 0, and the others are computed again.
    """
    solution = highs.getSolution()
    values, costs, slacks, duals = (
        np.array(numbers) for numbers in (solution.col_value, solution.col_dual, solution.row_value, solution.row_dual)
    )
    is_plan = np.arange(program.columns) < program.plan_columns, np.arange(program.rows) < program.plan_rows
    columns, rows = ~is_plan[0] | (values > np.abs(costs)), ~is_plan[1] | (np.abs(duals) > slacks)
    for _ in range(_ROUNDS):
        found = _near(program, rows, columns, values, -duals)
        if found is None:
            return None
        negative = is_plan[0] & (found[0] < 0), is_plan[1] & (found[1] > 0)
        if not (negative[0].any() or negative[1].any()):
            return found[0][: program.plan_columns], -found[1][: program.plan_rows]
        columns, rows = columns & ~negative[0], rows & ~negative[1]
    return None


def _near(program: LinearProgram, rows: Bools, columns: Bools, values: Floats, duals: Floats) -> tuple[Numbers, Numbers] | None:
    """Return exact values and dual values of all columns and rows, 0 outside the given ones; None if there are none."""
    basis = _largest_basis(_part(program.matrix, rows, columns))
    if basis is None:
        return None
    first = _values_near(basis, program.right[rows], values[columns])
    second = None if first is None else _duals_near(basis, program.objective[columns], duals[rows])
    if second is None:
        return None
    x, y = np.full(program.columns, _ZERO, object), np.full(program.rows, _ZERO, object)
    x[columns], y[rows] = first, second
    return x, y


def _part(matrix: SparseMatrix, rows: Bools, columns: Bools) -> SparseMatrix:
    """Return the part of a matrix with some rows and columns."""
    kept = rows[matrix.row] & columns[matrix.column]
    row, column = np.cumsum(rows) - 1, np.cumsum(columns) - 1
    return SparseMatrix(
        row[matrix.row[kept]], column[matrix.column[kept]], matrix.value[kept], matrix.scale[rows], int(columns.sum())
    )


def _largest_basis(matrix: SparseMatrix) -> Basis | None:
    """Return a basis with as many columns as the rank; HiGHS replaces dependent ones by slacks."""
    import highspy

    model = matrix.highs_model()
    model.col_cost_ = np.zeros(matrix.columns)
    model.col_lower_, model.col_upper_ = np.full(matrix.columns, -np.inf), np.full(matrix.columns, np.inf)
    model.row_lower_ = model.row_upper_ = np.zeros(matrix.rows)
    highs = new_highs(presolve=False)
    highs.passModel(model)
    basis, kinds = highspy.HighsBasis(), highspy.HighsBasisStatus
    basis.col_status, basis.row_status = [kinds.kBasic] * matrix.columns, [kinds.kLower] * matrix.rows
    basis.valid = basis.alien = True
    highs.setBasis(basis)
    return Basis.of_highs(matrix, highs) if run(highs, inf) else None


def _values_near(basis: Basis, right: Numbers, values: Floats) -> Numbers | None:
    """Return exact values of the columns near these; None if there are none."""
    matrix = basis.program
    rounded = np.array([shifted(number, _PLACES) for number in values.tolist()], object)
    rounded[basis.variables[basis.variables < matrix.columns]] = 0
    exact = basis.values(right * (1 << _PLACES) - matrix.times(rounded))
    if exact is None or np.any(exact[matrix.columns :]):
        return None
    found: Numbers = (exact[: matrix.columns] + rounded) / (1 << _PLACES)
    return found


def _duals_near(basis: Basis, objective: Numbers, duals: Floats) -> Numbers | None:
    """Return exact dual values of the rows near these; None if there are none."""
    rounded = np.array([shifted(number, _PLACES) for number in duals.tolist()], object)
    exact = basis.duals(objective * (1 << _PLACES), rounded)
    if exact is None or np.any(basis.reduced_costs(objective * (1 << _PLACES), exact)):
        return None
    return exact / (1 << _PLACES)

"""The linear program of a sequence form, solved by HiGHS in floats or by the exact simplex.

Player 1 maximises q_0 over realization plans x and set values q of player 2, subject to

    for every sequence t of player 2:   sum_s payoff[s, t] x_s - q_set(t) + sum of q over the sets that follow t  >=  0
    E x = e  (the empty sequence has weight 1; the sequences of a set add up to the one that leads to it),  x >= 0.

The dual values of the first rows are player 2's realization plan, so one solve gives both.

Source: Koller, Megiddo and von Stengel (1996), section 4; HiGHS: Huangfu and Hall (2018).
"""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Ints, Numbers
from liarsdice_cli.solvers.exact import simplex
from liarsdice_cli.solvers.exact.basis import Basis
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix
from liarsdice_cli.solvers.highs import interior_highs, new_highs, run

Plans = tuple[Numbers, Numbers]
"""Realization plans of both players by sequence, the empty one first: Fractions or floats."""


class LinearProgram:
    """The program of a sequence form. HiGHS gets it with payoffs divided by the largest.

    Columns: the sequences of player 1, then q_0 and the sets of player 2. Rows: the sequences of player 2, then the
    empty sequence and the sets of player 1.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        one, two = form.sides
        self.plan_columns, self.plan_rows = one.sequences, two.sequences
        self.columns = one.sequences + 1 + len(two.rows)
        self.rows = two.sequences + 1 + len(one.rows)
        self.largest = max((abs(number) for number in form.payoff.tolist()), default=1) or 1

    @cached_property
    def entries(self) -> tuple[Ints, Ints, Numbers]:
        """The row, column and value of every entry of the constraints; the payoffs come first."""
        one, two = self.form.sides
        value, row = one.sequences, two.sequences  # the column of q_0, the row of the empty sequence
        parts = [
            (self.form.second, self.form.first, self.form.payoff),
            (np.arange(1, two.sequences), value + 1 + two.set, -1),
            (np.array([0]), np.array([value]), -1),
            (two.before, value + 1 + np.arange(len(two.rows)), 1),
            (np.array([row]), np.array([0]), 1),
            (row + 1 + one.set, np.arange(1, one.sequences), 1),
            (row + 1 + np.arange(len(one.rows)), one.before, -1),
        ]
        values = [number if isinstance(number, np.ndarray) else np.full(len(rows), number, object) for rows, _, number in parts]
        rows, columns = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
        return rows, columns, np.concatenate(values)

    @cached_property
    def matrix(self) -> SparseMatrix:
        """The constraints with payoffs divided by the largest, so that q is the value divided by it, as an integer matrix."""
        row, column, value = self.entries
        scale = np.array([self.largest] * self.plan_rows + [1] * (self.rows - self.plan_rows), object)
        is_payoff = np.arange(len(value)) < len(self.form.payoff)
        return SparseMatrix(row, column, np.where(is_payoff, value, value * scale[row]), scale, self.columns)

    def float_plans(self, highs: Any) -> Plans:
        """Return the plans in floats at the end of HiGHS."""
        solution = highs.getSolution()
        return np.array(solution.col_value[: self.plan_columns]), np.abs(np.array(solution.row_dual[: self.plan_rows]))

    def exact_plans(self, highs: Any) -> Plans | None:
        """Return the plans at the vertex where HiGHS ended, in Fractions.

        None if floats are too inexact to find them, or if a weight is negative.
        """
        basis = Basis.of_highs(self.matrix, highs)
        values = basis.values(self.right)
        if values is None or min(values[: self.plan_columns].tolist()) < 0:
            return None
        duals = basis.duals(self.objective)
        if duals is None or max(duals[: self.plan_rows].tolist()) > 0:
            return None
        return values[: self.plan_columns], -duals[: self.plan_rows]

    def fits_simplex(self) -> bool:
        """Return whether the tableau is small enough for `simplex_plans`."""
        width = self.plan_columns + 2 * (self.columns - self.plan_columns) + self.plan_rows + self.rows
        return width * self.rows <= simplex.LARGEST

    def simplex_plans(self, deadline: float, most_work: float = inf) -> Plans | None:
        """Return optimal plans by the exact simplex, for payoffs that floats cannot represent together; None if it finds none.

        The free columns q are split in two, and each row of player 2's sequences gets a slack.
        """
        dense = np.zeros((self.rows, self.columns), object)
        row, column, value = self.entries
        np.add.at(dense, (row, column), value)
        slack = np.array([[-int(row == column) for column in range(self.plan_rows)] for row in range(self.rows)], object)
        table = np.concatenate([dense, -dense[:, self.plan_columns :], slack.reshape(self.rows, self.plan_rows)], axis=1)
        objective = np.zeros(table.shape[1], object)
        objective[self.plan_columns], objective[self.columns] = 1, -1
        solved = simplex.maximise(table, self.right, objective, deadline, most_work)
        if solved is None:
            return None
        values, duals = solved
        first = np.array(values[: self.plan_columns], object)
        return first, np.array([-number for number in duals[: self.plan_rows]], object)

    def optimum(self, deadline: float, presolve: bool = True) -> Any:
        """Return HiGHS at an optimal vertex, by the simplex method, or None if it finds none."""
        return self._solved(new_highs(presolve), deadline)

    def interior_optimum(self, deadline: float) -> Any:
        """Return HiGHS at an optimum by its interior point method, or None if it finds none.

        The plans lie inside the set of all optimal plans. The simplex method can stall, since most programs of games are
        degenerate; this method does not.
        """
        return self._solved(interior_highs(), deadline)

    def _solved(self, highs: Any, deadline: float) -> Any:
        import highspy

        highs.passModel(self._model(highspy))
        return highs if run(highs, deadline) else None

    def _model(self, highspy: Any) -> Any:
        infinity = highspy.kHighsInf
        model = self.matrix.highs_model()
        model.col_cost_ = (-self.objective).astype(np.float64)
        model.col_lower_ = np.where(np.arange(self.columns) < self.plan_columns, 0.0, -infinity)
        model.col_upper_ = np.full(self.columns, infinity)
        model.row_lower_ = self.right.astype(np.float64)
        model.row_upper_ = np.where(np.arange(self.rows) < self.plan_rows, infinity, self.right.astype(np.float64))
        return model

    @cached_property
    def objective(self) -> Numbers:
        """The objective: 1 for q_0, 0 for all other columns."""
        objective = np.zeros(self.columns, object)
        objective[self.plan_columns] = 1
        return objective

    @cached_property
    def right(self) -> Numbers:
        """The right side: 1 for the empty sequence, 0 in all other rows."""
        right = np.zeros(self.rows, object)
        right[self.plan_rows] = 1
        return right

"""The linear program of a sequence form, solved by HiGHS, and the exact plans of the vertex that it ends at.

Player 1 maximises q_0 over realization plans x and set values q of player 2, subject to

    for every sequence t of player 2:   sum_s payoff[s, t] x_s - q_set(t) + sum of q over the sets that follow t  >=  0
    E x = e  (the empty sequence has weight 1; the sequences of a set add up to the one that leads to it),  x >= 0.

The dual values of the first rows are player 2's realization plan, so one solve gives both.
Source: Koller, Megiddo and von Stengel (1996), section 4; HiGHS: Huangfu and Hall (2018).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.solvers.rational import Sparse, solve_exactly
from liarsdice_cli.tree import Ints, Numbers

if TYPE_CHECKING:
    from liarsdice_cli.solvers.sequence_form import SequenceForm

_POLL = 0.1


@dataclass(frozen=True)
class Plans:
    """Realization plans of both players by sequence (the empty one first): Fractions if `exact`, else floats."""

    plans: tuple[Numbers, Numbers]
    exact: bool


class LinearProgram:
    """The program of a sequence form in integers; HiGHS sees it with payoffs divided by the largest.

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
    def matrix(self) -> Sparse:
        """The constraints; q stands for the value times the form's scale."""
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
        return Sparse(rows, columns, np.concatenate(values), self.rows)

    def solve(self, deadline: float) -> Plans:
        """Optimal realization plans: the exact ones of HiGHS's last basis, or its floats where that basis is not sound.

        deadline : of time.monotonic; raises TimeLimitError there. Raises LiarsDiceError if HiGHS finds no optimum.
        """
        highs = self._optimum(deadline)
        exact = self._exact(highs)
        if exact is not None:
            return exact
        solution = highs.getSolution()
        duals = -np.array(solution.row_dual[: self.plan_rows])
        plans = np.array(solution.col_value[: self.plan_columns]), np.abs(duals)
        return Plans(plans, exact=False)

    def _optimum(self, deadline: float) -> Any:
        import highspy

        highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.silent()
        options: dict[str, Any] = {
            "solver": "simplex",
            "threads": 1,
            "small_matrix_value": 1e-12,
            "primal_feasibility_tolerance": 1e-9,
        }
        for option, setting in (options | {"dual_feasibility_tolerance": 1e-9}).items():
            highs.setOptionValue(option, setting)
        highs.passModel(self._model(highspy))
        _run(highs, deadline)
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            status = highs.modelStatusToString(highs.getModelStatus())
            raise LiarsDiceError(f"the linear program ended with {status!r}; try --method lp or another method")
        return highs

    def _model(self, highspy: Any) -> Any:
        order = np.lexsort((self.matrix.row, self.matrix.column))
        entries = np.bincount(self.matrix.column, minlength=self.columns)
        infinity = highspy.kHighsInf
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = self.columns, self.rows
        cost = np.zeros(self.columns)
        cost[self.plan_columns] = -1
        model.col_cost_ = cost
        model.col_lower_ = np.where(np.arange(self.columns) < self.plan_columns, 0.0, -infinity)
        model.col_upper_ = np.full(self.columns, infinity)
        model.row_lower_ = self._right.astype(np.float64)
        model.row_upper_ = np.where(np.arange(self.rows) < self.plan_rows, infinity, self._right.astype(np.float64))
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.concatenate([[0], np.cumsum(entries)])
        model.a_matrix_.index_ = self.matrix.row[order]
        model.a_matrix_.value_ = self._floats[order]
        return model

    @cached_property
    def _right(self) -> Numbers:
        right = np.zeros(self.rows, object)
        right[self.plan_rows] = 1
        return right

    @cached_property
    def _floats(self) -> Numbers:
        """The entries for HiGHS: payoffs over the largest, so that q stands for the value over it, the rest unchanged."""
        payoffs = len(self.form.payoff)
        floats = np.ones(len(self.matrix.value))
        floats[:payoffs] = [number / self.largest for number in self.matrix.value[:payoffs].tolist()]
        floats[payoffs:] = self.matrix.value[payoffs:].astype(np.float64)
        return floats

    def _exact(self, highs: Any) -> Plans | None:
        """The exact plans of the last basis, or None if they cannot be found or have a negative weight.

        HiGHS has the rows divided by `row`, and its variables count in units of `unit`; both are 1 but for payoffs.
        """
        basic = np.array(highs.getBasicVariables()[1], np.int64)
        basis = self._basis(basic)
        row = np.where(np.arange(self.rows) < self.plan_rows, self.largest, 1)
        unit = np.where(basic >= self.plan_columns, self.largest, 1)
        slack = basic < 0  # HiGHS numbers the slack of row r as -(r + 1)
        unit[slack] = row[-basic[slack] - 1]
        primal = solve_exactly(basis, self._right, lambda right: highs.getBasisSolve(right / row)[1] * unit)
        transposed = Sparse(basis.column, basis.row, basis.value, self.rows)
        value = (basic == self.plan_columns).astype(object)
        dual = solve_exactly(transposed, value, lambda right: highs.getBasisTransposeSolve(right * unit)[1] / row)
        if primal is None or dual is None:
            return None
        first = _placed(primal, basic, self.plan_columns)
        second = np.array([-number for number in dual[: self.plan_rows]], object)
        if min(first.tolist()) < 0 or min(second.tolist()) < 0:
            return None
        return Plans((first, second), exact=True)

    def _basis(self, basic: Ints) -> Sparse:
        """The columns of the basis, in HiGHS's order: those of the matrix, and 1 at its row for a slack."""
        place = np.full(self.columns, -1)
        structural = np.flatnonzero(basic >= 0)
        place[basic[structural]] = structural
        used = place[self.matrix.column] >= 0
        slack = np.flatnonzero(basic < 0)
        return Sparse(
            np.concatenate([self.matrix.row[used], -basic[slack] - 1]),
            np.concatenate([place[self.matrix.column[used]], slack]),
            np.concatenate([self.matrix.value[used], np.full(len(slack), 1, object)]),
            self.rows,
        )


def _placed(values: list[Fraction], basic: Ints, size: int) -> Numbers:
    """The values of the first columns; those outside the basis are 0."""
    placed = np.full(size, Fraction(0), object)
    inside = np.flatnonzero((basic >= 0) & (basic < size))
    placed[basic[inside]] = np.array(values, object)[inside]
    return placed


def _run(highs: Any, deadline: float) -> None:
    """Run HiGHS in a thread, so that Ctrl-C and the deadline end it."""
    highs.HandleUserInterrupt = True
    thread = highs.startSolve()
    try:
        while thread.is_alive() and time.monotonic() < deadline:
            thread.join(_POLL)
    finally:
        if thread.is_alive():
            highs.cancelSolve()
            thread.join(5)
    if time.monotonic() >= deadline:
        raise TimeLimitError("stopped at the time limit while solving the linear program")

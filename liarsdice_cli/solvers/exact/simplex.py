"""The exact simplex method for small linear programs, in integers; it is slow, but accepts numbers of any size.

The tableau stays in integers over one common denominator, the last pivot (Edmonds 1967, "Systems of distinct representatives
and linear algebra"). Bland's rule (1977) prevents cycling. It is a second algorithm beside HiGHS and `basis` on purpose: it
needs no floats at all, and serves programs whose payoffs no float can represent together.
"""

from __future__ import annotations

import time
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.extensive.stream import Ints, Numbers

LARGEST = 400_000
"""The largest tableau, in entries; a pivot changes all of them."""


def maximise(
    matrix: Numbers, right: Numbers, objective: Numbers, deadline: float = inf, most_work: float = inf
) -> tuple[list[Fraction], list[Fraction]] | None:
    """Return an optimal z and the dual values of the rows of: maximise objective @ z subject to matrix @ z = right, z >= 0.

    matrix, right, objective : arrays of Python integers, right >= 0
    deadline  : a time of time.monotonic, after which TimeLimitError is raised
    most_work : entries that pivots may change, each counted once for every 64 bits of its denominator

    Returns None if there is no optimum or the work is spent. Cost: a pivot changes all entries, and there can be many pivots.

    >>> table = np.array([[1, 1, 1, 0], [1, 3, 0, 1]], object)
    >>> solved = maximise(table, np.array([4, 6], object), np.array([3, 5, 0, 0], object))
    >>> [[str(number) for number in numbers] for numbers in solved]
    [['3', '1', '0', '0'], ['2', '1']]
    """
    tableau = _Tableau(matrix, right, most_work)
    rows, columns = matrix.shape
    artificial = np.concatenate([np.zeros(columns, object), np.full(rows, -1, object)])
    if not tableau.improve(artificial, columns + rows, deadline) or tableau.value(artificial) != 0:
        return None
    tableau.drive_out(columns)
    cost = np.concatenate([objective, np.zeros(rows, object)])
    if not tableau.improve(cost, columns, deadline):
        return None
    return tableau.solution(columns), tableau.duals(cost, columns)


class _Tableau:
    """Rows of integers over `scale`: the columns of the program, one artificial column a row, and the right side."""

    def __init__(self, matrix: Numbers, right: Numbers, most_work: float) -> None:
        self.work_left = most_work
        rows, columns = matrix.shape
        artificial = np.array([[int(row == column) for column in range(rows)] for row in range(rows)], object)
        self.body: Numbers = np.concatenate([matrix, artificial.reshape(rows, rows), right.reshape(-1, 1)], axis=1)
        self.scale = 1
        self.basis: Ints = np.arange(columns, columns + rows)

    def improve(self, cost: Numbers, allowed: int, deadline: float) -> bool:
        """Pivot among the first `allowed` columns to the optimum; return False if it is unbounded or the work is spent."""
        while True:
            if time.monotonic() > deadline:
                raise TimeLimitError("stopped at the time limit in the exact simplex")
            gain = self._reduced_costs(cost)[:allowed]
            entering = next((column for column, number in enumerate(gain.tolist()) if number > 0), None)
            if entering is None:
                return True
            leaving = self._leaving(entering)
            if leaving is None or self.work_left <= 0:
                return False
            self._pivot(leaving, entering)

    def _reduced_costs(self, cost: Numbers) -> Numbers:
        """Return the reduced costs, times the scale: how much a unit of every column adds to the cost."""
        reduced: Numbers = cost * self.scale - cost[self.basis] @ self.body[:, :-1]
        return reduced

    def _leaving(self, entering: int) -> int | None:
        """Return the row of the smallest ratio, on ties that of the lowest basic column; None if the column is unbounded."""
        ratios = [
            (Fraction(right, number), basic, row)
            for row, (number, right, basic) in enumerate(
                zip(self.body[:, entering].tolist(), self.body[:, -1].tolist(), self.basis.tolist(), strict=True)
            )
            if number > 0
        ]
        return min(ratios)[2] if ratios else None

    def _pivot(self, row: int, column: int) -> None:
        """Replace the basic column of a row by another column."""
        pivot, line = self.body[row, column], self.body[row].copy()
        self.body = (self.body * pivot - np.outer(self.body[:, column], line)) // self.scale  # there is no remainder
        self.body[row] = line
        self.work_left -= self.body.size * (self.scale.bit_length() // 64 + 1)
        self.scale = pivot
        if pivot < 0:
            self.body, self.scale = -self.body, -pivot
        self.basis[row] = column

    def drive_out(self, columns: int) -> None:
        """Replace the artificial columns that are still basic, with value 0; a row without another column is redundant."""
        for row in np.flatnonzero(self.basis >= columns).tolist():
            entries = np.flatnonzero(self.body[row, :columns] != 0)
            if len(entries):
                self._pivot(row, int(entries[0]))

    def value(self, cost: Numbers) -> Fraction:
        """Return the cost at this basis."""
        return Fraction(int(cost[self.basis] @ self.body[:, -1]), self.scale)

    def solution(self, columns: int) -> list[Fraction]:
        """Return the values of the program's columns."""
        values = [Fraction(0)] * columns
        for basic, right in zip(self.basis.tolist(), self.body[:, -1].tolist(), strict=True):
            if basic < columns:
                values[basic] = Fraction(right, self.scale)
        return values

    def duals(self, cost: Numbers, columns: int) -> list[Fraction]:
        """Return the dual values, which are the reduced costs of the artificial columns with opposite signs."""
        return [Fraction(-number, self.scale) for number in self._reduced_costs(cost)[columns:].tolist()]

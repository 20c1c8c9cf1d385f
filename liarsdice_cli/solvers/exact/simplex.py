"""An exact simplex for small linear programs, in integers: slow and steady, whatever the scale of the numbers.

The tableau stays in integers over one common denominator, the last pivot (Edmonds 1967, "Systems of distinct
representatives and linear algebra"); Bland's rule (1977) keeps it from cycling.
"""

from __future__ import annotations

import time
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.extensive.stream import Ints, Numbers

LARGEST = 400_000
"""The largest tableau, in entries, that is tried: a pivot touches all of them."""


def maximise(
    matrix: Numbers, right: Numbers, objective: Numbers, deadline: float = inf, most_work: float = inf
) -> tuple[list[Fraction], list[Fraction]] | None:
    """Solve: maximise objective @ z subject to matrix @ z = right and z >= 0; all arrays of Python integers, right >= 0.

    most_work : entries that pivots may touch, each counted once for every 64 bits of its denominator

    Returns an optimal z and the dual values of the rows, exactly, or None where there is no optimum or too much work. Raises
    TimeLimitError at the deadline (of time.monotonic). Cost: every pivot touches all entries, and there can be many.

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
        """Pivot among the first `allowed` columns until no column improves the cost; False if it has no bound or work ends."""
        while True:
            if time.monotonic() > deadline:
                raise TimeLimitError("stopped at the time limit in the exact simplex")
            gain = self._gains(cost)[:allowed]
            entering = next((column for column, number in enumerate(gain.tolist()) if number > 0), None)
            if entering is None:
                return True
            leaving = self._leaving(entering)
            if leaving is None or self.work_left <= 0:
                return False
            self._pivot(leaving, entering)

    def _gains(self, cost: Numbers) -> Numbers:
        """What a unit of every column adds to the cost, times the scale."""
        gains: Numbers = cost * self.scale - cost[self.basis] @ self.body[:, :-1]
        return gains

    def _leaving(self, entering: int) -> int | None:
        """The row that the entering column drives to 0 first, of several the one with the lowest basic column."""
        ratios = [
            (Fraction(right, number), basic, row)
            for row, (number, right, basic) in enumerate(
                zip(self.body[:, entering].tolist(), self.body[:, -1].tolist(), self.basis.tolist(), strict=True)
            )
            if number > 0
        ]
        return min(ratios)[2] if ratios else None

    def _pivot(self, row: int, column: int) -> None:
        pivot, line = self.body[row, column], self.body[row].copy()
        self.body = (self.body * pivot - np.outer(self.body[:, column], line)) // self.scale  # divides without remainder
        self.body[row] = line
        self.work_left -= self.body.size * (self.scale.bit_length() // 64 + 1)
        self.scale = pivot
        if pivot < 0:
            self.body, self.scale = -self.body, -pivot
        self.basis[row] = column

    def drive_out(self, columns: int) -> None:
        """Replace artificial columns that stayed in the basis at 0; a row that has only them is redundant."""
        for row in np.flatnonzero(self.basis >= columns).tolist():
            entries = np.flatnonzero(self.body[row, :columns] != 0)
            if len(entries):
                self._pivot(row, int(entries[0]))

    def value(self, cost: Numbers) -> Fraction:
        """The cost of the present solution."""
        return Fraction(int(cost[self.basis] @ self.body[:, -1]), self.scale)

    def solution(self, columns: int) -> list[Fraction]:
        """The values of the program's columns."""
        values = [Fraction(0)] * columns
        for basic, right in zip(self.basis.tolist(), self.body[:, -1].tolist(), strict=True):
            if basic < columns:
                values[basic] = Fraction(right, self.scale)
        return values

    def duals(self, cost: Numbers, columns: int) -> list[Fraction]:
        """The dual values, which stand under the artificial columns."""
        return [Fraction(-number, self.scale) for number in self._gains(cost)[columns:].tolist()]

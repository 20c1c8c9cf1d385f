"""Solve linear systems by plain, slow elimination in fractions, and by dense factors of a basis that replace HiGHS."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix


def eliminated(matrix: Sequence[Sequence[int]], right: Sequence[int]) -> list[Fraction] | None:
    """Return the solution by Gauss-Jordan elimination in fractions, or None if there is none or more than one."""
    size = len(right)
    table = [[Fraction(number) for number in (*row, last)] for row, last in zip(matrix, right, strict=True)]
    for place in range(size):
        pivot = next((row for row in range(place, size) if table[row][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        table[place] = [number / table[place][place] for number in table[place]]
        for row in range(size):
            if row != place:
                table[row] = [one - table[row][place] * other for one, other in zip(table[row], table[place], strict=True)]
    return [row[-1] for row in table]


class DenseFactors:
    """The basis of a program with these variables, its slacks numbered after the columns."""

    def __init__(self, program: SparseMatrix, variables: Ints) -> None:
        table = np.hstack([np.zeros((program.rows, program.columns)), np.eye(program.rows)])
        table[program.row, program.column] = program.floats
        self.matrix = table[:, variables]

    def getBasisSolve(self, right: Floats) -> tuple[None, Floats]:  # noqa: N802 (HiGHS's name)
        """Solve a system with the basis, as HiGHS does."""
        return None, np.linalg.solve(self.matrix, right)

    def getBasisTransposeSolve(self, right: Floats) -> tuple[None, Floats]:  # noqa: N802 (HiGHS's name)
        """Solve a system with the transposed basis, as HiGHS does."""
        return None, np.linalg.solve(self.matrix.T, right)

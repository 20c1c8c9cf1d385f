"""Bases of small programs: values and duals against elimination in fractions, and the proof of optimality."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.solvers.exact.basis import Basis, Signs
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix
from tests.support.elimination import DenseFactors, eliminated

TABLE = [[1, 1, 1, 0], [1, 3, 0, 1]]
RIGHT = [4, 6]
OBJECTIVE = [3, 5, 0, 0]
"""Maximise 3a + 5b subject to a + b <= 4 and a + 3b <= 6, with slack columns: a = 3, b = 1, duals 2 and 1."""


def program(scales: list[int]) -> SparseMatrix:
    """Return the program with each row multiplied by its scale."""
    entries = [(row, column, number) for row, line in enumerate(TABLE) for column, number in enumerate(line) if number]
    row, column, value = (np.array(part) for part in zip(*entries, strict=True))
    scale = np.array(scales, object)
    return SparseMatrix(row, column, value.astype(object) * scale[row], scale, len(TABLE[0]))


def signs(**fixed: bool) -> Signs:
    """Return signs with all columns bounded and the named ones (a, b, s, t) fixed."""
    return Signs(np.ones(4, bool), np.array([name in fixed for name in "abst"]))


def basis_of(matrix: SparseMatrix, variables: tuple[int, ...]) -> Basis:
    """Return the basis with these variables."""
    return Basis.of(matrix, np.array(variables), DenseFactors(matrix, np.array(variables)))


@pytest.mark.parametrize("scales", [[1, 1], [6, 35], [10**30, 7]])
def test_values_and_duals_of_every_basis_match_elimination(scales: list[int]) -> None:
    matrix, regular = program(scales), 0
    right, objective = np.array(RIGHT, object) * matrix.scale, np.array(OBJECTIVE, object)
    for variables in combinations(range(6), 2):
        square = [[[*line, int(row == 0), int(row == 1)][place] for place in variables] for row, line in enumerate(TABLE)]
        expected = eliminated(square, RIGHT)
        if expected is None:
            continue
        basis = basis_of(matrix, variables[::-1])
        regular += 1
        values = dict(zip(variables, expected, strict=True))
        assert (basis.values(right) == [values.get(place, 0) for place in range(6)]).all()
        costs = [[*OBJECTIVE, 0, 0][place] for place in variables]
        assert (basis.duals(objective) == eliminated([*map(list, zip(*square, strict=True))], costs)).all()
    assert regular == 13  # all pairs except a slack column with the slack of its row


@pytest.mark.parametrize("scales", [[1, 1], [6, 35]])
def test_only_the_optimal_basis_has_a_proof(scales: list[int]) -> None:
    matrix = program(scales)
    right, objective = np.array(RIGHT, object) * matrix.scale, np.array(OBJECTIVE, object)
    proved = {}
    for variables in combinations(range(6), 2):
        if np.linalg.matrix_rank(DenseFactors(matrix, np.array(variables)).matrix) < 2:
            continue
        duals = basis_of(matrix, variables).optimal_duals(right, objective, signs())
        if duals is not None:
            proved[variables] = duals.tolist()
    assert proved == {(0, 1): [2, 1]}


@pytest.mark.parametrize(
    ("variables", "fixed", "duals"),
    [((0, 1), {"b": True}, None), ((0, 3), {"b": True}, [3, 0]), ((0, 3), {}, None), ((0, 1), {"s": True}, [2, 1])],
)
def test_a_fixed_column_is_0_and_needs_no_reduced_cost(
    variables: tuple[int, int], fixed: dict[str, bool], duals: list[Fraction] | None
) -> None:
    matrix = program([1, 1])
    found = basis_of(matrix, variables).optimal_duals(np.array(RIGHT, object), np.array(OBJECTIVE, object), signs(**fixed))
    assert (None if found is None else found.tolist()) == duals


def test_the_transpose_has_integer_rows_and_the_same_floats() -> None:
    matrix = program([6, 35])
    dense = np.zeros((2, 4))
    dense[matrix.row, matrix.column] = matrix.floats
    transposed = matrix.transposed
    back = np.zeros((4, 2))
    back[transposed.row, transposed.column] = transposed.floats
    assert (back == dense.T).all()
    assert all(type(number) is int for number in transposed.value.tolist())

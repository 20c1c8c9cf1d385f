"""The exact simplex: duals prove its solutions, and HiGHS confirms that programs without a solution have none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.solvers.exact import simplex
from tests.support.properties import examples

INFEASIBLE, UNBOUNDED = 2, 3


@st.composite
def programs(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Draw small programs with many ties, and with redundant or contradictory rows."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    number = st.integers(-2, 2)
    matrix = np.array(
        draw(st.lists(st.lists(number, min_size=columns, max_size=columns), min_size=rows, max_size=rows)), object
    )
    right = np.array(draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)), object)
    if draw(st.booleans()):  # repeat a row
        matrix, right = np.vstack([matrix, matrix[:1]]), np.append(right, right[0])
    return matrix, right, np.array(draw(st.lists(number, min_size=columns, max_size=columns)), object)


def status(matrix: Any, right: Any, objective: Any) -> int:
    return int(
        linprog(*(one.astype(float) for one in (-objective,)), A_eq=matrix.astype(float), b_eq=right.astype(float)).status
    )


@given(programs())
@examples(300)
def test_duals_prove_the_optimum(program: tuple[Any, Any, Any]) -> None:
    """The solution and its duals are feasible and have the same objective, so weak duality proves the optimum."""
    matrix, right, objective = program
    solved = simplex.maximise(matrix, right, objective)
    if solved is None:
        assert status(matrix, right, objective) in (INFEASIBLE, UNBOUNDED)
        return
    values, duals = (np.array(numbers, object) for numbers in solved)
    assert all(type(number) is Fraction for number in (*values, *duals))
    assert min(values) >= 0
    assert (matrix @ values == right).all()
    assert (duals @ matrix >= objective).all()
    assert objective @ values == duals @ right


def array(*numbers: Any) -> Any:
    return np.array(numbers, object)


def test_an_infeasible_program_has_no_solution() -> None:
    assert simplex.maximise(array([1, 1], [1, 1]), array(1, 2), array(1, 0)) is None


def test_an_unbounded_program_has_no_solution() -> None:
    assert simplex.maximise(array([1, -1]), array(0), array(1, 0)) is None


def test_redundant_rows_are_accepted() -> None:
    table = array([1, 1, 0], [2, 2, 0], [0, 1, 1])
    assert simplex.maximise(table, array(1, 2, 1), array(2, 1, 0)) == ([1, 0, 1], [2, 0, 0])


def test_numbers_of_any_length_stay_exact() -> None:
    long = 10**60 + 7
    values, duals = simplex.maximise(array([long, 1]), array(3), array(1, 0)) or ([], [])
    assert (values, duals) == ([Fraction(3, long), 0], [Fraction(1, long)])


def test_the_simplex_does_not_cycle() -> None:
    """Beale's example (1955), times 100: a simplex that takes the steepest column cycles."""
    table = array([25, -6000, -4, 900, 1, 0, 0], [50, -9000, -2, 300, 0, 1, 0], [0, 0, 1, 0, 0, 0, 1])
    values, _ = simplex.maximise(table, array(0, 0, 1), array(75, -15000, 2, -600, 0, 0, 0)) or ([], [])
    assert values[:4] == [Fraction(1, 25), 0, 1, 0]


def test_the_deadline_is_respected() -> None:
    with pytest.raises(TimeLimitError, match="exact simplex"):
        simplex.maximise(array([1, 1]), array(1), array(1, 0), deadline=float("-inf"))

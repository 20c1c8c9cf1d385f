"""Exact solutions from inexact solvers, against elimination in fractions, with floats of any accuracy."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.solvers.exact import sparse_systems
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix, solve_exactly
from tests.support.elimination import eliminated
from tests.support.properties import examples

small = st.integers(-9, 9)


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    """Draw rows of short numbers, each scaled by a number of any length and perturbed, so that fractions are long."""
    size = draw(st.integers(1, 4))
    row = st.lists(small, min_size=size, max_size=size)
    plain = draw(st.lists(row, min_size=size, max_size=size))
    assume(eliminated(plain, [0] * size) is not None)
    scale = draw(st.lists(st.sampled_from([1, 10**12, 10**25 + 1, 3**60]), min_size=size, max_size=size))
    off = draw(st.lists(row, min_size=size, max_size=size))
    matrix = [
        [number * unit + (more if number and unit > 1 else 0) for number, more in zip(numbers, others, strict=True)]
        for numbers, others, unit in zip(plain, off, scale, strict=True)
    ]
    return matrix, [number * unit for number, unit in zip(draw(row), scale, strict=True)], scale


def sparse(matrix: list[list[int]], scale: list[int] | None = None) -> SparseMatrix:
    """Return the nonzero entries, one of them split into two that add up."""
    entries = [(row, column, number) for row, line in enumerate(matrix) for column, number in enumerate(line) if number]
    row, column, number = entries.pop()
    rows, columns, values = zip(*entries, (row, column, number - 1), (row, column, 1), strict=True)
    scales = np.array(scale or [1] * len(matrix), object)
    return SparseMatrix(np.array(rows), np.array(columns), np.array(values, object), scales, len(matrix))


def inverse(matrix: list[list[int]], scale: list[int]) -> Callable[[Any], Any]:
    """Return a float solver for the rows divided by their scale, accurate to the last digit but one."""
    size = len(matrix)
    units = [eliminated(matrix, [scale[row] * (row == place) for row in range(size)]) for place in range(size)]
    floats = np.array([[float(number) for number in unit or []] for unit in units]).T
    return lambda right: floats @ right


@given(systems())
@examples(100)
def test_solutions_match_elimination(system: tuple[list[list[int]], list[int], list[int]]) -> None:
    matrix, right, scale = system
    expected = eliminated(matrix, right)
    solved = solve_exactly(sparse(matrix, scale), np.array(right, object), inverse(matrix, scale))
    assert solved == expected
    assert all(type(number) is Fraction for number in solved or ())


THREE = [[3, 1, 0], [0, 7, -2], [5, 0, 11]]
RIGHT = [1, 2, -4]


def test_a_few_digits_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = inverse(THREE, [1, 1, 1])
    monkeypatch.setattr(sparse_systems, "_DIGITS", 8)  # as if floats had no more digits
    rounded = solve_exactly(sparse(THREE), np.array(RIGHT, object), lambda right: solver(right) * 1.0005)
    assert rounded == eliminated(THREE, RIGHT)


@pytest.mark.parametrize(
    "wrong", [lambda right: right * np.nan, lambda right: right * np.inf, lambda right: right * 0, lambda right: right * 1e-3]
)
def test_inaccurate_floats_give_no_solution(wrong: Callable[[Any], Any]) -> None:
    assert solve_exactly(sparse(THREE), np.array(RIGHT, object), wrong) is None


@pytest.mark.parametrize(("last", "near"), [(12, True), (20, True), (40, False), (-11, False)])
def test_a_solver_of_a_nearby_system_is_enough_and_one_of_a_distant_system_is_not(last: int, near: bool) -> None:
    solver = inverse([[3, 1, 0], [0, 7, -2], [5, 0, last]], [1, 1, 1])
    found = solve_exactly(sparse(THREE), np.array([1, 2, 3], object), solver)
    assert found == (eliminated(THREE, [1, 2, 3]) if near else None)


def test_a_zero_right_side_has_a_zero_solution() -> None:
    assert solve_exactly(sparse(THREE), np.array([0, 0, 0], object), lambda right: right) == [0, 0, 0]


def test_fractions_that_are_too_long_give_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    long = [[10**40 + 3, 1], [1, 10**40 + 9]]
    solver = inverse(long, [10**40, 10**40])

    def counted(right: Any) -> Any:
        rounds.append(1)
        return solver(right)

    assert solve_exactly(sparse(long, [10**40, 10**40]), np.array([1, 2], object), counted) == eliminated(long, [1, 2])
    needed = len(rounds)
    # the defaults allow thousands of digits
    monkeypatch.setattr(sparse_systems, "_MOST_DIGITS", 100)
    monkeypatch.setattr(sparse_systems, "_MOST_WORK", 0)
    rounds.clear()
    assert solve_exactly(sparse(long, [10**40, 10**40]), np.array([1, 2], object), counted) is None
    assert 0 < len(rounds) < needed


@pytest.mark.parametrize(
    ("number", "places", "expected"),
    [(0.5, 0, 1), (-0.5, 0, 0), (0.4375, 4, 7), (7.0, -1, 4), (6.0, -2, 2), (-3.0, 70, -3 << 70)],
)
def test_shifting_rounds_to_the_nearest_integer(number: float, places: int, expected: int) -> None:
    assert sparse_systems.shifted(number, places) == expected


@pytest.mark.parametrize(
    ("number", "unit", "size", "expected"), [(6, 3, 1, 1.0), (3, 3, 0, 1.0), (3, 2, -2, 6.0), (10**400, 10**399, 3, 1.25)]
)
def test_ratios_of_integers_of_any_size(number: int, unit: int, size: int, expected: float) -> None:
    assert sparse_systems._ratio(number, unit, size) == expected


@given(st.lists(st.fractions(-5, 5, max_denominator=1000), min_size=1, max_size=6), st.integers(70, 130), st.integers(0, 999))
@examples(100)
def test_fractions_are_reconstructed_despite_wrong_last_digits(fractions: list[Fraction], digits: int, noise: int) -> None:
    numerators = [round(fraction * (1 << digits)) + (noise * 7**place) % (1 << 40) for place, fraction in enumerate(fractions)]
    assert sparse_systems._reconstructed(numerators, digits) == fractions


def test_no_fraction_is_reconstructed_if_none_is_near() -> None:
    """No number is harder to approximate by fractions than the golden ratio."""
    assert sparse_systems._reconstructed([(isqrt(5 << 200) - (1 << 100)) // 2], 100) is None


def test_the_limit_on_digits_follows_from_cramers_rule() -> None:
    assert sparse_systems._cramer_digits(sparse([[10**40, 1], [1, 3]])) == 2 * ((10**40).bit_length() + 2)
    assert sparse_systems._cramer_digits(sparse([[3]])) == 64

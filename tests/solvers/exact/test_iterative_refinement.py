"""Linear programs finer than floats: the optimal basis is found even if it is better by far less than 2^-53."""

from __future__ import annotations

import time
from math import inf

import numpy as np
import pytest

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.solvers.exact import iterative_refinement
from liarsdice_cli.solvers.exact.basis import Signs
from liarsdice_cli.solvers.exact.iterative_refinement import FixedPoint, IterativeRefinement
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix

DIGITS = 300


def fixed(*numbers: int) -> FixedPoint:
    return FixedPoint(np.array(numbers, object), DIGITS)


def program(*rows: tuple[int, ...], scale: int = 1) -> IterativeRefinement:
    entries = [(row, column, number) for row, numbers in enumerate(rows) for column, number in enumerate(numbers) if number]
    row, column, value = (np.array(part, object) for part in zip(*entries, strict=True))
    scales = np.full(len(rows), scale, object)
    return IterativeRefinement(SparseMatrix(row.astype(np.int64), column.astype(np.int64), value, scales, len(rows[0])))


def all_bounded(columns: int) -> Signs:
    return Signs(np.ones(columns, bool), np.zeros(columns, bool))


ONE = 1 << DIGITS
SPECK = 1 << DIGITS - 200
"""2^-200."""


@pytest.mark.parametrize("scale", [1, 48])
@pytest.mark.parametrize(("first", "second", "best"), [(ONE + SPECK, ONE, 0), (ONE, ONE + SPECK, 1)])
def test_objectives_that_differ_by_a_speck_have_different_bases(first: int, second: int, best: int, scale: int) -> None:
    one = program((scale, scale), scale=scale)
    assert basis(one, fixed(ONE * scale), fixed(first, second)) == [best]


@pytest.mark.parametrize(("right", "basic"), [(SPECK, [0, 1]), (-SPECK, [0, 2])])
def test_right_sides_that_differ_by_a_speck_have_different_bases(right: int, basic: list[int]) -> None:
    """Maximise x subject to x + y = 1 and x + z = 1 - right: y or z of the looser row is basic."""
    one = program((1, 1, 0), (1, 0, 1))
    found = basis(one, fixed(ONE, ONE - right), fixed(ONE, 0, 0))
    assert found == basic


def test_successive_objectives_have_their_own_bases() -> None:
    one = program((1, 1, 1))
    for turn in range(6):
        objective = [ONE] * 3
        objective[turn % 3] += SPECK
        assert basis(one, fixed(ONE), fixed(*objective)) == [turn % 3]


def test_failures_of_highs_are_retried_with_other_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    run, calls = iterative_refinement.run, iter([False, True, False])
    monkeypatch.setattr(iterative_refinement, "run", lambda highs, deadline: next(calls, True) and run(highs, deadline))
    assert basis(program((1, 1)), fixed(ONE), fixed(ONE, ONE + SPECK)) == [1]


def test_a_program_without_an_optimum_has_no_optimal_basis() -> None:
    assert program((1, -1)).optimal_basis(fixed(0), fixed(ONE, ONE), all_bounded(2), inf) is None


def test_the_deadline_is_respected() -> None:
    with pytest.raises(TimeLimitError, match="stopped at the time limit"):
        program((1, 1)).optimal_basis(fixed(ONE), fixed(ONE, ONE), all_bounded(2), time.monotonic() - 1)


def basis(one: IterativeRefinement, right: FixedPoint, objective: FixedPoint) -> list[int]:
    found = one.optimal_basis(right, objective, all_bounded(one.matrix.columns), inf)
    assert found is not None
    return sorted(found.variables.tolist())

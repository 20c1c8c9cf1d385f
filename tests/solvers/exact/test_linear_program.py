"""The linear program and the vertices of its bases, for every basis of small games, against elimination in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.solvers.exact import simplex
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side
from tests.support.elimination import DenseFactors, eliminated
from tests.support.properties import mostly_slow

LONG = 10**40 + 9


def program(*payoffs: Sequence[int]) -> LinearProgram:
    """Return the program of a simultaneous game in which player 1 chooses the row; entries of 0 are included."""
    rows, columns = np.indices((len(payoffs), len(payoffs[0])))
    numbers = np.array([number for row in payoffs for number in row], object)
    return LinearProgram(
        SequenceForm((once(len(payoffs)), once(len(payoffs[0]))), rows.ravel() + 1, columns.ravel() + 1, numbers, 1)
    )


def once(actions: int) -> Side:
    """Return a player who chooses once."""
    return Side(np.arange(actions), np.zeros(actions, np.int64), np.array([0]), np.array([0]))


def dense(one: LinearProgram) -> list[list[int]]:
    """Return the dense matrix, followed by a slack column for each row."""
    table = np.zeros((one.rows, one.columns), object)
    row, column, value = one.entries
    np.add.at(table, (row, column), value)
    return np.hstack([table, np.eye(one.rows, dtype=np.int64).astype(object)]).tolist()  # type: ignore[no-any-return]


class Ended(DenseFactors):
    """A stand-in for HiGHS at a given basis."""

    def __init__(self, one: LinearProgram, basic: Sequence[int]) -> None:
        super().__init__(one.matrix, np.array(basic))
        self.basic = np.array([place if place < one.columns else one.columns - 1 - place for place in basic])

    def getBasicVariables(self) -> tuple[None, Any]:  # noqa: N802 (HiGHS's name)
        return None, self.basic


def vertex(one: LinearProgram, basic: Sequence[int]) -> tuple[list[Fraction], list[Fraction]] | None:
    """Return both plans at a basis, which may have negative weights, or None if the basis is singular."""
    table = [[row[place] for place in basic] for row in dense(one)]
    values = eliminated(table, [int(row == one.plan_rows) for row in range(one.rows)])
    duals = eliminated([*map(list, zip(*table, strict=True))], [int(place == one.plan_columns) for place in basic])
    if values is None or duals is None:
        return None
    at = dict(zip(basic, values, strict=True))
    return [at.get(place, Fraction(0)) for place in range(one.plan_columns)], [-dual for dual in duals[: one.plan_rows]]


@pytest.mark.parametrize(
    ("payoffs", "kinds"),
    mostly_slow(
        [
            ([(3, 2), (-1, 1)], {"sound", "negative 2"}),  # no mixture of columns makes player 1 indifferent
            ([(3, -1), (-2, 4)], {"sound"}),
            ([(0, 0), (0, 5)], {"sound"}),  # degenerate
            ([(LONG, 2), (-1, LONG - 2)], {"sound"}),
            ([(3, -1), (2, 1)], {"sound", "negative 1"}),  # no mixture of rows makes player 2 indifferent
        ],
        5,
    ),
)
def test_the_plans_of_a_basis_match_elimination_if_no_weight_is_negative(
    payoffs: list[tuple[int, ...]], kinds: set[str]
) -> None:
    one, seen = program(*payoffs), set()
    for basic in combinations(range(one.columns + one.rows), one.rows):
        expected = vertex(one, basic)
        if expected is None:
            continue
        found = one.exact_plans(Ended(one, basic[::-1]))  # in any order
        negative = [player for player, plan in enumerate(expected, 1) if min(plan) < 0]
        seen |= {f"negative {player}" for player in negative} or {"sound"}
        if negative:
            assert found is None
        else:
            assert found is not None
            assert [plan.tolist() for plan in found] == [*expected]
            assert all(type(number) is Fraction for plan in found for number in plan)
    assert seen >= kinds


@pytest.mark.parametrize("wrong", ["getBasisSolve", "getBasisTransposeSolve"])
def test_unusable_floats_give_no_exact_plans(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = program((3, -1), (-2, 4))
    highs = one.optimum(inf)
    assert one.exact_plans(highs) is not None
    monkeypatch.setattr(highs, wrong, lambda right: (None, right * np.nan), raising=True)
    assert one.exact_plans(highs) is None


def test_float_plans_are_close_to_the_exact_plans() -> None:
    one = program((3, -1), (-2, 4))
    highs = one.optimum(inf)
    exact = one.exact_plans(highs) or ()
    assert [plan.tolist() for plan in exact] == [[1, Fraction(3, 5), Fraction(2, 5)], [1, Fraction(1, 2), Fraction(1, 2)]]
    for plan, rough in zip(exact, one.float_plans(highs), strict=True):
        assert rough.dtype == np.float64
        assert rough == pytest.approx(plan.astype(np.float64), abs=1e-9)


@pytest.mark.parametrize("constant", [0, 7, -7])
def test_the_exact_simplex_finds_the_same_plans_for_any_sign_of_the_value(constant: int) -> None:
    found = program((3 + constant, constant - 1), (constant - 2, 4 + constant)).simplex_plans(inf) or ()
    assert [plan.tolist() for plan in found] == [[1, Fraction(3, 5), Fraction(2, 5)], [1, Fraction(1, 2), Fraction(1, 2)]]


@pytest.mark.parametrize("unit", [1, 10**30, 3**200])
def test_highs_receives_the_same_program_for_payoffs_of_any_scale(unit: int) -> None:
    plain, scaled = (program((3 * size, -size), (-2 * size, 5 * size)) for size in (1, unit))
    model, expected = (one.optimum(inf).getLp() for one in (scaled, plain))
    assert [*model.a_matrix_.value_] == pytest.approx([*expected.a_matrix_.value_], abs=1e-15)
    assert max(map(abs, model.a_matrix_.value_)) == 1


def test_exact_plans_are_distributions_if_all_payoffs_are_0() -> None:
    nothing = np.zeros(0, np.int64)  # entries of 0 may be left out
    for one in (program((0,), (0,)), LinearProgram(SequenceForm((once(2), once(1)), nothing, nothing, nothing, 1))):
        assert one.largest == 1
        plans = one.exact_plans(one.optimum(inf))
        assert plans is not None
        for plan in plans:
            assert plan[0] == sum(plan[1:]) == 1


def twice() -> Side:
    """Return a player who chooses again after the first action."""
    return Side(np.arange(4), np.array([0, 0, 1, 1]), np.array([0, 1]), np.array([0, 1]))


@pytest.mark.parametrize("sides", [(once(1), once(1)), (once(2), once(5)), (once(7), twice()), (twice(), twice())])
def test_fits_simplex_compares_the_size_of_the_tableau_with_the_limit(
    sides: tuple[Side, Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair, entries = np.array([1]), 0
    one = LinearProgram(SequenceForm(sides, pair, pair, np.array([3], object), 1))

    def counted(table: Any, *_: Any) -> None:
        nonlocal entries
        rows, columns = table.shape
        entries = rows * (columns + rows)  # one artificial column per row

    monkeypatch.setattr(simplex, "maximise", counted)
    assert one.simplex_plans(inf) is None
    for largest, small in ((entries, True), (entries - 1, False)):
        monkeypatch.setattr(simplex, "LARGEST", largest)
        assert one.fits_simplex() == small


def test_the_exact_simplex_respects_the_deadline() -> None:
    with pytest.raises(TimeLimitError, match="exact simplex"):
        program((3, -1), (-2, 4)).simplex_plans(-inf)


def test_the_interior_point_method_finds_the_value_of_the_simplex_method() -> None:
    one = program((0, 2, -3, 0), (-2, 0, 0, 3), (3, 0, 0, -4), (0, -3, 4, 0))
    highs, inside = one.optimum(inf), one.interior_optimum(inf)
    assert inside.getInfo().ipm_iteration_count > 0
    assert inside.getInfo().objective_function_value == pytest.approx(highs.getInfo().objective_function_value, abs=1e-7)

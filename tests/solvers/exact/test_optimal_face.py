"""Exact plans near an optimum of the interior point method: optimal, with more positive weights than a vertex."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import optimal_face
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.exact.reduction import reduce
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side, sequence_form
from liarsdice_cli.solvers.exact.solve import ends
from tests.support.properties import mostly_slow


def matrix_game(payoffs: list[list[int]]) -> LinearProgram:
    """Return the program of a simultaneous game in which player 1 chooses the row."""
    first, second = np.indices((len(payoffs), len(payoffs[0])))
    sides = [Side(np.arange(size), np.zeros(size, np.int64), np.array([0]), np.array([0])) for size in first.shape]
    numbers = np.array([number for row in payoffs for number in row], object)
    return LinearProgram(SequenceForm((sides[0], sides[1]), first.ravel() + 1, second.ravel() + 1, numbers, 1))


SEVERAL = [
    [[3, -2, 3], [-2, 1, -2], [3, -2, 3]],  # two equal rows, two equal columns
    [[0, 1, -1, 0], [-1, 0, 1, 0], [1, -1, 0, 0], [0, 0, 0, 0]],
    [[2, 0, 1], [0, 2, 1]],
]


@pytest.mark.parametrize("payoffs", SEVERAL)
def test_plans_are_optimal_in_fractions(payoffs: list[list[int]]) -> None:
    program = matrix_game(payoffs)
    plans = optimal_face.exact_plans(program, program.interior_optimum(inf))
    assert plans is not None
    one, two = plans[0][1:], plans[1][1:]
    assert all(isinstance(number, Fraction) for number in [*one, *two])
    assert sum(one) == sum(two) == 1
    table = np.array(payoffs, object)
    assert min(one @ table) == max(table @ two)


def test_weights_match_the_interior_point() -> None:
    program = matrix_game(SEVERAL[1])
    highs = program.interior_optimum(inf)
    plans, floats = optimal_face.exact_plans(program, highs), program.float_plans(highs)
    assert plans is not None
    for plan, near in zip(plans, floats, strict=True):
        assert plan.astype(float) == pytest.approx(near, abs=1e-6)


class Misleading:
    """A result of the interior point method in which a column seems to be positive."""

    def __init__(self, highs: Any, column: int) -> None:
        solution = highs.getSolution()
        self.row_value, self.row_dual = solution.row_value, solution.row_dual
        self.col_value, self.col_dual = list(solution.col_value), list(solution.col_dual)
        self.col_value[column], self.col_dual[column] = 1e-6, 0.0

    def getSolution(self) -> Misleading:  # noqa: N802 (HiGHS's name)
        """Return the solution."""
        return self


def test_misleading_weights_give_no_plans() -> None:
    program = matrix_game([[2, 0, 1], [0, 2, 1], [0, 0, 0]])
    highs = program.interior_optimum(inf)
    assert optimal_face.exact_plans(program, Misleading(highs, 0)) is not None  # the empty sequence is positive
    assert optimal_face.exact_plans(program, Misleading(highs, 3)) is None


@pytest.mark.parametrize(
    ("name", "sides", "dice"), mostly_slow([("joker", 3, (1, 1)), ("common", 3, (2, 1)), ("top-wild", 4, (1, 1))])
)
def test_plans_of_whole_games_have_the_same_value_as_a_vertex(name: str, sides: int, dice: tuple[int, int]) -> None:
    tree = build(rules(name, sides, dice).without_impossible_bids())
    form = sequence_form(tree, reduce(tree, ends(tree)))
    program = LinearProgram(form)
    plans = optimal_face.exact_plans(program, program.interior_optimum(inf))
    vertex = program.exact_plans(program.optimum(inf))
    assert plans is not None
    assert vertex is not None
    used = [sum(np.count_nonzero(plan) for plan in pair) for pair in (plans, vertex)]
    assert used[0] > used[1], "a vertex has the fewest positive weights"
    pairs = [(one, two) for one in (plans[0], vertex[0]) for two in (plans[1], vertex[1])]
    assert len({(form.payoff * one[form.first] * two[form.second]).sum() for one, two in pairs}) == 1

"""Linear programs with fine data, by iterative refinement: the basis that floats alone are too coarse to find.

    maximise objective · z   where   matrix z = right,   z_j >= 0 for the bounded columns j,   z_j = 0 for the fixed ones,

right side and objective being known to far more digits than a float has. HiGHS solves a rough program; the exact residuals
of its answer, magnified, are right side, bounds and objective of the next one, and the answers add up. The matrix never
changes, so every round starts from the basis of the one before.

Source: Gleixner, Steffy and Wolter (2016), "Iterative refinement for linear programming", INFORMS Journal on Computing 28,
sections 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Numbers
from liarsdice_cli.solvers.exact.basis import Basis, Signs
from liarsdice_cli.solvers.exact.rational import shifted
from liarsdice_cli.solvers.exact.sparse_matrix import SparseMatrix
from liarsdice_cli.solvers.highs import new_highs, run

_STEPS = (28, 20, 24, 8)
"""Binary digits by which residuals are magnified more in a round than in the one before, one after the other where HiGHS
fails, as it does now and then. Its tolerances are near 2^-30."""
_WIDE = 2.0**40
"""A magnified bound above this cannot be met in a round, and is left out; costs are cut there."""
_ROUNDS = 60
"""After so many the floats are too rough, and the program is given up."""
_SPARE = 40
"""Binary digits at the end of the data's, beside those of a coefficient, that a residual may be in when the rounds end."""


@dataclass(frozen=True)
class FixedPoint:
    """Numbers with a fixed point: integers of any size over 2^digits."""

    numbers: Numbers
    digits: int


class IterativeRefinement:
    """The matrix of several programs that differ in the right side, the objective and the signs of the columns.

    presolve : whether a program with other signs than the one before is presolved; otherwise it starts from the last basis
    """

    def __init__(self, matrix: SparseMatrix, presolve: bool = False) -> None:
        self.matrix, self.presolve = matrix, presolve
        self.highs: Any = None
        self.start: Any = None  # the last basis that was good
        self.signs: Signs | None = None  # those of the last program

    @cached_property
    def spare(self) -> int:
        """How many binary digits right side and objective must have beside those that matter."""
        return _SPARE + int(np.max(np.abs(self.matrix.value))).bit_length()

    def optimal_basis(self, right: FixedPoint, objective: FixedPoint, signs: Signs, deadline: float) -> Basis | None:
        """Return the basis of an optimum.

        right     : for every row, as the matrix has it
        objective : for every column
        signs     : for every column
        deadline  : of time.monotonic; raises TimeLimitError there

        None if floats are too inexact. The basis is optimal as far as residuals of 0 in `digits` places show. A proof needs
        the exact solutions of its systems.
        """
        if self.presolve and signs is not self.signs:
            self.signs, self.start, self.highs = signs, None, None
        for step in _STEPS:
            basis = self._rounds(_Rounds(self, right, objective, signs, step), deadline)
            if basis is not None:
                return basis
        return None

    def _rounds(self, rounds: _Rounds, deadline: float) -> Basis | None:
        """The rounds up to the last one; None where HiGHS fails or they do not end."""
        for _ in range(_ROUNDS):
            rounds.look()
            if rounds.close:
                return Basis.of_highs(self.matrix, self.highs)
            if not (self._solves(rounds, deadline) or self._solves(rounds.with_all_bounds(), deadline)):
                return None
            rounds.add(self.highs.getSolution())
        return None

    def _solves(self, rounds: _Rounds, deadline: float) -> bool:
        """Solve the next program, from the last good basis; says whether HiGHS finds an optimum."""
        self._begin()
        self._change(*rounds.magnified())
        if run(self.highs, deadline):
            self.start = self.highs.getBasis()
            self.highs.setOptionValue("presolve", "off")
            return True
        self.highs = None  # what it has is of no use
        return False

    def _begin(self) -> None:
        """Hand the matrix to HiGHS, unless it has it."""
        if self.highs is not None:
            return
        model, columns = self.matrix.highs_model(), self.matrix.columns
        model.col_cost_ = model.col_lower_ = np.zeros(columns)
        model.col_upper_ = np.full(columns, np.inf)
        model.row_lower_ = model.row_upper_ = np.zeros(self.matrix.rows)
        self.highs = new_highs(presolve=self.presolve and self.start is None)
        self.highs.passModel(model)
        if self.start is not None:
            self.highs.setBasis(self.start)

    def _change(self, sides: Floats, lowest: Floats, highest: Floats, costs: Floats) -> None:
        columns = np.arange(self.matrix.columns, dtype=np.int32)
        self.highs.changeColsCost(len(columns), columns, -costs)  # HiGHS minimises
        self.highs.changeColsBounds(len(columns), columns, lowest, highest)
        for row, side in enumerate(sides.tolist()):
            self.highs.changeRowBounds(row, side, side)


class _Rounds:
    """The sum of all answers so far, and how far it is from an optimum. Duals are those of the integer rows."""

    def __init__(self, program: IterativeRefinement, right: FixedPoint, objective: FixedPoint, signs: Signs, step: int) -> None:
        self.program, self.right, self.objective, self.signs, self.step = program, right, objective, signs, step
        self.digits = right.digits
        self.values = np.zeros(program.matrix.columns, object)
        self.duals = np.zeros(program.matrix.rows, object)
        self.places = [-step, -step]  # of the last magnification, of residuals and of reduced costs

    def look(self) -> None:
        """Find what is missing."""
        matrix, bounded, fixed = self.program.matrix, self.signs.bounded, self.signs.fixed
        self.residual = self.right.numbers - matrix.times(self.values)
        self.reduced = self.objective.numbers - matrix.transposed_times(self.duals)
        missing = np.abs(self.residual) // self.program.matrix.scale
        below = -self.values[bounded]
        above = np.where(bounded, self.reduced, np.abs(self.reduced))[~fixed]
        self.sizes = [
            max(int(missing.max()), int(below.max(initial=0)), 0).bit_length(),
            max(int(above.max(initial=0)), 0).bit_length(),
        ]
        self.places = [self._places(size, before) for size, before in zip(self.sizes, self.places, strict=True)]

    def _places(self, size: int, before: int) -> int:
        """How much to magnify what is missing; not at all where hardly anything is, so that bounds stay in sight."""
        return min(self.digits - size, before + self.step) if size > self.program.spare else 0

    def with_all_bounds(self) -> _Rounds:
        """The same round, but that no bound is magnified out of sight: without some, a program may be unbounded."""
        self.places[0] = 0
        return self

    @property
    def close(self) -> bool:
        """Whether what is missing is in the last digits only."""
        return max(self.sizes) <= self.program.spare

    def magnified(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the residual as the next program: right side, lower and upper bounds, and objective."""
        first, second = (places - self.digits for places in self.places)
        ones = np.full(self.program.matrix.columns, 1, object)
        lowest = np.where(self.signs.bounded, -_ratios(self.values, first, ones), -np.inf)
        costs = _ratios(self.reduced, second, ones)
        return (
            _ratios(self.residual, first, self.program.matrix.scale),
            np.where(lowest < -_WIDE, -np.inf, lowest),
            np.where(self.signs.fixed, lowest, np.inf),
            np.maximum(costs, -_WIDE),
        )

    def add(self, solution: Any) -> None:
        """Add an answer to the sum."""
        first, second = (self.digits - places for places in self.places)
        self.values = self.values + _shifted(solution.col_value, first)
        self.duals = self.duals - _shifted(solution.row_dual, second) // self.program.matrix.scale


def _ratios(numbers: Numbers, places: int, units: Numbers) -> Floats:
    """Integers times 2^places over the units, in floats."""
    up, down = max(places, 0), max(-places, 0)
    return np.array([_ratio(number << up, unit << down) for number, unit in zip(numbers.tolist(), units.tolist(), strict=True)])


def _ratio(number: int, unit: int) -> float:
    return number / unit if number.bit_length() - unit.bit_length() < 1000 else np.inf if number > 0 else -np.inf


def _shifted(numbers: list[float], places: int) -> Numbers:
    return np.array([shifted(number, places) for number in numbers], object)

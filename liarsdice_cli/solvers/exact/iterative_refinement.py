"""Linear programs with data finer than floats, by iterative refinement: it finds the basis that floats alone cannot.

    maximise objective · z   subject to   matrix z = right,   z_j >= 0 for the bounded columns j,   z_j = 0 for the fixed ones

The right side and the objective have far more digits than a float. HiGHS solves a rough program. The exact residuals of its
solution, magnified, are the right side, bounds and objective of the next program, and the solutions add up. The matrix never
changes, so every round starts from the basis of the round before.

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
from liarsdice_cli.solvers.exact.sparse_systems import SparseMatrix, shifted
from liarsdice_cli.solvers.highs import new_highs, run

_STEPS = (28, 20, 24, 8)
"""The binary digits by which the magnification grows from round to round. If HiGHS fails, as it sometimes does, the next number
is tried. Its tolerances are near 2^-30."""
_WIDE = 2.0**40
"""The largest magnified bound; larger ones cannot be reached in a round and are removed. Costs are clipped to it."""
_ROUNDS = 60
"""The most rounds; after them the floats are too inexact for the program."""
_SPARE = 40
"""The last binary digits of the data, added to those of a coefficient, in which a residual may remain after the last round."""


@dataclass(frozen=True)
class FixedPoint:
    """Fixed-point numbers: integers of any size over 2^digits."""

    numbers: Numbers
    digits: int


class IterativeRefinement:
    """A solver for programs with one matrix that differ in the right side, the objective and the signs of the columns.

    presolve : whether a program is presolved if its signs differ from those of the program before; otherwise every program
               starts from the last basis
    """

    def __init__(self, matrix: SparseMatrix, presolve: bool = False) -> None:
        self.matrix, self.presolve = matrix, presolve
        self.highs: Any = None
        self.start: Any = None  # the last optimal basis
        self.signs: Signs | None = None  # the signs of the last program

    @cached_property
    def spare(self) -> int:
        """The number of binary digits that right side and objective need in addition to the relevant ones."""
        return _SPARE + int(np.max(np.abs(self.matrix.value))).bit_length()

    def optimal_basis(self, right: FixedPoint, objective: FixedPoint, signs: Signs, deadline: float) -> Basis | None:
        """Return the basis of an optimum; None if floats are too inexact.

        right     : the right side of the integer rows
        objective : a number for every column
        deadline  : a time of time.monotonic, after which TimeLimitError is raised

        The basis is optimal as far as residuals of 0 in `digits` places show. A proof needs the exact solutions of its systems.
        """
        if self.presolve and signs is not self.signs:
            self.signs, self.start, self.highs = signs, None, None
        for step in _STEPS:
            basis = self._refine(_Iterate(self, right, objective, signs, step), deadline)
            if basis is not None:
                return basis
        return None

    def _refine(self, iterate: _Iterate, deadline: float) -> Basis | None:
        """Return the basis after the last round; None if HiGHS fails or the rounds do not end."""
        for _ in range(_ROUNDS):
            iterate.find_residuals()
            if iterate.is_close:
                return Basis.of_highs(self.matrix, self.highs)
            if not (self._solve(iterate, deadline) or self._solve(iterate.with_all_bounds(), deadline)):
                return None
            iterate.add(self.highs.getSolution())
        return None

    def _solve(self, iterate: _Iterate, deadline: float) -> bool:
        """Solve the next program from the last optimal basis; return whether HiGHS finds an optimum."""
        self._ensure_highs()
        self._change(*iterate.magnified())
        if run(self.highs, deadline):
            self.start = self.highs.getBasis()
            self.highs.setOptionValue("presolve", "off")
            return True
        self.highs = None  # after a failure it starts again from the last optimal basis
        return False

    def _ensure_highs(self) -> None:
        """Create HiGHS with the matrix, unless it exists."""
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


class _Iterate:
    """The sum of all solutions so far, and its distance from an optimum. Duals are those of the integer rows."""

    def __init__(self, program: IterativeRefinement, right: FixedPoint, objective: FixedPoint, signs: Signs, step: int) -> None:
        self.program, self.right, self.objective, self.signs, self.step = program, right, objective, signs, step
        self.digits = right.digits
        self.values = np.zeros(program.matrix.columns, object)
        self.duals = np.zeros(program.matrix.rows, object)
        self.places = [-step, -step]  # the last magnifications of residuals and of reduced costs

    def find_residuals(self) -> None:
        """Compute the exact residuals and reduced costs, and how much to magnify them."""
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
        """Return the magnification of a residual of this size: 0 for a tiny one, so that no bound becomes too large."""
        return min(self.digits - size, before + self.step) if size > self.program.spare else 0

    def with_all_bounds(self) -> _Iterate:
        """Return this iterate without a magnification that removes bounds: without them a program may be unbounded."""
        self.places[0] = 0
        return self

    @property
    def is_close(self) -> bool:
        """Whether the residuals are in the last digits only."""
        return max(self.sizes) <= self.program.spare

    def magnified(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the next program: right side, lower and upper bounds, and objective."""
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
        """Add a solution to the sum."""
        first, second = (self.digits - places for places in self.places)
        self.values = self.values + _shifted(solution.col_value, first)
        self.duals = self.duals - _shifted(solution.row_dual, second) // self.program.matrix.scale


def _ratios(numbers: Numbers, places: int, units: Numbers) -> Floats:
    """Return integers times 2^places over the units, in floats."""
    up, down = max(places, 0), max(-places, 0)
    return np.array([_ratio(number << up, unit << down) for number, unit in zip(numbers.tolist(), units.tolist(), strict=True)])


def _ratio(number: int, unit: int) -> float:
    return number / unit if number.bit_length() - unit.bit_length() < 1000 else np.inf if number > 0 else -np.inf


def _shifted(numbers: list[float], places: int) -> Numbers:
    return np.array([shifted(number, places) for number in numbers], object)

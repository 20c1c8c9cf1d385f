"""Sparse integer matrices, and the exact solutions of their linear systems from an inexact solver.

Every round solves for the exact residual in floats and adds some forty binary digits to the solution. With enough digits every
component determines the one fraction with a small denominator close to it. The result is checked exactly.

Source: Gleixner, Steffy and Wolter (2016), "Iterative refinement for linear programming", INFORMS Journal on Computing 28,
section 3; rational reconstruction as in Wang, Guy and Davenport (1982).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from liarsdice_cli.extensive.evaluate import scaled
from liarsdice_cli.extensive.stream import Floats, Ints, Numbers

_DIGITS = 45
"""The most binary digits that a round adds."""
_MOST_DIGITS = 24_000
"""The most binary digits of a solution of a large system ..."""
_MOST_WORK = 20_000_000
"""... and the most entries times digits of a small one."""


@dataclass(frozen=True)
class SparseMatrix:
    """A sparse integer matrix. In floats its rows are divided by their scales, so that its entries are of moderate size.

    row, column, value : the position of every entry, and the entry, a Python integer
    scale              : a positive integer for every row
    columns            : the number of columns
    """

    row: Ints
    column: Ints
    value: Numbers
    scale: Numbers
    columns: int

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.scale)

    @cached_property
    def floats(self) -> Floats:
        """The entries divided by the scales of their rows, in float64."""
        scales = self.scale[self.row].tolist()
        return np.array([number / unit for number, unit in zip(self.value.tolist(), scales, strict=True)], np.float64)

    @cached_property
    def transposed(self) -> SparseMatrix:
        """The transpose of the matrix with divided rows, each row times the least scale that makes its entries integers."""
        row_scale = self.scale[self.row]
        scale = np.full(self.columns, 1, object)
        for column, entry, unit in zip(self.column.tolist(), self.value.tolist(), row_scale.tolist(), strict=True):
            scale[column] = lcm(scale[column], unit // gcd(entry, unit))
        return SparseMatrix(self.column, self.row, self.value * scale[self.column] // row_scale, scale, self.rows)

    def times(self, vector: Numbers) -> Numbers:
        """Return the product with a vector of integers, exactly."""
        product = np.zeros(self.rows, object)
        np.add.at(product, self.row, self.value * vector[self.column])
        return product

    def transposed_times(self, vector: Numbers) -> Numbers:
        """Return the product of the transpose with a vector of integers, exactly; scales do not matter here."""
        product = np.zeros(self.columns, object)
        np.add.at(product, self.column, self.value * vector[self.row])
        return product

    def highs_model(self) -> Any:
        """Return a new `highspy.HighsLp` with this matrix in floats; bounds and costs are still to be set."""
        import highspy

        order = np.lexsort((self.row, self.column))
        model: Any = highspy.HighsLp()
        model.num_col_, model.num_row_ = self.columns, self.rows
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.append(0, np.cumsum(np.bincount(self.column, minlength=self.columns)))
        model.a_matrix_.index_ = self.row[order]
        model.a_matrix_.value_ = self.floats[order]
        return model


def solve_exactly(matrix: SparseMatrix, right: Numbers, approximate: Callable[[Numbers], Numbers]) -> list[Fraction] | None:
    """Return the exact solution of `matrix @ z = right`; None if the floats are too inexact or its fractions too long.

    right       : an integer for every row
    approximate : solves in floats the system whose rows are divided by their scales; a few correct digits are enough

    Cost: a float solve and a product with the matrix in integers for every 45 binary digits of the solution.

    >>> both, ones = np.arange(2), np.array([1, 1], object)
    >>> matrix = SparseMatrix(both, both, np.array([3, 7], object), ones, 2)
    >>> solved = solve_exactly(matrix, np.array([1, 5], object), lambda right: right / np.array([3.0, 7.0]))
    >>> [str(number) for number in solved]
    ['1/3', '5/7']
    """
    numerator, digits, attempt = np.zeros(len(right), object), 0, 64
    scales = matrix.scale.tolist()
    needed = 2 * _cramer_digits(matrix) + _DIGITS + 2  # by then `_reconstructed` finds every fraction that there can be
    most_digits = min(needed, max(_MOST_DIGITS, _MOST_WORK // len(matrix.value)))
    while digits < most_digits:
        residual = (right * (1 << digits) - matrix.times(numerator)).tolist()
        size = max(
            (number.bit_length() - unit.bit_length() for number, unit in zip(residual, scales, strict=True) if number),
            default=None,
        )
        if size is None:
            return [Fraction(number, 1 << digits) for number in numerator.tolist()]
        step = approximate(np.array([_ratio(number, unit, size) for number, unit in zip(residual, scales, strict=True)]))
        if not np.all(np.isfinite(step)) or not step.any():
            return None
        gained = _DIGITS - size - int(np.frexp(np.max(np.abs(step)))[1])
        if gained < 1 and digits > 0:
            return None  # the floats are too inexact
        gained = max(gained, 1)
        digits += gained
        numerator = numerator * (1 << gained) + np.array([shifted(number, size + gained) for number in step.tolist()], object)
        if digits >= min(attempt, most_digits):
            attempt = 2 * digits
            solution = _reconstructed(numerator.tolist(), digits)
            if solution is not None and _solves(matrix, right, solution):
                return solution
    return None


def _cramer_digits(matrix: SparseMatrix) -> int:
    """Return the most binary digits of a component, by Cramer's rule and Hadamard's bound; at least 64."""
    largest: int = max(abs(number) for number in matrix.value.tolist()).bit_length()
    return max(64, matrix.rows * (largest + matrix.rows.bit_length()))


def _ratio(number: int, unit: int, size: int) -> float:
    """Return number / unit / 2^size in floats, for integers of any size."""
    return number / (unit << size) if size >= 0 else (number << -size) / unit


def shifted(number: float, places: int) -> int:
    """Return the integer nearest to the number times 2^places; of two the higher one."""
    numerator, denominator = number.as_integer_ratio()
    if places >= 0:
        numerator <<= places
    else:
        denominator <<= -places
    return (2 * numerator + denominator) // (2 * denominator)


def _reconstructed(numerators: list[int], digits: int) -> list[Fraction] | None:
    """Return for each number over 2^digits the closest fraction with a small denominator; None if one is too far away.

    The digits of the last round may all be wrong, so a fraction may be up to `near` away. Fractions with denominators up to
    `most` lie further apart than twice that. Denominators repeat, so the least common denominator found so far is tried first.
    """
    whole, near = 1 << digits, 1 << _DIGITS
    most = 1 << (digits - _DIGITS - 2) // 2
    common, solution = 1, []
    for numerator in numerators:
        times = numerator * common
        nearest = (2 * times + whole) // (2 * whole)
        if abs(times - nearest * whole) <= near * common:
            solution.append(Fraction(nearest, common))
            continue
        fraction = Fraction(numerator, whole).limit_denominator(most)
        if abs(fraction.numerator * whole - numerator * fraction.denominator) > near * fraction.denominator:
            return None
        solution.append(fraction)
        joined = lcm(common, fraction.denominator)
        common = joined if joined <= most else fraction.denominator
    return solution


def _solves(matrix: SparseMatrix, right: Numbers, solution: list[Fraction]) -> bool:
    """Return whether the fractions solve the system, checked in integers."""
    numerators, denominator = scaled(np.array(solution, object))
    return bool(np.all(matrix.times(numerators) == right * denominator))

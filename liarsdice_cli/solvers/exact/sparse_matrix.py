"""Sparse integer matrices whose rows have scales: exact products, and the same matrix in floats for HiGHS and SuperLU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints, Numbers


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

"""The linear program of a game in which everybody trembles, and the exact plans of its optimum as polynomials in the tremble.

Players must play every sequence of k own actions with weight at least ε^k. With r(ε) and s(ε) these least weights, x and y the
realization plans and q the set values of player 2,

    maximise q_0 + s(ε)·a   where   A' x - F' q - a = 0,   E x = e,   x >= r(ε),   a >= 0;

a is what every sequence of player 2 costs player 2 beside a best one, and the dual values of the first rows, above s(ε), are y.
The tremble is in the bounds and in the objective only. So the optimum's basis is a support, the sequences with more weight
than their tremble; and as long as it stays the same, all weights are polynomials in ε whose coefficients solve linear systems
with one and the same matrix.

Source: Miltersen and Sorensen (2010), "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42;
Farina, Gatti and Sandholm (2018), "Practical exact algorithm for trembling-hand equilibrium refinements in games".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.solvers.exact.iterative import FineProgram, Fixed
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.exact.rational import Sparse, solve_exactly
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side


class Support(NamedTuple):
    """Which columns of the program are basic.

    plans : for every sequence of both players whether it has more weight than its tremble; the empty one has
    rows  : those whose own column, which is 0, is basic too: where a set is worth nothing, payoffs adding up to 0, it may be
    """

    plans: tuple[Bools, Bools]
    rows: Ints


class TremblingProgram:
    """The program of a sequence form.

    Columns: the sequences of player 1 (weights above the tremble), then q_0 and the sets of player 2, then the sequences of
    player 2 (what they cost). Rows: the sequences of player 2, then the empty sequence and the sets of player 1.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.program = program = LinearProgram(form)
        self.lengths = tuple(map(_lengths, form.sides))
        self.degree = int(max(np.max(lengths) for lengths in self.lengths))
        self.columns = program.columns + program.plan_rows
        costs = np.arange(program.plan_rows)
        scale = np.array([program.largest] * program.plan_rows + [1] * (program.rows - program.plan_rows), object)
        plain = program.matrix
        value = np.where(program.is_payoff, plain.value, plain.value * scale[plain.row])
        matrix = Sparse(
            np.append(plain.row, costs),
            np.append(plain.column, program.columns + costs),
            np.append(value, -scale[: program.plan_rows]),
            program.rows,
        )
        free = np.arange(program.plan_columns, program.columns)
        self.fine = FineProgram(matrix, self.columns, scale, ~np.isin(np.arange(self.columns), free))

    def support(self, bits: int, deadline: float) -> Support | None:
        """The support of the optimum where the tremble is 2^-bits; None where floats are too rough.

        deadline : of time.monotonic; raises TimeLimitError there
        """
        digits = bits * (self.degree + 1) + self.fine.spare + 24
        sides, objectives = zip(*(self._coefficients(power) for power in range(self.degree + 1)), strict=True)
        right, objective = (
            Fixed(sum((numbers << digits - bits * power for power, numbers in enumerate(part)), 0 * part[0]), digits)
            for part in (sides, objectives)
        )
        basis = self.fine.basis(right, objective, deadline)
        return None if basis is None else self._support(basis)

    def _support(self, basis: Ints) -> Support:
        basic = np.zeros(self.columns, bool)
        basic[basis[basis >= 0]] = True
        plans = basic[: self.program.plan_columns], ~basic[self.program.columns :]
        return Support(plans, -1 - basis[basis < 0])

    def plans(self, support: Support) -> tuple[Numbers, Numbers] | None:
        """Both players' plans: for every sequence the coefficients of its weight, (sequences, degree + 1) Fractions.

        They solve the equations of the support; whether they are an equilibrium is for `extensive.trembles` to say. None where
        the equations have not just one solution, or fractions too long. Cost: two sparse systems for every power of ε.
        """
        system = self._system(support)
        if system is None:
            return None
        first = np.stack([self._trembles(0, power) for power in range(self.degree + 1)], axis=1).astype(object) + Fraction(0)
        second = np.zeros((self.program.plan_rows, self.degree + 1), object) + Fraction(0)
        played = system.basis < self.program.plan_columns
        nothing = np.zeros(self.program.rows, object)
        for power in range(self.degree + 1):
            right, objective = self._coefficients(power)
            weights, duals = system.solve(right), system.solve_transposed(np.concatenate([objective, nothing]))
            if weights is None or duals is None:
                return None
            first[system.basis[played], power] += weights[played]
            second[:, power] = -duals[: self.program.plan_rows]
        return first, second

    def _system(self, support: Support) -> _System | None:
        """The equations of a support; None if they are not as many as the unknowns, or have not just one solution."""
        free = np.arange(self.program.plan_columns, self.program.columns)
        first, second = support.plans
        costly = self.program.columns + np.flatnonzero(~second)
        basis = np.concatenate([np.flatnonzero(first), free, costly, self.columns + support.rows])
        return _System.of(self.fine, basis) if len(basis) == self.program.rows else None

    def _coefficients(self, power: int) -> tuple[Numbers, Numbers]:
        """The coefficients of ε^power in the right side, in integer rows, and in the objective."""
        right = self.program.right * int(power == 0)
        objective = np.zeros(self.columns, object)
        objective[self.program.plan_columns] = int(power == 0)
        objective[self.program.columns :] = self._trembles(1, power)
        trembles = np.zeros(self.columns, object)
        trembles[: self.program.plan_columns] = self._trembles(0, power)
        return right - self.fine.matrix.times(trembles), objective

    def _trembles(self, player: int, power: int) -> Numbers:
        """For every sequence of a player the coefficient of ε^power in its tremble: 1 or 0."""
        return np.array([int(0 < length == power) for length in self.lengths[player].tolist()], object)


@dataclass(frozen=True)
class _System:
    """The columns of a basis, factorised in floats; those after the program's own are the rows' own."""

    fine: FineProgram
    basis: Ints
    row: Ints
    column: Ints
    value: Numbers
    factors: Any

    @classmethod
    def of(cls, fine: FineProgram, basis: Ints) -> _System | None:
        """The system of a basis; None if its matrix is singular."""
        from scipy.sparse import csc_matrix  # type: ignore[import-untyped]
        from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

        place = np.full(fine.columns + fine.matrix.rows, -1)
        place[basis] = np.arange(len(basis))
        basic, own = place[fine.matrix.column] >= 0, basis[basis >= fine.columns]
        row = np.append(fine.matrix.row[basic], own - fine.columns)
        column = np.append(place[fine.matrix.column[basic]], place[own])
        value = np.append(fine.matrix.value[basic], fine.scale[own - fine.columns])
        floats = (value / fine.scale[row]).astype(np.float64)
        try:
            factors = splu(csc_matrix((floats, (row, column)), shape=(len(basis), len(basis))))
        except RuntimeError:
            return None
        return cls(fine, basis, row, column, value, factors)

    def solve(self, right: Numbers) -> Numbers | None:
        """The values of the basic columns for a right side of the integer rows, or None if they cannot be found."""
        matrix = Sparse(self.row, self.column, self.value, len(self.basis))
        return _array(solve_exactly(matrix, right, self.fine.scale, self.factors.solve))

    def solve_transposed(self, objective: Numbers) -> Numbers | None:
        """The duals of the rows as HiGHS has them, divided by the scale, for an objective; or None."""
        matrix = Sparse(self.column, self.row, self.value, len(self.basis))
        try:
            scale = self.fine.scale.astype(np.float64)
        except OverflowError:  # payoffs too far apart for the floats that the search for fractions starts from
            return None
        ones = np.full(len(self.basis), 1, object)
        duals = _array(solve_exactly(matrix, objective[self.basis], ones, lambda part: self.factors.solve(part, "T") / scale))
        return None if duals is None else duals * self.fine.scale


def _array(numbers: list[Fraction] | None) -> Numbers | None:
    return None if numbers is None else np.array(numbers, object)


def _lengths(side: Side) -> Ints:
    """For every sequence of how many actions it is."""
    lengths = np.zeros(side.sequences, np.int64)
    for sequence, row in enumerate(side.set.tolist(), 1):
        lengths[sequence] = lengths[side.before[row]] + 1
    return lengths

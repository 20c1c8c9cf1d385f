"""Octal games: take objects from a heap and perhaps split the rest. Kayles, Dawson's Kayles and Grundy's game are octal games.

The k-th digit after the point of a code gives the legal results of taking k objects. It is a sum of 1 (nothing is left), 2 (one
heap is left) and 4 (the rest is split into two heaps). The digit before the point is 0, or 4 if a heap may be split without
taking anything.

Source: Guy and Smith (1956), "The G-values of various games"; Berlekamp, Conway and Guy, Winning Ways, chapter 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import Bools
from liarsdice_cli.games.impartial.heaps import HeapGame, Period, first_repeated, repeats_after
from liarsdice_cli.text import quoted

LIMIT = 20_000
"""Default number of values to search for a period; about two seconds."""
_FEW = 4
"""Splitting digits for which `LIMIT` holds; the limit falls for a code with more, so that it takes as long."""
TAKE_ALL, ONE_HEAP, TWO_HEAPS = 1, 2, 4


def digits(code: str) -> tuple[int, ...]:
    """Return the digits of a code, the one before the point first.

    Raises UsageError if the code is not an octal number with a point, or if it allows no move.

    >>> digits("0.77"), digits("4.7")
    ((0, 7, 7), (4, 7))
    """
    found = re.fullmatch(r"([0-9]?)\.([0-9]*)", code)
    if not found:
        raise UsageError(f"{quoted(code)} is not an octal code: give digits from 0 to 7 after a point, such as 0.77")
    numbers = [int(digit) for digit in (found[1] or "0") + found[2].rstrip("0")]
    for place, digit in enumerate(numbers):
        if digit > 7:
            raise UsageError(f"the octal code {code} has the digit {digit}: each digit is a sum of 1, 2 and 4, so at most 7")
        if place == 0 and digit not in (0, 4):
            raise UsageError(f"the octal code {code} begins with {digit}: write 0 before the point, or 4 to allow splitting")
    if not any(numbers):
        raise UsageError(f"the octal code {code} allows no move: give a digit from 1 to 7")
    return tuple(numbers)


class Octal(HeapGame):
    """The game of an octal code; with `unequal`, the two heaps of a split must differ (Grundy's game is 4. with `unequal`).

    limit : how many values the search for a period may use; by default as many as take about two seconds

    >>> kayles = Octal("Kayles", (0, 7, 7))
    >>> list(kayles.values(12))[:12], list(kayles.options(3))
    ([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], [(2,), (1, 1), (1,)])
    """

    def __init__(self, name: str, code: Sequence[int], unequal: bool = False, limit: int | None = None) -> None:
        super().__init__()
        self.name, self.digits, self.unequal = name, tuple(code), unequal
        splitting = sum(digit >= TWO_HEAPS for digit in self.digits)
        self.limit = limit or max(64, int(LIMIT * sqrt(_FEW / max(_FEW, splitting))))
        self._values: list[int] = [0]  # that of a heap of nothing
        self._column = np.zeros(64, np.int32)  # the same
        self._largest = 0

    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Return the heaps that each move leaves: by the number taken, one heap before two, the smaller of two first."""
        for taken, digit in enumerate(self.digits):
            rest = heap - taken
            if digit & TAKE_ALL and rest == 0:
                yield ()
            if digit & ONE_HEAP and rest > 0:
                yield (rest,)
            if digit & TWO_HEAPS:
                for smaller in range(1, self._half(rest) + 1):
                    yield smaller, rest - smaller

    def _first_values(self, count: int) -> Sequence[int]:
        """Return the first values, each by a vector step over the splits. Cost: count^2 / 4 table look-ups a digit."""
        while len(self._column) < count:
            self._column = np.concatenate([self._column, np.zeros_like(self._column)])
        reached = np.zeros(0, bool)
        for heap in range(len(self._values), count):
            bound = 2 << self._largest.bit_length()
            if len(reached) < bound:
                reached = np.zeros(bound, bool)
            value = self._value(heap, reached)
            self._values.append(value)
            self._column[heap] = value
            self._largest = max(self._largest, value)
        return self._values

    def _value(self, heap: int, reached: Bools) -> int:
        """Return the mex of the values of a heap's options; `reached` is scratch space for one mark per xor."""
        values = self._column
        reached[:] = False
        for taken, digit in enumerate(self.digits[: heap + 1]):
            rest = heap - taken
            if digit & TAKE_ALL and rest == 0:
                reached[0] = True
            if digit & ONE_HEAP and rest > 0:
                reached[values[rest]] = True
            half = self._half(rest)
            if digit & TWO_HEAPS and half > 0:
                reached[values[1 : half + 1] ^ values[rest - half : rest][::-1]] = True
        return int(np.argmin(reached))

    def _half(self, rest: int) -> int:
        """Return the largest possible smaller heap when `rest` is split."""
        return (rest - 1) // 2 if self.unequal else rest // 2

    def _period(self, count: int) -> Period | None:
        """Return the period that the octal periodicity theorem of Guy and Smith proves, with k the index of the last digit.

        The theorem: if value(n + p) = value(n) for all n from e to 2e + p + k - 1, e >= 1, it holds for all n >= e.

        Proof by induction. Let n be the first heap in question. A move from n + p leaves heaps a <= b with a + b >= n + p - k.
        That is at least 2e + 2p, so b >= e + p. By induction b - p has the value of b. So a and b - p is an option of n with
        the same value. In the same way, a move from n leaves b >= e, and a and b + p is an option of n + p with the same value.
        Moves to one heap are alike. Moves to nothing exist only for heaps up to k. So both heaps have the same mex.

        The proof fails if the two heaps must differ, because a and b - p may be equal; then the method returns None. It is an
        open question if Grundy's game has a period (Guy and Nowakowski, "Unsolved problems in combinatorial games").
        """
        if self.unequal:
            return None
        last = len(self.digits) - 1
        values = self._first_values(count)[:count]
        length = repeats_after(values, count - (count - last) // 2)
        if length is None:
            return None
        first = first_repeated(values, length)
        start = max(1, first)  # the theorem says nothing of heap 0, whose value is compared directly
        enough = 2 * start + 2 * length + last
        if enough > count:
            return None
        argument = (
            f"octal periodicity theorem: value(n + {length}) = value(n) for n from {start} to {enough - length - 1}, "
            f"which is 2 x {start} + {length} + {last} - 1, and so for all later n{' and n = 0' if first < start else ''}"
        )
        return Period(first, length, argument)

"""Octal games: take some objects from a heap and perhaps split what is left; Kayles, Dawson's Kayles and Grundy's game.

The k-th digit after the point of a code says what may be done with the rest after k objects are taken: 1 if the rest may be
nothing, 2 if it may be one heap, 4 if it may be split into two heaps, and sums of these. The digit before the point is 0, or
4 where a heap may be split without taking anything.

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
"""Values that are looked at for a period unless a person asks for more; about two seconds."""
_FEW = 4
"""Digits for splitting up to which these are so many; of a code with more, as many as take as long."""
TAKE_ALL, ONE_HEAP, TWO_HEAPS = 1, 2, 4


def digits(code: str) -> tuple[int, ...]:
    """The digits of a code, the one before the point first.

    Raises UsageError for a code that is no octal number with a point, or under which nobody can move.

    >>> digits("0.77"), digits("4.7")
    ((0, 7, 7), (4, 7))
    """
    found = re.fullmatch(r"([0-9]?)\.([0-9]*)", code)
    if not found:
        raise UsageError(f"{quoted(code)} is no octal code: give digits from 0 to 7 after a point, such as 0.77")
    numbers = [int(digit) for digit in (found[1] or "0") + found[2].rstrip("0")]
    for place, digit in enumerate(numbers):
        if digit > 7:
            raise UsageError(f"the octal code {code} has the digit {digit}: each is a sum of 1, 2 and 4, so at most 7")
        if place == 0 and digit not in (0, 4):
            raise UsageError(f"the octal code {code} begins with {digit}: before the point stands 0, or 4 for splitting")
    if not any(numbers):
        raise UsageError(f"the octal code {code} allows no move to make: give a digit from 1 to 7")
    return tuple(numbers)


class Octal(HeapGame):
    """The game of an octal code; with `unequal` two heaps must differ (Grundy's game is 4. so).

    limit : how many values are looked at for a period; by itself as many as take some two seconds

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
        """What each move leaves: by the number taken, one heap before two, the smaller of two first."""
        for taken, digit in enumerate(self.digits):
            rest = heap - taken
            if digit & TAKE_ALL and rest == 0:
                yield ()
            if digit & ONE_HEAP and rest > 0:
                yield (rest,)
            if digit & TWO_HEAPS:
                for smaller in range(1, self._half(rest) + 1):
                    yield smaller, rest - smaller

    def values(self, count: int) -> Sequence[int]:
        """The first values; each a vector step over the ways to split. Cost: count^2 / 4 table look-ups a splitting digit."""
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
        """The mex of the values of a heap's options; `reached` is room for marks, with place for every xor."""
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
        """The largest smaller heap when `rest` is split."""
        return (rest - 1) // 2 if self.unequal else rest // 2

    def _period(self, count: int) -> Period | None:
        """The octal periodicity theorem of Guy and Smith, with k the place of the last digit.

        If value(n + p) = value(n) for all n from e to 2e + p + k - 1, e >= 1, it holds for all n >= e. For let n be the
        first heap in question. A move from n + p leaves heaps a <= b with a + b >= n + p - k >= 2e + 2p, so b >= e + p, and
        b - p has the value of b because it is not in question yet: a and b - p is an option of n with the same value. A
        move from n leaves b >= e in the same way, and b + p in its place is an option of n + p with the same value. Moves
        to one heap are alike, and those to nothing concern heaps up to k alone. So both have the same mex.
        With two heaps that must differ this fails, for a and b - p may be equal: then no period is claimed. Whether Grundy's
        game has one is an open question (Guy and Nowakowski, "Unsolved problems in combinatorial games").
        """
        if self.unequal:
            return None
        last = len(self.digits) - 1
        values = self.values(count)[:count]
        length = repeats_after(values, count - (count - last) // 2)
        if length is None:
            return None
        start = max(1, first_repeated(values, length))
        enough = 2 * start + 2 * length + last
        if enough > count:
            return None
        argument = (
            f"octal periodicity theorem: value(n + {length}) = value(n) for n from {start} to {enough - length - 1}, "
            f"which is 2 x {start} + {length} + {last} - 1, and so for ever"
        )
        return Period(start, length, argument)

"""Numbers: a Fraction if everything it is computed from is exact, otherwise a float. Arrays of them are `stream.Numbers`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Numbers

Number = Fraction | float

_PLAIN = 10**4
"""The largest denominator of a plain fraction."""
_SAME = 1e-12
"""The largest distance of a float from a plain fraction that it stands for."""
_GRID = 10**6
"""The common denominator of all other floats, small enough for exact linear programs."""


def nearest_fraction(number: Number, most: int) -> Fraction:
    """Return the fraction nearest to a float with a denominator up to `most`; an exact number unchanged."""
    return Fraction(number) if isinstance(number, Fraction | int) else Fraction(number).limit_denominator(most)


def nearest_fractions(numbers: Sequence[Number], most: int) -> list[Fraction]:
    """Return a distribution in fractions that add up to exactly 1: floats are rounded to denominators up to `most`.

    The largest number takes the remainder, and may get a larger denominator. If that makes it negative, it becomes 1 and all
    others 0.

    >>> [str(number) for number in nearest_fractions([0.3334, 0.0001, 0.6665], 3)]
    ['1/3', '0', '2/3']
    """
    return _distribution([nearest_fraction(number, most) for number in numbers])


def smallest_integers(numbers: Sequence[Fraction]) -> list[int]:
    """Return the smallest integers that are proportional to the numbers, which are not all 0.

    >>> smallest_integers([Fraction(1, 2), Fraction(1, 3), Fraction(0), Fraction(1, 6)])
    [3, 2, 0, 1]
    """
    denominator = lcm(*(number.denominator for number in numbers))
    integers = [int(number * denominator) for number in numbers]
    common = gcd(*integers)
    return [number // common for number in integers]


def plain_fractions(numbers: Sequence[Number]) -> list[Fraction]:
    """Return a distribution in fractions that add up to exactly 1 and have small common denominators.

    Exact numbers stay as they are. Floats become the plain fractions that they stand for, such as 1/3, or are rounded to
    millionths if one of them stands for none. The remainder is as in `nearest_fractions`.

    >>> [str(one) for one in plain_fractions([1 / 3, 2 / 3])], [str(one) for one in plain_fractions([0.1234567, 0.8765433])]
    (['1/3', '2/3'], ['123457/1000000', '876543/1000000'])
    """
    if all(isinstance(number, Fraction) for number in numbers):
        return [Fraction(number) for number in numbers]
    near = nearest_fractions(numbers, _PLAIN)
    if all(abs(float(one) - number) < _SAME for one, number in zip(near, numbers, strict=True)):
        return near
    return _distribution([Fraction(round(number * _GRID), _GRID) for number in numbers])


def _distribution(rounded: list[Fraction]) -> list[Fraction]:
    """Return the numbers with the remainder to 1 added to the largest; all to the largest if that is more than it has."""
    largest = rounded.index(max(rounded))
    rounded[largest] += 1 - sum(rounded)
    return rounded if rounded[largest] >= 0 else [Fraction(place == largest) for place in range(len(rounded))]


def convolved(one: Numbers, other: Numbers) -> Numbers:
    """Return the convolution of each row with the row of another array: distributions of sums, or products of polynomials.

    >>> convolved(np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])).tolist()
    [[0.125, 0.5, 0.375]]
    """
    found: Numbers = np.zeros((len(one), one.shape[1] + other.shape[1] - 1), np.result_type(one, other))
    for place in range(other.shape[1]):
        found[:, place : place + one.shape[1]] += one * other[:, place, None]
    return found


def real(numbers: object) -> Floats:
    """Return an array of float64. Raise TypeError for text and complex numbers; NumPy would drop their imaginary part.

    >>> real([[1, Fraction(1, 2)]]).tolist()
    [[1.0, 0.5]]
    """
    found = np.asarray(numbers)
    if found.dtype.kind not in "biufO" or any(isinstance(one, complex | np.complexfloating | str) for one in _objects(found)):
        raise TypeError("only real numbers can be floats")
    floats: Floats = found.astype(np.float64, copy=False)
    return floats


def _objects(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> list[object]:
    return array.ravel().tolist() if array.dtype.kind == "O" else []

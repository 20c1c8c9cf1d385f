"""Linear systems by elimination in fractions: slow, and plainly right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def eliminated(matrix: Sequence[Sequence[int]], right: Sequence[int]) -> list[Fraction] | None:
    """The solution by Gauss and Jordan in fractions; None where there is none or more than one."""
    size = len(right)
    table = [[Fraction(number) for number in (*row, last)] for row, last in zip(matrix, right, strict=True)]
    for place in range(size):
        pivot = next((row for row in range(place, size) if table[row][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        table[place] = [number / table[place][place] for number in table[place]]
        for row in range(size):
            if row != place:
                table[row] = [one - table[row][place] * other for one, other in zip(table[row], table[place], strict=True)]
    return [row[-1] for row in table]

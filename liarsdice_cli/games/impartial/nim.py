"""Nim: take any number of objects from one heap. Bouton (1901) solved it: the xor of the heaps (the nim-sum) decides.

In normal play, the player who takes the last object wins. The player to move loses exactly if the nim-sum is 0. In misere play,
the same moves are right while they leave a heap of 2 or more. When they do not, leave an odd number of heaps of 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING

from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.impartial.heaps import HeapGame, Period

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree


class Nim(HeapGame):
    """Nim as a component of a sum of games: the value of a heap is its size."""

    name = "Nim"
    limit = 64

    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Return every smaller heap."""
        return ((left,) for left in range(heap - 1, -1, -1))

    def options_with_value(self, heap: int, value: int) -> Iterator[tuple[int, ...]]:
        """Return the heap of that value, if it is smaller."""
        return iter([(value,)] if value < heap else [])

    def _first_values(self, count: int) -> Sequence[int]:
        """Return 0, 1, 2, ..."""
        return range(count)

    def _value_of(self, heap: int) -> int:
        """Return the heap itself."""
        return heap

    def _period(self, count: int) -> Period | None:
        return None


def heaps(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the heaps of a position; UsageError if there are none, and for a size below zero."""
    if not numbers:
        raise UsageError("no heap is given: give the number of objects in each, such as 3 4 5")
    for number in numbers:
        if number < 0:
            raise UsageError(f"a heap cannot have {number} objects: give a number of 0 or more")
    return tuple(numbers)


def nim_sum(position: Sequence[int]) -> int:
    """Return the xor of the heaps.

    >>> nim_sum((3, 4, 5))
    2
    """
    return reduce(xor, position, 0)


def is_lost(position: Sequence[int], misere: bool = False) -> bool:
    """Return whether the player to move loses.

    >>> is_lost((1, 2, 3)), is_lost((1, 1), misere=True), is_lost((1, 1, 1), misere=True)
    (True, False, True)
    """
    return _lost(nim_sum(position), sum(heap > 1 for heap in position), misere)


def winning_moves(position: Sequence[int], misere: bool = False) -> list[tuple[int, int]]:
    """Return every winning move: the index of the heap, and the size that the move leaves. Cost: linear in the heaps.

    >>> winning_moves((3, 4, 5)), winning_moves((1, 2)), winning_moves((1, 2), misere=True)
    ([(0, 1)], [(1, 1)], [(1, 0)])
    """
    total, large = nim_sum(position), sum(heap > 1 for heap in position)
    return [
        (place, left)
        for place, heap in enumerate(position)
        for left in sorted({total ^ heap, total ^ heap ^ 1})  # the others leave a nim-sum above 1
        if left < heap and _lost(total ^ heap ^ left, large - (heap > 1) + (left > 1), misere)
    ]


def tree(position: Sequence[int], misere: bool = False) -> GameTree:
    """Return the game tree. Raises LiarsDiceError if it is too large (see `unfold`).

    >>> tree((1, 1)).nodes
    5
    """
    from liarsdice_cli.games.perfect_information import unfold  # imports numpy, which nothing else here needs

    def moves(heaps: tuple[int, ...], player: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        for place, size in enumerate(heaps):
            for left in range(size - 1, -1, -1):
                yield f"{size - left} from heap {place + 1}", (*heaps[:place], left, *heaps[place + 1 :])

    title = f"Nim with heaps of {', '.join(map(str, position))}"
    return unfold(title, tuple(position), moves, misere)


def _lost(total: int, large: int, misere: bool) -> bool:
    """Return whether a position is lost, from the nim-sum and the number of heaps of 2 or more."""
    return total == (1 if misere and not large else 0)

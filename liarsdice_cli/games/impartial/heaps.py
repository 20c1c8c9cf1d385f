"""Games played with heaps: the common interface, and proved periods, which give the value of heaps of any size.

The Grundy value of a heap is the mex of the values of its options: the smallest number that is not among them. The value of
several heaps is the sum without carry (xor) of their values. By the theorem of Sprague (1935) and Grundy (1939), a heap of
value g in any sum of games can be replaced by a Nim heap of g without changing the winner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

from liarsdice_cli.errors import Argument, LiarsDiceError, check_number

MOST_OPTIONS = 1_000_000
"""The largest heap whose moves are listed one by one."""


@dataclass(frozen=True)
class Period:
    """A proved period: value(n + length) = value(n) for all n >= start.

    argument : the proof in one sentence
    """

    start: int
    length: int
    argument: str

    def same(self, heap: int) -> int:
        """Return the heap in the first period with the same value.

        >>> Period(71, 12, "").same(100), Period(71, 12, "").same(5)
        (76, 5)
        """
        return heap if heap < self.start else self.start + (heap - self.start) % self.length


class HeapGame(ABC):
    """The rules of one game. Values are computed in order and stored; `limit` is how many the search for a period may use."""

    name: str
    limit: int

    def __init__(self) -> None:
        self._found: Period | None = None
        self._looked = 0

    def __repr__(self) -> str:
        found = self._found
        proved = f"; period {found.length:,} from heap {found.start:,}" if found is not None else ""
        return f"{type(self).__name__}({self.name}{proved})"

    @abstractmethod
    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Return the heaps that each move leaves, in an order that a person expects."""

    def options_with_value(self, heap: int, value: int) -> Iterator[tuple[int, ...]]:
        """Return the options with this Grundy value.

        Raises LiarsDiceError for a heap with more moves than can be tried one by one.
        """
        if heap > MOST_OPTIONS:
            raise LiarsDiceError(
                f"{self.name}: a heap of {heap:,} has too many moves to try each; choose heaps up to {MOST_OPTIONS:,}"
            )
        return (left for left in self.options(heap) if self._value_of_heaps(left) == value)

    def values(self, count: int) -> Sequence[int]:
        """Return the Grundy values of the heaps 0, 1, ..., `count` of them or more; UsageError for a count below 0."""
        check_number("count", count, 0, optional=False)
        return self._first_values(count)

    @abstractmethod
    def _first_values(self, count: int) -> Sequence[int]:
        """Return the Grundy values of the heaps 0, 1, ..., `count` of them or more."""

    @abstractmethod
    def _period(self, count: int) -> Period | None:
        """Return a period that the first `count` values prove, or None."""

    def period(self) -> Period | None:
        """Return a period that at most `limit` values prove; None if there is none so far."""
        count = max(self._looked, 64)
        while self._found is None and self._looked < self.limit:
            count = min(2 * count, self.limit)
            self._found, self._looked = self._period(count), count
        return self._found

    def grundy(self, heap: int) -> int:
        """Return the Grundy value of a heap; for a large one, by the period.

        Raises UsageError for a size below 0, and LiarsDiceError for a heap above `limit` if no period is proved.
        """
        check_number("heap", heap, 0, optional=False)
        return self._value_of(heap)

    def grundy_of(self, heaps: Iterable[int]) -> int:
        """Return the Grundy value of several heaps of this game together; raises as `grundy`."""
        return reduce(xor, map(self.grundy, heaps), 0)

    def _value_of(self, heap: int) -> int:
        """Return the Grundy value of a heap of 0 or more."""
        if heap < max(self._looked, 64):
            return self._first_values(heap + 1)[heap]
        period = self.period()
        if period is not None:
            heap = period.same(heap)
        elif heap >= self.limit:
            raise LiarsDiceError(
                f"{self.name}: the first {self.limit:,} Grundy values prove no period, so the value of a heap of {heap:,} is "
                "not known: choose a smaller heap or a larger ",
                Argument("limit"),
            )
        return self._first_values(heap + 1)[heap]

    def _value_of_heaps(self, heaps: Iterable[int]) -> int:
        return reduce(xor, map(self._value_of, heaps), 0)


def repeats_after(values: Sequence[int], width: int) -> int | None:
    """Return the smallest shift at which the last `width` values also appear earlier; None if there is none.

    Cost: linear (the search is the two-way algorithm of Python's strings).

    >>> repeats_after([7, 0, 1, 2, 0, 1, 2, 0, 1], 4), repeats_after([0, 1, 2], 1)
    (3, None)
    """
    backwards = "".join(map(chr, reversed(values)))
    shift = backwards.find(backwards[:width], 1)
    return None if shift < 0 else shift


def first_repeated(values: Sequence[int], shift: int) -> int:
    """Return the first index from which each value equals the one `shift` later, as far as the values go.

    >>> first_repeated([7, 0, 1, 2, 0, 1, 2, 0, 1], 3)
    1
    """
    place = len(values) - shift
    while place and values[place - 1] == values[place - 1 + shift]:
        place -= 1
    return place

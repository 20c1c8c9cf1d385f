"""Subtraction games: take a number of chips from a heap, out of a given set. Take-away and Bachet's game are examples.

Source: Ferguson, "Game Theory", part I, sections 1 and 3; Golomb (1966), "A mathematical investigation of games of take-away".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.impartial.heaps import HeapGame, Period, first_repeated, repeats_after
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree

_WORK = 30_000_000
"""Limit of the search for a period, in steps (values times moves); a few seconds."""
_MOST_CHIPS = 5_000_000
"""The most values that the search for a period computes."""
_BLOCK = 256
"""Positions in a block of `wins`: integers of a few machine words are as quick as one."""


def take_set(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of chips that may be taken, in order.

    Raises UsageError for an empty set, numbers below 1 and repeated numbers.
    """
    take = tuple(sorted(numbers))
    if not take:
        raise UsageError("the take set is empty, so there is no move: give numbers such as 1,2,3")
    if take[0] < 1:
        raise UsageError(f"a player cannot take {take[0]} chips: give numbers of 1 or more, such as 1,2,3")
    for number, following in pairwise(take):
        if number == following:
            raise UsageError(f"{number} is in the take set twice: give each number once")
    if take[-1] > _MOST_CHIPS // 4:
        raise UsageError(f"{take[-1]:,} is too large for a take set: give numbers up to {_MOST_CHIPS // 4:,}")
    return take


class Subtraction(HeapGame):
    """The subtraction game of a take set.

    >>> game = Subtraction((1, 2, 3))
    >>> list(game.values(6))[:6], game.period().length, game.grundy(10**9 + 1), list(game.options(2))
    ([0, 1, 2, 3, 0, 1], 4, 1, [(1,), (0,)])
    """

    def __init__(self, take: Iterable[int]) -> None:
        super().__init__()
        self.take = take_set(take)
        self.name = f"take {', '.join(map(str, self.take))}"
        self.limit = max(4 * self.take[-1], min(_MOST_CHIPS, _WORK // len(self.take)))
        self._values: list[int] = []
        self._reached = [0] * self.take[-1]

    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Return the heap that each legal move leaves."""
        return ((heap - number,) for number in self.take if number <= heap)

    def _first_values(self, count: int) -> Sequence[int]:
        """Return the first values, one step per move. The value of a heap is marked, as one bit, at the heaps that reach it."""
        reached, values = self._reached, self._values
        first = len(values)
        if count > first:
            reached.extend([0] * (count - first))
            for heap in range(first, count):
                marks = reached[heap]
                free = ~marks & (marks + 1)  # the lowest bit that is not set is the mex
                values.append(free.bit_length() - 1)
                for number in self.take:
                    reached[heap + number] |= free
        return values

    def _period(self, count: int) -> Period | None:
        """Return the period once values repeat: the next value depends on as many values as the largest move takes."""
        width = self.take[-1]
        values = self._first_values(count)[:count]
        length = repeats_after(values, width) if count > width else None
        if length is None:
            return None
        start = first_repeated(values, length)
        argument = (
            f"each value depends on the {width} before it, and the {width} values from heap {start} on recur from heap "
            f"{start + length} on"
        )
        return Period(start, length, argument)


@dataclass(frozen=True)
class TakeAway(Renderable):
    """One heap of a subtraction game, in normal or misere play.

    >>> question = TakeAway(Subtraction((1, 2, 3)), 21, False)
    >>> question.results(9), question.winning, TakeAway(question.game, 3, False).tree().title
    ('LWWWLWWWL', [1], '3 chips, take 1, 2, 3')
    """

    game: Subtraction
    chips: int
    misere: bool

    @cached_property
    def period(self) -> Period | None:
        """The period of the results and, in normal play, of the Grundy values."""
        period, least = self.game.period(), self.game.take[0]
        if period is None or not self.misere:
            return period
        argument = f"{period.argument}; misere play from heap {least} on is normal play with {numbered(least, 'chips')} fewer"
        start = period.start + least
        while start > 0 and self.wins(start - 1) == self.wins(start - 1 + period.length):  # smaller heaps that recur too
            start -= 1
        return replace(period, start=start, argument=argument)

    def wins(self, chips: int) -> bool:
        """Return whether the player to move wins with this number of chips."""
        heap = misere(self.game.take, chips) if self.misere else chips
        if heap is None:
            return True
        if self.game.period() is None and heap >= self.game.limit:
            return wins(self.game.take, heap)
        return self.game.grundy(heap) != 0

    @cached_property
    def winning(self) -> list[int]:
        """The moves that win, as numbers of chips to take."""
        return [number for number in self.game.take if number <= self.chips and not self.wins(self.chips - number)]

    def results(self, count: int) -> str:
        """Return W or L for the heaps 0, 1, ... up to the given heap, at most `count` of them."""
        return "".join("W" if self.wins(chips) else "L" for chips in range(min(self.chips + 1, count)))

    def tree(self) -> GameTree:
        """Return the game tree. Raises LiarsDiceError if it is too large (see `unfold`)."""
        from liarsdice_cli.games.perfect_information import unfold  # imports numpy, which nothing else here needs

        def moves(heap: int, player: int) -> list[tuple[str, int]]:
            return [(f"take {number}", heap - number) for number in self.game.take if number <= heap]

        title = f"{self.chips} chips, {self.game.name}"
        return unfold(title, self.chips, moves, self.misere)


def misere(take: Sequence[int], chips: int) -> int | None:
    """Return the heap whose result in normal play is that of `chips` in misere play; None if the player cannot move and has
    won.

    Let s be the smallest move. A heap below s has no move, which is a misere win. A move to such a heap is never good, just as
    there is no move below 0 in normal play. From s on, both recursions are therefore the same and start with a lost heap.

    >>> misere((1, 2, 3), 5), misere((2, 3), 1)
    (4, None)
    """
    return None if chips < take[0] else chips - take[0]


def wins(take: Sequence[int], chips: int) -> bool:
    """Return whether the player to move wins with this number of chips, in normal play.

    From each lost heap, the heaps that reach it by a move are marked as won. The next heap without a mark is lost. Heaps are
    bits of a block. Moves that reach beyond the next block are applied block by block. If there is no long move and the marks
    carried over from a block repeat, everything in between repeats too (Brent 1980 finds the cycle). Cost: about 0.4
    microseconds per lost heap, for take sets of any size.

    >>> [chips for chips in range(13) if not wins((1, 2, 3), chips)]
    [0, 4, 8, 12]
    """
    full = (1 << _BLOCK) - 1
    short = 1 | sum(1 << number for number in take if number < _BLOCK)
    long = [divmod(number, _BLOCK) for number in take if number >= _BLOCK]
    lost: list[int] = []
    won, seen, seen_at, power, block = 0, -1, 0, 1, 0
    last, bit = divmod(chips, _BLOCK)
    while True:
        won |= _reached(lost, long, block) & full
        here = 0
        while (free := ~won & (won + 1)) <= full:
            here |= free
            won |= short << (free.bit_length() - 1)
        if block == last:
            return not here >> bit & 1
        won >>= _BLOCK
        block += 1
        if long:
            lost.append(here)
        elif won == seen:
            last = block + (last - block) % (block - seen_at)
        elif block == power:
            seen, seen_at, power = won, block, 2 * power


def _reached(lost: list[int], long: list[tuple[int, int]], block: int) -> int:
    """Return the heaps of a block from which a long move, given as blocks and bits, reaches a lost heap."""
    marks = 0
    for blocks, bits in long:
        if block >= blocks:
            marks |= lost[block - blocks] << bits
        if block > blocks:
            marks |= lost[block - blocks - 1] >> (_BLOCK - bits)
    return marks

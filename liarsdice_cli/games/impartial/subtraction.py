"""Subtraction games: take a number of chips from a set off a heap; take-away with 1, 2 or 3 and Bachet's game are two of them.

Source: Ferguson, "Game Theory", part I, sections 1 and 3; Golomb (1966), "A mathematical investigation of games of take-away".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial.heaps import HeapGame, Period, first_repeated, repeats_after

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree

_WORK = 30_000_000
"""Steps (values times moves) that are spent on finding a period; a few seconds."""
_MOST_CHIPS = 5_000_000
"""Values that are looked at for a period at most."""
_BLOCK = 256
"""Positions in a block of `wins`: integers of a few machine words are as quick as one."""

_PATIENCE = 0.4
"""Seconds for which `winners` works in Python, about as many as it takes to load what is compiled."""
_MOST_MARKED = 100_000_000
"""Chips up to which `winners` marks heaps one by one, a byte each."""


def take_set(numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers of chips that may be taken, in order.

    Raises UsageError for an empty set, numbers below 1 and numbers given twice.
    """
    take = tuple(sorted(numbers))
    if not take:
        raise UsageError("no number may be taken, so there is no move to make: give the numbers, such as 1,2,3")
    if take[0] < 1:
        raise UsageError(f"a player may not take {take[0]} chips: give numbers from 1 on, such as 1,2,3")
    for number, following in pairwise(take):
        if number == following:
            raise UsageError(f"{number} stands twice among the numbers that may be taken: give each once")
    if take[-1] > _MOST_CHIPS // 4:
        raise UsageError(f"{take[-1]:,} is too much to take: give numbers up to {_MOST_CHIPS // 4:,}")
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
        """The heap without each number that can be taken."""
        return ((heap - number,) for number in self.take if number <= heap)

    def values(self, count: int) -> Sequence[int]:
        """The first values, each a step per move: a heap's value is marked, as one bit, at the heaps that reach it."""
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
        """As many values as the largest move decide the next one, so a repetition of so many is a repetition for ever."""
        width = self.take[-1]
        values = self.values(count)[:count]
        length = repeats_after(values, width) if count > width else None
        if length is None:
            return None
        start = first_repeated(values, length)
        argument = (
            f"a value follows from the {width} before it, and the {width} from heap {start} on come again from heap "
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
        argument = f"{period.argument}; misere play from heap {least} on is normal play with {least} chips fewer"
        return replace(period, start=period.start + least, argument=argument)

    def wins(self, chips: int) -> bool:
        """Whether the player to move wins with so many chips."""
        heap = misere(self.game.take, chips) if self.misere else chips
        if heap is None:
            return True
        if self.game.period() is None and heap >= self.game.limit:
            return wins(self.game.take, heap)
        return self.game.grundy(heap) != 0

    @cached_property
    def winning(self) -> list[int]:
        """The numbers that win when they are taken."""
        return [number for number in self.game.take if number <= self.chips and not self.wins(self.chips - number)]

    def results(self, count: int) -> str:
        """W or L for the heaps 0, 1, ... up to the one in question, at most `count` of them."""
        return "".join("W" if self.wins(chips) else "L" for chips in range(min(self.chips + 1, count)))

    def tree(self) -> GameTree:
        """The game tree. Raises LiarsDiceError where it is too large (see `unfold`)."""
        from liarsdice_cli.games.perfect_information import unfold  # imports numpy, which nothing else here needs

        def moves(heap: int, player: int) -> list[tuple[str, int]]:
            return [(f"take {number}", heap - number) for number in self.game.take if number <= heap]

        title = f"{self.chips} chips, {self.game.name}"
        return unfold(title, convention(self.misere), self.chips, moves, self.misere)


def misere(take: Sequence[int], chips: int) -> int | None:
    """The heap that is in normal play what `chips` are in misere play; None where a player cannot move and has won.

    With fewer chips than the smallest move, s, nobody can move: a misere win. A move to one of these heaps is never good,
    just as there is no move below 0 in normal play, so from s on the same recursion starts with the same lost heap.

    >>> misere((1, 2, 3), 5), misere((2, 3), 1)
    (4, None)
    """
    return None if chips < take[0] else chips - take[0]


def wins(take: Sequence[int], chips: int) -> bool:
    """Whether the player to move wins with so many chips, in normal play.

    From each lost heap the heaps that reach it by a move are marked as won; the next heap without a mark is lost. Heaps
    are bits of a block; moves that reach beyond the next block are applied block by block. Where the marks carried over
    from a block come a second time and no long move exists, everything between comes again (Brent 1980 finds this).
    Cost: about 0.4 microseconds a lost heap; nothing of the take set is too large.

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


def winners(games: Iterable[tuple[int, tuple[int, ...]]]) -> Iterator[bool]:
    """`wins` for game after game, each given as chips and take set.

    Loading the compiled loop takes a time of its own, so Python answers until it has spent as much; from then on games with
    long moves, which take it longest, are answered by `sieve.wins`, thirty times as quick.

    >>> list(winners([(12, (1, 2, 3)), (13, (1, 2, 3))]))
    [False, True]
    """
    spent = 0.0
    for chips, take in games:
        if spent > _PATIENCE and take[-1] >= _BLOCK and chips <= _MOST_MARKED:
            from liarsdice_cli.games.impartial import sieve

            yield sieve.wins(take, chips)
        else:
            begin = perf_counter()
            won = wins(take, chips)
            spent += perf_counter() - begin
            yield won


def _reached(lost: list[int], long: list[tuple[int, int]], block: int) -> int:
    """The heaps of a block from which a long move, given as blocks and bits, reaches a lost heap."""
    marks = 0
    for blocks, bits in long:
        if block >= blocks:
            marks |= lost[block - blocks] << bits
        if block > blocks:
            marks |= lost[block - blocks - 1] >> (_BLOCK - bits)
    return marks

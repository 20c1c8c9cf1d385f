"""Combinatorial games: Nim, take-away, Grundy values and graphs of positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from liarsdice_cli.errors import Argument, UsageError, check_flags, check_number, checked_items
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats.positions import read as positions
from liarsdice_cli.games.impartial import nim as heaps_of_nim
from liarsdice_cli.games.impartial.subtraction import Subtraction, TakeAway
from liarsdice_cli.games.impartial.sums import game as grundy

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree

__all__ = ["grundy", "nim", "positions", "takeaway"]

_MOST = 10**9
"""The largest heap that is answered without a proved period."""


@dataclass(frozen=True)
class Nim(Renderable):
    """Heaps of objects. A move takes any number from one heap; taking the last object wins, or loses in misère play."""

    heaps: tuple[int, ...]
    misere: bool = False

    @property
    def nim_sum(self) -> int:
        """The sum without carry."""
        return heaps_of_nim.nim_sum(self.heaps)

    @property
    def is_lost(self) -> bool:
        """Whether the player to move loses."""
        return heaps_of_nim.is_lost(self.heaps, self.misere)

    def tree(self) -> GameTree:
        """Return the game as a tree; LiarsDiceError if it is too large."""
        return heaps_of_nim.tree(self.heaps, self.misere)


def nim(heaps: Sequence[int], misere: bool = False) -> Nim:
    """Return the position of Nim with these heaps; UsageError if there is none, or if one is below zero.

    >>> nim([3, 4, 5]).nim_sum, nim([1, 1], misere=True).is_lost
    (2, False)
    """
    check_flags(misere=misere)
    cure = "give the number of objects in each heap, such as [3, 4, 5]"
    return Nim(heaps_of_nim.heaps(checked_items("heaps", heaps, Integral, cure)), misere)


def takeaway(chips: int, take: Sequence[int], misere: bool = False) -> TakeAway:
    """Return the analysis of take-away: one heap of chips, from which each move takes one of these numbers.

    Raises UsageError for a heap below zero, and for one of more than a billion if no period is proved.

    >>> takeaway(21, [1, 2, 3]).winning
    [1]
    """
    check_number("chips", chips, 0, optional=False)
    check_flags(misere=misere)
    take = checked_items("take", take, Integral, "give the numbers that may be taken, such as [1, 2, 3]")
    question = TakeAway(Subtraction(take), chips, misere)
    if chips > _MOST and question.period is None:
        raise UsageError(Argument("chips"), f" {chips:,}: no period is proved for this take set, so give at most {_MOST:,}")
    return question

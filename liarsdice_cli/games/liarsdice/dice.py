"""The number of dice that a game may have, and the number that can count as one face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from liarsdice_cli.errors import Argument, ArgumentError, UsageError, is_whole

MOST = 100
"""The most sides, dice and quantity that the rules admit."""
MOST_PLAYERS = 10


def checked_dice(counts: object) -> tuple[int, ...]:
    """Return the number of dice of each player; raise UsageError unless 2 to `MOST_PLAYERS` players have 1 to `MOST` in all."""
    if not isinstance(counts, Iterable) or isinstance(counts, str):
        raise ArgumentError("dice", counts, "give a number for each player, such as (1, 1)")
    dice = tuple(counts)
    if not 2 <= len(dice) <= MOST_PLAYERS:
        raise UsageError(Argument("dice"), f" names {len(dice)} player(s): give 2 to {MOST_PLAYERS} numbers, such as 1,1")
    if not all(is_whole(count) and 1 <= count <= MOST for count in dice):
        raise ArgumentError("dice", dice, f"give each player a number from 1 to {MOST}")
    if sum(dice) > MOST:
        raise ArgumentError("dice", dice, f"give 1 to {MOST} dice in all")
    return tuple(map(int, dice))  # numbers of NumPy would overflow in counts


def most_matching(sides: int, dice: Sequence[int], stairs: bool) -> int:
    """Return the most dice that can count as one face, with stairs more than there are.

    >>> most_matching(6, (2, 2), stairs=False), most_matching(6, (2, 2), stairs=True)
    (4, 6)
    """
    return sum(count + (stairs and count <= sides) for count in dice)


def is_stairs(roll: Sequence[int]) -> bool:
    """Return whether dice show 1, 2, 3, ..., each once, in any order."""
    return sorted(roll) == list(range(1, len(roll) + 1))

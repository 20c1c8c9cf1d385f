"""Checks of single arguments of `rules`: each raises a UsageError that names the argument and the values it takes."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

from liarsdice_cli.errors import Argument, ArgumentError, UsageError


def within(name: str, value: int, most: int) -> None:
    """Raise unless the value is a whole number from 1 to `most`."""
    if not (is_whole(value) and 1 <= value <= most):
        raise ArgumentError(name, value, f"give a number from 1 to {most}")


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def flag(name: str, value: object) -> None:
    """Raise unless the value is True, False or None."""
    if not isinstance(value, bool | None):
        raise ArgumentError(name, value, "give True or False")


def one_of(name: str, value: str, choices: Iterable[str]) -> None:
    """Raise unless the value is one of the choices."""
    choices = tuple(choices)  # a dictionary raises TypeError for a value without a hash
    if value not in choices:
        raise ArgumentError(name, value, f"choose from {', '.join(choices)}")


def dice(counts: object, most_players: int, most: int) -> tuple[int, ...]:
    """Return the number of dice of each player; raise unless 2 to `most_players` players have 1 to `most` dice in all."""
    if not isinstance(counts, Iterable) or isinstance(counts, str):
        raise ArgumentError("dice", counts, "give a number for each player, such as (1, 1)")
    found = tuple(counts)
    if not 2 <= len(found) <= most_players:
        raise UsageError(Argument("dice"), f" names {len(found)} player(s): give 2 to {most_players} numbers, such as 1,1")
    if not all(is_whole(count) and 1 <= count <= most for count in found):
        raise ArgumentError("dice", found, f"give each player a number from 1 to {most}")
    if sum(found) > most:
        raise ArgumentError("dice", found, f"give 1 to {most} dice in all")
    return found


def wild_face(wild: int | str, sides: int) -> int | None:
    """Return the wild face, or None for "none"; raise for a face that the dice do not have."""
    if wild == "none":
        return None
    faces = {str(face): face for face in range(1, sides + 1)}
    if str(wild) not in faces:
        raise ArgumentError("wild", wild, f"there is no such face; give 1 to {sides}, or none")
    return faces[str(wild)]

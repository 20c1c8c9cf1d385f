"""Sums of games: a player moves in one of several games. The theorem of Sprague and Grundy solves them.

The Grundy value of a sum is the xor of the values of its components. The player to move loses exactly if it is 0, and a move
wins exactly if it makes it 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from liarsdice_cli.errors import UsageError, check_number, check_type
from liarsdice_cli.games.impartial.heaps import HeapGame
from liarsdice_cli.games.impartial.nim import Nim, heaps, nim_sum
from liarsdice_cli.games.impartial.octal import Octal, digits
from liarsdice_cli.games.impartial.subtraction import Subtraction
from liarsdice_cli.text import quoted, whole

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree

NAMES = {
    "nim": "any number from a heap",
    "kayles": "octal code 0.77: one or two, and split the rest or not",
    "dawson": "Dawson's Kayles, octal code 0.07: two, and split the rest or not",
    "grundy": "Grundy's game: split a heap into two that differ",
}
"""The games with a name. An octal code or a take set names any other."""


def game(name: str, limit: int | None = None) -> HeapGame:
    """Return the game with a name, an octal code such as 0.137, or a take set such as 1,2,3.

    limit : how many values an octal game searches for a period

    Raises UsageError for anything else.

    >>> [game(name).name for name in ("kayles", "0.137", "1,2,3")]
    ['Kayles (0.77)', 'octal game 0.137', 'take 1, 2, 3']
    """
    check_type("name", name, str, "give the name of a game as text, such as 'kayles'")
    check_number("limit", limit, 1)
    if name == "nim":
        return Nim()
    if name == "kayles":
        return Octal("Kayles (0.77)", digits("0.77"), limit=limit)
    if name == "dawson":
        return Octal("Dawson's Kayles (0.07)", digits("0.07"), limit=limit)
    if name == "grundy":
        return Octal("Grundy's game", (4,), unequal=True, limit=limit)
    if "." in name:
        return Octal(f"octal game {name}", digits(name), limit=limit)
    try:
        numbers = [whole(number) for number in name.split(",")]
    except ValueError as error:
        known = ", ".join(NAMES)
        raise UsageError(
            f"{quoted(name)} is not a game: choose from {known}, an octal code such as 0.137, or a take set such as 1,2,3"
        ) from error
    return Subtraction(numbers)


@dataclass(frozen=True)
class Component:
    """One game of a sum, with its heaps."""

    game: HeapGame
    heaps: tuple[int, ...]

    @property
    def value(self) -> int:
        """The Grundy value."""
        return self.game.grundy_of(self.heaps)


@dataclass(frozen=True)
class Move:
    """A move in a sum: the indices of the component and of the heap in it, and the heaps that the move leaves."""

    component: int
    heap: int
    left: tuple[int, ...]


def component(text: str, limit: int | None = None) -> Component:
    """Return a game with its heaps from text: its name, then the sizes.

    >>> component("kayles 7 2").value
    0
    """
    name, *numbers = text.split() or [""]
    try:
        one, sizes = game(name, limit), [whole(number) for number in numbers]
        if not sizes:
            raise ValueError("no heaps")
    except ValueError as error:
        raise UsageError(
            f"{quoted(text)} gives no heaps: write a game and the sizes of its heaps, such as 'kayles 7 2'"
        ) from error
    return Component(one, heaps(sizes))


def value(components: Sequence[Component]) -> int:
    """Return the Grundy value of the sum.

    >>> value([component("nim 3"), component("kayles 7")])
    1
    """
    return nim_sum([one.value for one in components])


def winning_moves(components: Sequence[Component]) -> list[Move]:
    """Return every move that leaves a sum of value 0: from a heap of value g to an option of value g xor the sum's.

    Cost: a look-up per move. Raises LiarsDiceError for heaps with more moves than can be tried one by one.

    >>> winning_moves([component("nim 3"), component("kayles 7")])
    [Move(component=0, heap=0, left=(2,)), Move(component=1, heap=0, left=(6,)), Move(component=1, heap=0, left=(2, 4))]
    """
    total = value(components)
    if not total:
        return []
    return [
        Move(place, heap, left)
        for place, one in enumerate(components)
        for heap, size in enumerate(one.heaps)
        for left in one.game.options_with_value(size, one.game.grundy(size) ^ total)
    ]


Position = tuple[tuple[int, ...], ...]
"""The heaps of each component."""


def moves(components: Sequence[Component], position: Position) -> Iterator[tuple[str, Position]]:
    """Yield every move from a position of the sum: its name, and the position after it without empty heaps."""
    for place, (one, sizes) in enumerate(zip(components, position, strict=True)):
        where = f"{place + 1}: " if len(components) > 1 else ""
        for heap, size in enumerate(sizes):
            for left in one.game.options(size):
                after = (*sizes[:heap], *filter(None, left), *sizes[heap + 1 :])
                yield f"{where}{shown(size, left)} at {heap + 1}", (*position[:place], after, *position[place + 1 :])


def tree(components: Sequence[Component]) -> GameTree:
    """Return the game tree. Raises LiarsDiceError if it is too large (see `unfold`).

    >>> tree([component("nim 1"), component("kayles 1")]).nodes
    5
    """
    from liarsdice_cli.games.perfect_information import unfold  # imports numpy, which nothing else here needs

    title = " + ".join(f"{one.game.name}: {', '.join(map(str, one.heaps))}" for one in components)
    start = tuple(one.heaps for one in components)
    return unfold(title, start, lambda position, player: moves(components, position))


def shown(size: int, left: tuple[int, ...]) -> str:
    """Return a move in words.

    >>> shown(7, (2, 4)), shown(2, ())
    ('7 to 2+4', '2 to 0')
    """
    return f"{size} to {'+'.join(map(str, left)) or 0}"

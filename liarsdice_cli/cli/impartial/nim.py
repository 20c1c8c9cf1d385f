"""`liarsdice impartial nim`: heaps of any size."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import misere_option, output_option, play
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError

_DIGITS = 100_000
"""The most digits of a heap; more would take longer to print than to solve."""


@click.command(
    cls=CommandWithExample,
    example="liarsdice impartial nim 3 4 5\nliarsdice impartial nim 1 1 2 --misere\nliarsdice impartial nim 2 2 -o nim.efg",
    short_help="Heaps of any size.",
    context_settings={"ignore_unknown_options": True},  # so that -3 is a heap below zero
)
@click.argument("sizes", nargs=-1, metavar="HEAP...")
@misere_option
@output_option
@json_option
@quiet_option
def command(sizes: tuple[str, ...], misere: bool, output: str | None, as_json: bool, quiet: bool) -> None:
    """Take any number of objects from one heap: who wins, by which moves, and the nim-sum in binary."""
    from liarsdice_cli.games.impartial import nim

    sys.set_int_max_str_digits(0)
    position = nim.heaps([_number(size) for size in sizes])
    if output is not None:
        _write(position, misere, output, quiet)
    if as_json:
        print_json("nim", _json(position, misere))
    else:
        print_lines(_lines(position, misere))


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _DIGITS:
        raise UsageError(f"{text[:40]!r} is no heap: give the number of objects in it, such as 3 4 5")
    return int(text)


def _json(position: Sequence[int], misere: bool) -> dict[str, Any]:
    from liarsdice_cli.games.impartial import nim

    moves = nim.winning_moves(position, misere)
    return {
        "heaps": list(position),
        "misere": misere,
        "result": "L" if nim.is_lost(position, misere) else "W",
        "nim_sum": nim.nim_sum(position),
        "winning_moves": [{"heap": place + 1, "from": position[place], "to": left} for place, left in moves],
    }


def _lines(position: Sequence[int], misere: bool) -> Iterator[str]:
    from liarsdice_cli.games.impartial import nim

    yield f"heaps {', '.join(map(str, position))}; {play(misere)}"
    yield ""
    yield from _sum(position, nim.nim_sum(position))
    yield ""
    lost, moves = nim.is_lost(position, misere), nim.winning_moves(position, misere)
    yield f"{'L: the player to move loses' if lost else 'W: the player to move wins'}, as {_why(position, misere, lost)}"
    for place, left in moves:
        size = position[place]
        yield f"  heap {place + 1}: take {size - left} of {size}, leave {left}"


def _sum(position: Sequence[int], total: int) -> Iterator[str]:
    """The heaps in binary below each other, and what is left of pairs of ones in the same column."""
    width = max(map(int.bit_length, position)) or 1
    names = [*map(str, position), "nim-sum"]
    left = max(map(len, names))
    for name, size in zip(names, [*position, total], strict=True):
        if name == "nim-sum":
            yield f"{'':{left}}  {'-' * width}"
        yield f"{name:>{left}}  {size:0{width}b}" + (f" = {total}" if name == "nim-sum" else "")


def _why(position: Sequence[int], misere: bool, lost: bool) -> str:
    if not any(position):
        return "nobody can move"
    if misere and max(position) == 1:
        return f"the number of heaps of 1 is {'odd' if lost else 'even'}"
    return "the nim-sum is 0" if lost else "the nim-sum is not 0"


def _write(position: Sequence[int], misere: bool, output: str, quiet: bool) -> None:
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.games.perfect_information import unfold

    def moves(heaps: tuple[int, ...], player: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        for place, size in enumerate(heaps):
            for left in range(size - 1, -1, -1):
                yield f"{size - left} from heap {place + 1}", (*heaps[:place], left, *heaps[place + 1 :])

    title = f"Nim with heaps of {', '.join(map(str, position))}"
    write_game(unfold(title, play(misere), tuple(position), moves, misere).stream(), output, "auto", quiet)

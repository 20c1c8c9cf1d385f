"""`liarsdice impartial nim`: heaps of any size."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import misere_option, outputs_option, refuse_options
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.outputs import game_and_picture
from liarsdice_cli.cli.printing import print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.draw.formats import SCENE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.text import quoted

_DIGITS = 100_000
"""The most digits of a heap; more would take longer to print than to solve."""


@click.command(
    cls=CommandWithExample,
    example="liarsdice impartial nim 3 4 5\nliarsdice impartial nim 1 1 2 --misere\nliarsdice impartial nim 2 2 -o nim.efg",
    short_help="Solve Nim.",
    context_settings={"ignore_unknown_options": True},  # so that -3 is a heap below zero
)
@click.argument("sizes", nargs=-1, metavar="HEAP...", callback=refuse_options)
@misere_option
@outputs_option
@json_option
@quiet_option
def command(sizes: tuple[str, ...], misere: bool, output: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Take any number of objects from one heap: print the winner, the winning moves, and the nim-sum in binary."""
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import figure
    from liarsdice_cli.library.impartial import nim
    from liarsdice_cli.report.impartial import nim_json, nim_lines

    game, picture = game_and_picture(output, as_json, SCENE)
    with _of_any_length():
        position = nim([_number(size) for word in sizes for size in word.split(",")], misere)
        if game is not None:
            with display(quiet) as progress:
                write(position.tree(), game, progress=progress)
        if picture is not None:
            write(figure(position), picture)
        heaps = position.heaps
        print_report("impartial", lambda: nim_json(heaps, misere), lambda: nim_lines(heaps, misere), as_json, *output)


@contextmanager
def _of_any_length() -> Iterator[None]:
    """Allow Python to read and show numbers of any length inside the block, which it otherwise refuses."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _DIGITS:
        raise UsageError(f"{quoted(text, 40)} is not a heap: give the number of objects in each, such as 3 4 5")
    return int(text)

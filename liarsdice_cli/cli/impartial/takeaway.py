"""`liarsdice impartial takeaway`: one heap, and numbers of chips that may be taken."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import numbers, question_options
from liarsdice_cli.cli.options import WHOLE
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice impartial takeaway 21 1,2,3
liarsdice impartial takeaway --chips 1000000000 --take 1,3,4 --misere
liarsdice impartial takeaway --chips 7 --take 1,2,3 -o take-away.efg
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="One heap and the numbers that may be taken.")
@click.argument("words", nargs=-1, metavar="[CHIPS TAKE]")
@click.option("--chips", type=WHOLE, metavar="N", help="Chips in the heap.")
@click.option("--take", metavar="N,N,...", help="How many may be taken in a move.")
@question_options("Show the whole table.")
def command(
    words: tuple[str, ...],
    chips: int | None,
    take: str | None,
    misere: bool,
    full: bool,
    output: str | None,
    picture: str | None,
    tree: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Take chips from a heap in turn: who wins, by taking how many, and the results of all smaller heaps.

    W is won and L is lost for the player to move.
    """
    from liarsdice_cli.cli.writing import write_figures
    from liarsdice_cli.library.impartial import takeaway
    from liarsdice_cli.report.impartial import takeaway_json, takeaway_lines

    question = takeaway(*_asked(words, chips, take), misere)
    if output is not None:
        from liarsdice_cli.cli.writing import write_game

        write_game(question.tree().stream(), output, "auto", quiet)
    write_figures(question, picture, tree)
    if as_json:
        print_json("impartial", takeaway_json(question))
    else:
        print_lines(takeaway_lines(question, full))


def _asked(words: tuple[str, ...], chips: int | None, take: str | None) -> tuple[int, list[int]]:
    """The heap and what may be taken, by options or by arguments; UsageError unless each is given once."""
    if words and (chips is not None or take is not None):
        raise UsageError("give the heap and what may be taken either as arguments, 21 1,2,3, or by --chips and --take")
    if words:
        first, *rest = numbers(",".join(words), "CHIPS TAKE")
        return first, rest
    if chips is None or take is None:
        raise UsageError("give the heap and what may be taken, such as 21 1,2,3, or --chips 21 --take 1,2,3")
    return chips, numbers(take, "--take")

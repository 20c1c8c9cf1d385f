"""`liarsdice impartial takeaway`: one heap, and numbers of chips that may be taken."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import numbers, question_options, refuse_options
from liarsdice_cli.cli.outputs import game_and_picture
from liarsdice_cli.cli.printing import print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.draw.formats import SCENE
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice impartial takeaway 21 1,2,3
liarsdice impartial takeaway 1000000000 1,3,4 --misere
liarsdice impartial takeaway 7 1,2,3 -o take-away.efg
"""


@click.command(
    cls=CommandWithExample,
    example=_EXAMPLE,
    short_help="Solve take-away games with one heap.",
    context_settings={"ignore_unknown_options": True},  # so that -3 is a number below zero
)
@click.argument("words", nargs=-1, metavar="CHIPS TAKE", callback=refuse_options)
@question_options
def command(
    words: tuple[str, ...],
    misere: bool,
    full: bool,
    output: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Take chips from a heap in turn: print the winner, the winning moves, and the results of all smaller heaps.

    W is won and L is lost for the player to move.
    """
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import figure
    from liarsdice_cli.library.impartial import takeaway
    from liarsdice_cli.report.impartial import takeaway_json, takeaway_lines

    game, picture = game_and_picture(output, as_json, SCENE)
    question = takeaway(*_asked(words), misere)
    if game is not None:
        with display(quiet) as progress:
            write(question.tree(), game, progress=progress)
    if picture is not None:
        write(figure(question, unfolded=full), picture)
    print_report("impartial", lambda: takeaway_json(question), lambda: takeaway_lines(question, full), as_json, *output)


def _asked(words: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return the heap and the numbers that may be taken; UsageError unless both are given."""
    if len(words) < 2:
        raise UsageError("give the heap and the numbers that may be taken, such as 21 1,2,3")
    first, *rest = (number for word in words for number in numbers(word, "CHIPS TAKE"))
    return first, rest

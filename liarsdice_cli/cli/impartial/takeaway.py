"""`liarsdice impartial takeaway`: one heap, and numbers of chips that may be taken."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import misere_option, numbers, output_option
from liarsdice_cli.cli.options import WHOLE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines

_EXAMPLE = """
liarsdice impartial takeaway --chips 21 --take 1,2,3
liarsdice impartial takeaway --chips 1000000000 --take 1,3,4 --misere
liarsdice impartial takeaway --chips 7 --take 1,2,3 -o take-away.efg
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="One heap and the numbers that may be taken.")
@click.option("--chips", type=WHOLE, required=True, metavar="N", help="Chips in the heap.")
@click.option("--take", required=True, metavar="N,N,...", help="How many may be taken in a move.")
@misere_option
@click.option("--full", is_flag=True, help="Show the whole table.")
@output_option
@json_option
@quiet_option
def command(chips: int, take: str, misere: bool, full: bool, output: str | None, as_json: bool, quiet: bool) -> None:
    """Take chips from a heap in turn: who wins, by taking how many, and the results of all smaller heaps.

    W is won and L is lost for the player to move.
    """
    from liarsdice_cli.library.impartial import takeaway
    from liarsdice_cli.report.impartial import takeaway_json, takeaway_lines

    question = takeaway(chips, numbers(take, "--take"), misere)
    if output is not None:
        from liarsdice_cli.cli.writing import write_game

        write_game(question.tree(), output, "auto", quiet)
    if as_json:
        print_json("takeaway", takeaway_json(question))
    else:
        print_lines(takeaway_lines(question, full))

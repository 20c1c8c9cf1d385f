"""`liarsdice impartial bachet`: UVa 10404, Bachet's game."""

from __future__ import annotations

from collections.abc import Iterator

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import json_option
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.errors import LiarsDiceError


@click.command(
    cls=CommandWithExample,
    example="liarsdice impartial bachet input.txt\nliarsdice impartial bachet input.txt --json",
    short_help="Answer the games of UVa 10404.",
)
@click.argument("games", type=FILE, default="-")
@json_option
def command(games: str, as_json: bool) -> None:
    """Answer each line of GAMES (default: standard input): stones, the number of moves, and the moves.

    Stan moves first, and the player who takes the last stone wins. A line "20 3 1 3 8" is answered with "Stan wins".
    """
    from liarsdice_cli.report.impartial import bachet_json

    if not as_json:
        print_lines(f"{winner} wins" for _, _, winner in _answers(games))
        return
    found, problem = [], None
    try:
        for answer in _answers(games):
            found.append(answer)
    except LiarsDiceError as error:
        problem = error
    print_json("impartial", bachet_json(found))
    if problem:
        raise problem


def _answers(name: str) -> Iterator[tuple[int, tuple[int, ...], str]]:
    from liarsdice_cli.formats import bachet
    from liarsdice_cli.games.impartial.subtraction import wins

    for stones, take in bachet.read(name):
        yield stones, take, "Stan" if wins(take, stones) else "Ollie"

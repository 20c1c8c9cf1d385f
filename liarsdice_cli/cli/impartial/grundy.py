"""`liarsdice impartial grundy`: Grundy values of heap games with their period, and sums of games."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import output_option
from liarsdice_cli.cli.options import WholeRange, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice impartial grundy kayles
liarsdice impartial grundy 1,2,3 --values 20
liarsdice impartial grundy --sum "nim 3" --sum "kayles 7"
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="Grundy values, their period, and sums of games.")
@click.argument("game", required=False)
@click.option(
    "--values", "count", type=WholeRange(1, 1_000_000), default=60, show_default=True, metavar="N", help="Show N values."
)
@click.option(
    "--limit", type=WholeRange(64, 1_000_000), metavar="N", help="Look at N values for a period.  [default: the game's]"
)
@click.option(
    "--sum", "parts", multiple=True, metavar='"GAME HEAP..."', help="A game with its heaps; again for a sum of games."
)
@click.option("--full", is_flag=True, help="Show all winning moves.")
@output_option
@json_option
@quiet_option
def command(
    game: str | None,
    count: int,
    limit: int | None,
    parts: tuple[str, ...],
    full: bool,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Grundy values of GAME and their period; or who wins a sum of games (--sum), and how.

    GAME is nim, kayles, dawson (Dawson's Kayles), grundy (Grundy's game), an octal code such as 0.137, or a take set such
    as 1,2,3.
    """
    from liarsdice_cli.games.impartial import sums
    from liarsdice_cli.games.impartial.sums import game as grundy
    from liarsdice_cli.report.grundy import grundy_json, grundy_lines, sum_json, sum_lines

    if (game is None) == (not parts):
        raise UsageError(
            "give a game, such as kayles, or a position of games, such as --sum 'nim 3' --sum 'kayles 7'; not both"
        )
    if game is not None:
        if output is not None:
            raise UsageError("a game without heaps has no tree: name a position, such as --sum 'kayles 7', to write one")
        one = grundy(game, limit)
        print_json("impartial", grundy_json(one, count)) if as_json else print_lines(grundy_lines(one, count))
        return
    components = [sums.component(part, limit) for part in parts]
    if output is not None:
        from liarsdice_cli.cli.writing import write_game

        write_game(sums.tree(components).stream(), output, "auto", quiet)
    print_json("impartial", sum_json(components)) if as_json else print_lines(sum_lines(components, full))

"""`liarsdice impartial grundy`: Grundy values of heap games with their period, and sums of games."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import output_option
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.printing import check_file, print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice impartial grundy kayles
liarsdice impartial grundy 1,2,3 --values 20
liarsdice impartial grundy "nim 3" "kayles 7"
"""
_SHOWN = 60
"""The number of values that are shown by default."""


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="Compute Grundy values and their period; solve sums.")
@click.argument("games", nargs=-1, required=True, metavar="GAME | 'GAME HEAP...' ...")
@option("values", default=_SHOWN)
@option("full")
@output_option
@json_option
@quiet_option
def command(
    games: tuple[str, ...],
    count: int,
    full: bool,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute the Grundy values of GAME and their period, or solve a sum of games, each with its heaps: "nim 3" "kayles 7".

    GAME is nim, kayles, dawson (Dawson's Kayles), grundy (Grundy's game), an octal code such as 0.137, or a take set such
    as 1,2,3.
    """
    from liarsdice_cli.games.impartial import sums
    from liarsdice_cli.games.impartial.sums import game as grundy
    from liarsdice_cli.report.grundy import grundy_json, grundy_lines, sum_json, sum_lines

    if len(games) == 1 and " " not in games[0].strip():
        if output is not None:
            raise UsageError("a game without heaps has no tree: name a position, such as 'kayles 7', to write one")
        one = grundy(games[0])
        one = one if count <= one.limit else grundy(games[0], count)
        print_report("impartial", lambda: grundy_json(one, count), lambda: grundy_lines(one, count), as_json)
        return
    check_file("-o", output, as_json)
    components = [sums.component(part, count if count > _SHOWN else None) for part in games]
    if output is not None:
        from liarsdice_cli.formats.writing import write

        with display(quiet) as progress:
            write(sums.tree(components), output, progress=progress)
    # a list, so that nothing is printed if some heap has too many moves
    print_report("impartial", lambda: sum_json(components), lambda: list(sum_lines(components, full)), as_json, output)

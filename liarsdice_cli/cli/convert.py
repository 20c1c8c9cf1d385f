"""`liarsdice convert`: from one game file to another."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import json_option, labels_option, one_pipe, part_options, quiet_option
from liarsdice_cli.cli.printing import check_file, print_written
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.formats import registry


@click.command(
    cls=CommandWithExample,
    example="liarsdice convert game.efg game.nfg\nliarsdice convert game.efg profile.json game.gbt",
    epilog=f"OUTPUT ends in {registry.suffixes(registry.GAME)}; add .gz to compress it.",
)
@click.argument("game", type=FILE)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="[PROFILE] OUTPUT")
@labels_option
@part_options
@json_option
@quiet_option
def command(
    game: str, files: tuple[str, ...], labels: str, depth: int | None, history: str, as_json: bool, quiet: bool
) -> None:
    """Write the game in the .efg file GAME (- for standard input) to OUTPUT, in the format of its suffix.

    A .gbt file, a workbook of Gambit's interface, can show the profile in the file PROFILE on the game. It can also hold only a
    part of the game (--from, --depth).
    """
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.extensive.subtree_view import SubtreeView
    from liarsdice_cli.formats.registry import read_game as read
    from liarsdice_cli.formats.registry import read_profile
    from liarsdice_cli.formats.writing import check_labels, check_part, write

    *profiles, output = files
    check_part(output, depth, moves(history))
    check_labels(output, labels)
    workbook = registry.holds(output, registry.WORKBOOK)
    for extra in profiles[workbook:]:
        raise UsageError(f"unexpected extra argument {extra}: only a workbook, OUTPUT.gbt, shows a profile, and only one")
    check_file("OUTPUT", output, as_json)
    one_pipe(game, profiles[0] if profiles else None)
    tree = read(game)
    if workbook:
        played = read_profile(profiles[0], tree) if profiles else None
        write(SubtreeView.whole(tree, played).after(moves(history)), output, method="profile", depth=depth)
    else:
        with display(quiet) as progress:
            write(tree, output, labels=labels, progress=progress)
    if as_json:
        print_written(output, registry.format_name(output, registry.GAME), tree.nodes)

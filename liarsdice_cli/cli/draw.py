"""`liarsdice draw`: a picture of a game, and of a profile on it."""

from __future__ import annotations

import sys

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, one_pipe, part_options, quiet_option, rule_options
from liarsdice_cli.cli.printing import check_file, print_message, print_written
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.cli.wording import worded
from liarsdice_cli.draw import pictures
from liarsdice_cli.draw.formats import DIAGRAM, SCENE, SHEET
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import files, registry

NO_PROFILE = "none"
"""The name that stands for no profile."""
_EXAMPLE = """
liarsdice draw --sides 2 -o tree.svg
liarsdice draw game.efg --profile profile.json --from "1x2 2x3" --depth 2 -o part.pdf
liarsdice draw --sides 3 --reached-only -o played.html
liarsdice draw game.efg --profile none
liarsdice draw strategy.ldz -o sheet.pdf
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("game", type=FILE, required=False, metavar="[GAME|STRATEGY]")
@rule_options
@option("profile", " none draws the game alone.")
@option("reached-only")
@option("infosets", " auto uses lines unless they would cross something.", type=click.Choice(pictures.INFOSETS), default="auto")
@part_options
@option(
    "output",
    f"{registry.suffixes(SCENE, DIAGRAM)}; standard output (-), the default, is .txt, or .html for a STRATEGY",
    default="-",
    show_default=False,
)
@json_option
@quiet_option
def command(
    game: str | None,
    asked: RuleOptions,
    profile: str | None,
    reached_only: bool,
    infosets: str,
    depth: int | None,
    history: str,
    output: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw GAME (a file, or - for standard input) or the game of the rules, in the format of the output's suffix.

    A small game of Liar's Dice has a panel for each deal. A larger one has one public tree, with a bar for each roll.

    A strategy file (.ldz) becomes one page to print, with the openings of each roll and the answers.
    """
    from liarsdice_cli.cli.game import problem_of
    from liarsdice_cli.cli.progress import display
    from liarsdice_cli.formats.registry import read_profile
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.pictures import picture

    if game is not None and registry.holds(game, registry.STRATEGY):
        plain = profile is None and infosets == "auto" and depth is None and not (reached_only or history)
        _draw_sheet(game, asked, output, as_json, plain)
        return
    chosen = pictures.tree_format(output)
    one_pipe(game, profile)
    check_file("-o", output, as_json)
    problem = problem_of(game, asked)
    given = profile not in (None, NO_PROFILE)
    what = read_profile(str(profile), problem.tree) if given else problem
    with display(quiet) as progress:
        drawn = picture(
            what,
            no_profile=profile == NO_PROFILE,
            history=history,
            depth=depth,
            infosets=infosets,
            reached_only=reached_only,
            progress=progress,
        )
    if drawn.note and not quiet:
        print_message(worded(LiarsDiceError(*drawn.told)))
    if output == files.PIPE:
        with files.output(output) as out:  # the encoding of standard output may lack a character
            out.write(drawn.dumps(output).decode().encode(sys.stdout.encoding, "backslashreplace"))
    else:
        write(drawn, output)
    if as_json:
        print_written(output, chosen.suffix.removeprefix("."), problem.tree.nodes)


def _draw_sheet(strategy: str, asked: RuleOptions, output: str, as_json: bool, plain: bool) -> None:
    """Write the sheet of a strategy file.

    plain : whether no option chooses a part of a tree
    """
    from liarsdice_cli.formats.registry import read_strategy
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.explorer import Explorer, explore

    if asked or not plain:
        raise UsageError(f"{strategy} contains its rules and its strategy: leave out all options but -o")
    registry.check(output, SHEET)
    check_file("-o", output, as_json)
    explorer = explore(read_strategy(strategy))
    assert isinstance(explorer, Explorer)
    write(explorer.sheet(), output)
    if as_json:
        print_written(output, registry.format_name(output, SHEET), explorer.nodes)

"""`liarsdice draw`: a picture of a game, and of a profile on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, RuleOptions, moves_of, part_options, rule_options
from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.extensive.excerpt import Part

FORMATS = ("svg", "png", "pdf", "tex", "html", "txt")

_EXAMPLE = """
liarsdice draw game.efg
liarsdice draw --sides 2 --profile profile.json -o tree.svg
liarsdice draw game.efg --profile profile.json --from "1x2 2x3" --depth 2 -o part.pdf
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("game", type=FILE, required=False)
@rule_options
@click.option("--profile", type=FILE, metavar="FILE", help="Show what this profile does, as `solve -o` keeps it.")
@click.option(
    "--infosets",
    type=click.Choice(("auto", "dotted", "chips")),
    default="auto",
    show_default=True,
    help="Join information sets by dotted lines, or write their numbers; auto takes lines where they cross nothing.",
)
@part_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    default="-",
    metavar="FILE",
    help=f"File to write, .{', .'.join(FORMATS)}.  [default: - as txt]",
)
def command(
    game: str | None,
    asked: RuleOptions,
    profile: str | None,
    infosets: str,
    depth: int | None,
    history: str,
    output: str,
) -> None:
    """Draw GAME (a file, or - for standard input) or the game of the rules, in the format that the output's name says.

    Liar's Dice gets a panel for every deal; a game too large for that, the betting tree once with a bar for every roll.
    """
    from liarsdice_cli.cli.game import game_of
    from liarsdice_cli.extensive.excerpt import Part
    from liarsdice_cli.formats import files, profile_json

    kind = _format(output)
    if profile == "-" and game == "-":
        raise UsageError("the game and the profile cannot both come from standard input: name a file for one of them")
    files.check_writable(output)
    tree = game_of(game, asked).tree
    played = None if profile is None else profile_json.read(profile, tree)
    part = Part.whole(tree, played).after(moves_of(history))
    picture = _picture(part if depth is None else part.cut(depth), infosets, kind)
    with files.output(output) as out:
        out.write(picture)


def _format(output: str) -> str:
    """What to write, by the name of the file."""
    if output == "-":
        return "txt"
    ending = output.removesuffix(".gz").rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise UsageError(f"-o {output}: the name must end in .{', .'.join(FORMATS)}, which says what to write")
    return ending


def _picture(part: Part, infosets: str, kind: str) -> bytes:
    from liarsdice_cli.draw import choice, drawing, raster, svg, text, tikz

    diagram = choice.diagram_of(part, infosets)
    if kind == "txt":
        return text.dumps(diagram)
    scene = drawing.scene(diagram, infosets)
    if kind == "tex":
        return tikz.dumps(scene)
    if kind == "html":
        return svg.html(scene)
    picture = svg.dumps(scene)
    if kind == "svg":
        return picture
    return raster.pdf(picture) if kind == "pdf" else raster.png(picture, max(scene.width, scene.height))

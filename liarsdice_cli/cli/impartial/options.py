"""Options that the commands on combinatorial games share."""

from __future__ import annotations

import click

from liarsdice_cli.cli.options import FILE
from liarsdice_cli.draw import pictures
from liarsdice_cli.errors import UsageError, printable, whole
from liarsdice_cli.formats import kinds


def _checked(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """A name that can be drawn to, so that nothing is solved for one that cannot."""
    if name is not None:
        pictures.figure_format(name)
    return name


misere_option = click.option("--misere", is_flag=True, help="Who cannot move wins, not loses.")
output_option = click.option(
    "-o", "--output", type=FILE, metavar="FILE", help=f"Write the game tree: {kinds.suffixes(kinds.GAME)}."
)
draw_option = click.option(
    "--draw",
    "picture",
    type=FILE,
    metavar="FILE",
    callback=_checked,
    help=f"Draw who wins from where: {pictures.FIGURE_SUFFIXES}.",
)
tree_option = click.option(
    "--draw-tree",
    "tree",
    type=FILE,
    metavar="FILE",
    callback=_checked,
    help=f"Draw the tree of all plays, won and lost in colours: {pictures.FIGURE_SUFFIXES}.",
)


def numbers(text: str, option: str) -> list[int]:
    """Numbers with commas between them; UsageError for anything else."""
    try:
        return [whole(number) for number in text.split(",")] if text.strip() else []
    except ValueError as error:
        given = printable(text, 80)
        raise UsageError(f"{option} {given}: give whole numbers with commas between them, such as 1,2,3") from error

"""Functions that several commands use to write games and figures, and to refuse early an output that cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.cli.printing import check_file
from liarsdice_cli.cli.progress import display

if TYPE_CHECKING:
    from liarsdice_cli.extensive.stream import TreeStream
    from liarsdice_cli.games.impartial.subtraction import TakeAway
    from liarsdice_cli.games.positions import Analysis
    from liarsdice_cli.library.impartial import Nim
    from liarsdice_cli.system.tasks import InOrder


def write_game(source: TreeStream, name: str, labels: str, quiet: bool, in_order: InOrder = map) -> None:
    """Write a game in the format that the name says, with a progress bar."""
    from liarsdice_cli.formats.writing import write_game as write

    with display(quiet) as progress:
        write(source, name, labels, progress, in_order)


def write_figure(what: TakeAway | Nim | Analysis, name: str, start: int = 0, unfolded: bool = False) -> None:
    """Write the picture of won and lost positions, or of the tree of all plays, in the format that the name says."""
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import figure

    write(figure(what, start, unfolded=unfolded), name)


def check_output(output: str | None, depth: int | None, history: str, as_json: bool) -> None:
    """Raise UsageError for an output that cannot be written, before the work starts."""
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.writing import check_part

    if output is not None:
        registry.check(output, registry.PROFILE, registry.WORKBOOK, registry.STRATEGY)
    check_part(output, depth, moves(history))
    check_file("-o", output, as_json)

"""Functions that several commands use to write games and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.cli.progress import display

if TYPE_CHECKING:
    from liarsdice_cli.extensive.stream import TreeStream
    from liarsdice_cli.games.impartial.subtraction import TakeAway
    from liarsdice_cli.games.positions import Analysis
    from liarsdice_cli.library.impartial import Nim
    from liarsdice_cli.studies.safe import SafeExploitation


def write_game(source: TreeStream, name: str, labels: str, quiet: bool) -> None:
    """Write a game in the format that the name says, with a progress bar."""
    from liarsdice_cli.formats.writing import write_game as write

    with display(quiet) as progress:
        write(source, name, labels, progress)


def write_figure(what: TakeAway | Nim | Analysis | SafeExploitation, name: str, start: int = 0, unfolded: bool = False) -> None:
    """Write the picture of won and lost positions, of the tree of all plays, or of a frontier, in the format of the name."""
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import figure

    write(figure(what, start, unfolded=unfolded), name)

"""Turn a part of a game into the bytes of a picture, in the format that the name of the file selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.draw.formats import DIAGRAM, FORMATS, SCENE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files
from liarsdice_cli.formats.registry import Format, listed, load, named

if TYPE_CHECKING:
    from liarsdice_cli.draw.scene import Scene
    from liarsdice_cli.extensive.subtree_view import SubtreeView

INFOSETS = ("auto", "dotted", "chips")
"""How information sets are shown; see `drawing.scene`."""


def tree_format(name: str) -> Format:
    """Return the format of a picture of a tree with this name; text for standard output.

    Raises UsageError if the name does not end like that of a picture.

    >>> tree_format("tree.svg.gz").writer, tree_format("-").writer
    ('draw.svg:dumps', 'draw.text:dumps')
    """
    rows = [row for row in FORMATS if row.holds in (SCENE, DIAGRAM)]
    found = next(named(".txt" if name == files.PIPE else name, rows), None)
    if found is None:
        raise UsageError(f"{name}: the name must end in {listed(rows)}, which selects the format")
    return found


def dumps(part: SubtreeView, chosen: Format, infosets: str = "auto", reached_only: bool = False) -> bytes:
    """Return the bytes of a file with the picture of a game in this format; raises as `choice.diagram_of`.

    infosets     : one of `INFOSETS`
    reached_only : leave out everything that the profile never reaches
    """
    from liarsdice_cli.draw import choice

    shown = choice.diagram_of(part, infosets, reached_only) if chosen.holds is DIAGRAM else scene(part, infosets, reached_only)
    content: bytes = load(chosen.writer)(shown)
    return content


def scene(part: SubtreeView, infosets: str = "auto", reached_only: bool = False) -> Scene:
    """Return the marks of the picture with their positions; raises as `choice.diagram_of`."""
    from liarsdice_cli.draw import choice, drawing

    return drawing.scene(choice.diagram_of(part, infosets, reached_only), infosets)

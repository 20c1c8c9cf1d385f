"""Turn a part of a game into the bytes of a picture, in the format that the name of the file selects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.draw.formats import CHART, DIAGRAM, FORMATS, SCENE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files
from liarsdice_cli.formats.registry import ContentType, Format, listed, load, named

if TYPE_CHECKING:
    from liarsdice_cli.draw.chart import Chart, Panels
    from liarsdice_cli.draw.scene import Scene
    from liarsdice_cli.extensive.subtree_view import SubtreeView

TREE_SUFFIXES = listed(row for row in FORMATS if row.holds in (SCENE, DIAGRAM))
FIGURE_SUFFIXES = listed(row for row in FORMATS if row.holds is SCENE)
INFOSETS = ("auto", "dotted", "chips")
"""How information sets are shown; see `drawing.scene`."""


def tree_format(name: str) -> Format:
    """Return the format of a picture of a tree with this name; text for standard output.

    Raises UsageError if the name does not end like that of a picture.

    >>> tree_format("tree.svg.gz").writer, tree_format("-").writer
    ('draw.svg:dumps', 'draw.text:dumps')
    """
    return _format(".txt" if name == files.PIPE else name, SCENE, DIAGRAM)


def figure_format(name: str, chart: bool = False) -> Format:
    """Return the format of a chart, or of another picture without a tree, with this name; raises as `tree_format`."""
    return _format(name, CHART if chart else SCENE)


def _format(name: str, *contents: ContentType[Any, ..., Any]) -> Format:
    rows = [row for row in FORMATS if row.holds in contents]
    found = next(named(name, rows), None)
    if found is None:
        raise UsageError(f"{name}: the name must end in {listed(rows)}, which selects the format")
    return found


def dumps_figure(marks: Scene | Chart | Panels, chosen: Format) -> bytes:
    """Return the bytes of a file with a scene or a chart."""
    content: bytes = load(chosen.writer)(marks)
    return content


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

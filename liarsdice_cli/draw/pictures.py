"""The picture formats by the ends of their names: one table, and the way from a part of a game to what is in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files
from liarsdice_cli.formats.kinds import Format, Kind, listed, load, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from liarsdice_cli.draw.chart import Chart
    from liarsdice_cli.draw.diagram import Diagram
    from liarsdice_cli.draw.scene import Scene
    from liarsdice_cli.extensive.subtree_view import SubtreeView

SCENE: Kind[Callable[[Scene], bytes], [], Any] = Kind("scene")
"""Marks at places. Written by `(scene)`, which gives the content."""
CHART: Kind[Callable[[Chart], bytes], [], Any] = Kind("chart")
"""Curves over axes. Written by `(chart)`, which gives the content."""
DIAGRAM: Kind[Callable[[Diagram], bytes], [], Any] = Kind("diagram")
"""What is drawn, without places. Written by `(diagram)`, which gives the content."""

FORMATS = (
    Format(".svg", SCENE, "draw.svg:dumps"),
    Format(".png", SCENE, "draw.raster:png"),
    Format(".pdf", SCENE, "draw.raster:pdf"),
    Format(".tex", SCENE, "draw.tikz:dumps"),
    Format(".html", SCENE, "draw.page:dumps"),
    Format(".txt", DIAGRAM, "draw.text:dumps"),
)
"""All of them, each made from a scene or from the diagram itself."""
SUFFIXES = listed(FORMATS)
CHARTS = (
    Format(".svg", CHART, "draw.chart:dumps"),
    Format(".png", CHART, "draw.raster:chart_png"),
    Format(".pdf", CHART, "draw.raster:chart_pdf"),
)
"""Those of curves over axes."""
FIGURES = tuple(one for one in FORMATS if one.holds is SCENE)
"""Those of pictures that are marks at places and nothing else."""
FIGURE_SUFFIXES = listed(FIGURES)

INFOSETS = ("auto", "dotted", "chips")
"""How information sets are shown; see `drawing.scene`."""


def format_of(name: str) -> Format:
    """The format that the name of a file asks for, text for standard output; UsageError where there is none.

    >>> format_of("tree.svg.gz").writer, format_of("-").writer
    ('draw.svg:dumps', 'draw.text:dumps')
    """
    found = next(named(".txt" if name == files.PIPE else name, FORMATS), None)
    if found is None:
        raise UsageError(f"-o {name}: the name must end in {SUFFIXES}, which says what to write")
    return found


def figure_format(name: str, chart: bool = False) -> Format:
    """The format that the name of a file asks for, of a chart or another picture that is no tree; UsageError for none."""
    formats = CHARTS if chart else FIGURES
    found = next(named(name, formats), None)
    if found is None:
        raise UsageError(f"{name}: the name must end in {listed(formats)}, which says what to draw")
    return found


def dumps_figure(marks: Scene | Chart, kind: Format) -> bytes:
    """The content of a file with such a picture."""
    content: bytes = load(kind.writer)(marks)
    return content


def dumps(part: SubtreeView, kind: Format, infosets: str = "auto", played: bool = False) -> bytes:
    """The content of a file with the picture of a game in this format; raises as `choice.diagram_of`.

    infosets : one of `INFOSETS`
    played   : leave out what play under the profile never comes to
    """
    from liarsdice_cli.draw import choice

    shown = choice.diagram_of(part, infosets, played) if kind.holds is DIAGRAM else scene(part, infosets, played)
    content: bytes = load(kind.writer)(shown)
    return content


def scene(part: SubtreeView, infosets: str = "auto", played: bool = False) -> Scene:
    """The marks of the picture, at their places; raises as `choice.diagram_of`."""
    from liarsdice_cli.draw import choice, drawing

    return drawing.scene(choice.diagram_of(part, infosets, played), infosets)

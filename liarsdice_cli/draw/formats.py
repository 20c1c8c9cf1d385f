"""The file formats of this package: pictures, pages, and the games and profiles that Gambit's interface opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.registry import GAME, WORKBOOK, ContentType, Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from liarsdice_cli.draw.chart import Chart, Panels
    from liarsdice_cli.draw.diagram import Diagram
    from liarsdice_cli.draw.scene import Scene

PAGE: ContentType[Callable[[Any], bytes], [], Any] = ContentType("page")
"""The explorer. Written by `(page)`, which returns the bytes."""
SHEET: ContentType[Callable[[Scene], bytes], [], Any] = ContentType("sheet")
"""A strategy on one page to print. Written by `(scene)`, which returns the bytes."""
SCENE: ContentType[Callable[[Scene], bytes], [], Any] = ContentType("scene")
"""Marks with positions. Written by `(scene)`, which returns the bytes."""
CHART: ContentType[Callable[[Chart | Panels], bytes], [], Any] = ContentType("chart")
"""Curves over axes. Written by `(chart)`, which returns the bytes."""
DIAGRAM: ContentType[Callable[[Diagram], bytes], [], Any] = ContentType("diagram")
"""Branches without positions. Written by `(diagram)`, which returns the bytes."""

FORMATS = (
    Format(".gbt", GAME, "draw.gbt:write"),
    Format(".gbt", WORKBOOK, "draw.gbt:dumps_openable"),
    Format(".html", PAGE, "draw.explorer.shell:html", gz=False),
    Format(".html", SHEET, "draw.explorer.sheet:html", gz=False),
    Format(".pdf", SHEET, "draw.raster:pdf", gz=False),
    Format(".svg", SHEET, "draw.svg:dumps"),
    Format(".png", SHEET, "draw.raster:png"),
    Format(".svg", SCENE, "draw.svg:dumps"),
    Format(".png", SCENE, "draw.raster:png"),
    Format(".pdf", SCENE, "draw.raster:pdf"),
    Format(".tex", SCENE, "draw.tikz:dumps"),
    Format(".html", SCENE, "draw.page:dumps"),
    Format(".txt", DIAGRAM, "draw.text:dumps"),
    Format(".svg", CHART, "draw.chart:dumps"),
    Format(".png", CHART, "draw.raster:png"),
    Format(".pdf", CHART, "draw.raster:pdf"),
)
"""One row for each format and content type; `formats.registry.table` lists them after its own."""

"""The file formats of games and strategies that are written here, because they are drawn. `pictures` has those of pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.registry import GAME, WORKBOOK, ContentType, Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from liarsdice_cli.draw.scene import Scene

PAGE: ContentType[Callable[[Any], bytes], [], Any] = ContentType("page")
"""The explorer. Written by `(page)`, which returns the content."""
SHEET: ContentType[Callable[[Scene], bytes], [], Any] = ContentType("sheet")
"""The explorer's sheet to print. Written by `(scene)`, which returns the content."""

FORMATS = (
    Format(".gbt", GAME, "draw.gbt:write"),
    Format(".gbt", WORKBOOK, "draw.gbt:dumps_openable"),
    Format(".html", PAGE, "draw.explorer.shell:html", gz=False),
    Format(".htm", PAGE, "draw.explorer.shell:html", gz=False),
    Format(".html", SHEET, "draw.explorer.sheet:html", gz=False),
    Format(".pdf", SHEET, "draw.raster:pdf", gz=False),
)

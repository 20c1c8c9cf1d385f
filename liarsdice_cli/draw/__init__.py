"""Pictures of games: a diagram says what is drawn, a layout where, a scene holds the marks, and one file a format writes them.

`choice` takes a part of a game to a diagram (`diagram`, `betting`), `drawing` to a scene (`layout`), the table in `pictures` to
what a file holds: `svg`, `tikz` and `raster` write the scene, `text` the diagram itself. `gbt` writes Gambit's workbooks, and
`explorer` a page to click through a strategy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.formats import register

if TYPE_CHECKING:
    from collections.abc import Iterable

    from liarsdice_cli.formats.registry import Format


def _formats() -> Iterable[Format]:
    from liarsdice_cli.draw.formats import FORMATS

    return FORMATS


register(_formats)

"""Pictures of games, in three steps: a diagram names the content, a scene holds the drawn marks, and a format writes a file.

`choice` turns a part of a game into a diagram (`diagram`, `betting`). `drawing` turns the diagram into a scene, with the places
from `layout`. `pictures` has the table of formats: `svg`, `tikz` and `raster` write the scene, `text` writes the diagram.
`gbt` writes Gambit's workbooks, and `explorer` writes a page to click through a strategy.
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

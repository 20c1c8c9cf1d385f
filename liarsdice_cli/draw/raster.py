"""Pictures as PNG and PDF, from their SVG by CairoSVG, an optional package."""

from __future__ import annotations

from typing import Any

from liarsdice_cli.draw import svg
from liarsdice_cli.draw.chart import Chart, Panels
from liarsdice_cli.draw.scene import Scene
from liarsdice_cli.errors import Argument, LiarsDiceError

_SHARP = 2
"""Pixels of a PNG for each of the picture's."""
_MOST = 32_000
"""The most pixels that Cairo draws in a row or a column."""


def png(picture: Scene | Chart | Panels) -> bytes:
    """Return a picture as a PNG; LiarsDiceError if it is too large, or if CairoSVG is not installed."""
    longest = max(picture.width, picture.height) if isinstance(picture, Scene) else 0
    if longest > _MOST:
        raise LiarsDiceError(
            f"a PNG has at most {_MOST:,} pixels in a row: write .svg or .pdf, or draw a part with ", Argument("depth")
        )
    scale = min(_SHARP, _MOST / longest) if longest else _SHARP
    content: bytes = _cairosvg().svg2png(bytestring=_svg(picture), scale=scale)
    return content


def pdf(picture: Scene | Chart | Panels) -> bytes:
    """Return a picture as a PDF; LiarsDiceError if CairoSVG is not installed."""
    content: bytes = _cairosvg().svg2pdf(bytestring=_svg(picture))
    return content


def _svg(picture: Scene | Chart | Panels) -> bytes:
    return svg.dumps(picture) if isinstance(picture, Scene) else picture.svg().encode()


def _cairosvg() -> Any:
    try:
        import cairosvg
    except (ImportError, OSError) as error:  # without the Python package, or without the library that it calls
        raise LiarsDiceError(
            "PNG and PDF need CairoSVG and the Cairo library, which are not here: pip install cairosvg "
            "(and the system's package libcairo2), or write .svg"
        ) from error
    return cairosvg

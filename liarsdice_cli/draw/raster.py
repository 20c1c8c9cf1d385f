"""Scenes as PNG and PDF, from their SVG by CairoSVG: an extra that a plain installation goes without."""

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


def png(scene: Scene) -> bytes:
    """The picture as a PNG.

    Raises LiarsDiceError for a picture that is too large, and where CairoSVG is missing.
    """
    longest = max(scene.width, scene.height)
    if longest > _MOST:
        raise LiarsDiceError(
            f"a PNG has at most {_MOST:,} pixels in a row: write .svg or .pdf, or draw a part with ", Argument("depth")
        )
    return png_of(svg.dumps(scene), min(_SHARP, _MOST / longest))


def pdf(scene: Scene) -> bytes:
    """The picture as a PDF. LiarsDiceError where CairoSVG is missing."""
    return pdf_of(svg.dumps(scene))


def chart_png(chart: Chart | Panels) -> bytes:
    """A chart as a PNG. LiarsDiceError where CairoSVG is missing."""
    return png_of(chart.svg().encode())


def chart_pdf(chart: Chart | Panels) -> bytes:
    """A chart as a PDF. LiarsDiceError where CairoSVG is missing."""
    return pdf_of(chart.svg().encode())


def png_of(picture: bytes, scale: float = _SHARP) -> bytes:
    """An SVG as a PNG. LiarsDiceError where CairoSVG is missing."""
    result: bytes = _cairosvg().svg2png(bytestring=picture, scale=scale)
    return result


def pdf_of(picture: bytes) -> bytes:
    """An SVG as a PDF. LiarsDiceError where CairoSVG is missing."""
    result: bytes = _cairosvg().svg2pdf(bytestring=picture)
    return result


def _cairosvg() -> Any:
    try:
        import cairosvg
    except (ImportError, OSError) as error:  # without the Python package, or without the library that it calls
        raise LiarsDiceError(
            "PNG and PDF need CairoSVG and the Cairo library, which are not here: pip install 'liarsdice-cli[pictures]' "
            "(and the system's package libcairo2), or write .svg"
        ) from error
    return cairosvg

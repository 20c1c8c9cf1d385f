"""A line chart as SVG, light or dark as the reader's screen is: for pictures that come from numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from liarsdice_cli.draw.colours import GREY, INK, PAPER, Colour
from liarsdice_cli.text import without_controls

Point = tuple[float, float]
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 52, 24, 66


@dataclass(frozen=True)
class Curve:
    """Points joined by straight lines; `dashes` in SVG's notation, empty for a whole line."""

    points: Sequence[Point]
    colour: Colour
    dashes: str = ""
    width: float = 2


@dataclass(frozen=True)
class Area:
    """A polygon, filled with a colour of some opacity."""

    corners: Sequence[Point]
    colour: Colour
    share: float


@dataclass(frozen=True)
class Marker:
    """A dot with words beside it; `hollow` leaves its inside to the paper, without `dot` there are only the words."""

    at: Point
    words: str
    colour: Colour
    hollow: bool = False
    offset: Point = (0, -9)
    anchor: str = "middle"
    dot: bool = True


@dataclass(frozen=True)
class Chart:
    """Curves over areas and two axes; the ticks are pairs of a place and what to write there (lines parted by \\n)."""

    title: str
    description: str
    x: tuple[float, float]
    y: tuple[float, float]
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    x_name: str
    y_name: str
    curves: Sequence[Curve]
    markers: Sequence[Marker] = field(default=())
    areas: Sequence[Area] = field(default=())
    size: tuple[int, int] = (760, 460)

    def svg(self) -> str:
        """Return the picture."""
        used = [one.colour for part in (self.curves, self.markers, self.areas) for one in part]
        colours = list(dict.fromkeys((INK, PAPER, GREY, *used)))
        light = "".join(f".c{number}{{color:{colour.light}}}" for number, colour in enumerate(colours))
        dark = "".join(f".c{number}{{color:{colour.dark}}}" for number, colour in enumerate(colours))
        width, height = self.size
        body = "\n".join(self._parts({colour: f"c{number}" for number, colour in enumerate(colours)}))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" aria-labelledby="t d">\n<title id="t">{_escaped(self.title)}</title>\n'
            f'<desc id="d">{_escaped(self.description)}</desc>\n<style>text{{font:12px system-ui,"DejaVu Sans",sans-serif;'
            f"fill:currentColor}}.h{{font-size:15px;font-weight:600}}path{{fill:none;stroke:currentColor}}"
            f"circle{{fill:currentColor;stroke:currentColor;stroke-width:1.5}}.o{{fill:{PAPER.light}}}{light}\n"
            f"@media(prefers-color-scheme:dark){{{dark}.o{{fill:{PAPER.dark}}}}}</style>\n"
            f'<rect class="c1" width="100%" height="100%" fill="currentColor"/>\n{body}\n</svg>\n'
        )

    def _place(self, point: Point) -> Point:
        width, height = self.size
        across = (point[0] - self.x[0]) / (self.x[1] - self.x[0])
        up = (point[1] - self.y[0]) / (self.y[1] - self.y[0])
        return _LEFT + across * (width - _LEFT - _RIGHT), height - _BOTTOM - up * (height - _TOP - _BOTTOM)

    def _parts(self, kind: dict[Colour, str]) -> Iterable[str]:
        ink, grey = kind[INK], kind[GREY]
        yield _text(_LEFT, 24, self.title, f"{ink} h", "start")
        for place, words in self.x_ticks:
            x, base = self._place((place, self.y[0]))
            yield _path([(x, base), (x, self._place((place, self.y[1]))[1])], grey, width=0.3)
            for line, word in enumerate(words.split("\n")):
                yield _text(x, base + 17 + 15 * line, word, (ink, grey)[line > 0])
        for place, words in self.y_ticks:
            x, y = self._place((self.x[0], place))
            yield _path([(x, y), (self._place((self.x[1], place))[0], y)], grey, width=0.3)
            yield _text(x - 8, y + 4, words, ink, "end")
        yield _text(_LEFT, 43, self.y_name, grey, "start")
        yield _text(self.size[0] / 2, self.size[1] - 10, self.x_name, grey)
        for area in self.areas:
            edge = "L".join(f"{x:.1f} {y:.1f}" for x, y in map(self._place, area.corners))
            look = f'class="{kind[area.colour]}" style="fill:currentColor;stroke:none" fill-opacity="{area.share:g}"'
            yield f'<path {look} d="M{edge}Z"/>'
        for curve in self.curves:
            yield _path([self._place(point) for point in curve.points], kind[curve.colour], curve.dashes, curve.width)
        for mark in self.markers:
            x, y = self._place(mark.at)
            inside = " o" if mark.hollow else ""
            if mark.dot:
                yield f'<circle class="{kind[mark.colour]}{inside}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            if mark.words:
                yield _text(x + mark.offset[0], y + mark.offset[1], mark.words, kind[mark.colour], mark.anchor)


@dataclass(frozen=True)
class Panels:
    """Charts below each other that have the same colours in the same order."""

    title: str
    charts: Sequence[Chart]

    def svg(self) -> str:
        """Return the picture."""
        width, height = max(one.size[0] for one in self.charts), sum(one.size[1] for one in self.charts)
        parts, top = [], 0
        for number, one in enumerate(self.charts):
            own = one.svg().replace('id="t"', f'id="t{number}"').replace('id="d"', f'id="d{number}"')
            own = own.replace('aria-labelledby="t d"', f'aria-labelledby="t{number} d{number}"')
            parts.append(own.replace("<svg ", f'<svg x="0" y="{top}" ', 1))
            top += one.size[1]
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{"".join(parts)}</svg>\n'


def dumps(chart: Chart | Panels) -> bytes:
    """Return the chart as an SVG file."""
    return chart.svg().encode()


def _text(x: float, y: float, words: str, kind: str, anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(words)}</text>'


def _escaped(text: str) -> str:
    return escape(without_controls(text))


def _path(points: Sequence[Point], kind: str, dashes: str = "", width: float = 2) -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="{kind}" stroke-width="{width:g}"{dashed} d="M{line}"/>'

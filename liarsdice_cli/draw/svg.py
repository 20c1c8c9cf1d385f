"""Scenes as SVG: the source of the other picture formats. The colours are light or dark, like the reader's screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from liarsdice_cli.draw.colours import INK, LINE, PAPER, TEXT, Colour
from liarsdice_cli.draw.scene import (
    LANE_TURN,
    NOBODY,
    SMALL,
    Arrow,
    Box,
    Branch,
    Chip,
    Die,
    Dot,
    Link,
    Mark,
    Scene,
    Text,
    ink_on,
    pips,
    shown,
    shown_runs,
)
from liarsdice_cli.text import without_controls

_FONT = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif"
_SHAPES = f"""text{{font:12px {_FONT};unicode-bidi:plaintext}}
path{{fill:none;stroke:currentColor}}text,tspan,circle,rect{{fill:currentColor}}
.s{{font-size:10px}}.l{{font-size:16px;font-weight:600}}.m{{text-anchor:middle}}.e{{text-anchor:end}}
.p{{fill:currentColor;stroke:none}}
.d{{stroke-dasharray:1.5 3.5;stroke-width:1.6;stroke-linecap:round;stroke-opacity:.75}}
"""
"""Faded marks have paler colours (`colours.faded`): for every element with an opacity, CairoSVG draws a separate picture."""


def dumps(scene: Scene, dark: bool = True) -> bytes:
    """Return the picture as an SVG file, which may also be part of a page. All text from the game is escaped.

    dark : whether it has dark colours for readers who prefer them

    >>> from liarsdice_cli.draw.colours import GREY
    >>> b"&lt;b&gt;" in dumps(Scene("t", "d", 10, 10, (Text(0, 0, (("<b>", GREY),)),)))
    True
    """
    return _Svg(scene, dark).text().encode()


def grouped(scene: Scene) -> tuple[str, str]:
    """Return the picture for a page that moves its nodes, with the marks of each node in its own groups, and its style."""
    picture = _Svg(scene)
    return picture.text(grouped=True), picture.style


class _Svg:
    """Writes marks; gives every colour that occurs a class, so that the style alone selects the dark colours."""

    def __init__(self, scene: Scene, dark: bool = True) -> None:
        self.scene, self.dark = scene, dark
        self.colours: dict[Colour, str] = {INK: "c0", PAPER: "c1"}

    def text(self, grouped: bool = False) -> str:
        scene = self.scene
        drawn = self._groups() if grouped and scene.frame else "".join(map(self._drawn, scene.marks))
        self.style = f"\n{_SHAPES}{self._style()}"
        size = f'width="{scene.width:.0f}" height="{scene.height:.0f}" viewBox="0 0 {scene.width:.0f} {scene.height:.0f}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="graphics-document document" aria-labelledby="t d">\n'
            f'<title id="t">{_escaped(scene.title)}</title>\n<desc id="d">{_escaped(scene.description)}</desc>\n'
            f'<style>{self.style}</style>\n<rect class="c1" width="100%" height="100%"/>\n{drawn}</svg>\n'
        )

    def _drawn(self, mark: Mark) -> str:
        written: str = _WRITERS[type(mark)](self, mark)
        return written

    def _groups(self) -> str:
        """Return the marks without a node, then those of nodes: a group for the branch into each, one for itself, and links."""
        above, tree = "", ""
        for owner, marks in groupby(zip(self.scene.owners, self.scene.marks, strict=True), lambda one: one[0]):
            drawn = "".join(self._drawn(mark) for _, mark in marks)
            kind = f'data-n="{owner.node}" data-kind="{owner.role}"'
            if owner == NOBODY:
                above += drawn
            elif owner.role == "link":
                tree += drawn.replace("<path ", f"<path {kind} ")
            else:
                tree += f"<g {kind}>{drawn}</g>\n"
        return f'{above}<g id="tree">\n{tree}</g>\n'

    def _style(self) -> str:
        light = "".join(f".{name}{{color:{colour.light}}}" for colour, name in self.colours.items())
        if not self.dark:
            return f"{light}\n"
        dark = "".join(
            f".{name}{{color:{colour.dark}}}" for colour, name in self.colours.items() if colour.dark != colour.light
        )
        return f"{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n"

    def _class(self, colour: Colour, *more: str) -> str:
        name = self.colours.setdefault(colour, f"c{len(self.colours)}")
        return f'class="{" ".join((name, *filter(None, more)))}"'

    def branch(self, mark: Branch) -> str:
        width = f'stroke-width="{mark.width:g}"'
        x, y, to_x, to_y = (_number(value) for value in (mark.x, mark.y, mark.to_x, mark.to_y))
        bend, end = _number(mark.x + mark.fork / 2), _number(mark.x + mark.fork)
        fork = f"C{bend} {y} {bend} {to_y} {end} {to_y}" if mark.fork and y != to_y else ""
        return f'<path {self._class(shown(mark, LINE))} {width} d="M{x} {y}{fork}H{to_x}"/>\n'

    def link(self, mark: Link) -> str:
        x, y, to_x, to_y = (_number(value) for value in (mark.x, mark.y, mark.to_x, mark.to_y))
        lane = "L"
        if mark.lane is not None:
            near, far = _number(mark.y + LANE_TURN), _number(mark.to_y - LANE_TURN)
            lane = f"L{_number(mark.lane)} {near}V{far}L"
        return f'<path {self._class(mark.colour, "d")} d="M{x} {y}{lane}{to_x} {to_y}"/>\n'

    def words(self, mark: Text) -> str:
        runs = shown_runs(mark)
        first = runs[0][1]
        size = {SMALL: "s", 16: "l"}.get(mark.size, "")
        spans = "".join(
            _escaped(words) if colour == first else f"<tspan {self._class(colour)}>{_escaped(words)}</tspan>"
            for words, colour in runs
        )
        spaced = ' xml:space="preserve"' if len(runs) > 1 else ""
        kind = self._class(first, size, mark.anchor[0].replace("s", ""))
        return f'<text {kind}{spaced} x="{_number(mark.x)}" y="{_number(mark.y)}">{spans}</text>\n'

    def dot(self, mark: Dot) -> str:
        place = f'cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{mark.radius:g}"'
        return f"<circle {self._class(shown(mark, LINE))} {place}>{_title(mark.title)}</circle>\n"

    def chip(self, mark: Chip) -> str:
        place = f'x="{_number(mark.x - mark.width / 2)}" y="{_number(mark.y - 8)}" width="{_number(mark.width)}" height="16"'
        at = f'x="{_number(mark.x)}" y="{_number(mark.y + 3.5)}"'
        number = f"<text {self._class(PAPER, 's', 'm')} {at}>{_escaped(mark.text)}</text>"
        return f'<g>{_title(mark.title)}<rect {self._class(shown(mark, TEXT))} {place} rx="5"/>{number}</g>\n'

    def box(self, mark: Box) -> str:
        place = f'x="{_number(mark.x)}" y="{_number(mark.y)}" width="{_number(mark.width)}" height="{_number(mark.height)}"'
        words, colour = "", shown(mark)
        if mark.text:
            at = f'x="{_number(mark.x + mark.width / 2)}" y="{_number(mark.y + mark.height - 2)}"'
            words = f"<text {self._class(ink_on(colour), 's', 'm')} {at}>{_escaped(mark.text)}</text>"
        return f"<g>{_title(mark.title)}<rect {self._class(colour)} {place}/>{words}</g>\n"

    def die(self, mark: Die) -> str:
        half = mark.size / 2
        place = f'x="{_number(mark.x - half)}" y="{_number(mark.y - half)}" width="{mark.size:g}" height="{mark.size:g}"'
        dots = pips(mark.face)
        shape = f'<rect {self._class(shown(mark, LINE if dots else TEXT))} {place} rx="{_number(mark.size / 5)}"/>'
        if dots:
            paper, step, radius = self._class(PAPER), mark.size * 0.27, _number(mark.size * 0.1)
            shape += "".join(
                f'<circle {paper} cx="{_number(mark.x + step * x)}" cy="{_number(mark.y + step * y)}" r="{radius}"/>'
                for x, y in dots
            )
        else:
            kind = self._class(PAPER, "s", "m")
            shape += f'<text {kind} x="{_number(mark.x)}" y="{_number(mark.y + 3.5)}">{_escaped(mark.face)}</text>'
        return f"<g>{_title(f'die {mark.face}')}{shape}</g>\n"

    def arrow(self, mark: Arrow) -> str:
        pull, corners = mark.pull, mark.point
        way = f"M{_at((mark.x, mark.y))}Q{_at(pull)} {_at(_short_of(mark))}"
        line = f'<path {self._class(mark.colour)} stroke-width="{mark.width:g}" d="{way}"/>'
        return f'{line}<path {self._class(mark.colour, "p")} d="M{"L".join(map(_at, corners))}Z"/>\n'


def _short_of(arrow: Arrow) -> tuple[float, float]:
    """Return the end of an arrow's line: within its point."""
    tip, one, other = arrow.point
    return (2 * tip[0] + one[0] + other[0]) / 4, (2 * tip[1] + one[1] + other[1]) / 4


def _at(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


_WRITERS: dict[type, Callable[[_Svg, Any], str]] = {
    Branch: _Svg.branch,
    Link: _Svg.link,
    Text: _Svg.words,
    Dot: _Svg.dot,
    Chip: _Svg.chip,
    Box: _Svg.box,
    Die: _Svg.die,
    Arrow: _Svg.arrow,
}
assert set(_WRITERS) == set(Mark.__args__), "every mark can be written"


def _title(text: str) -> str:
    return f"<title>{_escaped(text)}</title>"


def _escaped(text: str) -> str:
    return escape(without_controls(text), {'"': "&quot;", "'": "&#39;"})


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

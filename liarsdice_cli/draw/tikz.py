"""Scenes as TikZ, to be read into a LaTeX article that loads the package tikz."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liarsdice_cli.draw.colours import INK, LINE, PAPER, TEXT, Colour
from liarsdice_cli.draw.scene import (
    LANE_TURN,
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

_HEAD = r"""% In the preamble: \usepackage{tikz}
% In the text: \input{FILE} or, made to fit, \resizebox{\linewidth}{!}{\input{FILE}}
\begin{tikzpicture}[x=0.75bp,y=-0.75bp,line cap=round,
  every node/.style={inner sep=0pt,text height=1.5ex,text depth=.25ex,
    font=\sffamily\fontsize{9bp}{9bp}\selectfont},
  s/.style={font=\sffamily\fontsize{7.5bp}{7.5bp}\selectfont},l/.style={font=\sffamily\bfseries\fontsize{12bp}{12bp}\selectfont},
  d/.style={dotted,line width=1.2bp}]
"""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "-": "{-}",
    "`": "{`}",
    "'": "{'}",
    "…": r"\ldots{}",
}
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def dumps(scene: Scene) -> bytes:
    """Return the picture as a tikzpicture. Letters outside ASCII become question marks: not every LaTeX can set them.

    >>> escaped("50% of #1 \\\\input{x}")
    '50\\\\% of \\\\#1 \\\\textbackslash{}input\\\\{x\\\\}'
    """
    return _Tikz(scene).text().encode()


def escaped(text: str) -> str:
    """Return a text that TeX prints and never executes."""
    return "".join(_SPECIAL.get(letter, letter if " " <= letter <= "~" else "?") for letter in text)


class _Tikz:
    """Writes marks; every colour that occurs is defined once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.colours: dict[Colour, str] = {INK: "ldc0", PAPER: "ldc1"}

    def text(self) -> str:
        drawn = "".join(_WRITERS[type(mark)](self, mark) for mark in self.scene.marks)
        colours = "".join(
            f"\\definecolor{{{name}}}{{HTML}}{{{colour.light[1:].upper()}}}\n" for colour, name in self.colours.items()
        )
        return f"% {escaped(self.scene.title)}\n{_HEAD}{colours}{drawn}\\end{{tikzpicture}}\n"

    def _colour(self, colour: Colour, *more: str) -> str:
        return ",".join((self.colours.setdefault(colour, f"ldc{len(self.colours)}"), *filter(None, more)))

    def branch(self, mark: Branch) -> str:
        style = self._colour(shown(mark, LINE), f"line width={mark.width * 0.75:g}bp")
        bend, end = mark.x + mark.fork / 2, mark.x + mark.fork
        fork = f" .. controls {_at(bend, mark.y)} and {_at(bend, mark.to_y)} .. {_at(end, mark.to_y)}" if mark.fork else ""
        return f"\\draw[{style}] {_at(mark.x, mark.y)}{fork} -- {_at(mark.to_x, mark.to_y)};\n"

    def link(self, mark: Link) -> str:
        lane = ""
        if mark.lane is not None:
            lane = f" -- {_at(mark.lane, mark.y + LANE_TURN)} -- {_at(mark.lane, mark.to_y - LANE_TURN)}"
        style = self._colour(mark.colour, "d")
        return f"\\draw[{style}] {_at(mark.x, mark.y)}{lane} -- {_at(mark.to_x, mark.to_y)};\n"

    def words(self, mark: Text) -> str:
        size = {SMALL: "s", 16: "l"}.get(mark.size, "")
        style = ",".join(filter(None, (f"anchor={_ANCHORS[mark.anchor]}", size)))
        runs = "".join(f"\\textcolor{{{self._colour(colour)}}}{{{escaped(words)}}}" for words, colour in shown_runs(mark))
        return f"\\node[{style}] at {_at(mark.x, mark.y)} {{{runs}}};\n"

    def dot(self, mark: Dot) -> str:
        style = self._colour(shown(mark, LINE))
        return f"\\fill[{style}] {_at(mark.x, mark.y)} circle[radius={mark.radius * 0.75:g}bp];\n"

    def chip(self, mark: Chip) -> str:
        corners = f"{_at(mark.x - mark.width / 2, mark.y - 8)} rectangle {_at(mark.x + mark.width / 2, mark.y + 8)}"
        style = self._colour(shown(mark, TEXT), "rounded corners=3bp")
        return f"\\fill[{style}] {corners};\n{self._label(mark.x, mark.y + 3.5, mark.text, PAPER)}"

    def box(self, mark: Box) -> str:
        corners = f"{_at(mark.x, mark.y)} rectangle {_at(mark.x + mark.width, mark.y + mark.height)}"
        colour = shown(mark)
        words = self._label(mark.x + mark.width / 2, mark.y + mark.height - 2.5, mark.text, ink_on(colour)) if mark.text else ""
        return f"\\fill[{self._colour(colour)}] {corners};\n{words}"

    def die(self, mark: Die) -> str:
        half = mark.size / 2
        corners = f"{_at(mark.x - half, mark.y - half)} rectangle {_at(mark.x + half, mark.y + half)}"
        style = self._colour(shown(mark, LINE if pips(mark.face) else TEXT), "rounded corners=2bp")
        step, radius = mark.size * 0.27, f"{mark.size * 0.075:.3g}bp"
        dots = "".join(
            f"\\fill[{self._colour(PAPER)}] {_at(mark.x + step * x, mark.y + step * y)} circle[radius={radius}];\n"
            for x, y in pips(mark.face)
        )
        return f"\\fill[{style}] {corners};\n" + (dots or self._label(mark.x, mark.y + 3.5, mark.face, PAPER))

    def arrow(self, mark: Arrow) -> str:
        (x, y), (pull_x, pull_y) = (mark.x, mark.y), mark.pull
        first = _at(x + (pull_x - x) * 2 / 3, y + (pull_y - y) * 2 / 3)
        second = _at(mark.to_x + (pull_x - mark.to_x) * 2 / 3, mark.to_y + (pull_y - mark.to_y) * 2 / 3)
        style = self._colour(mark.colour, f"line width={mark.width * 0.75:g}bp", "-stealth")
        return f"\\draw[{style}] {_at(x, y)} .. controls {first} and {second} .. {_at(mark.to_x, mark.to_y)};\n"

    def _label(self, x: float, y: float, text: str, colour: Colour) -> str:
        return f"\\node[{self._colour(colour, 's', 'anchor=base')}] at {_at(x, y)} {{{escaped(text)}}};\n"


_WRITERS: dict[type, Callable[[_Tikz, Any], str]] = {
    Branch: _Tikz.branch,
    Link: _Tikz.link,
    Text: _Tikz.words,
    Dot: _Tikz.dot,
    Chip: _Tikz.chip,
    Box: _Tikz.box,
    Die: _Tikz.die,
    Arrow: _Tikz.arrow,
}
assert set(_WRITERS) == set(Mark.__args__), "every mark can be written"


def _at(x: float, y: float) -> str:
    return f"({x:.1f},{y:.1f})"

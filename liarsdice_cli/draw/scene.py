"""A picture as marks with positions, which is all that the formats need. Lengths are in pixels, x to the right, y downwards."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from liarsdice_cli.draw.colours import TEXT, Colour, faded, luminance

SMALL, NORMAL, LARGE = 10, 12, 16
"""Sizes of letters."""
LANE_TURN = 7.0
"""The distance below a node at which a dotted line reaches its lane."""


class Branch(NamedTuple):
    """A fork that bends from (x, y) to the row of (to_x, to_y) within `fork`, then a straight line."""

    x: float
    y: float
    fork: float
    to_x: float
    to_y: float
    width: float
    colour: Colour
    faded: bool


class Link(NamedTuple):
    """A dotted line between two nodes of an information set; straight, or by way of a vertical one at x = `lane`."""

    x: float
    y: float
    to_x: float
    to_y: float
    lane: float | None
    colour: Colour


class Text(NamedTuple):
    """Words in one or several colours; `anchor` is start, middle or end; y is that of the baseline."""

    x: float
    y: float
    runs: tuple[tuple[str, Colour], ...]
    anchor: str = "start"
    size: int = NORMAL
    faded: bool = False


class Dot(NamedTuple):
    """A filled circle, with a title."""

    x: float
    y: float
    radius: float
    colour: Colour
    faded: bool
    title: str


class Chip(NamedTuple):
    """A number on a filled shape around (x, y), with a title."""

    x: float
    y: float
    width: float
    text: str
    colour: Colour
    faded: bool
    title: str


class Box(NamedTuple):
    """A filled rectangle with its upper left corner at (x, y), with words on it if they fit, and a title."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    text: str
    faded: bool
    title: str


class Die(NamedTuple):
    """A die around (x, y) that shows a face; `size` is its edge."""

    x: float
    y: float
    size: float
    face: str
    colour: Colour
    faded: bool


class Arrow(NamedTuple):
    """A line with a point at its end, from (x, y) to (to_x, to_y); `bend` is how far its middle is pulled to its right."""

    x: float
    y: float
    to_x: float
    to_y: float
    bend: float
    width: float
    colour: Colour

    @property
    def pull(self) -> tuple[float, float]:
        """The control point of the curve."""
        across, down = self.to_x - self.x, self.to_y - self.y
        length = hypot(across, down) or 1.0
        aside = 2 * self.bend / length
        return (self.x + self.to_x) / 2 - down * aside, (self.y + self.to_y) / 2 + across * aside

    @property
    def middle(self) -> tuple[float, float]:
        """The point halfway along the curve."""
        pull_x, pull_y = self.pull
        return (self.x + 2 * pull_x + self.to_x) / 4, (self.y + 2 * pull_y + self.to_y) / 4

    @property
    def point(self) -> tuple[tuple[float, float], ...]:
        """The corners of the point, the tip first."""
        pull_x, pull_y = self.pull
        across, down = self.to_x - pull_x, self.to_y - pull_y
        length = hypot(across, down) or 1.0
        size = 5 + self.width
        along_x, along_y = across / length * size, down / length * size
        base_x, base_y = self.to_x - along_x, self.to_y - along_y
        return (
            (self.to_x, self.to_y),
            (base_x - along_y * 0.42, base_y + along_x * 0.42),
            (base_x + along_y * 0.42, base_y - along_x * 0.42),
        )


Mark = Branch | Link | Text | Dot | Chip | Box | Die | Arrow


class Owner(NamedTuple):
    """The node that a mark belongs to, counted over all panels, and its role: "deal", "branch", "node" or "link"."""

    node: int
    role: str


NOBODY = Owner(-1, "")
"""The owner of a mark that belongs to no node."""


@dataclass(frozen=True)
class Frame:
    """The layout of the nodes in panels of the same form, so that a page can fold the subtree of a node.

    parents : for each node of a panel its parent, in prefix order, NONE for the first
    groups  : for each node, panel after panel, a key that the nodes of an information set share, "" for no set
    titles  : for each node, everything about it in words
    reached : for each node, whether the profile reaches it
    across  : the number of panels in a row
    top     : the y at which the first panel begins; `pad` : the margin in it above and below the nodes
    step    : the distance from one row to the next; `gap` : the distance between two rows of panels
    fork    : the length in which a branch bends to its row
    """

    parents: tuple[int, ...]
    groups: tuple[str, ...]
    titles: tuple[str, ...]
    reached: tuple[bool, ...]
    across: int
    top: float
    pad: float
    step: float
    gap: float
    fork: float


@dataclass(frozen=True)
class Scene:
    """Marks in the order in which they are drawn, on paper of this size; `description` describes the picture.

    frame  : the layout of the nodes, None for a picture that is not a tree
    owners : the owner of every mark; a link belongs to its upper end
    """

    title: str
    description: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    frame: Frame | None = None
    owners: tuple[Owner, ...] = ()


def text_width(text: str, size: float = NORMAL) -> float:
    """Return an estimate of the width of a text in a wide sans-serif face, rather too large than too small.

    >>> text_width("call", 10)
    21.0
    """
    return sum(_letter(letter) for letter in text) * size


def _letter(letter: str) -> float:
    if letter in "iljI.,:;'|!()[] ":
        return 0.4
    if letter in "mwMW%@":
        return 0.98
    return 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.65


def pips(face: str) -> tuple[tuple[int, int], ...]:
    """Return the positions of a face's pips, from -1 to 1 in both directions; none for a face above six, shown as a number.

    >>> pips("2")
    ((-1, -1), (1, 1))
    """
    middle, falling, rising, sides = ((0, 0),), ((-1, -1), (1, 1)), ((1, -1), (-1, 1)), ((-1, 0), (1, 0))
    faces = {
        "1": middle,
        "2": falling,
        "3": falling + middle,
        "4": falling + rising,
        "5": falling + rising + middle,
        "6": falling + rising + sides,
    }
    return faces.get(face, ())


def shown(mark: Branch | Dot | Chip | Box | Die, least: float = 1.0) -> Colour:
    """Return the colour in which a mark is drawn; if it is faded, with at least this contrast to the paper."""
    return faded(mark.colour, least) if mark.faded else mark.colour


def shown_runs(text: Text) -> list[tuple[str, Colour]]:
    """Return the words of a text with the colours in which they are drawn."""
    return [(words, faded(colour, TEXT) if text.faded else colour) for words, colour in text.runs]


def ink_on(ground: Colour) -> Colour:
    """Return the legible colour on a ground: black or white, on white paper and on black.

    >>> ink_on(Colour("#24292f", "#d8dee4"))
    Colour(light='#ffffff', dark='#000000')
    """
    return Colour(*("#000000" if is_bright(colour) else "#ffffff" for colour in ground))


def is_bright(colour: str) -> bool:
    """Return whether black letters have more contrast to the colour than white ones, by the W3C's measure (WCAG 2, 1.4.3).

    >>> is_bright("#ffffff"), is_bright("#21918c"), is_bright("#443983")
    (True, True, False)
    """
    light = luminance(colour)
    return (light + 0.05) / 0.05 > 1.05 / (light + 0.05)

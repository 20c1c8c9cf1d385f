"""The colours of players, the same in every picture: chance green, player 1 red, player 2 blue, as in the 2015 post.

The others come from the palette of Okabe and Ito (2008, "Color Universal Design"), darkened or lightened until they stand
out from the paper.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from liarsdice_cli.extensive.stream import CHANCE, TERMINAL


class Colour(NamedTuple):
    """A colour as #rrggbb, on white paper and on black."""

    light: str
    dark: str


INK = Colour("#1f2328", "#e6edf3")
PAPER = Colour("#ffffff", "#0d1117")
GREY = Colour("#656d76", "#9198a1")
_GREEN = Colour("#1a7f37", "#3fb950")
_PLAYERS = (
    Colour("#cf222e", "#ff7b72"),
    Colour("#0b57d0", "#79b8ff"),
    Colour("#a05a00", "#f0a63c"),
    Colour("#8e3a80", "#dd94c8"),
    Colour("#00735c", "#2fc9a5"),
    Colour("#4b5563", "#b0bac6"),
    Colour("#5b6600", "#c0cc4e"),
    Colour("#7c3f20", "#dba588"),
    Colour("#00677d", "#55c7e0"),
    Colour("#ae1a6e", "#ff8ac6"),
)
ENDINGS = CALL, SPOT_ON = Colour("#6e7781", "#6e7781"), Colour("#24292f", "#d8dee4")
"""The neutral colours of the final actions, in the order of `bidding.FINAL_ACTION_NAMES`; bids have hues."""
_FADED = 0.4
"""The least share of a colour in its faded form; the rest is paper."""
LINE, TEXT = 3.0, 4.5
"""Contrasts that WCAG 2.2 requires: of lines and shapes (1.4.11), and of small letters (1.4.3)."""
PLAYERS = len(_PLAYERS)
"""The number of players with different colours; later players use the same colours again."""


def of_mover(mover: int) -> Colour:
    """Return the colour of a player, of CHANCE, or of terminal nodes (TERMINAL).

    >>> of_mover(0).light, of_mover(CHANCE).light
    ('#cf222e', '#1a7f37')
    """
    if mover == TERMINAL:
        return INK
    return _GREEN if mover == CHANCE else _PLAYERS[mover % PLAYERS]


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour, from 0 to 255.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: str, other: str, share: float) -> str:
    """Return the mixture of two colours, from one (0) to the other (1).

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * share):02x}" for low, high in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1 (WCAG 2).

    >>> luminance("#000000"), luminance("#ffffff")
    (0.0, 1.0)
    """
    red, green, blue = (
        one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in (part / 255 for part in rgb(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2).

    >>> round(contrast("#000000", "#ffffff"), 9)
    21.0
    """
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def faded(colour: Colour, least: float = 1.0) -> Colour:
    """Return a colour mixed with paper, still with at least this contrast to the paper if the colour itself has it.

    >>> faded(INK, LINE)
    Colour(light='#939598', dark='#64696f')
    """
    return Colour(*(_faded(one, paper, least) for one, paper in zip(colour, PAPER, strict=True)))


def _faded(colour: str, paper: str, least: float) -> str:
    first = round(100 * _FADED)
    paler = (mixed(paper, colour, percent / 100) for percent in range(first, 100))
    return next((one for one in paler if contrast(one, paper) >= least), colour)

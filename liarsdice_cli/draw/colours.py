"""The colours of players, the same in every picture: chance green, player 1 red, player 2 blue, as in the 2015 post.

The others come from the palette of Okabe and Ito (2008, "Color Universal Design"), darkened or lightened until they stand
out from the paper.
"""

from __future__ import annotations

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
"""The neutral colours of what ends the bidding, in the order of `bidding.FINAL_ACTION_NAMES`; bids have hues."""
PLAYERS = len(_PLAYERS)
"""The number of players with a colour of their own; later players use the same colours again."""


def of_mover(mover: int) -> Colour:
    """The colour of a player, of CHANCE, or of the ends of the game (TERMINAL).

    >>> of_mover(0).light, of_mover(CHANCE).light
    ('#cf222e', '#1a7f37')
    """
    if mover == TERMINAL:
        return INK
    return _GREEN if mover == CHANCE else _PLAYERS[mover % PLAYERS]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue from 0 to 255.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)

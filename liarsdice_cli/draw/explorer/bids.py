"""The colours of bids on the explorer's pages: a hue for each face, lighter for more dice, so that neighbours differ."""

from __future__ import annotations

from colorsys import hls_to_rgb

from liarsdice_cli.draw.colours import mixed
from liarsdice_cli.games.liarsdice.rules import Rules

_HUES = ("#0072b2", "#d55e00", "#008a65", "#b8417f", "#a07800", "#6a51a3")
"""After Okabe and Ito (2008), in an order in which neighbours differ for every kind of colour vision."""
_DARKEST, _LIGHTEST = 0.25, 0.6
"""The share of black in the colours of the lowest quantity, and the share of white in those of the highest."""


def bid_colours(rules: Rules) -> list[str]:
    """Return a colour, #rrggbb, for each of `rules.bids`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bid_colours(rules("common", 2))
    ['#005686', '#a04600', '#99c7e0', '#eebf99']
    """
    of_face = hues(rules.sides)
    return [shade(of_face[bid.face - 1], (bid.quantity - 1) / max(1, rules.max_quantity - 1)) for bid in rules.bids]


def hues(count: int) -> list[str]:
    """Return this number of colours; if there are few, neighbours differ for every kind of colour vision."""
    if count <= len(_HUES):
        return list(_HUES[:count])
    colours = (hls_to_rgb(place / count, 0.42, 0.75) for place in range(count))
    return ["#" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in colours]


def shade(colour: str, height: float) -> str:
    """Return a shade of the colour, from dark (0) to light (1)."""
    along = height * (_DARKEST + _LIGHTEST) - _DARKEST
    return mixed(colour, "#ffffff", along) if along > 0 else mixed(colour, "#000000", -along)

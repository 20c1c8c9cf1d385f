"""The colours of actions, the same for an action wherever it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.draw.colours import CALL, ENDINGS, Colour
from liarsdice_cli.draw.diagram import is_bid
from liarsdice_cli.draw.scene import mixed
from liarsdice_cli.games.bidding import ENDING_NAMES

_RAMP = ("#443983", "#31688e", "#21918c", "#35b779", "#90d743", "#fde725")
"""From low to high bids: viridis (van der Walt and Smith 2015), in equal steps of lightness for every eye."""
_STILL = dict(zip(ENDING_NAMES, ENDINGS, strict=True))
"""Actions that are no bids; others of them are as grey as a call."""


def action_colours(actions: Sequence[str]) -> dict[str, Colour]:
    """Bids from dark to light, a call grey, spot-on in the colour of ink; where there are no bids, all from dark to light.

    >>> {action: colour.light for action, colour in action_colours(["call", "1x1", "1x2"]).items()}
    {'call': '#6e7781', '1x1': '#443983', '1x2': '#fde725'}
    >>> action_colours(["call", "spot-on", "1x1"])["spot-on"]
    Colour(light='#24292f', dark='#d8dee4')
    """
    bids = [action for action in actions if is_bid(action)] or actions
    return {action: _shade(bids.index(action), len(bids)) if action in bids else _STILL.get(action, CALL) for action in actions}


def _shade(place: int, count: int) -> Colour:
    along = place / max(1, count - 1) * (len(_RAMP) - 1)
    low = min(int(along), len(_RAMP) - 2)
    shade = mixed(_RAMP[low], _RAMP[low + 1], along - low)
    return Colour(shade, shade)

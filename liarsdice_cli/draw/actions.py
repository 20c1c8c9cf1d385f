"""The colours of actions, the same for an action wherever it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.draw.colours import Colour
from liarsdice_cli.draw.diagram import is_bid
from liarsdice_cli.draw.scene import mixed

_RAMP = ("#443983", "#31688e", "#21918c", "#35b779", "#90d743", "#fde725")
"""From low to high bids: viridis (van der Walt and Smith 2015), in equal steps of lightness for every eye."""
_STILL = Colour("#6e7781", "#6e7781")
"""Actions that are no bids."""


def action_colours(actions: Sequence[str]) -> dict[str, Colour]:
    """Bids from dark to light and a call grey; where there are no bids, all actions from dark to light.

    >>> {action: colour.light for action, colour in action_colours(["call", "1x1", "1x2"]).items()}
    {'call': '#6e7781', '1x1': '#443983', '1x2': '#fde725'}
    """
    bids = [action for action in actions if is_bid(action)] or actions
    return {action: _shade(bids.index(action), len(bids)) if action in bids else _STILL for action in actions}


def _shade(place: int, count: int) -> Colour:
    along = place / max(1, count - 1) * (len(_RAMP) - 1)
    low = min(int(along), len(_RAMP) - 2)
    shade = mixed(_RAMP[low], _RAMP[low + 1], along - low)
    return Colour(shade, shade)

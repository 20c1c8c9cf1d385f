"""The head of a drawn game: its title, the colours of the players, and a legend of the signs in the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from liarsdice_cli.draw.colours import CALL, ENDINGS, GREY, INK, Colour, mixed, of_mover
from liarsdice_cli.draw.diagram import Diagram, Node, is_bid
from liarsdice_cli.draw.scene import LARGE, SMALL, Box, Branch, Chip, Die, Dot, Link, Mark, Text, text_width
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES

MARGIN = 16.0
_LINE, _SIGN, _APART = 17.0, 30.0, 18.0
_LEAST = 560.0
"""The least width over which a legend is spread."""
_RAMP = ("#443983", "#31688e", "#21918c", "#35b779", "#90d743", "#fde725")
"""The colours of bids from low to high: viridis (van der Walt and Smith 2015), in equal steps of lightness."""
_STILL = dict(zip(FINAL_ACTION_NAMES, ENDINGS, strict=True))
"""The colours of the actions that end a round; other actions without a bid are as grey as a call."""


class _Entry(NamedTuple):
    """A sign that is drawn around a point, and its meaning."""

    sign: str
    words: str


def marks(diagram: Diagram, dotted: bool, width: float) -> tuple[list[Mark], float]:
    """Return the marks above the panels, spread over at least `width`, and the y at which the panels can begin."""
    found: list[Mark] = [Text(MARGIN, 26, ((diagram.title or "A game", INK),), size=LARGE), *_players(diagram)]
    y = 46.0
    if diagram.actions:
        y += 19
        found += _actions(diagram, y)
    long = text_width(diagram.title, LARGE) + MARGIN
    y, legend = _legend(diagram, dotted, y, max(width, long, _LEAST))
    return found + legend, y + 12


def _players(diagram: Diagram) -> Iterator[Mark]:
    first = diagram.panels[0]
    chance = bool(first.dice) or any(node.mover == CHANCE for node in first.nodes)
    x = MARGIN
    for mover in range(CHANCE if chance else 0, len(diagram.players)):
        name = "chance" if mover == CHANCE else diagram.players[mover]
        yield Dot(x + 4, 42, 4, of_mover(mover), False, name)
        yield Text(x + 13, 46, ((name, of_mover(mover)),))
        x += 13 + text_width(name) + 14


def _actions(diagram: Diagram, y: float) -> Iterator[Mark]:
    colours, x = action_colours(diagram.actions), MARGIN
    for action in diagram.actions:
        yield Box(x, y - 9, 10, 10, colours[action], "", False, action)
        yield Text(x + 14, y, ((action, INK),), size=SMALL)
        x += 14 + text_width(action, SMALL) + 10


def _legend(diagram: Diagram, dotted: bool, y: float, width: float) -> tuple[float, list[Mark]]:
    """Return the y of the last line, and the signs with their words in as many lines as they need below y."""
    found: list[Mark] = []
    x = width
    for sign, words in _entries(diagram, dotted):
        long = (_SIGN if sign else 0) + text_width(words, SMALL)
        if x + long > width:
            x, y = MARGIN, y + _LINE
        if sign:
            found += _SIGNS[sign](x, y - 3.5)
        found.append(Text(x + (_SIGN if sign else 0), y, ((words, GREY),), size=SMALL))
        x += long + _APART
    return y, found


def _entries(diagram: Diagram, dotted: bool) -> Iterator[_Entry]:
    """Yield the entries of the legend of this picture."""
    nodes = [node for panel in diagram.panels for node in panel.nodes if diagram.shows(node)]
    bars = any(node.bars for node in nodes)
    if len(diagram.panels) > 1:
        yield _Entry("dice", "a tree for each deal: all dice are shown, but a player sees only their own")
    if bars:
        yield _Entry("bar", "a bar for every roll of the player who moves: how often each action is taken")
    if any(node.weight is not None for node in nodes):
        what = "the probability of the action over all deals" if bars else "the probability of the branch"
        yield _Entry("thick", f"thickness and number: {what}")
    if not diagram.reached_only and any(not node.reached or any(not bar.reached for bar in node.bars) for node in nodes):
        yield _Entry("faded", "faded: never reached")
    if not bars and _shared(nodes):
        if dotted:
            yield _Entry("dotted", "joined: the player cannot tell these nodes apart")
        else:
            yield _Entry("chip", "same number: the player cannot tell these nodes apart")
    if diagram.reached_only:
        yield _Entry("", "left out: moves that are never made")


def _shared(nodes: list[Node]) -> bool:
    """Return whether some information set has several nodes."""
    sets = [(node.mover, node.number) for node in nodes if node.mover >= 0 and node.number]
    return len(set(sets)) < len(sets)


def _dice(x: float, y: float) -> list[Mark]:
    return [Die(x + 6, y, 11, "1", of_mover(0), False), Die(x + 19, y, 11, "2", of_mover(1), False)]


def _bar(x: float, y: float) -> list[Mark]:
    colours = action_colours(["1", "2", "3"])
    return [
        Box(x, y - 4, 16, 8, colours["1"], "", False, "most often"),
        Box(x + 16, y - 4, 8, 8, colours["2"], "", False, "else"),
    ]


def _thick(x: float, y: float) -> list[Mark]:
    return [Branch(x, y - 3, 0, x + 24, y - 3, 1, GREY, False), Branch(x, y + 2, 0, x + 24, y + 2, 4, GREY, False)]


def _faded(x: float, y: float) -> list[Mark]:
    return [Branch(x, y, 0, x + 20, y, 2, INK, True), Dot(x + 20, y, 4, INK, True, "faded")]


def _dotted(x: float, y: float) -> list[Mark]:
    return [
        Dot(x + 4, y, 4, GREY, False, "a node"),
        Link(x + 4, y, x + 20, y, None, GREY),
        Dot(x + 20, y, 4, GREY, False, "a node"),
    ]


def _chip(x: float, y: float) -> list[Mark]:
    return [Chip(x + 12, y, 18, "n", GREY, False, "the number of an information set")]


_SIGNS = {"dice": _dice, "bar": _bar, "thick": _thick, "faded": _faded, "dotted": _dotted, "chip": _chip}


def action_colours(actions: Sequence[str]) -> dict[str, Colour]:
    """Return the colours of actions: bids from dark to light, a call grey, spot-on like ink.

    If there are no bids, all actions run from dark to light.

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

"""A sheet to print: the openings with each roll, and the answers to the likeliest openings, on one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from liarsdice_cli.draw import svg
from liarsdice_cli.draw.colours import ENDINGS, GREY, INK, Colour, of_mover
from liarsdice_cli.draw.explorer.bids import bid_colours
from liarsdice_cli.draw.scene import LARGE, SMALL, Box, Die, Mark, Scene, Text, ink_on, text_width
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games import bidding
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.rules import Roll
from liarsdice_cli.games.liarsdice.sentences import brief
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

_WIDTH, _HEIGHT = 1060.0, 720.0
"""A landscape A4 page without its margins, in pixels; a sheet with more rows is higher, and is printed smaller."""
_MARGIN, _HEAD, _GAP = 8.0, 92.0, 10.0
_LOWEST, _HIGHEST = 18.0, 34.0
"""Heights of a row."""
_WIDEST = 200.0
_ANSWERED = 7
"""The most openings that are answered."""
_SELDOM = 0.005
"""Moves and openings that are less likely are left out."""
_FOLDED = 165
"""Letters of a line at the foot."""

_PRINT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>@page{{size:A4 {side};margin:8mm}}:root{{color-scheme:light}}body{{margin:0;background:#fff;overflow-x:auto}}
svg{{display:block;max-width:100%;min-width:720px;height:auto;margin:auto}}
@media print{{svg{{width:100%;min-width:0;max-height:100vh}}}}</style>
{picture}</html>
"""


def scene(strategy: Strategy, title: str, source: str) -> Scene:
    """Return the sheet of a strategy as a scene.

    It has one table if both players have the same number of dice, otherwise one for each. Cost: one call of `Strategy.at`
    for each opening that is answered.
    """
    return _Sheet(strategy).scene(title, source)


def html(sheet: Scene) -> bytes:
    """Return the sheet as a page that prints on one side of A4. It has no script and loads nothing from the network."""
    side = "landscape" if sheet.width > sheet.height else "portrait"
    return _PRINT.format(title=escape(sheet.title), side=side, picture=svg.dumps(sheet, dark=False).decode()).encode()


class _Sheet:
    """Lays out tables from the top to the bottom."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.rules = strategy, strategy.rules
        self.colours = {bid: Colour(colour, colour) for bid, colour in enumerate(bid_colours(self.rules))}
        self.colours |= zip(bidding.FINAL_ACTIONS, ENDINGS, strict=True)
        shares = strategy.at(()) @ beliefs.reaches_after(strategy, ())[0]
        self.openings = dict(zip(BettingState(self.rules).actions, shares.tolist(), strict=True))

    def scene(self, title: str, source: str) -> Scene:
        answered: list[tuple[int, ...]] = [(bid,) for bid in self._answered()]
        opening: list[tuple[int, ...]] = [()]
        alike = self.rules.dice[0] == self.rules.dice[1]
        tables = [opening + answered] if alike or not answered else [opening, answered]
        rows = [BettingState(self.rules, table[0]).roll_count for table in tables]
        room = _HEIGHT - _HEAD - 34 * len(tables) - 24
        height = min(_HIGHEST, max(_LOWEST, room / sum(rows)))
        marks: list[Mark] = list(self._head(title))
        y = _HEAD
        for table, count in zip(tables, rows, strict=True):
            marks += self._table(table, y, height)
            y += 34 + count * height
        marks += self._foot(source, y)
        description = "For each roll, a bar of the probabilities of its openings, and a bar of its answers to each opening."
        return Scene(f"{title}: what to open and how to answer", description, _WIDTH, y + 46, tuple(marks))

    def _answered(self) -> list[int]:
        """Return the likeliest openings, from the lowest."""
        likely = sorted(self.openings, key=lambda bid: -self.openings[bid])[:_ANSWERED]
        return sorted(bid for bid in likely if self.openings[bid] >= _SELDOM)

    def _head(self, title: str) -> Iterator[Mark]:
        yield Text(_MARGIN, 24, ((title, INK),), size=LARGE)
        yield Text(_MARGIN, 46, ((brief(self.rules), INK),))
        how = "Each bar shows the moves of a roll, in percent. The heading of an answer names the opening and its probability."
        yield Text(_MARGIN, 64, ((how, GREY),))

    def _foot(self, source: str, y: float) -> Iterator[Mark]:
        words = f"Moves with probabilities below {100 * _SELDOM:g} % are left out. {source[:1].upper()}{source[1:]}"
        for number, line in enumerate(wrap(words, _FOLDED)[:2]):
            yield Text(_MARGIN, y + 14 + 14 * number, ((line, GREY),), size=SMALL)

    def _table(self, histories: Sequence[tuple[int, ...]], y: float, height: float) -> Iterator[Mark]:
        player = BettingState(self.rules, histories[0]).mover
        rolls = [roll for roll, _ in self.rules.rolls(player)]
        edge = min(20.0, height - 4)
        left = _MARGIN + len(rolls[0]) * (edge + 2) + _GAP
        wide = min(_WIDEST, (_WIDTH - _MARGIN - left) / len(histories) - _GAP)
        for column, history in enumerate(histories):
            x = left + column * (wide + _GAP)
            yield from self._heading(history, x, y + 16, wide)
            said = self.strategy.at(history)
            for row in range(len(rolls)):
                yield from self._bar(history, said[:, row], (x, y + 26 + row * height), (wide, height - 4))
        neutral = INK if len(histories) > 1 and not histories[0] else of_mover(player)
        for row, roll in enumerate(rolls):
            yield from _dice(roll, y + 24 + row * height + height / 2, edge, neutral)

    def _heading(self, history: tuple[int, ...], x: float, y: float, wide: float) -> Iterator[Mark]:
        if not history:
            yield Text(x, y, (("open", INK),))
            return
        (bid,) = history
        yield Box(x, y - 9, 10, 10, self.colours[bid], "", False, str(self.rules.bids[bid]))
        words, share = f"to {self.rules.bids[bid]}", f"  {100 * self.openings[bid]:.0f} %"
        runs = ((words, INK), (share, GREY))
        yield Text(x + 14, y, runs if text_width(words + share) < wide - 14 else runs[:1])

    def _bar(
        self, history: tuple[int, ...], said: Floats, place: tuple[float, float], size: tuple[float, float]
    ) -> Iterator[Mark]:
        """Yield the parts of a bar, each with its name and its percentage if they fit."""
        (x, y), (width, height) = place, size
        actions = BettingState(self.rules, history).actions
        moves = [(action, share) for action, share in zip(actions, said, strict=True) if share >= _SELDOM]
        whole = sum(share for _, share in moves)
        for action, share in moves:
            part = width * float(share / whole)
            name = self.rules.action_name(action)
            percent = f"{100 * float(share):.0f}"
            words = (name if share > 1 - _SELDOM else f"{name} {percent}", name, "")
            text = next(text for text in words if not text or text_width(text, SMALL) < part)
            colour = self.colours[action]
            yield Box(x, y, max(0.5, part - 1), height, colour, "", False, f"{name} {percent} %")
            if text:
                yield Text(x + part / 2, y + height / 2 + 3.5, ((text, ink_on(colour)),), "middle", SMALL)
            x += part


def _dice(roll: Roll, y: float, edge: float, colour: Colour) -> Iterator[Mark]:
    return (Die(_MARGIN + edge / 2 + place * (edge + 2), y, edge, str(face), colour, False) for place, face in enumerate(roll))

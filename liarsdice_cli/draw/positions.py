"""Positions and moves as a graph, with the winner from each position, in columns by the distance to the end.

The end is on the right, and play without end, if there is any, on the left. The positions of a column are ordered by the
average rows of their neighbours (Sugiyama, Tagawa and Toda 1981), which leaves few crossings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from liarsdice_cli.draw.colours import GREY, INK, Colour, of_mover
from liarsdice_cli.draw.diagram import LONGEST_TITLE, clean, short
from liarsdice_cli.draw.scene import LARGE, SMALL, Arrow, Chip, Mark, Scene, Text, text_width
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.positions import DRAW, LOST, WON, Analysis
from liarsdice_cli.text import numbered

MOST = 100
"""The most positions of a picture."""
MOST_MOVES = 400
RESULTS = {WON: Colour("#00694b", "#3fd0a0"), LOST: Colour("#a03c00", "#ff9d5c"), DRAW: Colour("#4b5563", "#b0bac6")}
"""The colours of results. They also differ in lightness, and the letters of the results are shown too."""
_WORDS = {WON: "won", LOST: "lost", DRAW: "a draw: play goes on forever"}
_LEFT, _ROW, _LONGEST, _GAP = 16.0, 52.0, 14, 74.0


class _Move(NamedTuple):
    """A move between two positions; `player` is -1 if both have it, `best` is true if it wins or holds a draw."""

    source: int
    target: int
    player: int
    best: bool


def scene(analysis: Analysis, start: int, title: str) -> Scene:
    """Draw the positions that can follow a position, with W, L or D for the player to move, or for either, and the moves.

    Raises LiarsDiceError for more than `MOST` positions or `MOST_MOVES` moves.

    >>> import numpy as np
    >>> from liarsdice_cli.games.positions import BOTH, PositionGraph
    >>> chain = PositionGraph("abc", np.array([0, 1]), np.array([1, 2]), np.full(2, BOTH)).analyse()
    >>> [mark.text for mark in scene(chain, 0, "chain").marks if isinstance(mark, Chip)]
    ['a', 'b', 'c']
    """
    return _Drawing(analysis, start, title).scene()


class _Drawing:
    def __init__(self, analysis: Analysis, start: int, title: str) -> None:
        self.analysis, self.graph, self.title = analysis, analysis.graph, short(title, LONGEST_TITLE)
        self.movers = self.graph.movers
        self.moves = list(self._moves(start))
        if len(self.places) > MOST or len(self.moves) > MOST_MOVES:
            raise LiarsDiceError(
                f"{len(self.places):,} positions and {len(self.moves):,} moves are more than the {MOST} and {MOST_MOVES} "
                "that a picture can show: draw a smaller game, or start from a later position"
            )
        self.names = {place: short(self.graph.names[place], _LONGEST) for place in self.places}
        self.columns = self._columns()
        self.at = self._points()
        self._make_room()

    def _moves(self, start: int) -> Iterator[_Move]:
        """Yield all moves from the reachable positions; fills `places` with these, in the order of discovery."""
        self.places = {start: 0}
        todo = [start]
        for place in todo:  # grows during the loop
            if len(todo) > MOST * 10:
                return
            own = [list(self.graph.moves(place, player)) for player in range(self.movers)]
            for target in dict.fromkeys(target for targets in own for target in targets):
                if target not in self.places:
                    self.places[target] = len(self.places)
                    todo.append(target)
                shared = self.movers == 1 or all(target in targets for targets in own)
                for player in [-1] if shared else [one for one in range(2) if target in own[one]]:
                    yield _Move(place, target, player, self._best(place, target, player))

    def _best(self, place: int, target: int, player: int) -> bool:
        """Return whether the move wins or holds a draw."""
        movers = range(self.movers) if player < 0 else [player]
        results = self.analysis.results
        here = [(self.analysis.state(place, one), self.analysis.state(target, one + 1)) for one in movers]
        return any((results[one], results[after]) in ((WON, LOST), (DRAW, DRAW)) for one, after in here)

    def _states(self, place: int) -> list[int]:
        return [self.analysis.state(place, player) for player in range(self.movers)]

    def _columns(self) -> list[list[int]]:
        """Return the positions of every column, from the left."""
        far: dict[int, int | None] = {}
        for place in self.places:
            known = [length for state in self._states(place) if (length := self.analysis.length(state)) is not None]
            far[place] = max(known) if len(known) == self.movers else None
        levels = sorted({level for level in far.values() if level is not None}, reverse=True)
        drawn = [[place for place in self.places if far[place] is None]]
        columns = (drawn if drawn[0] else []) + [[place for place in self.places if far[place] == level] for level in levels]
        return self._ordered(columns)

    def _ordered(self, columns: list[list[int]]) -> list[list[int]]:
        """Order every column by the mean row of the neighbours on its right, then on its left, then on its right again."""
        row = {place: float(number) - len(column) / 2 for column in columns for number, place in enumerate(column)}
        near: dict[int, list[int]] = {place: [] for place in self.places}
        for move in self.moves:
            near[move.source].append(move.target)
            near[move.target].append(move.source)
        column_of = {place: number for number, column in enumerate(columns) for place in column}
        for step in (1, -1, 1):
            for number in range(len(columns))[::-step]:
                column = columns[number]
                wanted = {}
                for place in column:
                    rows = [row[other] for other in near[place] if (column_of[other] - number) * step > 0]
                    wanted[place] = sum(rows) / len(rows) if rows else row[place]
                column.sort(key=wanted.__getitem__)
                row |= {place: one - (len(column) - 1) / 2 for one, place in enumerate(column)}
        return columns

    def _points(self) -> dict[int, tuple[float, float]]:
        """Return the middle of every position; sets the right and bottom edges of the picture."""
        found = {}
        tallest = max(map(len, self.columns))
        x = _LEFT
        for column in self.columns:
            width = max(max(self._width(place), self._said_width(place)) for place in column)
            for number, place in enumerate(column):
                found[place] = (x + width / 2, self._top() + 26 + (number + (tallest - len(column)) / 2) * _ROW)
            x += width + _GAP
        self.right = x - _GAP + _LEFT
        self.bottom = self._top() + tallest * _ROW + _LEFT
        return found

    def _make_room(self) -> None:
        """Move everything away from the legend and the edges, as far as bent moves come near them."""
        middles = [arrow.middle for arrow in map(self._arrow, self.moves)] or [next(iter(self.at.values()))]
        down = max(0.0, self._top() + 8 - min(y for _, y in middles))
        along = max(0.0, _LEFT - min(x for x, _ in middles))
        self.at = {place: (x + along, y + down) for place, (x, y) in self.at.items()}
        self.right = max(self.right, max(x for x, _ in middles) + _LEFT) + along
        self.bottom = max(self.bottom, max(y for _, y in middles) + _LEFT) + down

    def _top(self) -> float:
        return 52.0 + 17.0 * len(self._legend())

    def _width(self, place: int) -> float:
        return max(26.0, text_width(self.names[place], SMALL) + 12)

    def _said_width(self, place: int) -> float:
        """Return the width of the words below a position."""
        return sum(text_width(words, SMALL) for words, _ in self._said(place)) * 0.85

    def _legend(self) -> list[tuple[tuple[str, Colour], ...]]:
        """Return the lines of the legend, as words with colours."""
        results = list(dict.fromkeys(self.analysis.results[state] for place in self.places for state in self._states(place)))
        who = "for the player to move" if self.movers == 1 else "with player 1 or player 2 to move"
        words: list[tuple[str, Colour]] = []
        for result in (one for one in (WON, LOST, DRAW) if one in results):
            words += [(", " if words else "", GREY), (f"{result} {_WORDS[result]}", RESULTS[result])]
        lines = [(*words[1:], (f", {who}; the number: moves to the end", GREY))]
        if self._grundy() is not None:
            lines.append((("g: the Grundy value", GREY),))
        thick: list[tuple[str, Colour]] = [(f"thick: a move that wins{', or holds a draw' * (DRAW in results)}", GREY)]
        if self.movers == 2:
            names = ("player 1's moves", of_mover(0)), ("player 2's", of_mover(1)), ("both players'", INK)
            thick += [run for name in names for run in (("; ", GREY), name)]
        return [*lines, tuple(thick)]

    def _grundy(self) -> list[int] | None:
        return None if self.analysis.misere else self.graph.grundy

    def scene(self) -> Scene:
        marks: list[Mark] = [Text(_LEFT, 26, ((self.title, INK),), size=LARGE)]
        marks += [Text(_LEFT, 46 + 17.0 * line, runs, size=SMALL) for line, runs in enumerate(self._legend())]
        marks += [self._arrow(move) for move in sorted(self.moves, key=lambda move: move.best)]
        for place in self.places:
            marks += self._position(place)
        widest = max(
            mark.x + sum(text_width(words, mark.size) for words, _ in mark.runs) for mark in marks if isinstance(mark, Text)
        )
        described = (
            f"{numbered(len(self.places), 'positions')} and {numbered(len(self.moves), 'moves')}; the end is on the right. "
            + ", ".join(f"{self.names[place]} {self._result_words(place)}" for place in self.places)
        )
        return Scene(self.title, described, max(self.right, widest + _LEFT), self.bottom, tuple(marks))

    def _result_words(self, place: int) -> str:
        return "/".join(self.analysis.results[state] for state in self._states(place))

    def _position(self, place: int) -> Iterator[Mark]:
        x, y = self.at[place]
        results = [self.analysis.results[state] for state in self._states(place)]
        colour = RESULTS[results[0]] if self.movers == 1 else INK
        name = clean(self.graph.names[place])
        words = " and ".join(
            (f"{result} with player {player + 1} to move" if self.movers == 2 else f"{result}: {_WORDS[result]}")
            for player, result in enumerate(results)
        )
        yield Chip(x, y, self._width(place), self.names[place], colour, False, f"{name}: {words}")
        yield Text(x - self._said_width(place) / 2, y + 20, self._said(place), size=SMALL)

    def _said(self, place: int) -> tuple[tuple[str, Colour], ...]:
        """Return the words below a position: the result and the moves to the end for every player to move; the Grundy value."""
        runs: list[tuple[str, Colour]] = []
        for player, state in enumerate(self._states(place)):
            result, length = self.analysis.results[state], self.analysis.length(state)
            if self.movers == 2:
                runs += [(f"{'  ' if player else ''}{player + 1}: ", of_mover(player))]
            runs.append((result if length is None else f"{result} {length}", RESULTS[result]))
        grundy = self._grundy()
        if grundy is not None:
            runs.append((f"  g {grundy[place]}", GREY))
        return tuple(runs)

    def _arrow(self, move: _Move) -> Arrow:
        """Return an arrow between the edges of two positions; it bends if it passes a column, leads back, or stays in one."""
        (x, y), (to_x, to_y) = self.at[move.source], self.at[move.target]
        colour = of_mover(move.player) if move.player >= 0 else INK if self.movers == 2 else GREY
        if move.best and self.movers == 1:
            colour = RESULTS[self.analysis.results[self.analysis.state(move.source, 0)]]
        width = 2.6 if move.best else 1.0
        if abs(x - to_x) < 1:  # a bow beside the column, on the left downwards and on the right upwards
            side = -1 if to_y > y else 1
            start, end = x + side * self._width(move.source) / 2, to_x + side * (self._width(move.target) / 2 + 2)
            return Arrow(start, y, end, to_y, 20 + abs(to_y - y) * 0.2, width, colour)
        passed = abs(self._column(move.source) - self._column(move.target)) - 1
        bend = 10.0 if to_x < x else 0.0
        if passed > 0:
            bend = (26.0 + 9 * passed) * (1 if y + to_y >= self._middle() else -1)
        ahead = 1 if to_x > x else -1
        start = x + ahead * self._width(move.source) / 2
        return Arrow(start, y, to_x - ahead * (self._width(move.target) / 2 + 2), to_y, bend * ahead, width, colour)

    def _column(self, place: int) -> int:
        return next(number for number, column in enumerate(self.columns) if place in column)

    def _middle(self) -> float:
        """Return the sum of the y of the highest and the lowest position."""
        heights = [y for _, y in self.at.values()]
        return min(heights) + max(heights)

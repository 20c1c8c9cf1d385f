"""The tree of all plays from a position: a node for each path to a position, in the colour of the winner from there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from liarsdice_cli.draw import layout
from liarsdice_cli.draw.colours import GREY, INK, of_mover
from liarsdice_cli.draw.diagram import LONGEST_TITLE, clean, short
from liarsdice_cli.draw.positions import RESULTS
from liarsdice_cli.draw.scene import LARGE, SMALL, Branch, Chip, Mark, Scene, Text, text_width
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import NONE
from liarsdice_cli.games.positions import LOST, WON, Analysis
from liarsdice_cli.text import numbered

MOST = 300
"""The most nodes of a picture."""
_LEFT, _TOP, _ROW, _GAP, _FORK, _LONGEST = 16.0, 104.0, 26.0, 46.0, 22.0, 14


class _Node(NamedTuple):
    """A position after some moves: the node before it, the number of moves made, and whether the last of them wins."""

    place: int
    parent: int
    moves: int
    wins: bool


def scene(analysis: Analysis, start: int, title: str) -> Scene:
    """Return the scene of the tree; player 1 moves first.

    Raises LiarsDiceError for more than `MOST` nodes, as in play without end.

    >>> import numpy as np
    >>> from liarsdice_cli.games.positions import BOTH, PositionGraph
    >>> fork = PositionGraph("abc", np.array([0, 0, 1]), np.array([1, 2, 2]), np.full(3, BOTH)).analyse()
    >>> [mark.text for mark in scene(fork, 0, "fork").marks if isinstance(mark, Chip)]
    ['a W', 'b W', 'c L', 'c L']
    """
    nodes = list(_unfolded(analysis, start))
    names = [_name(analysis, node) for node in nodes]
    columns = layout.columns([node.parent for node in nodes])
    x, right = _columns(names, columns)
    y = [_TOP + 18 + row * _ROW for row in layout.rows([node.parent for node in nodes])]
    marks: list[Mark] = [Text(_LEFT, 26, ((title := short(title, LONGEST_TITLE), INK),), size=LARGE), *_legend()]
    for column, middle in enumerate(x):
        words = "the end" if column == max(columns) and len(x) > 1 else f"player {column % 2 + 1}"
        marks.append(Text(middle, _TOP - 8, ((words, of_mover(column % 2)),), "middle", SMALL))
    for at, node in enumerate(nodes):
        if node.parent != NONE:
            marks.append(_branch(nodes, names, at, (x, y, columns)))
    for at, node in enumerate(nodes):
        result = _result(analysis, node)
        who = f"{clean(analysis.graph.names[node.place])}, player {node.moves % 2 + 1} to move: {result}"
        marks.append(Chip(x[columns[at]], y[at], _width(names[at]), names[at], RESULTS[result], False, who))
    heads = [mark for mark in marks[:3] if isinstance(mark, Text)]
    widest = max(mark.x + sum(text_width(words, mark.size) for words, _ in mark.runs) for mark in heads)
    won = sum(_result(analysis, node) == WON for node in nodes)
    described = f"The tree of all plays: {numbered(len(nodes), 'nodes')}, {won} of them W."
    return Scene(title, described, max(right, widest) + _LEFT, max(y) + _ROW, tuple(marks))


def _unfolded(analysis: Analysis, start: int) -> Iterator[_Node]:
    """Yield the nodes in prefix order."""
    waiting = [_Node(start, NONE, 0, False)]
    made = 0
    while waiting:
        node = waiting.pop()
        if made == MOST:
            raise LiarsDiceError(
                f"the tree has more than the {MOST} nodes that a picture can show: start later, or draw the positions"
            )
        yield node
        won = _result(analysis, node) == WON
        targets = list(analysis.graph.moves(node.place, node.moves % 2))
        later = [_Node(target, made, node.moves + 1, False) for target in targets]
        waiting += [one._replace(wins=won and _result(analysis, one) == LOST) for one in reversed(later)]
        made += 1


def _result(analysis: Analysis, node: _Node) -> str:
    return analysis.results[analysis.state(node.place, node.moves % 2)]


def _name(analysis: Analysis, node: _Node) -> str:
    return f"{short(analysis.graph.names[node.place], _LONGEST)} {_result(analysis, node)}"


def _width(name: str) -> float:
    return max(30.0, text_width(name, SMALL) + 12)


def _columns(names: list[str], columns: list[int]) -> tuple[list[float], float]:
    """Return the middle of every column, and the right edge of the last one."""
    x, left = [], _LEFT
    for column in range(max(columns) + 1):
        width = max(_width(name) for name, own in zip(names, columns, strict=True) if own == column)
        width = max(width, text_width("player 1", SMALL))
        x.append(left + width / 2)
        left += width + _GAP
    return x, left - _GAP


def _branch(nodes: list[_Node], names: list[str], at: int, places: tuple[list[float], list[float], list[int]]) -> Branch:
    """Return the move into a node, which is thick and in the colour of W if it wins."""
    x, y, columns = places
    above = nodes[at].parent
    start = x[columns[above]] + _width(names[above]) / 2
    end = x[columns[at]] - _width(names[at]) / 2
    wins = nodes[at].wins
    return Branch(start, y[above], _FORK, end, y[at], 2.6 if wins else 1.0, RESULTS[WON] if wins else GREY, False)


def _legend() -> Iterator[Text]:
    words = ((f"{WON} won", RESULTS[WON]), (", ", GREY), (f"{LOST} lost", RESULTS[LOST]), (", for the player to move", GREY))
    yield Text(_LEFT, 46, words, size=SMALL)
    yield Text(_LEFT, 63, (("thick: a move that wins; a position has a node for each way to reach it", GREY),), size=SMALL)

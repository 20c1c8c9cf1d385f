"""Turn a diagram into a scene: every node at its position, with its labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from liarsdice_cli.draw import head, layout
from liarsdice_cli.draw.colours import GREY, INK, Colour, of_mover
from liarsdice_cli.draw.diagram import OPEN, Bar, Diagram, Node, Panel
from liarsdice_cli.draw.head import action_colours
from liarsdice_cli.draw.scene import (
    NOBODY,
    NORMAL,
    SMALL,
    Box,
    Branch,
    Chip,
    Die,
    Dot,
    Frame,
    Link,
    Mark,
    Owner,
    Scene,
    Text,
    text_width,
)
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL
from liarsdice_cli.text import numbered

_FORK, _PAD, _GAP = 26.0, 7.0, 28.0
_DOT, _CHIP, _STEM = 4.0, 9.0, 66.0
_BAR_WIDTH, _BAR_HEIGHT, _DIE = 96.0, 14.0, 17.0
_LANE = 5.0


def scene(diagram: Diagram, infosets: str = "auto") -> Scene:
    """Return the scene of a diagram.

    infosets : 'dotted' joins the nodes of an information set by dotted lines, 'chips' writes its number on each of them;
               'auto' draws dotted lines if there is one panel and no line would cross anything else

    >>> from liarsdice_cli.draw.diagram import SubtreeView, of_tree
    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> picture = scene(of_tree(SubtreeView.whole(tree.build(rules.rules("common", 1)))))
    >>> sum(isinstance(mark, Dot) for mark in picture.marks)
    11
    """
    if infosets == "auto":
        clear = len(diagram.panels) == 1 and not _Drawing(diagram, dotted=True).crossed()
        infosets = "dotted" if clear else "chips"
    return _Drawing(diagram, dotted=infosets == "dotted").scene()


class _Drawing:
    """The positions of all nodes, and the marks made from them; every panel has the same columns and rows."""

    def __init__(self, diagram: Diagram, dotted: bool) -> None:
        self.diagram, self.dotted = diagram, dotted
        self.colours = action_colours(diagram.actions)
        model = diagram.panels[0].nodes
        parents = [node.parent for node in model]
        self.row = layout.rows(parents)
        self.column = layout.aligned(parents, [_group(node) for node in model]) if dotted else layout.columns(parents)
        self.bars = max((len(node.bars) for node in model), default=0)
        self.before = self._before()
        self.lane = self._lanes() if dotted else {}
        self.card = self._card()
        self.step = self._step()
        self.x = self._columns()
        self.top = self.bars * _BAR_HEIGHT / 2 + 14
        self.panel_width, self.panel_height = self._panel_size()

    def _step(self) -> float:
        """Return the distance from one row to the next."""
        if self.bars:
            return max(34.0, self.bars * _BAR_HEIGHT + 16)
        written_below = any(node.chances for panel in self.diagram.panels for node in panel.nodes[1:])
        return 30.0 if written_below else 23.0

    def _columns(self) -> list[float]:
        """Return the x of the dots of every column: to the right of the widest label on a branch that ends in it."""
        deepest = max(self.column)
        widest = [0.0] * (deepest + 1)
        for panel in self.diagram.panels:
            for place, node in enumerate(panel.nodes):
                label = sum(text_width(words) for words, _ in _branch_runs(node))
                column = self.column[place]
                widest[column] = max(widest[column], label, text_width(node.chances, SMALL))
        x = [self._left()]
        for column, width in enumerate(widest[1:], 1):
            x.append(x[-1] + self.card + _FORK + width + 2 * _PAD + self._room(column))
        return x

    def _room(self, column: int) -> float:
        """Return the distance from the labels before a column to the middle of its nodes, with room for dotted lines."""
        used = [lane for place, lane in self.lane.items() if self.column[place] == column]
        return self.before + (max(used) + 2) * _LANE if used else self.before

    def _left(self) -> float:
        """Return the x of the first node of a panel: to the right of the deal that leads to it."""
        dice = self.diagram.panels[0].dice
        return _FORK + max(map(_dice_width, dice)) + _STEM + self.before if dice else self.before + 2

    def _before(self) -> float:
        """Return the distance from the left side of a node to its middle: about half a dot or half the widest chip."""
        if self.bars or self.dotted:
            return _DOT
        numbers = {node.number for panel in self.diagram.panels for node in panel.nodes if node.mover >= 0}
        return max(map(_chip_width, numbers), default=_DOT) / 2 + 2

    def _card(self) -> float:
        """Return the space between a node and its branches: the width of its bars, or the excess of wide chips."""
        if not self.bars:
            return max(0.0, self.before - _CHIP - 2)
        bars = [bar for node in self.diagram.panels[0].nodes for bar in node.bars]
        return max(_roll_width(*roll) for roll in {(bar.dice, bar.name) for bar in bars}) + _BAR_WIDTH + 14

    def _panel_size(self) -> tuple[float, float]:
        right = 0.0
        for panel in self.diagram.panels:
            for place, node in enumerate(panel.nodes):
                ending = (
                    12 + text_width(node.before_payoffs + ", ".join(node.payoffs))
                    if node.mover == TERMINAL
                    else self.card + self.before
                )
                right = max(right, self.x[self.column[place]] + ending)
        return right, self.top * 2 + max(self.row) * self.step

    def y(self, place: int) -> float:
        """Return the y of a node in its panel."""
        return self.top + self.row[place] * self.step

    def scene(self) -> Scene:
        """Return the scene, with all marks."""
        across = min(self.diagram.across, len(self.diagram.panels))
        width = across * (self.panel_width + _GAP) - _GAP + 2 * head.MARGIN
        above, top = head.marks(self.diagram, self.dotted, width)
        owned: list[tuple[Owner, Mark]] = [(NOBODY, mark) for mark in above]
        size = len(self.row)
        for index, panel in enumerate(self.diagram.panels):
            down, right = divmod(index, self.diagram.across)
            left = head.MARGIN + right * (self.panel_width + _GAP)
            marks = self._panel(panel, left, top + down * (self.panel_height + _GAP / 2))
            owned += ((Owner(index * size + owner.node, owner.role), mark) for owner, mark in marks)
        rows = -(-len(self.diagram.panels) // self.diagram.across)
        height = top + rows * (self.panel_height + _GAP / 2) - _GAP / 2 + head.MARGIN
        head_width = max(_extent(mark) for mark in above if isinstance(mark, Text)) + head.MARGIN
        nodes = sum(len(panel.nodes) for panel in self.diagram.panels)
        described = (
            f"A game tree of {numbered(nodes, 'nodes')}, from left to right; players: {', '.join(self.diagram.players)}."
        )
        owners, drawn = zip(*owned, strict=True)
        return Scene(self.diagram.title, described, max(width, head_width), height, drawn, self._frame(top), owners)

    def _frame(self, top: float) -> Frame:
        nodes = [node for panel in self.diagram.panels for node in panel.nodes]
        return Frame(
            parents=tuple(node.parent for node in self.diagram.panels[0].nodes),
            groups=tuple("" if _group(node) is None else f"{node.mover} {node.number}" for node in nodes),
            titles=tuple(node.title for node in nodes),
            reached=tuple(node.reached for node in nodes),
            across=self.diagram.across,
            top=top,
            pad=self.top,
            step=self.step,
            gap=_GAP / 2,
            fork=_FORK,
        )

    def _panel(self, panel: Panel, left: float, top: float) -> Iterator[tuple[Owner, Mark]]:
        """Yield the marks of a panel, each with its owner; owners are counted in the panel."""
        if panel.dice:
            yield from ((Owner(0, "deal"), mark) for mark in self._deal(panel, left, top + self.y(0)))
        if self.dotted:
            yield from (
                (
                    Owner(place, "link"),
                    link._replace(
                        x=link.x + left,
                        to_x=link.to_x + left,
                        y=link.y + top,
                        to_y=link.to_y + top,
                        lane=None if link.lane is None else link.lane + left,
                    ),
                )
                for place, link in self.links(panel.nodes)
            )
        shown = [place for place, node in enumerate(panel.nodes) if self.diagram.shows(node)]
        for place in shown:
            yield from ((Owner(place, "branch"), mark) for mark in self._branch(panel.nodes, place, left, top))
        for place in shown:
            node = panel.nodes[place]
            x, y = left + self.x[self.column[place]], top + self.y(place)
            yield from ((Owner(place, "node"), mark) for mark in self._node(node, x, y))

    def _deal(self, panel: Panel, left: float, y: float) -> Iterator[Mark]:
        """Yield the dice of every player, and the branch of chance that leads from them to the first node."""
        width = max(map(_dice_width, panel.dice))
        height = (len(panel.dice) - 1) * (_DIE + 5)
        for player, dice in enumerate(panel.dice):
            yield from _dice(
                dice, left, y - height / 2 + player * (_DIE + 5), of_mover(player), faded=not panel.nodes[0].reached
            )
        first = panel.nodes[0]
        start, end = left + width + 10, left + self.x[0]
        colour = of_mover(CHANCE)
        yield Branch(start, y, 0, end, y, _thickness(first), colour, not first.reached)
        yield Dot(start, y, _DOT, colour, not first.reached, "chance deals")
        yield Text((start + end - 8) / 2, y + 12, ((first.chances, colour),), "middle", SMALL, not first.reached)

    def _branch(self, nodes: Sequence[Node], place: int, left: float, top: float) -> Iterator[Mark]:
        node = nodes[place]
        if node.parent == NONE:
            return
        x, y = left + self.x[self.column[node.parent]] + self.card, top + self.y(node.parent)
        to_x, to_y = left + self.x[self.column[place]], top + self.y(place)
        colour = of_mover(nodes[node.parent].mover)
        yield Branch(x, y, _FORK, to_x, to_y, _thickness(node), colour, not node.reached)
        start = left + self.x[self.column[place] - 1] + self.card + _FORK
        middle = (start + to_x - self._room(self.column[place])) / 2
        runs = _branch_runs(node)
        if len(runs) == 1:
            yield Text(middle, to_y - 4, runs, "middle", NORMAL, not node.reached)
        else:  # CairoSVG centres every coloured run separately
            yield Text(start + _PAD, to_y - 4, runs, "start", NORMAL, not node.reached)
        if node.chances:
            yield Text(middle, to_y + 11, ((node.chances, colour),), "middle", SMALL, not node.reached)

    def _node(self, node: Node, x: float, y: float) -> Iterator[Mark]:
        colour, faded = of_mover(node.mover), not node.reached
        if node.bars:
            yield from self._bars(node, x, y)
        elif node.mover >= 0 and not self.dotted and node.number:
            yield Chip(x, y, _chip_width(node.number), node.number, colour, faded, node.title)
        else:
            radius = _DOT / 2 if node.mover == TERMINAL else _DOT
            yield Dot(x, y, radius, GREY if node.mover == TERMINAL else colour, faded, node.title)
        if node.payoffs and (node.mover == TERMINAL or node.parent == NONE):
            yield Text(x + 8, y + (4 if node.mover == TERMINAL else -12), _payoff_runs(node), faded=faded)

    def _bars(self, node: Node, x: float, y: float) -> Iterator[Mark]:
        """Yield a card with one row for each roll, to the right of a dot in the colour of the player."""
        yield Dot(x, y, _DOT, of_mover(node.mover), not node.reached, node.title)
        top = y - len(node.bars) * _BAR_HEIGHT / 2
        start = x + self.card - _BAR_WIDTH
        for index, bar in enumerate(node.bars):
            middle = top + (index + 0.5) * _BAR_HEIGHT
            yield from self._roll(bar, x + 9, middle, of_mover(node.mover))
            yield from self._shares(bar, start, middle)

    def _roll(self, bar: Bar, x: float, middle: float, colour: Colour) -> Iterator[Mark]:
        if bar.dice:
            yield from _dice(bar.dice, x, middle, colour, not bar.reached, _BAR_HEIGHT - 2)
        else:
            yield Text(x, middle + 3.5, ((bar.name, colour),), size=SMALL, faded=not bar.reached)

    def _shares(self, bar: Bar, x: float, middle: float) -> Iterator[Mark]:
        for action, share in bar.shares:
            width = share * _BAR_WIDTH
            fits = text_width(action, SMALL) + 4 <= width
            yield Box(
                x,
                middle - _BAR_HEIGHT / 2 + 1,
                width,
                _BAR_HEIGHT - 2,
                self.colours[action],
                action if fits else "",
                not bar.reached,
                bar.title,
            )
            x += width

    def links(self, nodes: Sequence[Node]) -> Iterator[tuple[int, Link]]:
        """Yield the dotted lines of every information set, each with its upper node; a line leads to the next node below."""
        for members in self._sets():
            for upper, lower in pairwise(members):
                lane = self.lane.get(upper)
                yield (
                    upper,
                    Link(
                        self.x[self.column[upper]],
                        self.y(upper),
                        self.x[self.column[lower]],
                        self.y(lower),
                        None if lane is None else self.x[self.column[upper]] - self.before - (lane + 1) * _LANE,
                        of_mover(nodes[upper].mover),
                    ),
                )

    def _sets(self) -> list[list[int]]:
        """Return the nodes of every information set from top to bottom."""
        sets: dict[object, list[int]] = {}
        for place, node in enumerate(self.diagram.panels[0].nodes):
            if _group(node) is not None:
                sets.setdefault(_group(node), []).append(place)
        return [sorted(members, key=self.row.__getitem__) for members in sets.values()]

    def _lanes(self) -> dict[int, int]:
        """Return the lane before the column for each node of a set whose straight lines would cross other nodes."""
        columns: dict[int, list[list[int]]] = {}
        for members in self._sets():
            if len({self.column[place] for place in members}) == 1 and any(self._between(*two) for two in pairwise(members)):
                columns.setdefault(self.column[members[0]], []).append(members)
        return {
            place: lane
            for sets in columns.values()
            for members, lane in zip(sets, layout.lanes([(self.row[one[0]], self.row[one[-1]]) for one in sets]), strict=True)
            for place in members
        }

    def _between(self, upper: int, lower: int) -> bool:
        """Return whether another node of the column lies between two nodes."""
        return any(
            column == self.column[upper] and self.row[upper] < row < self.row[lower]
            for row, column in zip(self.row, self.column, strict=True)
        )

    def crossed(self) -> bool:
        """Return whether a dotted line would meet another node, a branch, or another dotted line."""
        nodes = self.diagram.panels[0].nodes
        links = [link for _, link in self.links(nodes)]
        if any(link.lane is not None or link.x != link.to_x for link in links):
            return True
        spans = sorted((link.x, link.y, link.to_y) for link in links)
        if any(one[0] == two[0] and two[1] < one[2] for one, two in pairwise(spans)):
            return True
        return any(self._passes(nodes, place, spans) for place in range(1, len(nodes)))

    def _passes(self, nodes: Sequence[Node], place: int, spans: list[tuple[float, float, float]]) -> bool:
        """Return whether the straight part of a branch over several columns crosses a dotted line."""
        start = self.x[self.column[nodes[place].parent]]
        end, y = self.x[self.column[place]], self.y(place)
        return any(start < x < end and low < y < high for x, low, high in spans)


def _group(node: Node) -> tuple[int, str] | None:
    """Return the key that the nodes of an information set share."""
    return (node.mover, node.number) if node.mover >= 0 and node.number else None


def _thickness(node: Node) -> float:
    return 1.5 if node.weight is None else round(1 + 3 * node.weight, 1)


def _branch_runs(node: Node) -> tuple[tuple[str, Colour], ...]:
    """Return the label of a branch, with the payoffs of its node if that node is not terminal."""
    label = ((node.branch, INK),)
    return label if node.mover == TERMINAL or not node.payoffs else (*label, (" pays ", GREY), *_payoff_runs(node))


def _payoff_runs(node: Node) -> tuple[tuple[str, Colour], ...]:
    """Return every payoff in the colour of its player."""
    runs = [run for player, payoff in enumerate(node.payoffs) for run in ((", ", GREY), (payoff, of_mover(player)))]
    if node.payoffs == (OPEN,):
        return ((OPEN, GREY),)
    return (*([(node.before_payoffs, GREY)] if node.before_payoffs else []), *runs[1:])


def _chip_width(number: str) -> float:
    return max(2 * _CHIP, text_width(number, SMALL) + 8)


def _dice_width(dice: str, size: float = _DIE) -> float:
    return len(dice) * (size + 3)


def _roll_width(dice: str, name: str) -> float:
    """Return the width of the roll, or its name, before a bar."""
    return _dice_width(dice, _BAR_HEIGHT - 2) if dice else text_width(name, SMALL) + 2


def _dice(dice: str, x: float, y: float, colour: Colour, faded: bool, size: float = _DIE) -> Iterator[Mark]:
    """Yield dice side by side, starting at x."""
    for place, face in enumerate(dice):
        yield Die(x + size / 2 + place * (size + 3), y, size, face, colour, faded)


def _extent(mark: Text) -> float:
    """Return the x at which a text ends."""
    return mark.x + sum(text_width(words, mark.size) for words, _ in mark.runs)

"""Pictures of graphs of positions, heaps and curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.bots.zero_intelligence.continuous import probability_level, worst_of_level
from liarsdice_cli.bots.zero_intelligence.model import Model
from liarsdice_cli.draw import nim, positions
from liarsdice_cli.draw import unfolded as unfolded_tree
from liarsdice_cli.draw.chart import Chart, Panels
from liarsdice_cli.draw.curves import Series
from liarsdice_cli.draw.formats import CHART, SCENE
from liarsdice_cli.draw.model import Case, regions, worst_cases
from liarsdice_cli.draw.scene import Scene
from liarsdice_cli.draw.trade_off import picture
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.writing import writable
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial.subtraction import TakeAway
from liarsdice_cli.games.positions import BOTH, Analysis, PositionGraph
from liarsdice_cli.library.impartial import Nim
from liarsdice_cli.studies.safe import SafeExploitation

if TYPE_CHECKING:
    from liarsdice_cli.extensive.stream import Ints


@writable
@dataclass(frozen=True, eq=False)
class Figure(Renderable):
    """A picture of marks or of curves; `write` saves it, and a notebook shows it.

    marks : a scene, for every picture format except text; or a chart, for SVG, PNG and PDF
    """

    marks: Scene | Chart | Panels

    @property
    def title(self) -> str:
        """The title above the picture."""
        return self.marks.title

    def dumps(self, name: str) -> bytes:
        """Return the content of a file of this name, SVG by default; UsageError for the ending of another kind of file."""
        if isinstance(self.marks, Chart | Panels):
            return registry.writer(name, CHART)(self.marks)
        return registry.writer(name, SCENE)(self.marks)

    def __repr__(self) -> str:
        return f"Figure({self.title!r})"


def figure(what: TakeAway | Nim | Analysis | Model | SafeExploitation, start: int = 0, *, unfolded: bool = False) -> Figure:
    """Return a picture of winning positions or rolls, or of a frontier.

    It shows the positions and moves of take-away or of an analysed graph, or the heaps of Nim in powers of two. For the model
    of Zero Intelligence it shows the winning rolls of a level, and for safe exploitation the gain by the risk.

    start    : the first position of a graph
    unfolded : for take-away and graphs, draw the tree of all plays instead of the positions

    Raises LiarsDiceError for a game of more positions than a picture shows, ArgumentError for a start that is not a position.

    >>> from liarsdice_cli.library.impartial import nim, takeaway
    >>> figure(takeaway(7, [1, 2, 3])), figure(nim([3, 4, 5])).dumps("nim.svg")[:4]
    (Figure('7 chips, take 1, 2, 3; normal play: a player who cannot move loses'), b'<svg')
    """
    if unfolded and isinstance(what, Nim | Model | SafeExploitation):
        raise UsageError(Argument("unfolded", True), " is for take-away and graphs of positions: leave it out")
    drawn = unfolded_tree.scene if unfolded else positions.scene
    if isinstance(what, Nim):
        return Figure(nim.scene(what.heaps, what.misere))
    if isinstance(what, Model):
        return Figure(regions(what.asked_level, what.others, what.worst))
    if isinstance(what, SafeExploitation):
        lines = [
            Series(f"as player {one.player + 1}", [(float(point.risk), float(point.gain)) for point in one.points])
            for one in what.frontiers
        ]
        return Figure(picture(f"Gain against {what.bot} by risk", lines, str(what.rules)))
    if isinstance(what, TakeAway):
        if what.chips > positions.MOST:
            raise LiarsDiceError(f"a picture shows at most {positions.MOST} heaps: give ", Argument("chips", positions.MOST))
        title = f"{what.chips} chips, {what.game.name}; {convention(what.misere)}"
        return Figure(drawn(_heaps(what).analyse(what.misere), what.chips, title))
    what.graph.check_position("start", start)
    title = f"Positions from {what.graph.names[start]}; {convention(what.misere)}"
    return Figure(drawn(what, start, title))


def by_level(models: Sequence[Model]) -> Figure:
    """Return a picture of the worst case of a fixed level: a curve for each model, with the best level.

    >>> from liarsdice_cli.bots.zero_intelligence.model import model
    >>> by_level([model(1), model(3)]).dumps("levels.svg").count(b"best")
    1
    """
    cases = [Case(one.others, partial(worst_of_level, sigma2=one.others), one.best_level) for one in models]
    return Figure(worst_cases(cases, probability_level))


def _heaps(question: TakeAway) -> PositionGraph:
    """Return the graph of the heaps that chips may leave, and the moves between them."""
    moves = [(heap, heap - number) for heap in range(question.chips + 1) for number in question.game.take if number <= heap]
    source, target = (_column([move[end] for move in moves]) for end in (0, 1))
    names = [str(heap) for heap in range(question.chips + 1)]
    return PositionGraph(names, source, target, np.full(len(moves), BOTH))


def _column(numbers: list[int]) -> Ints:
    return np.array(numbers, np.int64)

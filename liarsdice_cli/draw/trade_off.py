"""Pictures of the trade-off between the gain against one opponent and the risk against any opponent."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from liarsdice_cli.draw.chart import Chart, Curve, Marker
from liarsdice_cli.draw.colours import of_mover
from liarsdice_cli.draw.curves import Series

_TICKS = 8


def picture(title: str, lines: Sequence[Series], words: str = "") -> Chart:
    """Return the curves as a chart, each in its own colour. A curve is flat above the risk at which the gain stops rising.

    lines : the gain for each risk, from the safest point to the boldest
    words : the game, for the name of the gain's axis
    """
    most = max(point[0] for line in lines for point in line.points) or 1.0
    won = [point[1] for line in lines for point in line.points]
    low, high = min(won), max(won) if max(won) > min(won) else min(won) + 1
    x_ticks, y_ticks = _ticks(0, most * 1.05), _ticks(low - (high - low) * 0.05, high + (high - low) * 0.15)
    curves, markers = [], []
    for number, (name, points) in enumerate(lines):
        colour = of_mover(number)
        curves.append(Curve([*points, (x_ticks[-1], points[-1][1])], colour))
        markers += [Marker(point, "", colour) for point in points]
        markers.append(Marker(points[-1], name, colour, offset=(0, 18 if number % 2 else -9), anchor="end"))
    return Chart(
        title=title,
        description=f"The gain rises with the risk, steeply at first: {'; '.join(line.name for line in lines)}.",
        x=(0, x_ticks[-1]),
        y=(y_ticks[0], y_ticks[-1]),
        x_ticks=[(place, f"{place:g}") for place in x_ticks],
        y_ticks=[(place, f"{place:g}") for place in y_ticks],
        x_name="risk: the value of the game minus the payoff in the worst case",
        y_name=f"gain: the payoff against the known strategy{f'; {words}' if words else ''}",
        curves=curves,
        markers=markers,
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers around and between two numbers.

    >>> _ticks(0, 0.31), _ticks(0.49, 0.74)
    ([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35], [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75])
    """
    rough = (high - low) / _TICKS
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
    return [round(place * step, 12) for place in range(floor(low / step), ceil(high / step) + 1)]

"""Curves over logarithmic axes, such as the exploitability of a minimiser over its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from liarsdice_cli.draw.chart import Chart, Curve, Marker
from liarsdice_cli.draw.colours import PLAYERS, of_mover

_DASHES = ("", "7 4", "2 4", "9 3 2 3")
"""The dashes of the first `PLAYERS` curves, of the next `PLAYERS`, and so on; there are `PLAYERS` colours."""
_APART, _LETTER = 15.0, 7.0
"""Pixels between the names of two curves, and the width of a letter."""


class Series(NamedTuple):
    """A curve to draw: its name and its points."""

    name: str
    points: Sequence[tuple[float, float]]


def curves(title: str, series: Sequence[Series], *, x_name: str, y_name: str, log_x: bool = True) -> Chart:
    """Return a chart of the curves, each with its name at its last point; the vertical axis is logarithmic.

    log_x : whether the horizontal axis is logarithmic too; points that are not above 0 on such an axis are left out

    >>> chart = curves("one", [Series("a", [(1, 1), (10, 0.01)])], x_name="t", y_name="loss")
    >>> chart.y, [words for _, words in chart.x_ticks]
    ((-2.0, 0.0), ['1', '10'])
    """
    across = log10 if log_x else float
    placed = [(one.name, [(across(x), log10(y)) for x, y in one.points if y > 0 and (x > 0 or not log_x)]) for one in series]
    placed = [(name, points) for name, points in placed if points]
    xs = [x for _, points in placed for x, _ in points] or [0.0, 1.0]
    ys = [y for _, points in placed for _, y in points] or [0.0, 1.0]
    left, right = min(xs), max(max(xs), min(xs) + 0.1)
    low, high = float(floor(min(ys))), float(max(ceil(max(ys)), floor(min(ys)) + 1))
    room = _LETTER * max((len(name) for name, _ in placed), default=0) / (Chart.size[0] - 88)
    end = left + (right - left) / max(1 - room - 0.02, 0.3)
    heights = _spread([points[-1][1] for _, points in placed], _APART * (high - low) / (Chart.size[1] - 118))
    drawn, markers = [], []
    for number, ((name, points), height) in enumerate(zip(placed, heights, strict=True)):
        colour, dashes = of_mover(number), _DASHES[number // PLAYERS % len(_DASHES)]
        drawn.append(Curve(points, colour, dashes, 1.8))
        markers.append(Marker((points[-1][0], height), name, colour, offset=(7, 4), anchor="start", dot=False))
    ticks = [float(place) for place in range(ceil(left), floor(right) + 1)]
    return Chart(
        title=title,
        description=f"{y_name}, by {x_name}: {'; '.join(one.name for one in series)}.",
        x=(left, end),
        y=(low, high),
        x_ticks=[(place, _power(place) if log_x else f"{place:g}") for place in ticks],
        y_ticks=[(float(place), _power(place)) for place in range(int(low), int(high) + 1)],
        x_name=x_name,
        y_name=y_name,
        curves=drawn,
        markers=markers,
    )


def _power(exponent: float) -> str:
    """Return a power of ten as text.

    >>> _power(3), _power(0), _power(-4), _power(-5)
    ('1,000', '1', '0.0001', '1e-5')
    """
    whole = round(exponent)
    if not -5 < whole < 7:
        return f"1e{whole}"
    return f"{10**whole:,}" if whole >= 0 else f"{10.0**whole:.{-whole}f}"


def _spread(heights: Sequence[float], apart: float) -> list[float]:
    """Return the heights in the same order, moved upwards no further than needed to be `apart`.

    >>> _spread([0, 0.5, 3], 1)
    [0, 1, 3]
    """
    found, order = list(heights), sorted(range(len(heights)), key=lambda place: heights[place])
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + apart)
    return found

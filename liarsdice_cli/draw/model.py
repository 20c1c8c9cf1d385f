"""Pictures of Zero Intelligence's normal model: A's wins against an opponent that knows A's level, by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from liarsdice_cli.draw.chart import Area, Chart, Curve, Marker, Point
from liarsdice_cli.draw.colours import GREY, INK, of_mover

_FAR = 3.0
"""Deviations up to which the plane of rolls is shown."""
SIGMA = "\N{GREEK SMALL LETTER SIGMA}"


def regions(level: float, sigma2: float, won: float) -> Chart:
    """Return a chart of the rolls (x of A, y of the others) with which A wins at a level that the others know.

    level  : lambda, a z-score: A calls at x + lambda sigma
    sigma2 : the number of others, whose rolls add up to N(0, sigma2)
    won    : the probability of both regions together, omega_A, for the labels

    Omega 1: A calls first, x < -(lambda sigma - y) / 2. Omega 2: the others call first, but the bid is true,
    x >= (lambda sigma - y) / 2. Both need y < lambda sigma: above it the others wait, and win.
    """
    sigma = sigma2**0.5
    top, low, high = level * sigma, -_FAR * sigma, _FAR * sigma
    tip = min(max(top, low), high)
    aside = (top - tip) / 2

    def region(side: float) -> list[Point]:
        """Return the triangle below y = lambda sigma on one side of the others' region, cut at the edge of the plane."""
        corner = (top - low) / 2
        if corner <= _FAR:
            return [(side * aside, tip), (side * corner, low), (side * _FAR, low), (side * _FAR, tip)]
        return [(side * aside, tip), (side * _FAR, top - 2 * _FAR), (side * _FAR, tip)]

    a, b = of_mover(0), of_mover(1)
    ticks = [-3, -2, -1, 0, 1, 2, 3]
    words = []
    if top > low * 0.6:
        words.append(Marker((0, low * 0.72), "B calls first, and B wins", INK, offset=(0, 0), dot=False))
    if top - sigma * 0.95 > low:
        words += [
            Marker((-_FAR * 0.62, top - sigma * 0.95), "Ω1: A calls first, and A wins", INK, offset=(0, 0), dot=False),
            Marker((_FAR * 0.62, top - sigma * 0.95), "Ω2: B calls first, and A wins", INK, offset=(0, 0), dot=False),
        ]
    if top < high * 0.9:
        words.append(Marker((0, (top + high) / 2), "y ≥ λσ: B waits for A's call, and B wins", INK, offset=(0, 4), dot=False))
    return Chart(
        title=f"The rolls with which A wins at level λ = {level:.4g} against {_others(sigma2)}",
        description=f"A wins in two triangles below y = λσ, on the left and on the right, with total probability {won:.4f}; "
        "B wins between them and above.",
        x=(-_FAR, _FAR),
        y=(low, high),
        x_ticks=[(place, f"{place:g}") for place in ticks],
        y_ticks=[(place * sigma, f"{place}{SIGMA}" if place else "0") for place in ticks],
        x_name=f"x: the roll of A, N(0, 1); Ω1 and Ω2 together have the probability ω_A = {won:.4f}",
        y_name=f"y: the sum of the rolls of B, all others together, N(0, σ²); the variance σ² is their number, {sigma2:g}",
        curves=[
            Curve([(-_FAR, tip), (_FAR, tip)], GREY, "4 3", 1.2),
            Curve(region(-1)[:2], INK, width=1.5),
            Curve(region(1)[:2], INK, width=1.5),
        ],
        markers=words,
        areas=[
            Area([(-_FAR, low), (_FAR, low), (_FAR, high), (-_FAR, high)], b, 0.16),
            Area(region(-1), a, 0.45),
            Area(region(1), a, 0.3),
        ],
    )


class Case(NamedTuple):
    """A number of others with its values of levels: the best level, the best mixture of levels, and the page's level.

    worst : function from a level, a z-score, to omega_A; `best` : the best level
    mixed : omega_A of the best randomised level, None to leave it out
    page  : the level that the page's equation gives, None to leave it out
    """

    sigma2: float
    worst: Callable[[float], float]
    best: float
    mixed: float | None = None
    page: float | None = None


def _others(sigma2: float) -> str:
    return "1 other player" if sigma2 == 1 else f"{sigma2:g} other players"


def worst_cases(cases: Sequence[Case], tail: Callable[[float], float]) -> Chart:
    """Return a chart of omega_A by level, with a curve for each number of others.

    tail : function from a level, a z-score, to the probability that a bid at this level is true
    """
    places = [-1 + step / 40 for step in range(161)]
    curves, markers = [Curve([(-1, 0.5), (3, 0.5)], GREY, "1 4", 1.2)], []
    for number, case in enumerate(cases):
        colour = of_mover((1, 0, 2, 3, 4, 5)[number % 6])
        top = case.worst(case.best)
        words = f"{_others(case.sigma2)}: {top:.4f}"
        curves.append(Curve([(level, case.worst(level)) for level in places], colour))
        if case.mixed is not None:
            curves.append(Curve([(case.best - 0.55, case.mixed), (case.best + 0.55, case.mixed)], colour, "4 3", 1.2))
            words += f", randomised {case.mixed:.4f}"
        markers.append(Marker((case.best, top), "", colour))
        if case.page is not None:
            markers.append(Marker((case.page, case.worst(case.page)), "", colour, hollow=True))
        markers.append(Marker((1.55, 0.612 - 0.027 * number), words, colour, offset=(10, 4), anchor="start"))
    signs = "●" + " best fixed level" + ("   ○ the page's level y0" if any(case.page is not None for case in cases) else "")
    signs += "   - - best randomised level" if any(case.mixed is not None for case in cases) else ""
    numbers = [f"{case.sigma2:g}" for case in cases]
    listed = " and ".join(filter(None, (", ".join(numbers[:-1]), numbers[-1])))
    return Chart(
        title="What a level is worth against opponents who know it",
        description=f"The probability that A wins, by the level at which A calls, for {listed} opponents. Each curve rises "
        "to a maximum between 0.5 and 1 deviations and falls on both sides.",
        x=(-1, 3),
        y=(0, 0.63),
        x_ticks=[(place / 2, f"{place / 2:g}\n{100 * tail(place / 2):.1f} %") for place in range(-2, 7)],
        y_ticks=[(place / 10, f"{place / 10:.1f}") for place in range(7)],
        x_name="level λ: standard deviations above the mean at which A calls; below, the probability that such a bid is true",
        y_name=f"ω_A, the probability that A wins;  {signs}",
        curves=curves,
        markers=markers,
    )

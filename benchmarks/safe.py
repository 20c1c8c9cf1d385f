"""`make exploit`, second part: safe exploitation of bots, in docs/safe.csv, docs/safe.svg and docs/exploit.md.

It computes the frontiers that docs/safe.csv lacks; a quarter of an hour for all. `--again honest` computes those of one bot
again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.results import DOCS, Line, Page, Results, Wanted, markdown
from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.draw import trade_off
from liarsdice_cli.draw.curves import Series
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.studies.safe import frontier_against

PICTURE = DOCS / "safe.svg"
BOTS = {"honest": "honest", "zero-intelligence:0.4": "zero intelligence, 0.4"}
DICE = ((1, 1), (2, 2))
RISKS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
KEY = ("bot", "dice", "player", "risk")
RESULTS = Results("safe.csv", KEY, (*KEY, "worst_case", "gain", "limit"))

Curves = dict[tuple[str, str], list[list[tuple[float, float]]]]
"""The frontier of each seat, as pairs of risk and gain, by bot and numbers of dice."""


def computed(bot: str, dice: tuple[int, ...], player: int) -> Iterator[Line]:
    """Compute a frontier; yield a line for every point."""
    for point in frontier_against(policy_of(bot), rules("ones-low", 6, dice), player).points:
        numbers = (point.risk, point.worst_case, point.gain, point.limit)
        yield RESULTS.line(bot, ",".join(map(str, dice)), player + 1, *(f"{float(number):.9g}" for number in numbers))


def wanted() -> list[Wanted]:
    """Return the frontiers."""
    return [
        Wanted((bot, ",".join(map(str, dice)), str(player + 1)), bot, partial(computed, bot, dice, player))
        for bot in BOTS
        for dice in DICE
        for player in range(2)
    ]


def curves() -> Curves:
    """Return the content of docs/safe.csv."""
    found: Curves = {}
    for line in RESULTS.read().values():
        seats = found.setdefault((line["bot"], line["dice"]), [[], []])
        seats[int(line["player"]) - 1].append((float(line["risk"]), float(line["gain"])))
    return found


def mean(seats: list[list[tuple[float, float]]], risk: float) -> float | None:
    """Return the mean gain over both seats, with the same risk in each; None for a risk below those in the file."""
    if any(points[0][0] > risk for points in seats):
        return None
    return sum(float(np.interp(risk, *np.transpose(points))) for points in seats) / 2


def table() -> Iterator[str]:
    """Yield the lines of the table: a row for every risk, and a column for every bot and numbers of dice."""
    found, rows = curves(), []
    for risk in RISKS:
        means = [mean(seats, risk) for seats in found.values()]
        rows.append(["any" if risk == RISKS[-1] else f"{risk:g}", *("-" if one is None else f"{one:.4f}" for one in means)])
    return markdown(["risk at most", *(f"{BOTS[bot]}, {dice}" for bot, dice in found)], rows)


def picture() -> str:
    """Return an SVG chart of the frontiers, as means over both seats."""
    series = []
    for (bot, dice), seats in curves().items():
        places = sorted({place for points in seats for place, _ in points})
        points = [(place, one) for place in places if (one := mean(seats, place)) is not None]
        series.append(Series(f"{BOTS[bot]}; {dice} dice", points))
    title = "How much a player gains against a bot at a bounded risk"
    return trade_off.picture(title, series, "six sides, rules ones-low, mean of both seats").svg()


PAGE = Page("exploit.md", {"make exploit, safe": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write()

"""`make exploit`, second part: safe exploitation of bots, in docs/safe.csv, docs/safe.svg and docs/exploit.md.

`--again` computes the frontiers again. Without it, the picture and the table are made from the numbers in docs/safe.csv.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from benchmarks import kept
from benchmarks.exploit import PAGE
from benchmarks.kept import DOCS, replaced, write
from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.draw.curves import Series
from liarsdice_cli.draw.trade_off import picture
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.studies.safe import frontier_against

NUMBERS, PICTURE = DOCS / "safe.csv", DOCS / "safe.svg"
BOTS = {"honest": "honest", "zero-intelligence:0.4": "zero intelligence, 0.4"}
DICE = ((1, 1), (2, 2))
RISKS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
_COLUMNS = ("bot", "dice", "player", "risk", "worst_case", "gain", "limit")

Curves = dict[tuple[str, str], list[list[tuple[float, float]]]]
"""The frontier of each seat, as pairs of risk and gain, by bot and numbers of dice."""


def computed() -> Iterator[kept.Line]:
    """Compute the frontiers; yield a row for every point. Cost: a quarter of an hour."""
    for bot in BOTS:
        for dice in DICE:
            for player in range(2):
                for point in frontier_against(policy_of(bot), rules("ones-low", 6, dice), player).points:
                    numbers = (point.risk, point.worst_case, point.gain, point.limit)
                    row = bot, ",".join(map(str, dice)), str(player + 1), *(f"{float(number):.9g}" for number in numbers)
                    yield dict(zip(_COLUMNS, row, strict=True))


def curves() -> Curves:
    """Return the content of docs/safe.csv."""
    found: Curves = {}
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            seats = found.setdefault((row["bot"], row["dice"]), [[], []])
            seats[int(row["player"]) - 1].append((float(row["risk"]), float(row["gain"])))
    return found


def mean(seats: list[list[tuple[float, float]]], risk: float) -> float | None:
    """Return the mean gain over both seats, with the same risk in each; None for a risk below those in the file."""
    if any(points[0][0] > risk for points in seats):
        return None
    return sum(float(np.interp(risk, *np.transpose(points))) for points in seats) / 2


def table() -> Iterator[str]:
    """Yield the lines of the table: a row for every risk, and a column for every bot and numbers of dice."""
    found = curves()
    names = [f"{BOTS[bot]}, {dice}" for bot, dice in found]
    yield f"| risk at most | {' | '.join(names)} |"
    yield "|---" * (1 + len(names)) + "|"
    for risk in RISKS:
        means = [mean(seats, risk) for seats in found.values()]
        cells = ["-" if one is None else f"{one:.4f}" for one in means]
        yield f"| {'any' if risk == RISKS[-1] else f'{risk:g}'} | {' | '.join(cells)} |"


def lines() -> Iterator[Series]:
    """Yield the frontiers, as means over both seats."""
    for (bot, dice), seats in curves().items():
        places = sorted({place for points in seats for place, _ in points})
        points = [(place, one) for place in places if (one := mean(seats, place)) is not None]
        yield Series(f"{BOTS[bot]}; {dice} dice", points)


def main() -> None:
    if "--again" in sys.argv:
        write(NUMBERS, _COLUMNS, computed())
    title = "How much a player gains against a bot at a bounded risk"
    PICTURE.write_text(picture(title, list(lines()), "six sides, rules ones-low, mean of both seats").svg(), encoding="utf-8")
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), "make exploit, safe", table()), encoding="utf-8")


if __name__ == "__main__":
    main()

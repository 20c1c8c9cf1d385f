"""`make exploit`, the second part: what can be won of bots by who is safe, in docs/safe.csv, docs/safe.svg and docs/exploit.md.

With `--again` the curves are computed anew; else the picture and the table are made from the numbers that are there.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from benchmarks.exploit import DOCS, PAGE, replaced
from liarsdice_cli.bots.specs import asked
from liarsdice_cli.draw.trade_off import Line, picture
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.studies.safe import safe_curve

NUMBERS, PICTURE = DOCS / "safe.csv", DOCS / "safe.svg"
BOTS = {"honest": "honest", "zero-intelligence:0.4": "zero intelligence, 0.4"}
DICE = ((1, 1), (2, 2))
RISKS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
_COLUMNS = ("bot", "dice", "player", "risked", "worst_case", "against", "limit")

Curves = dict[tuple[str, str], list[list[tuple[float, float]]]]
"""For a bot and numbers of dice the curve of each seat: what is risked, and the payoff against the bot."""


def computed() -> Iterator[tuple[str, ...]]:
    """A row for every point of every curve; a quarter of an hour."""
    for bot in BOTS:
        for dice in DICE:
            for player in range(2):
                for point in safe_curve(asked(bot), rules("ones-low", 6, dice), player).points:
                    numbers = (point.risked, point.worst, point.against, point.limit)
                    yield bot, ",".join(map(str, dice)), str(player + 1), *(f"{float(number):.9g}" for number in numbers)


def curves() -> Curves:
    """What docs/safe.csv holds."""
    found: Curves = {}
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            seats = found.setdefault((row["bot"], row["dice"]), [[], []])
            seats[int(row["player"]) - 1].append((float(row["risked"]), float(row["against"])))
    return found


def mean(seats: list[list[tuple[float, float]]], risked: float) -> float | None:
    """The payoff in the mean over both seats by who risks so much in each; None where less is risked than was looked at."""
    if any(points[0][0] > risked for points in seats):
        return None
    return sum(float(np.interp(risked, *zip(*points, strict=True))) for points in seats) / 2


def table() -> Iterator[str]:
    """A row for every risk, a column for every bot and number of dice."""
    found = curves()
    names = [f"{BOTS[bot]}, {dice}" for bot, dice in found]
    yield f"| at most risked | {' | '.join(names)} |"
    yield "|---" * (1 + len(names)) + "|"
    for risked in RISKS:
        means = [mean(seats, risked) for seats in found.values()]
        cells = ["-" if one is None else f"{one:.4f}" for one in means]
        yield f"| {'anything' if risked == RISKS[-1] else f'{risked:g}'} | {' | '.join(cells)} |"


def lines() -> Iterator[Line]:
    """The curves in the mean over both seats."""
    for (bot, dice), seats in curves().items():
        places = sorted({place for points in seats for place, _ in points})
        points = [(place, one) for place in places if (one := mean(seats, place)) is not None]
        yield Line(f"{BOTS[bot]}; {dice} dice", points)


def main() -> None:
    if "--again" in sys.argv:
        with NUMBERS.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([_COLUMNS, *computed()])
    title = "What can be won of bots by who risks no more than so much"
    PICTURE.write_text(picture(title, list(lines()), "six sides, rules ones-low, mean of both seats"), encoding="utf-8")
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), "safe", table()), encoding="utf-8")


if __name__ == "__main__":
    main()

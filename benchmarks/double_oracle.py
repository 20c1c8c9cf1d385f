"""`python benchmarks/double_oracle.py`: measure exact solutions without a tree.

It writes docs/double-oracle.csv, and from it the table in docs/results.md. Each game has its own process; seconds are processor
seconds, start-up included. Only missing lines are measured; `--again NAME` measures a game such as joker-2,2-6 again. Half an
hour for all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept
from benchmarks.kept import DOCS
from benchmarks.measure import alone
from liarsdice_cli.games.liarsdice.rules import Rules, rules

PAGE, NUMBERS = DOCS / "results.md", DOCS / "double-oracle.csv"
_KEY = ("rules", "dice", "sides")
_COLUMNS = (*_KEY, "value", "rounds", "histories", "sequences", "digits", "seconds", "megabytes")
LIMIT = 3600
"""Seconds after which a game is given up."""


class Solved(NamedTuple):
    """A game to solve."""

    rules: str
    dice: str
    sides: int

    @property
    def game(self) -> Rules:
        """Its rules."""
        return rules(self.rules, self.sides, tuple(map(int, self.dice.split(","))), payoffs="zero-sum")

    @property
    def key(self) -> kept.Key:
        """The key of its line."""
        return self.rules, self.dice, str(self.sides)

    @property
    def command(self) -> list[str]:
        """The command that solves it, without the name of the program."""
        game = ["--payoffs", "zero-sum", "--rules", self.rules, "--dice", self.dice, "--sides", str(self.sides)]
        return ["solve", *game, "--method", "double-oracle", "--json"]


GAMES = (
    *(Solved(name, dice, 6) for name in ("common", "face-first", "ones-low", "top-wild") for dice in ("1,2", "2,1")),
    Solved("common", "1,3", 6),
    Solved("common", "3,1", 6),
    Solved("common", "2,2", 5),
    Solved("face-first", "2,2", 5),
    Solved("joker", "2,2", 5),
    Solved("common", "2,2", 6),
    Solved("joker", "2,2", 6),
    Solved("joker", "3,2", 4),
    Solved("common", "3,3", 4),
)


def measured(one: Solved) -> kept.Line:
    """Solve a game, and return its line."""
    ended = alone(sys.executable, "-m", "liarsdice_cli", *one.command, limit=LIMIT)
    if ended.code != 0:
        sys.exit(f"{' '.join(one.command)}: exit code {ended.code}")
    said = json.loads(ended.text)
    lower, upper = said["profiles"][0]["bounds"]
    if lower != upper:
        sys.exit(f"{' '.join(one.command)}: bounds only")
    found = said["parameters"]
    sizes = str(found["rounds"]), str(found["histories"]), " + ".join(map(str, found["sequences"])), str(found["digits"])
    used = f"{ended.processor_seconds:.1f}", f"{ended.megabytes:.0f}"
    return dict(zip(_COLUMNS, (*one.key, lower, *sizes, *used), strict=True))


def known() -> dict[kept.Key, kept.Line]:
    """Return the lines of the file."""
    return kept.read(NUMBERS, _KEY)


def table() -> Iterator[str]:
    """Yield the lines of the page's table."""
    head = ("rules", "dice", "sides", "bids", "nodes", "value to player 1", "rounds", "histories", "sequences", "digits")
    yield f"| {' | '.join((*head, 'processor time', 'memory'))} |"
    yield "|---" * (len(head) + 2) + "|"
    lines = known()
    for one in GAMES:
        line = lines.get(one.key)
        if line is not None:
            yield f"| {' | '.join(_cells(one, line))} |"


def _cells(one: Solved, line: kept.Line) -> Iterator[str]:
    from liarsdice_cli.games.liarsdice.tree import Counts

    yield from (*one.key, str(one.game.bid_count), f"{round(Counts.of(one.game).nodes / 1e6):,} million", line["value"])
    yield from (line["rounds"], f"{int(line['histories']):,}")
    yield " + ".join(f"{int(size):,}" for size in line["sequences"].split(" + "))
    yield from (line["digits"], f"{float(line['seconds']):,.0f} s", f"{line['megabytes']} MB")


def page(text: str) -> str:
    """Return the page with its table generated from the file."""
    return kept.replaced(text, "python benchmarks/double_oracle.py", table())


def main() -> None:
    order = {one.key: number for number, one in enumerate(GAMES)}

    def write(lines: dict[kept.Key, kept.Line]) -> None:
        kept.write(NUMBERS, _COLUMNS, (lines[key] for key in sorted(lines, key=lambda key: order[key])))

    wanted = (kept.Wanted(one.key, "-".join(one.key), "", partial(measured, one)) for one in GAMES)
    kept.complete(known(), wanted, write, __doc__)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

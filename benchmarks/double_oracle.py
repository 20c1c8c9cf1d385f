"""`python benchmarks/double_oracle.py`: measure exact solutions without a tree; an hour and a quarter for all.

It solves the games that docs/double-oracle.csv lacks, and writes the table in docs/results.md. Each game has its own process;
seconds are processor seconds, start-up included. `--again joker-2,2-6` solves one game again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from benchmarks.measure import LIARSDICE, run_alone
from benchmarks.results import Key, Line, Page, Results, Wanted, markdown
from benchmarks.solving import Game
from liarsdice_cli.solvers.registry import DOUBLE_ORACLE
from liarsdice_cli.studies.valuation import Valuation

KEY = ("rules", "dice", "sides")
COLUMNS = (*KEY, "value", "rounds", "histories", "sequences", "digits", "seconds", "megabytes")
RESULTS = Results("double-oracle.csv", KEY, COLUMNS)
GAMES = (
    *(Game(name, 6, dice) for name in ("common", "face-first", "ones-low", "top-wild") for dice in ("1,2", "2,1")),
    Game("common", 6, "1,3"),
    Game("common", 6, "3,1"),
    Game("common", 5, "2,2"),
    Game("face-first", 5, "2,2"),
    Game("joker", 5, "2,2"),
    Game("top-wild", 5, "2,2"),
    Game("common", 6, "2,2"),
    Game("face-first", 6, "2,2"),
    Game("joker", 6, "2,2"),
    Game("joker", 4, "3,2"),
    Game("common", 4, "3,3"),
    Game("common", 6, "3,2"),
    Game("common", 6, "2,3"),
)


def key_of(game: Game) -> Key:
    """Return the key of a game's line."""
    return game.preset, game.dice, str(game.sides)


def measured(game: Game) -> Iterator[Line]:
    """Solve a game, and yield its line."""
    rules = ["--payoffs", "zero-sum", "--rules", game.preset, "--dice", game.dice, "--sides", str(game.sides)]
    ended = run_alone(*LIARSDICE, "solve", *rules, "--method", "double-oracle", "--json")
    if ended.code != 0:
        sys.exit(f"{game}: exit code {ended.code}")
    lower, upper = ended.json["profiles"][0]["bounds"]
    if lower != upper:
        sys.exit(f"{game}: bounds only")
    found = ended.json["parameters"]
    sizes = found["rounds"], found["histories"], " + ".join(map(str, found["sequences"])), found["digits"]
    yield RESULTS.line(*key_of(game), lower, *sizes, f"{ended.processor_seconds:.1f}", f"{ended.megabytes:.0f}")


def wanted() -> list[Wanted]:
    """Return the solutions of all games."""
    return [Wanted(key_of(game), "-".join(key_of(game)), partial(measured, game)) for game in GAMES]


def proved() -> Iterator[Valuation]:
    """Yield the values of the games that are solved."""
    for one in RESULTS.read().values():
        value = Fraction(one["value"])
        rules = Game(one["rules"], int(one["sides"]), one["dice"]).rules
        yield Valuation(rules, DOUBLE_ORACLE, value, value, float(one["seconds"]))


def table() -> Iterator[str]:
    """Yield the lines of the page's table."""
    head = ("rules", "dice", "sides", "bids", "nodes", "value to player 1", "rounds", "histories")
    lines = RESULTS.read()
    rows = (_cells(game, lines[key_of(game)]) for game in GAMES if key_of(game) in lines)
    return markdown((*head, "processor time", "memory"), rows)


def _cells(game: Game, line: Line) -> Iterator[str]:
    from liarsdice_cli.games.liarsdice.tree import Counts

    yield from (*key_of(game), str(game.rules.bid_count), f"{round(Counts.of(game.rules).nodes / 1e6):,} million")
    yield from (line["value"], line["rounds"], f"{int(line['histories']):,}")
    yield from (f"{float(line['seconds']):,.0f} s", f"{line['megabytes']} MB")


PAGE = Page("results.md", {"python benchmarks/double_oracle.py": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()

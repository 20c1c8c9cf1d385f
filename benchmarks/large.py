"""`make large`: solve the large games that docs/large-games.csv lacks, and write the tables of solved games in docs/results.md.

Each run is a command in its own process. Its JSON document is stored in docs/runs/, and its cost in docs/large-games.csv, one
line for each game. Minutes to hours a line, half a day for all. `--again common-3-3` solves one game again.

Some games need a GPU. Their seconds are those of the iterations, and their bounds those that the processor computes at the end.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import LIARSDICE, run_alone
from benchmarks.results import DOCS, Key, Line, Page, Results, Wanted, markdown
from benchmarks.solving import Game
from liarsdice_cli.solvers.regret.minimisers import DEFAULT
from liarsdice_cli.studies.valuation import Valuation

RUNS = DOCS / "runs"
KEY = ("rules", "dice", "gpu")
COLUMNS = (
    *(*KEY, "bids", "target", "time_limit", "lower", "upper", "payoffs", "exploitability", "verified", "file_bytes"),
    *("iterations", "histories", "row_bytes", "processor_seconds", "seconds", "peak_mb"),
)
RESULTS = Results("large-games.csv", KEY, COLUMNS)
DAY = 24 * 3600


class Large(NamedTuple):
    """A game with six sides, its target exploitability, its time limit in seconds, and whether to solve it on a GPU."""

    rules: str
    dice: str
    target: float
    time_limit: int
    on_gpu: bool = False

    @property
    def name(self) -> str:
        """The name of its run."""
        return f"{self.rules}-{self.dice.replace(',', '-')}{'-gpu' * self.on_gpu}"

    @property
    def key(self) -> Key:
        """The key of its line."""
        return self.rules, self.dice, "yes" * self.on_gpu

    @property
    def command(self) -> list[str]:
        """Its command, without the name of the program."""
        game = ["--payoffs", "zero-sum", "--sides", "6", "--rules", self.rules, "--dice", self.dice]
        limits = ["--target", f"{self.target:g}", "--time-limit", str(self.time_limit)]
        where = ["--cluster", "gpu"] if self.on_gpu else []
        return ["solve", *game, *limits, *where, "--json", "-o", f"{self.name}.ldz"]


FOR_TWO = (
    Large("common", "2,2", 1e-5, 600),
    Large("joker", "2,2", 1e-4, 600),
    Large("top-wild", "2,2", 1e-3, 600),
    Large("joker", "3,2", 1e-3, 600),
    Large("top-wild", "3,2", 1e-3, 3600),
    Large("common", "3,3", 1e-4, 3600),
    Large("joker", "3,3", 1e-3, 9000),
    Large("dudo", "3,3", 1e-2, 3600),
    Large("perudo", "3,3", 1e-2, 3600),
    Large("common", "4,3", 1e-3, 300),
    Large("common", "4,4", 1e-3, 3600),
    Large("common", "5,4", 5e-3, 3600),
    Large("common", "4,5", 5e-3, 3600),
    Large("common", "5,5", 5e-3, 2700),
    Large("common", "5,5", 1e-3, 170, on_gpu=True),
    Large("joker", "4,4", 1e-2, 8000),
    Large("joker", "4,4", 1e-2, 85, on_gpu=True),
    Large("joker", "5,5", 5e-2, 10000),
    Large("dudo", "4,4", 3e-2, 7200),
    Large("perudo", "4,4", 3e-2, 9000),
    Large("ones-low", "4,4", 1e-2, 4800),
)
FOR_MORE = (
    Large("joker", "1,1,1", 1e-6, 60),
    Large("common", "1,1,1", 1e-5, 60),
    Large("joker", "2,1,1", 1e-3, 60),
    Large("joker", "2,2,1", 1e-3, 60),
    Large("common", "2,2,2", 1e-3, 60),
    Large("joker", "1,1,1,1", 1e-4, 60),
    Large("joker", "1,1,1,1,1", 1e-3, 60),
)


def measured(game: Large) -> Iterator[Line]:
    """Run a game, store the JSON document, and yield its line, with the exploitability that `verify` finds for the file."""
    print(f"{game.name}: liarsdice {' '.join(game.command)}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        solved = run_alone(*LIARSDICE, *game.command, limit=DAY, folder=folder)
        said = solved.json
        (RUNS / f"{game.name}.json").write_text(solved.text, encoding="utf-8")
        verified = run_alone(*LIARSDICE, "verify", f"{game.name}.ldz", "--json", limit=DAY, folder=folder).json
        file_bytes = (folder / f"{game.name}.ldz").stat().st_size
    run, (one, *_), for_two = said["run_history"], said["profiles"], len(said["players"]) == 2
    yield RESULTS.line(
        *(*game.key, Game(game.rules, 6, game.dice).rules.bid_count, f"{game.target:g}", game.time_limit),
        *(one["bounds"] if game.on_gpu else run["proved"] if for_two else ("", "")),
        " ".join(f"{payoff:.9f}" for payoff in one["payoffs"]),
        *(f"{found['exploitability'] if for_two else max(found['regrets']):.3g}" for found in (one, verified)),
        *(file_bytes, run["iterations"], said["parameters"]["histories"], said["parameters"]["bytes"]),
        f"{solved.processor_seconds:.1f}",
        f"{run['samples'][-1][1] if game.on_gpu else solved.seconds:.1f}",
        f"{solved.megabytes:.0f}",
    )


def wanted() -> list[Wanted]:
    """Return the runs of all games."""
    return [Wanted(game.key, game.name, partial(measured, game)) for game in (*FOR_TWO, *FOR_MORE)]


def _table(games: Sequence[Large], for_two: bool) -> Iterator[str]:
    lines = RESULTS.read()
    worth = ("value to player 1", "exploitability") if for_two else ("payoffs found", "largest regret")
    took = ("by the file", "iterations", "expanded histories", "their memory", "processor time", "wall time", "process memory")
    rows = (_row(lines[game.key], for_two) for game in games if game.key in lines)
    return markdown(("rules", "dice", "bids", *worth, *took), rows)


def _row(one: Line, for_two: bool) -> Iterator[str]:
    yield from (one["rules"], one["dice"], one["bids"])
    if for_two:
        lower, upper = float(one["lower"]), float(one["upper"])
        digits = next((digits for digits in range(3, 12) if (upper - lower) * 10**digits > 10), 12)
        outwards = math.floor(lower * 10**digits) / 10**digits, math.ceil(upper * 10**digits) / 10**digits
        yield " .. ".join(f"{end:.{digits}f}" for end in outwards)
    else:
        yield ", ".join(f"{float(payoff):.4f}" for payoff in one["payoffs"].split())
    for column in ("exploitability", "verified"):
        yield f"{float(one[column]):.1e}".replace("e-0", "e-") if one[column] else ""
    yield from (f"{int(one[column]):,}" for column in ("iterations", "histories"))
    yield _memory(float(one["row_bytes"]) / 1e6)
    for column, where in (("processor_seconds", ""), ("seconds", " (GPU)" if one["gpu"] else "")):
        yield f"{float(one[column]):,.0f} s{where}" if one[column] else ""
    yield _memory(float(one["peak_mb"])) if one["peak_mb"] else ""


def _memory(megabytes: float) -> str:
    if megabytes >= 999.5:
        return f"{megabytes / 1000:.1f} GB"
    return f"{megabytes:.0f} MB" if megabytes >= 10 else f"{megabytes:.1f} MB"


def proved() -> Iterator[Valuation]:
    """Yield the values of the two-player games."""
    for one in RESULTS.read().values():
        if one["lower"]:
            bounds = float(one["lower"]), float(one["upper"])
            game = Game(one["rules"], 6, one["dice"]).rules
            yield Valuation(game, DEFAULT, *bounds, float(one["seconds"]), int(one["iterations"]))


PAGE = Page(
    "results.md",
    {
        "make large, two players": partial(_table, FOR_TWO, for_two=True),
        "make large, more players": partial(_table, FOR_MORE, for_two=False),
    },
)

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()

"""`make large`: solve large games, and write the tables of solved games in docs/results.md.

Each run is a command in its own process. Its JSON document is stored in docs/runs/, and its cost in docs/large-games.csv, one
line for each game. Existing lines are not measured again: delete a line to measure its game. All games take hours. Arguments
such as common-3-3 name the only games to measure.

Some games need a GPU. Their seconds are those of the iterations.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept
from benchmarks.kept import DOCS
from benchmarks.measure import ROOT
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.regret.minimisers import DEFAULT
from liarsdice_cli.studies.valuation import Valuation

NUMBERS, PAGE, RUNS = DOCS / "large-games.csv", DOCS / "results.md", DOCS / "runs"
_KEY = ("rules", "dice", "gpu")
_COLUMNS = (
    *_KEY,
    "bids",
    "target",
    "time_limit",
    "lower",
    "upper",
    "payoffs",
    "exploitability",
    "verified",
    "file_bytes",
    "iterations",
    "histories",
    "row_bytes",
    "processor_seconds",
    "seconds",
    "peak_mb",
)


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
    def key(self) -> kept.Key:
        """The key of its line."""
        return self.rules, self.dice, "yes" * self.on_gpu

    @property
    def command(self) -> list[str]:
        """Its command line."""
        game = ["--payoffs", "zero-sum", "--sides", "6", "--rules", self.rules, "--dice", self.dice]
        limits = ["--target", f"{self.target:g}", "--time-limit", str(self.time_limit)]
        where = ["--cluster", "gpu"] if self.on_gpu else []
        return ["liarsdice", "solve", *game, *limits, *where, "--json", "-o", f"{self.name}.ldz"]


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
    Large("common", "5,5", 5e-3, 5400),
    Large("common", "5,5", 1e-3, 170, on_gpu=True),
    Large("joker", "4,4", 1e-2, 85, on_gpu=True),
    Large("joker", "5,5", 5e-2, 10000),
    Large("dudo", "4,4", 3e-2, 50, on_gpu=True),
    Large("perudo", "4,4", 3e-2, 9000),
    Large("ones-low", "4,4", 1e-2, 7500),
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


def measured(game: Large) -> kept.Line:
    """Run a game, store the JSON document, and return its line, with the exploitability that `verify` finds for the file."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        text, used = _output(game.command, folder)
        seconds = time.perf_counter() - begun
        verified = json.loads(_output(["liarsdice", "verify", f"{game.name}.ldz", "--json"], folder)[0])
        file_bytes = (Path(folder) / f"{game.name}.ldz").stat().st_size
    said = json.loads(text)
    (RUNS / f"{game.name}.json").write_text(text, encoding="utf-8")
    run, (one, *_) = said["run_history"], said["profiles"]
    lower, upper = run["proved"] if len(said["players"]) == 2 else ("", "")
    return {
        **dict(zip(_KEY, game.key, strict=True)),
        "bids": str(_bids(game)),
        "target": f"{game.target:g}",
        "time_limit": str(game.time_limit),
        "lower": str(lower),
        "upper": str(upper),
        "payoffs": " ".join(f"{payoff:.9f}" for payoff in one["payoffs"]),
        "exploitability": f"{one['exploitability'] if lower != '' else max(one['regrets']):.3g}",
        "verified": f"{verified['exploitability'] if lower != '' else max(verified['regrets']):.3g}",
        "file_bytes": str(file_bytes),
        "iterations": str(run["iterations"]),
        "histories": str(said["parameters"]["histories"]),
        "row_bytes": str(said["parameters"]["bytes"]),
        "processor_seconds": f"{used.ru_utime + used.ru_stime:.1f}",
        "seconds": f"{run['samples'][-1][1] if game.on_gpu else seconds:.1f}",
        "peak_mb": f"{used.ru_maxrss / 1024 * 1.048576:.0f}",
    }


def _output(command: list[str], folder: str) -> tuple[str, Any]:
    """Run a command in this folder; return its output and its resource usage."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        program = [sys.executable, "-m", "liarsdice_cli", *command[1:]]
        child = Popen(program, stdout=out, stderr=DEVNULL, cwd=folder, env=environment)
        _, _, used = os.wait4(child.pid, 0)
        out.seek(0)
        return out.read(), used


def _bids(game: Large) -> int:
    return rules(game.rules, 6, [int(dice) for dice in game.dice.split(",")]).bid_count


def _table(lines: dict[kept.Key, kept.Line], games: Sequence[Large], for_two: bool) -> Iterator[str]:
    worth = ("value to player 1", "exploitability") if for_two else ("payoffs found", "largest regret")
    took = ("by the file", "iterations", "expanded histories", "their memory", "processor time", "wall time", "process memory")
    head = ("rules", "dice", "bids", *worth, *took)
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for game in games:
        one = lines.get(game.key)
        if one is not None:
            yield f"| {' | '.join(_row(one, for_two))} |"


def _row(one: kept.Line, for_two: bool) -> Iterator[str]:
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


def page(text: str, lines: dict[kept.Key, kept.Line]) -> str:
    """Return the page with its tables generated from these lines."""
    text = kept.replaced(text, "make large, two players", _table(lines, FOR_TWO, for_two=True))
    return kept.replaced(text, "make large, more players", _table(lines, FOR_MORE, for_two=False))


def known() -> dict[kept.Key, kept.Line]:
    """Return the measured lines by their keys."""
    return kept.read(NUMBERS, _KEY)


def proved() -> Iterator[Valuation]:
    """Yield the values of the two-player games."""
    for one in known().values():
        if one["lower"]:
            game = rules(one["rules"], 6, tuple(map(int, one["dice"].split(","))), payoffs="zero-sum")
            bounds = float(one["lower"]), float(one["upper"])
            yield Valuation(game, DEFAULT, *bounds, float(one["seconds"]), int(one["iterations"]))


def main(*names: str) -> None:
    games, lines = [*FOR_TWO, *FOR_MORE], known()
    for game in games:
        if (game.name in names) if names else game.key not in lines:
            print(f"{game.name}: {' '.join(game.command)}", flush=True)
            found = measured(game)
            lines = known() | {game.key: found}  # another process may have added lines
            lines = {one.key: lines[one.key] for one in games if one.key in lines}
            kept.write(NUMBERS, _COLUMNS, lines.values())
            PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

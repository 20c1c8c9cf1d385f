"""`python benchmarks/growth.py`: compare expansion thresholds over several games.

It writes docs/growth.csv, and from it the table in docs/results.md. Seconds are processor seconds. Each run has its own process
and one thread. `--tables` writes the table only.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept
from benchmarks.kept import DOCS
from benchmarks.measure import alone
from benchmarks.minimisers import GAMES, Game

PAGE, NUMBERS = DOCS / "results.md", DOCS / "growth.csv"
KEY = ("rules", "sides", "dice", "threshold", "target")
COLUMNS = (*KEY, "iterations", "seconds", "megabytes")
TARGETS = (3e-3, 1e-3, 1e-4)
STEP = 1.1
"""Ratio of the iterations of two successive computations of bounds; the time of the bounds does not count."""
MEASURED = (*GAMES[:-1], Game("joker", 6, "2,2", 10), Game("common", 6, "2,2", 8))
SCHEDULES: dict[str, Callable[[int, float], float]] = {
    "0": lambda iteration, exploitability: 0.0,
    "1e-4": lambda iteration, exploitability: 1e-4,
    "0.01 / t": lambda iteration, exploitability: 0.01 / iteration,
    "0.1 / t": lambda iteration, exploitability: 0.1 / iteration,
    "1 / t": lambda iteration, exploitability: 1 / iteration,
    "e / 30": lambda iteration, exploitability: exploitability / 30,
}
"""The threshold as a function of iteration t, or of the last proved exploitability e."""


def run(game: Game, schedule: str) -> list[list[float]]:
    """Return for each reached target: target, iterations, processor seconds, megabytes; payoffs are 1 and -1."""
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.games.liarsdice.rules import rules
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

    public = public_game(rules(game.preset, game.sides, tuple(map(int, game.dice.split(","))), payoffs="zero-sum"))
    solver = PublicTree(public, minimiser(DEFAULT), 1)
    solver.compile()
    found: list[list[float]] = []
    seconds, look, exploitability = 0.0, 1.0, 1.0
    while seconds < game.seconds and len(found) < len(TARGETS):
        begun = time.process_time()
        while solver.iteration < look:
            solver.expansion_threshold = SCHEDULES[schedule](solver.iteration + 1, exploitability) * (solver.iteration + 1)
            solver.iterate()
        seconds += time.process_time() - begun
        exploitability = solver.bounds().exploitability
        while len(found) < len(TARGETS) and exploitability <= TARGETS[len(found)]:
            found.append([TARGETS[len(found)], solver.iteration, seconds, solver.store.bytes_used / 1e6])
        look = max(look * STEP, solver.iteration + 1)
    return found


def lines() -> Iterator[kept.Line]:
    """Measure all games and schedules; yield a line for every target that is reached."""
    for number, game in enumerate(MEASURED):
        for schedule in SCHEDULES:
            ended = alone(sys.executable, "benchmarks/growth.py", "--run", str(number), schedule, limit=3600)
            for target, count, seconds, megabytes in json.loads(ended.text) if ended.code == 0 else []:
                numbers = f"{target:g}", f"{count:.0f}", f"{seconds:.1f}", f"{megabytes:.1f}"
                cells = game.preset, str(game.sides), game.dice, schedule, *numbers
                yield dict(zip(COLUMNS, cells, strict=True))


def table(known: dict[kept.Key, kept.Line]) -> Iterator[str]:
    """Yield the lines of the page's table: for every game, the seconds and megabytes to the middle target, by schedule."""
    yield "| game | " + " | ".join(SCHEDULES) + " |"
    yield "|---" * (1 + len(SCHEDULES)) + "|"
    for game in MEASURED:
        at = (known.get((game.preset, str(game.sides), game.dice, name, f"{TARGETS[1]:g}")) for name in SCHEDULES)
        cells = (f"{one['seconds']} s, {one['megabytes']} MB" if one else "-" for one in at)
        yield f"| {game} | {' | '.join(cells)} |"


def page(text: str) -> str:
    """Return the page with its table generated from the file."""
    return kept.replaced(text, "python benchmarks/growth.py", table(kept.read(NUMBERS, KEY)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(run(MEASURED[int(sys.argv[2])], sys.argv[3])))
        sys.exit()
    if sys.argv[1:] != ["--tables"]:
        kept.write(NUMBERS, COLUMNS, lines())
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

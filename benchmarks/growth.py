"""`python benchmarks/growth.py`: above which reach a history should grow, measured over several games.

Writes the tables of growth.md again. Processor seconds count, not the clock; each run is a process of its own on one thread.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import alone
from benchmarks.minimisers import GAMES, Game

PAGE = Path(__file__).parent / "growth.md"
BEGIN, END = "<!-- begin: python benchmarks/growth.py -->\n", "<!-- end: python benchmarks/growth.py -->\n"
TARGETS = (3e-3, 1e-3, 1e-4)
STEP = 1.1
"""Bounds are computed whenever the iterations have grown by this factor, outside the time."""
MEASURED = (*GAMES[:-1], Game("joker", 6, "2,2", 10), Game("common", 6, "2,2", 8))
SCHEDULES: dict[str, Callable[[int, float], float]] = {
    "0": lambda iteration, exploitability: 0.0,
    "1e-4": lambda iteration, exploitability: 1e-4,
    "0.01 / t": lambda iteration, exploitability: 0.01 / iteration,
    "0.1 / t": lambda iteration, exploitability: 0.1 / iteration,
    "1 / t": lambda iteration, exploitability: 1 / iteration,
    "e / 30": lambda iteration, exploitability: exploitability / 30,
}
"""The threshold by iteration t, or by the exploitability e that was proved last."""


def run(game: Game, schedule: str) -> list[list[float]]:
    """For each target that is reached: it, the iterations, processor seconds, megabytes; payoffs 1 and -1."""
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.games.liarsdice.rules import rules
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

    public = public_game(rules(game.preset, game.sides, tuple(map(int, game.dice.split(","))), payoffs="zero-sum"))
    solver = PublicTree(public, minimiser(DEFAULT), 1)
    solver.compile()
    found, seconds, look, exploitability = [], 0.0, 1.0, 1.0
    while seconds < game.seconds and len(found) < len(TARGETS):
        begun = time.process_time()
        while solver.iteration < look:
            solver.expansion_threshold = SCHEDULES[schedule](solver.iteration + 1, exploitability) * (solver.iteration + 1)
            solver.iterate()
        seconds += time.process_time() - begun
        exploitability = solver.bounds().exploitability
        while len(found) < len(TARGETS) and exploitability <= TARGETS[len(found)]:
            found.append([TARGETS[len(found)], solver.iteration, seconds, solver.tree.bytes_used / 1e6])
        look = max(look * STEP, solver.iteration + 1)
    return found


def table() -> Iterator[str]:
    """For every game the seconds and megabytes to each target, by schedule."""
    for number, game in enumerate(MEASURED):
        yield f"\n### {game}, {game.seconds:g} s\n"
        yield "| threshold | " + " | ".join(f"to {target:.0e} | s | MB" for target in TARGETS) + " |"
        yield "|---|" + "---|" * (3 * len(TARGETS))
        for schedule in SCHEDULES:
            ended = alone(sys.executable, "benchmarks/growth.py", "--run", str(number), schedule, limit=3600)
            found = json.loads(ended.text) if ended.code == 0 else []
            cells = [f"{count:.0f} | {seconds:.1f} | {megabytes:.1f}" for _, count, seconds, megabytes in found]
            cells += ["- | - | -"] * (len(TARGETS) - len(cells))
            yield f"| {schedule} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(run(MEASURED[int(sys.argv[2])], sys.argv[3])))
        sys.exit()
    page = PAGE.read_text()
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n".join(table()) + "\n\n" + END + after)

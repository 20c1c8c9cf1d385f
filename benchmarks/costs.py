"""`make costs`: measure the time and memory of solving, by game and target, and fit the model that `liarsdice info` uses.

It writes docs/costs.csv and the table in docs/results.md, then prints the coefficients of `solvers.public_tree.cost`. Each run
is `dcfr+` on one thread, in its own process, with compiled code. Its processor time includes the bounds. Existing lines are
not measured again. `--tables` measures nothing.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from math import log10
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept, large
from benchmarks.kept import DOCS
from benchmarks.measure import alone
from benchmarks.minimisers import Game
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.solvers.public_tree import cost

PAGE, NUMBERS = DOCS / "results.md", DOCS / "costs.csv"
KEY = ("rules", "sides", "dice", "target")
COLUMNS = (*KEY, "iterations", "histories", "seconds", "megabytes")
TARGETS = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001, 0.0005)
SHOWN = 0.1, 0.01, 0.001
FITTED = (
    ("common", "3,3"),
    ("common", "4,4"),
    ("common", "4,5"),
    ("common", "5,4"),
    ("common", "5,5"),
    ("joker", "5,5"),
    ("dudo", "3,3"),
    ("perudo", "3,3"),
)
"""The rows of `make large` for the fit. All rows over a minute would make the model three times too high for `joker` 5,5."""
STEP = 1.12
"""Ratio of the iterations of two successive computations of bounds."""
LEAST, LOOSEST = 0.3, 0.1
"""The fewest processor seconds of a fitted run, and its loosest target. In shorter runs start-up and rounding dominate."""
LONG, LARGE = 100, 4.0
"""Runs of this many processor seconds or more have this weight, other runs have weight 1: the model is for long runs."""
MEASURED = (
    *(Game("common", 6, dice, 120) for dice in ("2,2", "3,2", "3,3", "4,3", "5,3", "4,4", "5,5")),
    *(Game("joker", 6, dice, 120) for dice in ("2,1", "2,2", "3,2", "3,3", "4,3")),
    *(Game("ones-low", 6, dice, 120) for dice in ("2,2", "3,2", "3,3")),
    *(Game("top-wild", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game("dudo", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game("perudo", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game(preset, 6, "4,4", 600) for preset in ("perudo", "dudo", "ones-low", "joker")),
    *(Game("face-first", 6, dice, 120) for dice in ("2,2", "3,3")),
    *(Game("snyd", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game("snyd", 4, dice, 120) for dice in ("3,3", "4,4")),
    *(Game("common", sides, dice, 60) for sides, dice in ((3, "4,4"), (4, "3,3"))),
    *(Game("joker", sides, dice, 60) for sides, dice in ((3, "4,4"), (4, "3,3"), (8, "2,2"))),
)


def rules_of(line: kept.Line) -> Rules:
    """Return the rules of a line."""
    return rules(line["rules"], int(line["sides"]), tuple(map(int, line["dice"].split(","))), payoffs="zero-sum")


def run(game: Game) -> list[list[float]]:
    """Return for each reached target: target, iterations, histories, processor seconds, megabytes; payoffs are 1 and -1."""
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

    dice = tuple(map(int, game.dice.split(",")))
    solver = PublicTree(public_game(rules(game.preset, game.sides, dice, payoffs="zero-sum")), minimiser(DEFAULT), 1)
    solver.compile()
    found, look, begun = list[list[float]](), 2.0, time.process_time()
    while time.process_time() - begun < game.seconds and len(found) < len(TARGETS):
        while solver.iteration < look:
            solver.iterate()
        exploitability = solver.bounds().exploitability
        while len(found) < len(TARGETS) and exploitability <= TARGETS[len(found)]:
            took, megabytes = time.process_time() - begun, solver.store.bytes_used / 1e6
            found.append([TARGETS[len(found)], solver.iteration, solver.store.histories, took, megabytes])
        look = max(look * STEP, solver.iteration + 1)
    return found


def measured(number: int) -> Iterator[kept.Line]:
    """Measure a game in its own process; yield a line for every target that it reaches."""
    game = MEASURED[number]
    ended = alone(sys.executable, "benchmarks/costs.py", "--run", str(number), limit=3600)
    for target, iterations, histories, seconds, megabytes in json.loads(ended.text) if ended.code == 0 else []:
        numbers = f"{target:g}", f"{iterations:.0f}", f"{histories:.0f}", f"{seconds:.2f}", f"{megabytes:.2f}"
        yield dict(zip(COLUMNS, (game.preset, str(game.sides), game.dice, *numbers), strict=True))


def from_large_games() -> Iterator[kept.Line]:
    """Yield the rows of `make large` for the fit."""
    for key in FITTED:
        if (one := large.known().get((*key, ""))) is not None:
            numbers = one["exploitability"], one["iterations"], one["histories"], one["processor_seconds"]
            megabytes = f"{float(one['row_bytes']) / 1e6:.2f}"
            yield dict(zip(COLUMNS, (one["rules"], "6", one["dice"], *numbers, megabytes), strict=True))


def to_fit() -> list[kept.Line]:
    """Return the lines for the fit."""
    measured = [*kept.read(NUMBERS, KEY).values(), *from_large_games()]
    long = (one for one in measured if float(one["seconds"]) >= LEAST and float(one["target"]) <= LOOSEST)
    return [one for one in long if cost.is_modelled(rules_of(one))]


def fitted() -> tuple[list[float], list[float]]:
    """Return the coefficients for the logarithms of processor seconds and of bytes, by weighted least squares."""
    lines = to_fit()
    features = np.array([cost.features(rules_of(one), float(one["target"])) for one in lines])
    seconds, megabytes = (np.log10([float(one[column]) for one in lines]) for column in ("seconds", "megabytes"))
    goals, weights = np.column_stack([seconds, megabytes + 6]), np.where(seconds >= log10(LONG), LARGE, 1.0)[:, None]
    found = np.linalg.lstsq(features * weights, goals * weights, rcond=None)[0].round(3).T.tolist()
    return found[0], found[1]


def table() -> Iterator[str]:
    """Yield the lines of the page's table: for every game and some targets, the measured cost and that of the model."""
    known = kept.read(NUMBERS, KEY)
    yield "| game | " + " | ".join(f"to {target:g} | model" for target in SHOWN) + " |"
    yield "|---" * (1 + 2 * len(SHOWN)) + "|"
    for game in MEASURED:
        cells = list[str]()
        for target in SHOWN:
            one = known.get((game.preset, str(game.sides), game.dice, f"{target:g}"))
            cells += (
                [f"{float(one['seconds']):.1f} s, {float(one['megabytes']):,.0f} MB", _model(one, target)] if one else ["", ""]
            )
        if any(cells):
            yield f"| {game} | {' | '.join(cells)} |"


def _model(one: kept.Line, target: float) -> str:
    if not cost.is_modelled(rules_of(one)):
        return "none"
    expected = cost.expected(rules_of(one), target)
    return f"{expected.processor_seconds:.1f} s, {expected.bytes / 1e6:,.0f} MB"


def page(text: str) -> str:
    """Return the page with its table generated again."""
    return kept.replaced(text, "make costs, cost", table())


def main() -> None:
    if "--tables" not in sys.argv:
        known = kept.read(NUMBERS, KEY)
        for number, game in enumerate(MEASURED):
            if not any(key[:3] == (game.preset, str(game.sides), game.dice) for key in known):
                print(game, flush=True)
                known |= {tuple(line[column] for column in KEY): line for line in measured(number)}
                kept.write(NUMBERS, COLUMNS, known.values())
    for name, coefficients in zip(("SECONDS", "BYTES"), fitted(), strict=True):
        print(name, "=", tuple(coefficients))
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(run(MEASURED[int(sys.argv[2])])))
    else:
        main()

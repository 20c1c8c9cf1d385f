"""`make costs`: measure the time and memory of solving, by game and target, and fit the model that `liarsdice info` uses.

It measures the games that docs/costs.csv lacks, writes the table in docs/results.md, and prints the coefficients of
`solvers.public_tree.cost`; an hour for all. Each run is `dcfr+` on one thread, in its own process, with compiled code. Its
processor time includes the bounds. `--again common-3-2,2` measures one game again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log10

import numpy as np

from benchmarks import large
from benchmarks.measure import call_alone
from benchmarks.results import Key, Line, Page, Results, Wanted, markdown
from benchmarks.solving import Game, samples
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.solvers.public_tree import cost

KEY = ("rules", "sides", "dice", "target")
RESULTS = Results("costs.csv", KEY, (*KEY, "iterations", "histories", "seconds", "megabytes"))
TARGETS = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001, 0.0005)
SHOWN = 0.1, 0.01, 0.001
STEP = 1.12
"""Ratio of the iterations of two successive computations of bounds."""
LEAST, LOOSEST = 0.1, 0.1
"""The fewest processor seconds of a fitted run, and its loosest target. In shorter runs start-up and rounding dominate."""
LONG, WEIGHT = 100, 4.0
"""Runs of this many processor seconds or more have this weight, other runs have weight 1: the model is for long runs."""
OLDER: tuple[Key, ...] = (
    ("joker", "3,3", ""),
    ("joker", "5,5", ""),
    ("perudo", "4,4", ""),
)
"""The games of `make large` that an earlier solver solved. The model is fitted to the others, too."""
MEASURED = (
    *(Game("common", 6, dice, 120) for dice in ("2,2", "3,2", "3,3", "4,3", "5,3", "4,4")),
    *(Game("joker", 6, dice, 120) for dice in ("2,1", "2,2", "3,2", "4,3")),
    *(Game("ones-low", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game(preset, 6, "3,3", 240) for preset in ("joker", "ones-low")),
    Game("common", 6, "5,5", 240),
    *(Game("top-wild", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game("dudo", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game("perudo", 6, dice, 120) for dice in ("2,2", "3,2")),
    *(Game(preset, 6, "4,4", 300) for preset in ("perudo", "dudo", "ones-low", "joker")),
    *(Game("face-first", 6, dice, 120) for dice in ("2,2", "3,3")),
    *(Game("snyd", 6, dice, 60) for dice in ("2,2", "3,2")),
    *(Game("snyd", 4, dice, 60) for dice in ("3,3", "4,4")),
    *(Game("common", sides, dice, 60) for sides, dice in ((3, "4,4"), (4, "3,3"))),
    *(Game("joker", sides, dice, 60) for sides, dice in ((3, "4,4"), (4, "3,3"), (8, "2,2"))),
)


def rules_of(line: Line) -> Rules:
    """Return the rules of a line."""
    return Game(line["rules"], int(line["sides"]), line["dice"]).rules


def run(game: Game) -> list[list[float]]:
    """Return for each reached target: target, iterations, histories, processor seconds, megabytes."""
    solver, found = game.solver(), list[list[float]]()
    solver.compile()
    for sample in samples(solver, STEP, first=2):
        seconds, megabytes = sample.seconds + sample.bounds_seconds, solver.store.bytes_used / 1e6
        reached = [target for target in TARGETS[len(found) :] if sample.exploitability <= target]
        found += [[target, sample.iteration, solver.store.histories, seconds, megabytes] for target in reached]
        if seconds >= game.seconds or len(found) == len(TARGETS):
            break
    return found


def measured(game: Game) -> Iterator[Line]:
    """Yield a line for every target that a run reaches."""
    ended = call_alone(run, game)
    for target, iterations, histories, seconds, megabytes in ended.json if ended.code == 0 else []:
        numbers = f"{target:g}", f"{iterations:.0f}", f"{histories:.0f}", f"{seconds:.2f}", f"{megabytes:.2f}"
        yield RESULTS.line(*game.key, *numbers)


def wanted() -> list[Wanted]:
    """Return the runs of all games."""
    return [Wanted(game.key, "-".join(game.key), partial(measured, game)) for game in MEASURED]


def to_fit() -> list[Line]:
    """Return the lines for the fit: of the runs here, and of some large games."""
    large_games = (one for key, one in large.RESULTS.read().items() if one["lower"] and not one["gpu"] and key not in OLDER)
    long = (one for one in RESULTS.read().values() if float(one["seconds"]) >= LEAST and float(one["target"]) <= LOOSEST)
    return [*(one for one in long if cost.is_modelled(rules_of(one))), *map(_of_a_large_game, large_games)]


def _of_a_large_game(one: Line) -> Line:
    """Return a line of `make large` with the columns of this module."""
    game, took = (one["rules"], "6", one["dice"], one["exploitability"]), (one["iterations"], one["histories"])
    return RESULTS.line(*game, *took, one["processor_seconds"], f"{float(one['row_bytes']) / 1e6:.2f}")


def fitted() -> tuple[list[float], list[float]]:
    """Return the coefficients for the logarithms of processor seconds and of bytes, by weighted least squares."""
    lines = to_fit()
    features = np.array([cost.features(rules_of(one), float(one["target"])) for one in lines])
    seconds, megabytes = (np.log10([float(one[column]) for one in lines]) for column in ("seconds", "megabytes"))
    goals, weights = np.column_stack([seconds, megabytes + 6]), np.where(seconds >= log10(LONG), WEIGHT, 1.0)[:, None]
    found = np.linalg.lstsq(features * weights, goals * weights, rcond=None)[0].round(3).T.tolist()
    return found[0], found[1]


def table() -> Iterator[str]:
    """Yield the page's table: for every game and some targets, the measured cost and that of the model."""
    known, rows = RESULTS.read(), []
    for game in MEASURED:
        lines = [known.get((*game.key, f"{target:g}")) for target in SHOWN]
        if any(lines):
            rows.append([str(game), *(cell for line in lines for cell in _cells(line))])
    return markdown(["game", *(cell for target in SHOWN for cell in (f"to {target:g}", "model"))], rows)


def _cells(line: Line | None) -> tuple[str, str]:
    """Return the measured cost and that of the model."""
    if line is None:
        return "", ""
    found = f"{float(line['seconds']):.1f} s, {float(line['megabytes']):,.0f} MB"
    if not cost.is_modelled(rules_of(line)):
        return found, "none"
    expected = cost.expected(rules_of(line), float(line["target"]))
    return found, f"{expected.processor_seconds:.1f} s, {expected.bytes / 1e6:,.0f} MB"


PAGE = Page("results.md", {"make costs, cost": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    for name, coefficients in zip(("SECONDS", "BYTES"), fitted(), strict=True):
        print(name, "=", tuple(coefficients))
    PAGE.write()

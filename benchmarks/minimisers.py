"""`python benchmarks/minimisers.py`: compare the regret minimisers over several games, to choose the default.

It writes docs/minimisers.csv, and the summary in docs/results.md. It counts iterations and processor seconds, so other work on
the machine has little influence. Each run has its own process and one thread.

To compare only some minimisers, name them: they run in float64, and the results go to standard output. `dcfr+/1.5/4` is dcfr+
with discount t^1.5 and an average weighted by t^4, `cfr+//2` is cfr+ with an average weighted by t^2. `dcfr+@30` is dcfr+ on a
schedule (see `scheduled`), and `dcfr+!halved` restarts its averages (see `Restarts`).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept
from benchmarks.kept import DOCS
from benchmarks.measure import alone
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, Minimiser, growing_weight, minimiser, power_discount

PAGE, NUMBERS = DOCS / "results.md", DOCS / "minimisers.csv"
TARGETS = (1e-3, 1e-4, 1e-5)
STEP = 1.05
"""Ratio of the iterations of two successive computations of bounds; the time of the bounds does not count."""
COLUMNS = (
    *("rules", "sides", "dice", "minimiser", *(f"target_{target:.0e}" for target in TARGETS), "seconds"),
    *("after_sixteenth", "after_quarter", "after_all", "ms_an_iteration", "visited"),
)
MOST = 4096
"""The most iterations of a run."""
PLANNED = 1000
"""The length of a schedule of hyperparameters, in iterations."""


@dataclass(frozen=True)
class Game:
    """Rules, and the limit of processor seconds for a run."""

    preset: str
    sides: int
    dice: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.preset}, {self.sides} sides, dice {self.dice}"


GAMES = (
    Game("classic", 4, "1,1", 4),
    Game("joker", 6, "1,1", 2),
    Game("top-wild", 6, "1,1", 2),
    Game("joker", 6, "2,1", 3),
    Game("common", 4, "2,2", 3),
    Game("top-wild", 4, "2,2", 3),
    Game("joker", 6, "2,2", 32),
)


@dataclass(frozen=True)
class Sample:
    """One computation of bounds in a run.

    seconds : processor seconds of all iterations so far
    visited : histories that an iteration since the last sample visited, on average, as a fraction of all histories
    """

    iteration: int
    seconds: float
    visited: float
    exploitability: float


Results = dict[Game, dict[str, list[Sample]]]
"""The samples of every run, by game and minimiser."""


def named(name: str) -> Minimiser:
    """Return a minimiser by its name: one of the family, or a variant as in the module docstring."""
    base, _, first = name.split("!")[0].partition("@")
    base, *powers = base.split("/")
    member = minimiser(base)
    if first:
        member = scheduled(member, float(first))
    if powers and powers[0]:
        discount = float(powers[0])
        member = replace(member, regret_weight=lambda iteration: growing_weight(iteration, discount))
    if len(powers) > 1:
        average = float(powers[1])
        member = replace(member, average_weight=lambda iteration: float(iteration) ** average)
    return replace(member, name=name)


def scheduled(member: Minimiser, first: float) -> Minimiser:
    """Return the minimiser with the hyperparameter schedules of Zhang, McAleer and Sandholm (arXiv 2404.09097).

    After iteration t, the average so far is discounted by (t / (t + 1))^c with c = first - 5 t / n. The paper uses 30 or 15 for
    `first`. Regrets of dcfr and dcfr+ are discounted by t^a / (t^a + 1) with a = 1 + 3 t / n, and negative regrets of dcfr with
    a = -1 - 2 t / n. The number n is `PLANNED`, as in the paper, and t / n is at most 1. pdcfr+ keeps its own discount of
    regrets.
    """

    def part(iteration: int) -> float:
        return min(iteration / PLANNED, 1.0)

    def discounts(iteration: int) -> tuple[float, float]:
        before = iteration - 1
        if before == 0:
            return 0.0, 0.0
        return power_discount(before, 1 + 3 * part(before)), power_discount(before, -1 - 2 * part(before))

    averages, regrets = [1.0], [1.0]
    for done in range(1, 2 * MOST):
        averages.append(averages[-1] * ((done + 1) / done) ** (first - 5 * part(done)))
        regrets.append(regrets[-1] / power_discount(done, 1 + 3 * part(done)))
    member = replace(member, average_weight=lambda iteration: averages[iteration - 1])
    if member.name == "dcfr":
        member = replace(member, discount=discounts)
    if member.name == "dcfr+":
        member = replace(member, regret_weight=lambda iteration: regrets[iteration - 1])
    return member


class Restarts:
    """A rule for restarts of the averages during a run; regrets are kept. arXiv 2311.00676 restarts the whole run.

    halved  : restart if the exploitability is at most half that of the last restart, or of the first sample
    doubled : restart if the iterations are at least twice those of the last restart; the first time from 16 iterations on
    """

    def __init__(self, rule: str) -> None:
        self.rule, self.best, self.iteration = rule, float("inf"), 8

    def due(self, iteration: int, exploitability: float) -> bool:
        """Return whether to restart after a sample."""
        if self.rule == "halved" and exploitability <= self.best / 2:
            first, self.best = self.best == float("inf"), exploitability
            return not first
        if self.rule == "doubled" and iteration >= 2 * self.iteration:
            self.iteration = iteration
            return True
        return False


def run_history(game: Game, method: Minimiser, float64: bool = False) -> Iterator[Sample]:
    """Yield the samples of one run; the code is compiled before it starts."""
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.games.liarsdice.rules import rules
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.strategies import store
    from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

    if float64:
        store.SMALL = 1 << 62
    restarts = Restarts(method.name.partition("!")[2])

    public = public_game(rules(game.preset, game.sides, tuple(map(int, game.dice.split(",")))))
    PublicTree(public, method, 1).iterate()
    solver, seconds, look = PublicTree(public, method, 1), 0.0, 1.0
    while seconds < game.seconds and solver.iteration < MOST:
        begun, since, before = time.process_time(), solver.iteration, solver.traverser.visited
        while solver.iteration < look:
            solver.iterate()
        seconds += time.process_time() - begun
        visited = (solver.traverser.visited - before) / (solver.iteration - since)
        exploitability = solver.bounds().exploitability
        yield Sample(solver.iteration, seconds, visited / (1 << public.bids), exploitability)
        if restarts.due(solver.iteration, exploitability):
            for shard in (solver.store.top, *solver.store.shards):
                shard.arrays[AVERAGE_STRATEGY][:] = 0
        look = max(look * STEP, solver.iteration + 1)


def measured(game: Game, name: str, float64: bool) -> list[Sample]:
    """Return the samples of a run in its own process."""
    kind = ("--float64",) if float64 else ()
    run = alone(sys.executable, "benchmarks/minimisers.py", "--course", str(GAMES.index(game)), name, *kind, limit=3600)
    if run.code != 0:
        sys.exit(f"{name} on {game}: no measurement")
    return [Sample(*numbers) for numbers in json.loads(run.text)]


def first(samples: Sequence[Sample], target: float) -> Sample | None:
    """Return the first sample that reaches the target."""
    return next((sample for sample in samples if sample.exploitability <= target), None)


def at(samples: Sequence[Sample], seconds: float) -> Sample:
    """Return the last sample within this number of processor seconds, or the first sample if there is none."""
    return next((sample for sample in reversed(samples) if sample.seconds <= seconds), samples[0])


def lines(results: Results) -> Iterator[kept.Line]:
    """Yield a line for each game and minimiser: iterations to the targets, and exploitability after parts of the time."""
    for game, run_histories in results.items():
        for name, samples in run_histories.items():
            ways = [str(found.iteration) if (found := first(samples, target)) else "" for target in TARGETS]
            after = [f"{at(samples, game.seconds / part).exploitability:.1e}" for part in (16, 4, 1)]
            last = samples[-1]
            speed = f"{last.seconds / last.iteration * 1e3:.2f}", f"{last.visited:.2g}"
            cells = game.preset, str(game.sides), game.dice, name, *ways, f"{game.seconds:g}", *after, *speed
            yield dict(zip(COLUMNS, cells, strict=True))


def summary(results: Results) -> Iterator[str]:
    """Yield the summary: the processor seconds of each minimiser to a target, as a multiple of those of the fastest one.

    It is the geometric mean over the games in which the minimiser reaches the target; their number is in brackets. A target
    counts as missed if only other minimisers reach it.
    """
    yield "| minimiser | " + " | ".join(f"to {target:.0e}" for target in TARGETS) + " | targets missed |\n"
    yield "|---" * (2 + len(TARGETS)) + "|\n"
    for name in next(iter(results.values())):
        factors, missed = [], 0
        for target in TARGETS:
            logs = []
            for run_histories in results.values():
                ways = {other: found.seconds for other, samples in run_histories.items() if (found := first(samples, target))}
                missed += bool(ways) and name not in ways
                if name in ways:
                    logs.append(log(ways[name] / min(ways.values())))
            factors.append(f"{exp(sum(logs) / len(logs)):.2f} ({len(logs)})" if logs else "-")
        yield f"| {name} | {' | '.join(factors)} | {missed} |\n"


def compare(names: Sequence[str], float64: bool = False) -> Results:
    """Run the minimisers on all games."""
    return {game: {name: measured(game, name, float64) for name in names} for game in GAMES}


def main(asked: list[str]) -> None:
    """Run the command line of the module docstring."""
    if asked[:1] == ["--course"]:
        run = run_history(GAMES[int(asked[1])], named(asked[2]), "--float64" in asked)
        print(json.dumps([list(vars(sample).values()) for sample in run]))
    elif asked:
        results = compare(asked, float64=True)
        sys.stdout.writelines(summary(results))
        sys.stdout.buffer.write(csv_bytes(COLUMNS, (list(line.values()) for line in lines(results))))
    else:
        results = compare(list(MINIMISERS))
        kept.write(NUMBERS, COLUMNS, lines(results))
        page = PAGE.read_text(encoding="utf-8")
        made = kept.replaced(page, "python benchmarks/minimisers.py", "".join(summary(results)).splitlines())
        PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

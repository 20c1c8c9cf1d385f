"""`python benchmarks/minimisers.py`: compare the regret minimisers over several games, to choose the default.

It writes docs/minimisers.csv, and the summary in docs/results.md; a quarter of an hour. It counts iterations and processor
seconds, so other work on the machine has little influence. Each run has its own process and one thread.

To compare only some minimisers, name them: they run in float64, and the results go to standard output. `dcfr+/1.5/4` is dcfr+
with discount t^1.5 and an average weighted by t^4, `cfr+//2` is cfr+ with an average weighted by t^2. `dcfr+@30` is dcfr+ on a
schedule (see `scheduled`), and `dcfr+!halved` restarts its averages (see `Restarts`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, log

from benchmarks.measure import call_alone
from benchmarks.results import Line, Page, Results, markdown, parser
from benchmarks.solving import Game, Sample, samples
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, Minimiser, growing_weight, minimiser, power_discount

TARGETS = (1e-3, 1e-4, 1e-5)
STEP = 1.05
"""Ratio of the iterations of two successive computations of bounds; the time of the bounds does not count."""
KEY = ("rules", "sides", "dice", "minimiser")
COLUMNS = (
    *(*KEY, *(f"target_{target:.0e}" for target in TARGETS), "seconds"),
    *("after_sixteenth", "after_quarter", "after_all", "ms_an_iteration", "visited"),
)
RESULTS = Results("minimisers.csv", KEY, COLUMNS)
MOST = 4096
"""The most iterations of a run."""
PLANNED = 1000
"""The length of a schedule of hyperparameters, in iterations."""


GAMES = (
    Game("classic", 4, "1,1", 4),
    Game("joker", 6, "1,1", 2),
    Game("top-wild", 6, "1,1", 2),
    Game("joker", 6, "2,1", 3),
    Game("common", 4, "2,2", 3),
    Game("top-wild", 4, "2,2", 3),
    Game("joker", 6, "2,2", 32),
)


Runs = dict[Game, dict[str, list[Sample]]]
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


def run(game: Game, name: str, float64: bool) -> list[Sample]:
    """Return the samples of one run, with payoffs 1 and 0; the code is compiled before it starts."""
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.strategies import store
    from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

    if float64:
        store.SMALL = 1 << 62
    method, public, found = named(name), public_game(replace(game.rules, payoffs="win")), list[Sample]()
    restarts = Restarts(method.name.partition("!")[2])
    PublicTree(public, method, 1).iterate()
    solver = PublicTree(public, method, 1)
    for sample in samples(solver, STEP):
        found.append(sample)
        if sample.seconds >= game.seconds or sample.iteration >= MOST:
            break
        if restarts.due(sample.iteration, sample.exploitability):
            for shard in (solver.store.top, *solver.store.shards):
                shard.arrays[AVERAGE_STRATEGY][:] = 0
    return found


def measured(game: Game, name: str, float64: bool) -> list[Sample]:
    """Return the samples of a run in its own process."""
    ended = call_alone(run, game, name, float64)
    if ended.code != 0:
        sys.exit(f"{name} on {game}: no measurement")
    return [Sample(*numbers) for numbers in ended.json]


def first(samples: Sequence[Sample], target: float) -> Sample | None:
    """Return the first sample that reaches the target."""
    return next((sample for sample in samples if sample.exploitability <= target), None)


def at(samples: Sequence[Sample], seconds: float) -> Sample:
    """Return the last sample within this number of processor seconds, or the first sample if there is none."""
    return next((sample for sample in reversed(samples) if sample.seconds <= seconds), samples[0])


def lines(runs: Runs) -> Iterator[Line]:
    """Yield a line for each game and minimiser: iterations to the targets, and exploitability after parts of the time."""
    for game, run_histories in runs.items():
        for name, found in run_histories.items():
            ways = [str(one.iteration) if (one := first(found, target)) else "" for target in TARGETS]
            after = [f"{at(found, game.seconds / part).exploitability:.1e}" for part in (16, 4, 1)]
            last = found[-1]
            speed = f"{last.seconds / last.iteration * 1e3:.2f}", f"{last.visited:.2g}"
            yield RESULTS.line(*game.key, name, *ways, f"{game.seconds:g}", *after, *speed)


def summary(runs: Runs) -> Iterator[str]:
    """Yield the summary: the processor seconds of each minimiser to a target, as a multiple of those of the fastest one.

    It is the geometric mean over the games in which the minimiser reaches the target; their number is in brackets. A target
    counts as missed if only other minimisers reach it.
    """
    rows = []
    for name in next(iter(runs.values())):
        factors, missed = [], 0
        for target in TARGETS:
            logs = []
            for run_histories in runs.values():
                ways = {other: found.seconds for other, samples in run_histories.items() if (found := first(samples, target))}
                missed += bool(ways) and name not in ways
                if name in ways:
                    logs.append(log(ways[name] / min(ways.values())))
            factors.append(f"{exp(sum(logs) / len(logs)):.2f} ({len(logs)})" if logs else "-")
        rows.append([name, *factors, str(missed)])
    return markdown(["minimiser", *(f"to {target:.0e}" for target in TARGETS), "targets missed"], rows)


def compare(names: Sequence[str], float64: bool = False) -> Runs:
    """Run the minimisers on all games."""
    return {game: {name: measured(game, name, float64) for name in names} for game in GAMES}


def main(names: list[str]) -> None:
    """Compare the named minimisers, or all of them for the page."""
    if names:
        runs = compare(names, float64=True)
        print(*summary(runs), sep="\n", flush=True)
        sys.stdout.buffer.write(csv_bytes(COLUMNS, (list(line.values()) for line in lines(runs))))
    else:
        runs = compare(list(MINIMISERS))
        RESULTS.write(lines(runs))
        Page("results.md", {"python benchmarks/minimisers.py": lambda: summary(runs)}).write()


if __name__ == "__main__":
    reader = parser(__doc__)
    reader.add_argument("names", nargs="*", metavar="MINIMISER", help="compare only these, and write no files")
    main(reader.parse_args().names)

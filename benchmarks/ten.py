"""`make ten`: compute the lines that docs/liarsdice-ten.csv lacks, and write the table of Liar's Dice Ten in docs/judge.md.

Each entry of `ENTRIES` is a column of the table. The minimisers are those of this program, with a fixed number of iterations.
MCCFR is OpenSpiel's in C++, which has five of the games. The environment variable DUDO_MODELS names the folder with the
networks of dudo.ai (see benchmarks/dudo.py), which play one of the games.

Ten minutes for all; `--again CFR` computes the lines of one policy again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from benchmarks.judge import networks, without_networks, without_open_spiel
from benchmarks.results import Line, Page, Results, Wanted, markdown
from examples.forgetting import remembering
from liarsdice_cli.bots import open_spiel
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.library.solving import solve
from liarsdice_cli.studies.benchmark import GAMES, SOLVED, benchmark

KEY = ("policy", "game")
RESULTS = Results("liarsdice-ten.csv", KEY, (*KEY, "exploitability", "player1", "player2", "seconds", "judge_seconds"))
ITERATIONS = 1_000
EXTERNAL, OUTCOME = 100_000, 1_000_000
"""Iterations of OpenSpiel's MCCFR, the same in all games."""


class Entry(NamedTuple):
    """A policy to judge.

    policy  : return the policy for a game; raises LiarsDiceError if it cannot play the game
    missing : return the missing requirement in words; "" if there is none
    """

    name: str
    policy: Callable[[Rules], object]
    missing: Callable[[], str] = lambda: ""


def minimised(method: str) -> Callable[[Rules], object]:
    """Return a function that gives the average strategy of a minimiser."""
    return lambda game: solve(game, method=method, iterations=ITERATIONS).strategy()


def sampled(external: bool) -> Callable[[Rules], object]:
    """Return a function that runs OpenSpiel's MCCFR and gives the solver, whose average policy is judged."""

    def made(game: Rules) -> Any:
        import pyspiel

        theirs = open_spiel.game(game)
        if external:
            solver, iterations = pyspiel.ExternalSamplingMCCFRSolver(theirs, 1), EXTERNAL
        else:
            solver, iterations = pyspiel.OutcomeSamplingMCCFRSolver(theirs, seed=1), OUTCOME
        for _ in range(iterations):
            solver.run_iteration()
        return solver

    return made


def forgetful(memory: int) -> Callable[[Rules], object]:
    """Return a function that trains a player that remembers the last bids only (examples/forgetting.py)."""
    return lambda game: remembering(game, memory, ITERATIONS)


def named(bot: str) -> Callable[[Rules], object]:
    """Return a function that gives a bot of this program."""
    return lambda game: bot


ENTRIES = (
    Entry("CFR", minimised("cfr")),
    Entry("CFR+", minimised("cfr+")),
    Entry("DCFR", minimised("dcfr")),
    Entry("PCFR+", minimised("pcfr+")),
    Entry("MCCFR, external sampling", sampled(external=True), without_open_spiel),
    Entry("MCCFR, outcome sampling", sampled(external=False), without_open_spiel),
    Entry("memory of 2 bids", forgetful(2)),
    Entry("dudo.ai's networks", networks, without_networks),
    Entry("honest", named("honest")),
    Entry("zero-intelligence", named("zero-intelligence")),
    Entry("random", named("random")),
)


def measured(entry: Entry, place: int) -> Iterator[Line]:
    """Yield the line of a policy in a game; it has no numbers if the policy cannot be made or judged."""
    game, begun = GAMES[place], time.perf_counter()
    key, nothing = (entry.name, place + 1), [""] * (len(RESULTS.columns) - len(KEY))
    try:
        policy = entry.policy(game.rules)
    except LiarsDiceError as error:
        print(f"{entry.name}, game {place + 1}: {error}")
        yield RESULTS.line(*key, *nothing)
        return
    made = time.perf_counter() - begun
    (score,) = benchmark(policy, games=[game]).scores
    if score.worst_case is None:
        print(f"{entry.name}, game {place + 1}: {score.refused}")
        yield RESULTS.line(*key, *nothing)
        return
    numbers = (score.worst_case.exploitability, *score.worst_case.payoffs)
    yield RESULTS.line(*key, *(f"{float(number):.9f}" for number in numbers), f"{made:.1f}", f"{score.seconds:.1f}")


def wanted() -> list[Wanted]:
    """Return the lines of all entries in all games."""
    return [
        Wanted((entry.name, str(place + 1)), entry.name, partial(measured, entry, place), entry.missing())
        for entry in ENTRIES
        for place in range(len(GAMES))
    ]


def table() -> Iterator[str]:
    """Yield the page's table: a row for each game, and a column for each policy."""
    lines, rows, solved = RESULTS.read(), [], [0] * len(ENTRIES)
    for place, game in enumerate(GAMES, 1):
        found = [lines.get((entry.name, str(place)), {}).get("exploitability", "") for entry in ENTRIES]
        solved = [count + (cell != "" and float(cell) <= SOLVED) for count, cell in zip(solved, found, strict=True)]
        name = f"{place}: {game.rules.name}, {game.rules.sides} sides, {','.join(map(str, game.rules.dice))}"
        rows.append([name, f"{float(game.value):.6f}", *(f"{float(cell):.5f}" if cell else "-" for cell in found)])
    yield from markdown(["game", "value", *(entry.name for entry in ENTRIES)], rows)
    yield f"| solved to {SOLVED:g} | | {' | '.join(map(str, solved))} |"


PAGE = Page("judge.md", {"make ten, table": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()

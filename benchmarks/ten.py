"""`make ten`: compute the lines that docs/liarsdice-ten.csv lacks, and write the table of Liar's Dice Ten in docs/judge.md.

Each entry of `ENTRIES` is a column of the table. The minimisers are those of this program, with a fixed number of iterations.
MCCFR is OpenSpiel's in C++, which has five of the games. The environment variable DUDO_MODELS names the folder with the
networks of dudo.ai (see benchmarks/dudo.py), which play one of the games.

`--again NAME` computes the lines of one policy again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept as table_file
from benchmarks.judge import networks, without_networks, without_open_spiel
from benchmarks.kept import DOCS, Key, Line, Wanted, replaced
from examples.forgetting import remembering
from liarsdice_cli.bots import open_spiel
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.library.solving import solve
from liarsdice_cli.studies.benchmark import GAMES, SOLVED, benchmark

PAGE, TABLE = DOCS / "judge.md", DOCS / "liarsdice-ten.csv"
COLUMNS = ("policy", "game", "exploitability", "player1", "player2", "seconds", "judge_seconds")
KEY = ("policy", "game")
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


def measured(entry: Entry, place: int) -> Line:
    """Compute the line of a policy in a game; it has no numbers if the policy cannot be made or judged."""
    game, begun = GAMES[place], time.perf_counter()
    line = dict.fromkeys(COLUMNS, "") | {"policy": entry.name, "game": str(place + 1)}
    try:
        policy = entry.policy(game.rules)
    except LiarsDiceError as error:
        print(f"{entry.name}, game {place + 1}: {error}")
        return line
    made = time.perf_counter() - begun
    (score,) = benchmark(policy, games=[game]).scores
    if score.worst_case is None:
        print(f"{entry.name}, game {place + 1}: {score.refused}")
        return line
    numbers = (score.worst_case.exploitability, *score.worst_case.payoffs)
    line |= dict(zip(COLUMNS[2:5], (f"{float(number):.9f}" for number in numbers), strict=True))
    return line | {"seconds": f"{made:.1f}", "judge_seconds": f"{score.seconds:.1f}"}


def tables(lines: dict[Key, Line]) -> Iterator[str]:
    """Yield the page's table: a row for each game, and a column for each policy."""
    yield f"| game | value | {' | '.join(entry.name for entry in ENTRIES)} |"
    yield "|" + "---|" * (2 + len(ENTRIES))
    for place, game in enumerate(GAMES, 1):
        cells = [lines.get((entry.name, str(place)), {}).get("exploitability", "") for entry in ENTRIES]
        dice = ",".join(map(str, game.rules.dice))
        name = f"{place}: {game.rules.name}, {game.rules.sides} sides, {dice}"
        shown = [f"{float(cell):.5f}" if cell else "-" for cell in cells]
        yield f"| {name} | {float(game.value):.6f} | {' | '.join(shown)} |"
    yield f"| solved to {SOLVED:g} | | {' | '.join(str(_solved(lines, entry)) for entry in ENTRIES)} |"


def _solved(lines: dict[Key, Line], entry: Entry) -> int:
    return sum(
        line["policy"] == entry.name and line["exploitability"] != "" and float(line["exploitability"]) <= SOLVED
        for line in lines.values()
    )


def kept() -> dict[Key, Line]:
    """Return the lines of the file."""
    return table_file.read(TABLE, KEY)


def write(lines: dict[Key, Line]) -> None:
    """Write the lines in the order of `ENTRIES` and of the games."""
    order = {entry.name: number for number, entry in enumerate(ENTRIES)}
    rows = sorted(lines.values(), key=lambda line: (order.get(line["policy"], len(order)), int(line["game"])))
    table_file.write(TABLE, COLUMNS, rows)


def wanted() -> Iterator[Wanted]:
    """Yield the lines of all entries in all games."""
    for entry in ENTRIES:
        for place in range(len(GAMES)):
            yield Wanted((entry.name, str(place + 1)), entry.name, entry.missing(), partial(measured, entry, place))


def made(text: str) -> str:
    """Return the page with its table generated again."""
    return replaced(text, "make ten, table", tables(kept()))


def main() -> None:
    table_file.complete(kept(), wanted(), write, __doc__)
    PAGE.write_text(made(PAGE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

"""`make judge`: write the exploitability of policies to docs/judge.csv and to the tables in docs/results.md.

An entry of `ENTRIES` has a name, the games in which the policy is judged, and a function that makes the policy. `make judge`
computes the lines that the file lacks and keeps the others. `--again NAME` computes the lines of one entry again.

The environment variable DUDO_MODELS names the folder with the networks of dudo.ai (see benchmarks/dudo.py). OpenSpiel must be
installed. Without the networks or OpenSpiel, their lines are not changed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept as table_file
from benchmarks.dudo import Dudo
from benchmarks.kept import DOCS, Key, Line, Wanted, replaced
from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.bots.zero_intelligence.levels import steps
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.studies.worst_case import WorstCase

PAGE, TABLE = DOCS / "results.md", DOCS / "judge.csv"
KEY = ("rules", "dice", "policy", "opponent_max_bids")
COLUMNS = (
    "rules", "dice", "policy", "player1", "player2", "mean", "exploitability", "opponent_max_bids", "positions", "seconds",
)  # fmt: skip
ITERATIONS = 1000
"""Iterations of OpenSpiel's CFR."""


class Game(NamedTuple):
    """A game, and the most bids of the opponent; None for a best response."""

    preset: str
    dice: tuple[int, int]
    opponent_max_bids: int | None = None

    @property
    def rules(self) -> Rules:
        """Its rules: six sides, payoff 1 for a win and 0 for a loss."""
        return rules(self.preset, 6, self.dice)


class Entry(NamedTuple):
    """A policy to judge.

    policy  : return the policy for given rules
    missing : return the missing requirement in words; "" if there is none
    """

    name: str
    games: tuple[Game, ...]
    policy: Callable[[Rules], object]
    missing: Callable[[], str] = lambda: ""


SMALL = tuple(Game("ones-low", dice) for dice in ((1, 1), (2, 1), (1, 2), (2, 2)))
OPEN_SPIELS = Game("top-wild", (1, 1))
LARGE = (Game("ones-low", (3, 3), 2), Game("ones-low", (3, 3), 3), Game("ones-low", (5, 5), 1))


def best_level(game: Rules) -> object:
    """Return zero intelligence at the level with the best worst case."""
    bots = [policy_of(f"zero-intelligence:{step.level}") for step in steps(game)]
    return max(bots, key=lambda bot: exploitability(game, bot).mean)


@cache
def open_spiels_cfr(game: Rules) -> Any:
    """Return the average policy of OpenSpiel's CFR."""
    import pyspiel

    solver = pyspiel.CFRSolver(pyspiel.load_game("liars_dice", {"dice_sides": game.sides}))
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


def networks(game: Rules) -> object:
    """Return the player of dudo.ai."""
    return Dudo(os.environ["DUDO_MODELS"])


def without_networks() -> str:
    return (
        "" if "DUDO_MODELS" in os.environ and find_spec("onnxruntime") else "name a folder by DUDO_MODELS, install onnxruntime"
    )


def without_open_spiel() -> str:
    return "" if find_spec("pyspiel") else "install open_spiel"


ENTRIES = (
    Entry("equilibrium", (*SMALL, OPEN_SPIELS), lambda game: "equilibrium"),
    Entry("dudo.ai's networks", (*SMALL, *LARGE), networks, without_networks),
    Entry(f"OpenSpiel's CFR, {ITERATIONS:,} iterations", (OPEN_SPIELS,), open_spiels_cfr, without_open_spiel),
    Entry("honest", (*SMALL, OPEN_SPIELS, Game("ones-low", (3, 3))), lambda game: "honest"),
    Entry("zero-intelligence, the best level", (*SMALL, OPEN_SPIELS), best_level),
    Entry("random", (*SMALL, OPEN_SPIELS, LARGE[0]), lambda game: "random"),
)
GAMES = (*SMALL, OPEN_SPIELS, Game("ones-low", (3, 3)), *LARGE)


def measured(game: Game, entry: Entry) -> Line:
    """Compute the line of a policy in a game."""
    begun, policy = time.perf_counter(), entry.policy(game.rules)
    found = exploitability(game.rules, policy, opponent_max_bids=game.opponent_max_bids)
    return line(game, entry.name, found, time.perf_counter() - begun)


def line(game: Game, name: str, found: WorstCase, seconds: float) -> Line:
    """Return a line of the file."""
    numbers = (*found.payoffs, found.mean, found.exploitability)
    cells = (
        *key_of(game, name)[:3],
        *(f"{float(number):.9f}" for number in numbers),
        key_of(game, name)[3],
        found.positions,
        f"{seconds:.1f}",
    )
    return dict(zip(COLUMNS, map(str, cells), strict=True))


def kept() -> dict[Key, Line]:
    """Return the lines of the file."""
    return table_file.read(TABLE, KEY)


def write(lines: dict[Key, Line]) -> None:
    """Write the lines: first those of `wanted` in its order, then the others in their present order."""
    order = {one.key: number for number, one in enumerate(wanted())}
    table_file.write(TABLE, COLUMNS, (lines[key] for key in sorted(lines, key=lambda one: order.get(one, len(order)))))


def wanted() -> Iterator[Wanted]:
    """Yield the lines of all entries, game by game."""
    for game in GAMES:
        for entry in ENTRIES:
            if game in entry.games:
                yield Wanted(key_of(game, entry.name), entry.name, entry.missing(), partial(measured, game, entry))


def key_of(game: Game, name: str) -> Key:
    """Return the key of a policy in a game."""
    return (
        game.preset,
        ",".join(map(str, game.dice)),
        name,
        "" if game.opponent_max_bids is None else str(game.opponent_max_bids),
    )


def tables(lines: list[Line]) -> Iterator[str]:
    """Yield the page's tables, one for each game."""
    for (preset, dice), own in groupby(lines, lambda one: (one["rules"], one["dice"])):
        yield f"**{preset}, six sides, dice {dice}**"
        yield ""
        yield "| policy | as player 1 | as player 2 | mean | exploitability | against |"
        yield "|---|---|---|---|---|---|"
        for one in own:
            limited = one["opponent_max_bids"]
            numbers = [f"{float(one[column]):.6f}" for column in ("player1", "player2", "mean", "exploitability")]
            signs = ("at most ", "at most ", "at most ", "at least ") if limited else ("",) * 4
            against = f"a limited responder, {limited} bid{'s' * (limited != '1')}" if limited else "a best response"
            cells = [one["policy"], *(sign + number for sign, number in zip(signs, numbers, strict=True)), against]
            yield f"| {' | '.join(cells)} |"
        yield ""


def made(text: str, lines: list[Line]) -> str:
    """Return the page with its tables generated again."""
    return replaced(text, "make judge, table", tables(lines))


def main() -> None:
    table_file.complete(kept(), wanted(), write, __doc__)
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8"), list(kept().values())), encoding="utf-8")


if __name__ == "__main__":
    main()

"""`make judge`: the table in docs/results.md, how exploitable policies are; what docs/judge.csv lacks is computed.

A line of the table is a row of `ENTRIES`: a name, the games in which it is judged, and what makes the policy. Then `make judge`
computes it and leaves the others as they are; `--again NAME` computes those of one name anew.

The networks of dudo.ai are looked for in the folder DUDO_MODELS (see benchmarks/dudo.py), OpenSpiel among the installed
packages; where they are missing their lines are left as they are.
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
from liarsdice_cli.bots.specs import asked
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
"""Of OpenSpiel's CFR."""


class Game(NamedTuple):
    """A game, and how often the opponent may bid there; None for a best response."""

    preset: str
    dice: tuple[int, int]
    opponent_max_bids: int | None = None

    @property
    def rules(self) -> Rules:
        """Its rules: six sides, a winner gets 1 and a loser 0."""
        return rules(self.preset, 6, self.dice)


class Entry(NamedTuple):
    """A policy in games: its name, the policy for given rules, and what is missing to make it here, in words."""

    name: str
    games: tuple[Game, ...]
    policy: Callable[[Rules], object]
    missing: Callable[[], str] = lambda: ""


SMALL = tuple(Game("ones-low", dice) for dice in ((1, 1), (2, 1), (1, 2), (2, 2)))
OPEN_SPIELS = Game("top-wild", (1, 1))
LARGE = (Game("ones-low", (3, 3), 2), Game("ones-low", (3, 3), 3), Game("ones-low", (5, 5), 1))


def best_level(game: Rules) -> object:
    """Zero intelligence at the level whose worst case is best."""
    bots = [asked(f"zero-intelligence:{step.level}") for step in steps(game)]
    return max(bots, key=lambda bot: exploitability(game, bot).mean)


@cache
def open_spiels_cfr(game: Rules) -> Any:
    """The average policy of OpenSpiel's CFR."""
    import pyspiel

    solver = pyspiel.CFRSolver(pyspiel.load_game("liars_dice", {"dice_sides": game.sides}))
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


def networks(game: Rules) -> object:
    """The player of dudo.ai."""
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
    """The line of a policy in a game."""
    begun, policy = time.perf_counter(), entry.policy(game.rules)
    found = exploitability(game.rules, policy, opponent_max_bids=game.opponent_max_bids)
    return line(game, entry.name, found, time.perf_counter() - begun)


def line(game: Game, name: str, found: WorstCase, seconds: float) -> Line:
    """A line of the file."""
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
    """The lines of the file."""
    return table_file.read(TABLE, KEY)


def write(lines: dict[Key, Line]) -> None:
    """Keep the lines, in the order of `ENTRIES` and then that in which they came."""
    order = {one.key: number for number, one in enumerate(wanted())}
    table_file.write(TABLE, COLUMNS, (lines[key] for key in sorted(lines, key=lambda one: order.get(one, len(order)))))


def wanted() -> Iterator[Wanted]:
    """Yield the lines of all entries, game by game."""
    for game in GAMES:
        for entry in ENTRIES:
            if game in entry.games:
                yield Wanted(key_of(game, entry.name), entry.name, entry.missing(), partial(measured, game, entry))


def key_of(game: Game, name: str) -> Key:
    """The key of a policy in a game."""
    return (
        game.preset,
        ",".join(map(str, game.dice)),
        name,
        "" if game.opponent_max_bids is None else str(game.opponent_max_bids),
    )


def tables(lines: list[Line]) -> Iterator[str]:
    """The page's tables: one for each game."""
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
    """The page with its tables made again."""
    return replaced(text, "make judge, table", tables(lines))


def main() -> None:
    table_file.complete(kept(), wanted(), write, __doc__)
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8"), list(kept().values())), encoding="utf-8")


if __name__ == "__main__":
    main()

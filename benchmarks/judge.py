"""`make judge`: write the exploitability of policies to docs/judge.csv and to the tables in docs/results.md.

An entry of `ENTRIES` has a name, the games in which the policy is judged, and a function that makes the policy. `make judge`
computes the lines that the file lacks; minutes a line, half an hour for all. `--again honest` computes the lines of one entry
again.

The environment variable DUDO_MODELS names the folder with the networks of dudo.ai (see benchmarks/dudo.py). OpenSpiel must be
installed. Without the networks or OpenSpiel, their lines are not changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.dudo import Dudo
from benchmarks.results import Key, Line, Page, Results, Wanted, markdown
from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.bots.zero_intelligence.levels import steps
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.library.exploitation import exploitability

KEY = ("rules", "dice", "policy", "opponent_max_bids")
COLUMNS = (
    "rules", "dice", "policy", "player1", "player2", "mean", "exploitability", "opponent_max_bids", "positions", "seconds",
)  # fmt: skip
RESULTS = Results("judge.csv", KEY, COLUMNS)
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


def measured(game: Game, entry: Entry) -> Iterator[Line]:
    """Compute the line of a policy in a game."""
    begun, policy = time.perf_counter(), entry.policy(game.rules)
    found = exploitability(game.rules, policy, opponent_max_bids=game.opponent_max_bids)
    numbers = (f"{float(number):.9f}" for number in (*found.payoffs, found.mean, found.exploitability))
    *key, opponent_max_bids = key_of(game, entry.name)
    yield RESULTS.line(*key, *numbers, opponent_max_bids, found.positions, f"{time.perf_counter() - begun:.1f}")


def wanted() -> list[Wanted]:
    """Return the judgements of all entries, game by game."""
    return [
        Wanted(key_of(game, entry.name), entry.name, partial(measured, game, entry), entry.missing())
        for game in GAMES
        for entry in ENTRIES
        if game in entry.games
    ]


def key_of(game: Game, name: str) -> Key:
    """Return the key of a policy in a game."""
    return (
        game.preset,
        ",".join(map(str, game.dice)),
        name,
        "" if game.opponent_max_bids is None else str(game.opponent_max_bids),
    )


def tables() -> Iterator[str]:
    """Yield the page's tables, one for each game."""
    head = ("policy", "as player 1", "as player 2", "mean", "exploitability", "against")
    for (preset, dice), lines in groupby(RESULTS.read().values(), lambda line: (line["rules"], line["dice"])):
        yield f"**{preset}, six sides, dice {dice}**"
        yield ""
        yield from markdown(head, map(_cells, lines))
        yield ""


def _cells(line: Line) -> Iterator[str]:
    bids = line["opponent_max_bids"]
    yield line["policy"]
    signs = ("at most ", "at most ", "at most ", "at least ") if bids else ("",) * 4
    for sign, column in zip(signs, ("player1", "player2", "mean", "exploitability"), strict=True):
        yield f"{sign}{float(line[column]):.6f}"
    yield f"a limited responder, {bids} bid{'s' * (bids != '1')}" if bids else "a best response"


PAGE = Page("results.md", {"make judge, table": tables})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()

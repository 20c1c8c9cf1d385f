"""Safe re-solving after bids that a kept solution lacks: no opponent wins more, and some win less."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.advice import FILE, SAFE
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.recommending import recommend
from liarsdice_cli.bots.resolving import Resolving
from liarsdice_cli.bots.safe_resolver import SafeResolver
from liarsdice_cli.bots.solved_subgame import SolvedSubgame, solved_in_time
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import kept
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.public import public_subgame
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.best_response import best_response_value
from liarsdice_cli.solvers.public_tree.gadget import Gadget
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.strategies.stored import StoredStrategy, is_expanded
from tests.support.properties import mostly_slow

ITERATIONS = 200
ROUGH = [
    (ld.rules("perudo", 3, (1, 2)), 2),
    (ld.rules("joker", 4, (2, 1)), 10),
    (ld.rules("common", 6, (1, 1)), 5),
    (ld.rules("common", 3, (2, 1), spot_on=True), 2),
    (ld.rules("dudo", 3, (2, 1), fixed_face=True), 2),
    (ld.rules("top-wild", 3, (1, 2), payoffs="zero-sum"), 6),
]
"""Games, each with a number of iterations after which the solution lacks most histories."""


def rough(game: Rules, iterations: int) -> StoredStrategy:
    """Return a solution that lacks most histories."""
    found = solve(game, method="dcfr+", iterations=iterations, form="public tree").best.stored
    assert isinstance(found, StoredStrategy)
    return found


def after(game: Rules, *bids: str) -> tuple[int, ...]:
    return BettingState.parse(game, bids).history


def regained(solution: StoredStrategy, safe: SafeResolver) -> list[float]:
    """Return how much less the best response in each seat wins than against the solution alone."""
    before, now = ([float(best_response_value(one, player).value) for player in (0, 1)] for one in (solution, safe))
    return [was - is_now for was, is_now in zip(before, now, strict=True)]


@pytest.mark.parametrize(("game", "iterations"), mostly_slow(ROUGH))
def test_no_opponent_wins_more_than_against_the_solution_alone(game: Rules, iterations: int) -> None:
    solution = rough(game, iterations)
    safe = SafeResolver(solution, 1, ITERATIONS)
    assert min(regained(solution, safe)) > -1e-5  # `safe_resolver.FAIR`


def test_opponents_whose_best_bids_the_solution_lacks_win_less() -> None:
    solution = rough(ld.rules("perudo", 3, (1, 2)), 2)
    assert min(regained(solution, SafeResolver(solution, 1, ITERATIONS))) > 0.03


def test_an_opponent_wins_more_if_its_roll_is_taken_for_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show that the tests above can fail: without the gadget an opponent with an unexpected roll cannot opt out."""

    def trusting(self: SafeResolver, within: object, here: tuple[int, ...], seconds: float) -> SolvedSubgame:
        rest = self._subgame(here)
        believed = [np.eye(len(one))[0] if player != rest.mover else one for player, one in enumerate(rest.beliefs)]
        certain = replace(rest, beliefs=tuple(believed))
        solver = PublicTree(public_subgame(certain), minimiser(DEFAULT), threads=1)
        return solved_in_time(solver, certain, self.rules, self.iterations, seconds)

    monkeypatch.setattr(SafeResolver, "_solve", trusting)
    solution = rough(ld.rules("joker", 4, (2, 1)), 10)
    assert min(regained(solution, SafeResolver(solution, 1, ITERATIONS))) < -0.01


def test_a_subgame_that_is_not_proved_safe_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ld.rules("common", 3)
    solution, lacking = rough(game, 1), after(game, "1x1", "1x3")
    assert not is_expanded(solution, lacking)
    assert not np.array_equal(SafeResolver(solution, 1, ITERATIONS).at(lacking), solution.at(lacking))
    monkeypatch.setattr(Gadget, "is_safe", False)
    assert np.array_equal(SafeResolver(solution, 1, ITERATIONS).at(lacking), solution.at(lacking))


def test_a_bid_made_true_by_the_players_own_dice_is_not_called() -> None:
    game = ld.rules("common", 3, (2, 2))
    solution, lacking = rough(game, 1), after(game, "1x1", "1x2", "1x3", "2x2")
    own = [roll for roll, _ in game.rolls(0)].index((2, 2))
    assert solution.at(lacking)[0, own] == 1
    safe = SafeResolver(solution, 1, ITERATIONS)
    assert safe.at(lacking)[0, own] < 0.01
    assert np.array_equal(safe.at(lacking), SafeResolver(solution, 1, ITERATIONS).at(lacking))


def test_it_solves_again_after_bids_that_its_subgame_lacks() -> None:
    game = ld.rules("common", 4, (2, 1))
    safe = SafeResolver(rough(game, 1), 1, 5)
    first = after(game, "1x1", "1x2", "1x3")
    outer = safe.subgame(first)
    assert outer is not None
    assert outer.subgame.history == first
    later = next(
        (*first, bid, reply)
        for bid in range(first[-1] + 1, first[-1] + 4)
        for reply in range(bid + 1, bid + 4)
        if not is_expanded(outer.strategy, (*first, bid, reply))
    )
    inner = safe.subgame(later)
    assert inner is not None
    assert inner.subgame.history == later
    assert safe.subgame(later[:-1]) is not inner


def test_impossible_bids_are_called() -> None:
    game = ld.rules("common", 3, max_quantity=3)
    safe = SafeResolver(rough(game, 1), 1, ITERATIONS)
    for bids in (("1x1", "3x2"), ("3x1", "3x2"), (str(game.bids[-1]),)):
        assert safe.subgame(after(game, *bids)) is None
        assert (safe.at(after(game, *bids))[0] == 1).all()


@pytest.fixture
def kept_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rules:
    """Store a rough solution of a game among the kept solutions; return the game."""
    monkeypatch.setenv(kept.FOLDER, str(tmp_path))
    game = ld.rules("common", 6, (2, 2))
    write(solve(game, method="dcfr+", iterations=4), kept.place_for(game))
    return game


def test_the_coach_recommends_what_the_bot_plays(kept_game: Rules) -> None:
    bot = Resolving("resolving", iterations=ITERATIONS)
    safe = bot.safe_resolver(kept_game)
    assert safe is not None
    lacking = after(kept_game, "1x2", "1x3", "1x4", "2x5")
    assert not is_expanded(safe.solution, lacking)
    for roll in ((5, 5), (1, 2)):
        view = View(kept_game, roll, lacking)
        found, played = recommend(bot, view), bot.distribution(view)
        assert found.action == view.actions[int(played.argmax())]
        assert list(found.advice.probabilities or ()) == pytest.approx(played.tolist())
        assert found.cost(found.action) == 0
        assert found.advice.basis == SAFE
    assert recommend(bot, View(kept_game, (1, 2), ())).advice.basis == FILE
    assert recommend(bot, View(kept_game, (5, 5), lacking)).action != CALL


def test_values_assume_fair_dice_after_bids_that_the_solution_lacks(kept_game: Rules) -> None:
    view = View(kept_game, (2, 2), after(kept_game, "1x2", "4x6"))
    found = recommend(Resolving("resolving", iterations=ITERATIONS), view)
    assert found.fair is not None
    assert found.value(CALL) == pytest.approx(1 - found.fair)


def test_computing_its_worst_case_is_refused(kept_game: Rules) -> None:
    with pytest.raises(LiarsDiceError, match="name equilibrium"):
        ld.exploitability(kept_game, "resolving")
    with pytest.raises(LiarsDiceError, match="name equilibrium"):
        ld.safe_exploitation(kept_game, "resolving", 0)


def test_values_for_the_strategys_own_reach_probabilities_are_its_values() -> None:
    solution = rough(ld.rules("common", 3), 10)
    values = Values(solution)
    reading = values.after((0,))
    assert reading.values is not None
    assert values.after((0,), reading.reaches).values == pytest.approx(reading.values)

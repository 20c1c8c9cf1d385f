"""The public-tree solver against the explicit tree: the same rows, the same values, the same bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.tree import CHANCE
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import PRESETS, rules
from liarsdice_cli.games.liarsdice.strategy import actions, mover
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.public_tree import responses
from liarsdice_cli.solvers.public_tree import solver as public_tree
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Limits, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("bids", range(1, 7))
def test_rows_follow_each_other_in_prefix_order_without_gaps(bids):
    layout = Layout(bids)
    histories = sorted(history for length in range(bids + 1) for history in combinations(range(bids), length))
    next_row = [0, 0]
    for history in histories:  # tuples sort in prefix order
        player = len(history) % 2
        count = layout.actions(history[-1] if history else -1)
        if count:
            assert layout.first_row(history) == next_row[player]
        next_row[player] += count
    assert tuple(next_row) == layout.rows


def _profile_of(game, tree, solver, weights):
    """The weights as a profile of the explicit tree, found by the labels of its sets."""
    rows = {label: row for row, label in enumerate(tree.infosets.labels) if tree.infosets.player[row] != CHANCE}
    given = {}
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            player, count = mover(game, history), len(actions(game, history))
            text = "after " + " ".join(str(game.bids[bid]) for bid in history) if history else "opening"
            first = solver.layout.first_row(history)
            for place, (roll, _) in enumerate(game.rolls(player)):
                own = weights[player][first : first + count, place] if count > 1 else np.ones(1)
                own = own / own.sum() if own.sum() else np.full(count, 1 / count)
                given[rows[f"P{player + 1} roll {game.roll_label(roll)} {text}"]] = own.tolist()
    return from_sets(tree, given)


@pytest.mark.parametrize(("preset", "sides", "dice"), [("common", 3, (1, 1)), ("joker", 3, (2, 1)), ("dudo", 2, (1, 2))])
def test_bounds_and_values_are_those_that_the_judge_finds_on_the_explicit_tree(preset, sides, dice):
    game = rules(preset, sides, dice, payoffs="zero-sum")
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    generator = np.random.default_rng(5)
    for one in solver.averages:
        one[:] = generator.random(one.shape)
    tree = build(game)
    verdict = judge(tree, _profile_of(game, tree, solver, solver.averages))
    bounds = solver.bounds()
    assert [bounds.lower, bounds.upper] == pytest.approx([float(number) for number in verdict.bounds], abs=1e-12)
    wins = solver.responses.wins(solver.averages, 0, best=False)
    assert solver.game.payoff(wins) == pytest.approx(float(verdict.payoffs[0]), abs=1e-12)
    assert wins + solver.responses.wins(solver.averages, 1, best=False) == pytest.approx(1, abs=1e-12)


PUBLISHED = [("common", 6, Fraction(-1, 9)), ("joker", 6, Fraction(-7, 327)), ("top-wild", 5, Fraction(1, 125))]


@pytest.mark.parametrize(("preset", "sides", "value"), PUBLISHED)
def test_bounds_close_in_on_the_published_value(preset, sides, value):
    solver = PublicTree(public_game(rules(preset, sides, payoffs="zero-sum")), minimiser("dcfr+"))
    run_history = run(solver, Limits(target=1e-4))
    assert run_history.ended == "target"
    assert run_history.last.bounds.lower <= value <= run_history.last.bounds.upper
    assert run_history.last.proved.exploitability <= run_history.last.bounds.exploitability <= 1e-4


@pytest.mark.parametrize("name", MINIMISERS)
@pytest.mark.parametrize("dice", [(1, 1), (2, 1)])
def test_every_minimiser_comes_near_the_value(name, dice):
    game = public_game(rules("joker", 4, dice))
    value = {(1, 1): Fraction(1, 2), (2, 1): Fraction(5, 8)}[dice]
    solver = PublicTree(game, minimiser(name))
    for _ in range(600):
        solver.iterate()
    bounds = solver.bounds()
    assert bounds.exploitability < 3e-3
    assert bounds.lower <= value <= bounds.upper


@pytest.mark.parametrize("name", ["dcfr", "pdcfr+"])
def test_threads_change_nothing(name, monkeypatch):
    monkeypatch.setattr(responses, "TOGETHER", 0)
    game = public_game(rules("top-wild", 4, (2, 1)))
    alone, together = PublicTree(game, minimiser(name), 1), PublicTree(game, minimiser(name), 3)
    for _ in range(20):
        alone.iterate()
        together.iterate()
    for kind in ("regrets", "averages", "last"):
        for one, other in zip(getattr(alone, kind), getattr(together, kind), strict=True):
            assert np.array_equal(one, other)
    assert alone.bounds() == together.bounds()


@pytest.mark.slow
def test_float32_keeps_sound_bounds(monkeypatch):
    monkeypatch.setattr(public_tree, "SMALL", 0)
    solver = PublicTree(public_game(rules("top-wild", 5)), minimiser("dcfr+"))
    assert solver.averages[0].dtype == np.float32
    run_history = run(solver, Limits(iterations=300))
    assert run_history.ended == "iterations"
    assert run_history.last.iteration == 300
    assert run_history.last.bounds.lower <= Fraction(63, 125) <= run_history.last.bounds.upper
    assert run_history.last.bounds.exploitability < 1e-3


@pytest.mark.parametrize("damage", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_found(damage):
    solver = PublicTree(public_game(rules("common", 3)), minimiser("cfr+"))
    solver.iterate()
    solver.regrets[0][0, 0] = damage
    with pytest.raises(LiarsDiceError, match="no longer finite"):
        solver.iterate()


@pytest.mark.parametrize(
    "game",
    [*(rules(preset, 2, max_quantity=1) for preset in PRESETS), rules("common", 1), rules("top-wild", 1, (2, 1))],
    ids=str,
)
def test_one_bid_a_face_or_one_roll_is_a_game_too(game):
    solved, _ = exact.solve(build(game))
    proved = run(PublicTree(public_game(game), minimiser("dcfr+")), Limits(iterations=50)).last.proved
    assert proved.lower <= solved.judgement.payoffs[0] <= proved.upper
    assert proved.exploitability < 0.05


def test_a_single_bid_is_always_called():
    solver = PublicTree(public_game(rules("common", 1, max_quantity=1)), minimiser("cfr"))
    solver.iterate()
    bounds = solver.bounds()
    assert (bounds.lower, bounds.upper) == pytest.approx((1, 1))

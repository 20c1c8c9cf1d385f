"""Rounding average strategies to exact equilibria, and runs in which no rounding is an equilibrium."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.number import nearest_fractions
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers import ladder, rounding
from liarsdice_cli.solvers.registry import ROUNDED
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.rounding import roundings
from tests.support.command_line import document, run_here
from tests.support.properties import mostly_slow

KNOWN = [
    ("common", 3, (1, 1, 1), ("1/3", "-1/6", "-1/6")),
    ("joker", 2, (1, 1, 1), None),
    ("common", 2, (1, 1, 1), None),
    ("top-wild", 2, (1, 1, 1), None),
    ("joker", 3, (1, 1, 1), None),
    ("face-first", 3, (1, 1, 1), None),
    ("ones-low", 3, (1, 1, 1), None),
    ("joker", 3, (1, 1), ("1/3", "-1/3")),
]
"""Games with equilibria in small fractions, with payoffs only if all minimisers reached the same ones."""


@pytest.mark.parametrize(("name", "sides", "dice", "payoffs"), mostly_slow(KNOWN, 7))
def test_small_games_have_equilibria_in_fractions(name, sides, dice, payoffs):
    found = ladder.solve(rules(name, sides, dice, payoffs="zero-sum"), Request(ROUNDED))
    assert (found.exact, found.finished, found.arithmetic) == (True, True, "rational")
    again = judge(found.best.in_tree)
    assert again.is_equilibrium
    assert again.payoffs == found.best.judgement.payoffs
    assert payoffs is None or again.payoffs == tuple(map(Fraction, payoffs))


def test_bounds_are_computed_at_fixed_iterations():
    samples = ladder.solve(rules("joker", 2, (1, 1, 1)), Request(ROUNDED)).run_history.samples
    assert len(samples) > 1
    assert all(sample.iteration % rounding._EVERY == 0 for sample in samples)


@pytest.mark.slow
def test_a_run_without_an_exact_rounding_reports_its_regret(monkeypatch):
    # the defaults find an equilibrium; these settings do not
    monkeypatch.setattr(rounding, "_DENOMINATORS", (1, 2, 8))
    monkeypatch.setattr(rounding, "_ITERATIONS", 300)
    found = ladder.solve(rules("top-wild", 3, (1, 1, 1)), Request(ROUNDED))
    assert not found.exact
    assert found.best.judgement.exact
    assert 0 < found.best.judgement.max_regret < Fraction(1, 10)
    assert "no rounding is an equilibrium" in found.note
    assert found.parameters["denominator"] in (1, 2, 8)


def test_no_further_rounding_is_evaluated_after_the_time_limit(monkeypatch):
    judged = []
    monkeypatch.setattr(rounding, "judge", lambda profile: judged.append(profile) or judge(profile))
    found = ladder.solve(rules("top-wild", 2, (1, 1, 1)), Request(ROUNDED, time_limit=1e-6))
    assert (found.finished, found.exact, len(judged), len(found.solved)) == (False, False, 1, 1)


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (1, 1, 1)])
def test_roundings_recover_a_profile_from_its_strategy(dice):
    game = rules("joker", 3, dice)
    tree = build(game)
    random = np.random.default_rng(5)
    shares = {}
    for row in np.flatnonzero(tree.infosets.player >= 0).tolist():
        count = int(tree.first_action[row + 1] - tree.first_action[row])
        cuts = sorted(random.integers(0, 8, count - 1).tolist())
        shares[row] = [Fraction(high - low, 7) for low, high in zip([0, *cuts], [*cuts, 7], strict=True)]
    profile = from_sets(tree, {row: share for row, share in shares.items() if min(share) >= 0})
    strategy = ProfileStrategy.of(game, tree, profile.probabilities)
    assert any(np.array_equal(again.probabilities, profile.probabilities) for _, again in roundings(tree, strategy))


@pytest.mark.parametrize("numbers", [[0.2, 0.2, 0.2, 0.2, 0.2], [0.5, 0.5], [0.999, 0.001], [0.3, 0.3, 0.4], [1.0]])
def test_rounded_probabilities_add_up_to_one(numbers):
    for most in range(1, 40):
        found = nearest_fractions(numbers, most)
        assert sum(found) == 1
        assert min(found) >= 0


def test_large_games_explicit_trees_and_floats_are_refused():
    with pytest.raises(LiarsDiceError, match=r"rounded judges in fractions on the tree, and .* nodes are more than"):
        ladder.solve(rules("common", 6, (1, 1, 1)), Request(ROUNDED))
    with pytest.raises(LiarsDiceError, match="rounded works on rules"):
        ladder.solve(build(rules("common", 2)), Request(ROUNDED))
    with pytest.raises(LiarsDiceError, match="rounded computes in fractions on the extensive form"):
        ladder.solve(rules("common", 2), Request(ROUNDED, arithmetic="float"))


def test_the_command_writes_an_exact_profile(tmp_path):
    game, kept = tmp_path / "game.efg", tmp_path / "profile.json"
    asked = ("--dice", "1,1,1", "--sides", 2, "--rules", "common", "--payoffs", "zero-sum")
    assert run_here("build", *asked, "-o", game).code == 0
    content = document(run_here("solve", *asked, "--method", ROUNDED, "-o", kept, "--json"), "solve")
    assert content["profiles"][0]["regrets"] == ["0", "0", "0"]
    assert document(run_here("verify", game, kept, "--json"), "verify")["equilibrium"]


def test_a_time_limit_stops_the_roundings(monkeypatch):
    """The clock advances by an hour at each reading; the minimiser uses another clock."""
    clock = count(0.0, 3600.0)
    monkeypatch.setattr("liarsdice_cli.solvers.rounding.time.perf_counter", lambda: next(clock))
    found = ladder.solve(rules("joker", 2, (1, 1, 1)), Request(ROUNDED, time_limit=1000.0))
    assert (found.finished, found.exact, found.parameters["denominator"]) == (False, False, 1)

"""Conversion to and from other packages: the same game, the same strategies, the same payoffs."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.extensive.profile import from_sets
from tests.support.properties import mostly_slow

SAMPLES = Path(__file__).parents[2] / "sample_games"
NAMES = ("kuhn-poker", "seltens-horse", "myerson-card-game", "three-player-majority", "guess-the-ace", "liars-dice-2-sides")


def mixed(tree: ld.GameTree, seed: int, exact: bool = True) -> ld.Profile:
    """Return a profile with different fractions at every information set."""
    source = np.random.default_rng(seed)
    given = {}
    for row in range(len(tree.infosets)):
        weights = source.integers(0, 7, tree.action_counts[row]) + np.eye(tree.action_counts[row], dtype=int)[0]
        numbers = [Fraction(int(weight), int(weights.sum())) for weight in weights]
        given[row] = numbers if exact else [float(number) for number in numbers]
    return from_sets(tree, given)


@pytest.mark.parametrize(("name", "exact"), mostly_slow([(name, exact) for exact in (True, False) for name in NAMES], every=4))
def test_a_profile_survives_the_round_trip_to_gambit(name: str, exact: bool) -> None:
    tree = ld.read(str(SAMPLES / f"{name}.efg"))
    profile = mixed(tree, 1, exact)
    there = ld.interop.to_pygambit(profile)
    theirs = [there.payoffs[player] for player in there.game.players]
    assert ld.judge(profile).payoffs == pytest.approx([Fraction(str(payoff)) for payoff in theirs] if exact else theirs)
    back = ld.interop.from_pygambit(there, tree)
    assert isinstance(back, ld.Profile)
    own = tree.action_player >= 0
    assert back.exact == exact
    assert back.probabilities[own].astype(float) == pytest.approx(profile.probabilities[own].astype(float))


@pytest.mark.parametrize("name", mostly_slow(NAMES, every=4))
def test_a_game_survives_the_round_trip_to_gambit(name: str) -> None:
    tree = ld.read(str(SAMPLES / f"{name}.efg"))
    back = ld.interop.from_pygambit(ld.interop.to_pygambit(tree))
    assert isinstance(back, ld.GameTree)
    assert (back.nodes, len(back.infosets), back.players) == (tree.nodes, len(tree.infosets), tree.players)
    profile = ld.interop.from_pygambit(ld.interop.to_pygambit(mixed(tree, 2)))  # in the tree made from its own game
    assert isinstance(profile, ld.Profile)
    assert ld.judge(profile) == ld.judge(mixed(tree, 2))


def test_an_equilibrium_found_by_gambit_can_be_evaluated() -> None:
    import pygambit

    tree = ld.read(str(SAMPLES / "kuhn-poker.efg"))
    found = ld.interop.from_pygambit(pygambit.nash.lp_solve(ld.interop.to_pygambit(tree)).equilibrium, tree)
    assert isinstance(found, ld.Profile)
    assert ld.judge(found).is_equilibrium


def test_a_profile_of_another_game_is_refused() -> None:
    one, other = (ld.build(ld.rules("common", sides)) for sides in (1, 2))
    with pytest.raises(ld.LiarsDiceError, match="another game"):
        ld.interop.from_pygambit(ld.interop.to_pygambit(mixed(one, 1)), other)


@pytest.mark.parametrize("name", NAMES)
def test_the_columns_of_numpy_describe_the_game(name: str) -> None:
    """Payoffs computed from the columns equal those of the evaluation."""
    tree = ld.read(str(SAMPLES / f"{name}.efg"))
    profile = mixed(tree, 3)
    columns, behaviour = ld.interop.to_numpy(tree), ld.interop.to_numpy(profile)
    actions = zip(behaviour["infoset"].tolist(), behaviour["branch"].tolist(), strict=True)
    taken = dict(zip(actions, behaviour["probability"].tolist(), strict=True))
    reach = np.ones(tree.nodes)
    for node in range(1, tree.nodes):
        above = int(columns["parent"][node])
        key = int(columns["infoset"][above]), int(columns["branch"][node])
        reach[node] = reach[above] * (columns["chance"][node] if columns["player"][above] == 0 else taken[key])
    assert reach @ columns["payoffs"] == pytest.approx([float(payoff) for payoff in ld.judge(profile).payoffs])


def test_results_are_converted_to_pandas() -> None:
    pytest.importorskip("pandas")
    game = ld.build(ld.rules("common", 2))
    nodes, profile = ld.interop.to_pandas(game), ld.interop.to_pandas(ld.solve(game))
    assert (len(nodes), nodes["infoset"][1], nodes["action"][1]) == (125, "P1 roll 1 opening", "1|1")
    assert profile.groupby("infoset")["probability"].sum().eq(1).all()
    values = ld.interop.to_pandas(ld.values([ld.rules("joker", sides, payoffs="zero-sum") for sides in (2, 3)]))
    assert values["value"].tolist() == [1, Fraction(1, 3)]
    assert list(values.columns[:5]) == ["rules", "sides", "dice", "payoffs", "exact"]
    assert "stairs" not in values
    changed = ld.interop.to_pandas(ld.values([ld.rules("joker", 2), ld.rules("joker", 2, stairs=True), ld.rules("snyd", 2)]))
    assert changed["stairs"].tolist() == [None, True, None]
    standings = ld.interop.to_pandas(ld.tournament(ld.rules("common"), ["honest", "random"], rounds=10, seed=1))
    assert standings["name"].tolist() == ["honest", "random"]


def test_players_with_the_same_name_get_numbers_in_pandas() -> None:
    pytest.importorskip("pandas")
    tree = replace(ld.build(ld.rules("common", 1)), players=("Ann", "Ann"))
    frame = ld.interop.to_pandas(tree)
    assert frame[["payoff of Ann (1)", "payoff of Ann (2)"]].values.tolist() == ld.interop.to_numpy(tree)["payoffs"].tolist()
    assert set(ld.interop.to_pandas(from_sets(tree, {})).player) == {"Ann (1)", "Ann (2)"}


def test_actions_without_labels_have_their_numbers_in_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    file = tmp_path / "game.efg"
    file.write_text('EFG 2 R "" { "A" } p "" 1 1 "" { "" "" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    assert ld.interop.to_pandas(ld.read(file)).action.dropna().tolist() == ["1", "2"]


def test_payoffs_that_are_too_large_for_floats_are_refused() -> None:
    tree = ld.build(ld.rules("common", 1))
    huge = replace(tree, outcomes=[one._replace(payoffs=(Fraction(10) ** 400,) * 2) for one in tree.outcomes])
    with pytest.raises(ld.LiarsDiceError, match=r"^a payoff is too large for floats: divide"):
        ld.interop.to_numpy(huge)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ld.LiarsDiceError, match="pip install pandas"):
        ld.interop.to_pandas(ld.build(ld.rules("common", 1)))

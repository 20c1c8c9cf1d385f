"""Reports on a strategy after a history have one form, with or without a game tree."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import liarsdice_cli as ld

SAMPLES = Path(__file__).parents[2] / "sample_games"


@pytest.fixture(scope="module")
def solution() -> ld.Solution:
    return ld.solve(ld.rules("common", 3))


@pytest.mark.parametrize("history", ["opening", "1x2", "1x3"])
def test_a_profile_and_its_strategy_give_the_same_report(history: str) -> None:
    found = ld.solve(ld.rules("common", 3), iterations=20)
    in_tree, by_roll = ld.strategy_at(found.profile, history), ld.strategy_at(found.strategy(), history)
    for name in ("history", "player", "rolls", "actions"):
        assert getattr(in_tree, name) == getattr(by_roll, name)
    for name in ("probabilities", "values", "roll_beliefs", "reach"):
        assert getattr(in_tree, name) == pytest.approx(getattr(by_roll, name), nan_ok=True)
    if in_tree.last_bid_true is not None:
        assert in_tree.last_bid_true == pytest.approx(by_roll.last_bid_true, nan_ok=True)


def test_bids_are_found_by_name_if_impossible_ones_are_left_out() -> None:
    found = ld.solve(ld.rules("classic", 5, order="face"), method="dcfr+", iterations=3)
    assert ld.strategy_at(found, "1x2").history == ("1x2",)
    with pytest.raises(ld.LiarsDiceError, match="'3x1' is not a bid of these rules"):
        ld.strategy_at(found, "3x1")


def test_rolls_are_found_by_label(solution: ld.Solution) -> None:
    found = ld.strategy_at(solution, "1x2")
    assert found["2"] == solution.profile["P2 roll 2 after 1x2"]
    assert found[2] == found["2"]
    assert isinstance(found["2"]["call"], Fraction)
    with pytest.raises(ld.LiarsDiceError, match="player 2 has no roll '4': choose from 1, 2, 3"):
        found["4"]
    assert "2" in found
    assert 2 in found
    assert "4" not in found
    assert list(found) == ["1", "2", "3"]
    assert len(found) == 3


def test_a_report_for_another_game_has_a_row_for_each_information_set() -> None:
    game = ld.read(str(SAMPLES / "kuhn-poker.efg"))
    found = ld.strategy_at(ld.solve(game), [])
    assert len(found.rolls) == 3
    assert found.probabilities.sum(axis=1).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("game", "history", "reach"), [("matching-pennies", ["heads"], Fraction(1, 2)), ("absent-minded-driver", [], 1)]
)
def test_the_reach_is_that_of_the_history_and_not_of_whole_information_sets(
    game: str, history: list[str], reach: Fraction
) -> None:
    found = ld.strategy_at(ld.solve(ld.read(str(SAMPLES / f"{game}.efg"))), history)
    assert found.reach == reach
    assert found.roll_beliefs is not None
    assert found.roll_beliefs.tolist() == [1]


@pytest.mark.parametrize(("action", "is_bid"), [("1x2", True), ("bet", False), ("one x2", False)])
def test_only_a_bid_can_be_true(action: str, is_bid: bool, tmp_path: Path) -> None:
    ends = 't "" 1 "" { 1 0 } t "" 2 "" { 0 1 }'
    text = f'EFG 2 R "Call or fold" {{ "A" "B" }} p "" 1 1 "" {{ "{action}" }} 0 p "" 2 1 "" {{ "call" "fold" }} 0 {ends}'
    (tmp_path / "game.efg").write_text(text)
    found = ld.strategy_at(ld.solve(ld.read(tmp_path / "game.efg")), [action])
    assert (found.last_bid_true is not None) == is_bid


def test_a_report_for_a_large_game_has_beliefs_about_the_others() -> None:
    found = ld.strategy_at(ld.policy("honest").strategy(ld.rules("common", 6, (2, 2))), "1x2")
    assert found.probabilities.shape == (21, len(found.actions))
    assert found.values.shape == found.probabilities.shape
    assert sum(found.beliefs[1].values()) == pytest.approx(1)
    assert max(found.beliefs[1].values()) > min(found.beliefs[1].values())


def test_a_report_is_converted_to_a_data_frame(solution: ld.Solution) -> None:
    pytest.importorskip("pandas")
    for what in (solution, solution.strategy()):
        frame = ld.interop.to_pandas(ld.strategy_at(what, "1x2"))
        assert list(frame.columns) == ["roll", "action", "probability", "value"]
        assert np.allclose(frame.groupby("roll")["probability"].sum().astype(float), 1)

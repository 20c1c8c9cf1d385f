"""`liarsdice solve --from` and `liarsdice resolve`: beliefs, JSON, and the files that they write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.formats.ldz import StrategyFile
from tests.support.command_line import document, run_here

GAME = ("--rules", "common", "--sides", 4)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a rough strategy for two dice against one, far from an equilibrium; return its file."""
    file = tmp_path_factory.mktemp("rest") / "rough.ldz"
    game = ("--rules", "joker", "--sides", 4, "--dice", "2,1")
    assert run_here("solve", *game, "--method", "dcfr+", "--iterations", 8, "-o", file).code == 0
    return file


def test_a_subgame_from_fair_dice_is_reported_as_such() -> None:
    content: Any = document(run_here("solve", *GAME, "--from", "1x3", "--json"), "solve")
    assert (content["subgame"]["history"], content["subgame"]["source"]) == (["1x3"], "prior")
    assert content["subgame"]["beliefs"] == [[0.25] * 4] * 2
    assert [page["history"] for page in content["profiles"][0]["shown"]] == [["1x3"]]


def test_beliefs_follow_from_a_strategy_or_are_given_by_hand(kept: Path, tmp_path: Path) -> None:
    game = ("--rules", "joker", "--sides", 4, "--dice", "2,1")
    content: Any = document(run_here("solve", *game, "--from", "1x3", "--beliefs", kept, "--json"), "solve")
    assert content["subgame"]["source"] == "bayes"
    assert len(set(content["subgame"]["beliefs"][0])) > 2
    lines = tmp_path / "beliefs.txt"
    lines.write_text("# what was seen\n\nP1 roll 3 2: 1/2\nP1 roll 44: 1.5\n")
    content = document(run_here("solve", *game, "--from", "1x3", "--beliefs", lines, "--json"), "solve")
    assert content["subgame"]["source"] == "given"
    assert sorted(content["subgame"]["beliefs"][0]) == [0] * 8 + [0.25, 0.75]
    assert content["subgame"]["beliefs"][1] == [0.25] * 4
    (page,) = content["profiles"][0]["shown"]
    alone: Any = document(run_here("solve", *game, "--from", "1x3", "--beliefs", "P1 roll 4 4: 1", "--json"), "solve")
    assert sorted(alone["subgame"]["beliefs"][0]) == [0] * 9 + [1]
    assert (page["history"], page["player"]) == (["1x3"], 2)
    assert [row["label"] for row in page["others"][0]["rolls"] if row["probability"]] == ["23", "44"]


@pytest.mark.slow
def test_a_subgame_of_six_players_takes_beliefs_about_two_of_them(tmp_path: Path) -> None:
    lines = tmp_path / "beliefs.txt"
    lines.write_text("P1 roll 4 4: 3\nP1 roll 1 4: 2\nP3 roll 1 1: 1\nP3 roll 2 2: 1\n")
    game = ("--rules", "ones-low", "--dice", "2,2,2,2,2,2", "--iterations", 20)
    ended = run_here("solve", *game, "--from", "3x4 6x4", "--beliefs", lines)
    assert (ended.code, ended.err) == (0, "")
    of_mover = ended.out.partition("player 3, after 3x4 6x4")[2].partition("player 4 may hold")[0]
    assert [line.split()[:2] for line in of_mover.splitlines() if line[:1].isdigit()] == [["11", "0.5000"], ["22", "0.5000"]]


def test_a_workbook_of_a_part_of_the_game_is_written_without_beliefs(tmp_path: Path) -> None:
    file = tmp_path / "part.gbt"
    ended = run_here("solve", *GAME, "--from", "1x3", "-o", file)
    assert ended.code == 0
    assert "beliefs" not in ended.out
    assert file.exists()


def test_a_strategy_that_stays_keeps_its_origin(tmp_path: Path) -> None:
    good, same = tmp_path / "good.ldz", tmp_path / "same.ldz"
    assert run_here("solve", *GAME, "--method", "dcfr+", "--iterations", 300, "-o", good).code == 0
    ended = run_here("resolve", good, "1x3", "--iterations", 1, "-o", same)
    assert "the old strategy stays" in ended.out
    assert StrategyFile(str(same)).origin == StrategyFile(str(good)).origin


def test_resolving_a_subgame_does_not_worsen_the_strategy(kept: Path, tmp_path: Path) -> None:
    better = tmp_path / "better.ldz"
    content: Any = document(run_here("resolve", kept, "1x3", "--player", 1, "--json"), "show")
    found = content["resolving"]
    assert (found["start"], found["player"], content["shown"]) == (["1x3"], 1, [])
    assert found["after"] >= found["before"] - 2e-4
    ended = run_here("resolve", kept, "1x3", "-o", better)
    assert ended.code == 0
    old, new = StrategyFile(str(kept)), StrategyFile(str(better))
    third = next(number for number, bid in enumerate(old.rules.bids) if str(bid) == "1x3")
    assert abs(old.at([third]) - new.at([third])).max() > 1e-3
    assert abs(old.at([]) - new.at([])).max() < 1e-4
    assert run_here("verify", better).code == 0

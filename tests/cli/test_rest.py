"""`liarsdice solve --from` and `liarsdice resolve`: beliefs from files, JSON, what is kept, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.formats.ldz import StrategyFile
from tests.support.command_line import assert_refused, document, run_here

GAME = ("--rules", "common", "--sides", 4)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rough strategy of two dice against one, far from an equilibrium."""
    file = tmp_path_factory.mktemp("rest") / "rough.ldz"
    game = ("--rules", "joker", "--sides", 4, "--dice", "2,1")
    assert run_here("solve", *game, "--method", "dcfr+", "--iterations", 8, "-o", file).code == 0
    return file


def test_the_rest_from_fair_dice_says_so() -> None:
    ended = run_here("solve", *GAME, "--from", "1x3")
    assert (ended.code, ended.err) == (0, "")
    assert "payoffs win; after 1x3\n" in ended.out
    assert "beliefs: fair dice, as if the bids told nothing\n" in ended.out
    assert "player 2, after 1x3\n" in ended.out
    content: Any = document(run_here("solve", *GAME, "--from", "1x3", "--json"), "solve")
    assert (content["subgame"]["history"], content["subgame"]["source"]) == (["1x3"], "prior")
    assert content["subgame"]["beliefs"] == [[0.25] * 4] * 2
    assert [page["history"] for page in content["profiles"][0]["shown"]] == [["1x3"]]


def test_beliefs_by_bayes_and_by_hand(kept: Path, tmp_path: Path) -> None:
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
    shown = run_here("solve", *game, "--from", "1x3", "--beliefs", lines, "--show", "1x3 1x4")
    assert "player 1, after 1x3 1x4; reached from 1x3 with probability" in shown.out
    of_mover = shown.out.partition("actions (value)")[2].partition("player 2 may hold")[0]
    assert [line.split()[0] for line in of_mover.splitlines()[2:]] == ["23", "44"], "nothing is known of rolls that cannot be"


@pytest.mark.slow
def test_the_rest_of_six_players_by_beliefs_of_two_of_them(tmp_path: Path) -> None:
    lines = tmp_path / "beliefs.txt"
    lines.write_text("P1 roll 4 4: 3\nP1 roll 1 4: 2\nP3 roll 1 1: 1\nP3 roll 2 2: 1\n")
    game = ("--rules", "ones-low", "--dice", "2,2,2,2,2,2", "--iterations", 20)
    ended = run_here("solve", *game, "--from", "3x4 6x4", "--beliefs", lines)
    assert (ended.code, ended.err) == (0, "")
    of_mover = ended.out.partition("player 3, after 3x4 6x4")[2].partition("player 4 may hold")[0]
    assert [line.split()[:2] for line in of_mover.splitlines() if line[:1].isdigit()] == [["11", "0.5000"], ["22", "0.5000"]]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("P3 roll 1: 1", "line 1: there is no P3"),
        ("P1 roll 7: 1", "P1 has no roll"),
        ("P1 roll 1: -1", "no weight"),
        ("P1 roll 1: x", "no number"),
        ("roll 1 1", "write a player, a roll, a colon"),
        ("P1 roll 1: 1\nP1 roll 1: 2", "line 2: P1 has roll 1 twice"),
        ("# nothing", "says nothing"),
        ("P1 roll 1: 0", "not all 0"),
    ],
)
def test_beliefs_that_are_none_are_refused_by_line(line: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "beliefs.txt"
    file.write_text(line)
    ended = run_here("solve", *GAME, "--from", "1x3", "--beliefs", file)
    assert ended.code in (1, 2)
    assert_refused(ended, words, code=ended.code)


def test_what_does_not_go_together_is_refused(kept: Path, tmp_path: Path) -> None:
    assert_refused(run_here("solve", *GAME, "--beliefs", kept), "give both", code=2)
    assert_refused(run_here("solve", *GAME, "--from", "1x3", "--beliefs", kept), "is for joker rules")
    assert_refused(run_here("solve", "sample_games/kuhn-poker.efg", "--from", "bet"), "this game is a file's", code=2)
    assert_refused(run_here("solve", *GAME, "--from", "1x3", "-o", tmp_path / "a.ldz"), "liarsdice resolve", code=2)
    assert_refused(run_here("solve", *GAME, "--from", "1x3", "--lock", "P1 roll 1 opening: 1x1 1"), "--lock", code=2)
    assert_refused(run_here("resolve", kept, "1x9"), "1x9", code=2)
    assert_refused(run_here("resolve", kept, "1x3", "--player", 3), "--player", code=2)
    assert_refused(run_here("resolve", kept, "1x3", "-o", tmp_path / "a.json"), "a strategy is kept in a file", code=2)
    assert_refused(run_here("resolve", "no.ldz", "1x3"), "no.ldz")


def test_a_part_of_a_workbook_is_still_a_part(tmp_path: Path) -> None:
    file = tmp_path / "part.gbt"
    ended = run_here("solve", *GAME, "--from", "1x3", "-o", file)
    assert ended.code == 0
    assert "beliefs" not in ended.out
    assert file.exists()


def test_a_rest_put_into_a_strategy_makes_it_no_worse(kept: Path, tmp_path: Path) -> None:
    better = tmp_path / "better.ldz"
    content: Any = document(run_here("resolve", kept, "1x3", "--player", 1, "--json"), "show")
    found = content["resolving"]
    assert (found["start"], found["player"], content["shown"]) == (["1x3"], 1, [])
    assert found["after"] >= found["before"] - 2e-4
    ended = run_here("resolve", kept, "1x3", "-o", better)
    assert ended.code == 0
    assert "re-solved for player 2 after 1x3" in ended.out
    assert "the worst case of the whole strategy for player 2" in ended.out
    old, new = StrategyFile(str(kept)), StrategyFile(str(better))
    third = next(number for number, bid in enumerate(old.rules.bids) if str(bid) == "1x3")
    assert abs(old.at([third]) - new.at([third])).max() > 1e-3
    assert abs(old.at([]) - new.at([])).max() < 1e-4
    assert run_here("verify", better).code == 0

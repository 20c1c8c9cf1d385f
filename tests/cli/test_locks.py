"""`liarsdice solve --lock`: lines, files, profiles, both evaluations, and `verify` of the files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import KUHN, assert_refused, document, run_here

LINE = "P2 roll 1 after 1x1: call 1"


def test_both_evaluations_are_printed_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "locked.json"
    assert run_here("solve", "--sides", 2, "--lock", LINE, "-o", kept).code == 0
    verified: Any = document(run_here("verify", "--sides", 2, kept, "--json"), "verify")
    solved: Any = document(run_here("solve", "--sides", 2, "--lock", LINE, "--json"), "solve")
    (profile,) = solved["profiles"]
    assert (verified["locked"], verified["equilibrium"]) == (1, True)
    assert verified["unlocked"] == profile["unlocked"]
    assert verified["unlocked"]["regrets"] == ["0", "1/4"]
    assert solved["lock"] == [{"infoset": "P2 roll 1 after 1x1", "actions": {"call": "1"}}]


def test_lines_files_and_profiles_can_be_mixed(tmp_path: Path) -> None:
    lines, profile = tmp_path / "lines.txt", tmp_path / "profile.json"
    lines.write_text("# a comment\n\nP1 roll 1 opening: 1x1 1/2, 1x2 0.5\n")
    run_here("solve", "--sides", 2, "-o", profile)
    given = ("--lock", lines, "--lock", f"P2={profile}")
    content: Any = document(run_here("solve", "--sides", 2, *given, "--json"), "solve")
    assert len(content["lock"]) == 17
    assert content["lock"][0] == {"infoset": "P1 roll 1 opening", "actions": {"1x1": "1/2", "1x2": "1/2"}}
    whole: Any = document(run_here("solve", "--sides", 2, "--lock", profile, "--json"), "solve")
    assert len(whole["lock"]) == 32
    assert whole["profiles"][0]["payoffs"] == ["1/2", "1/2"]


def test_actions_with_blanks_or_without_labels_are_locked(tmp_path: Path) -> None:
    game, profile = tmp_path / "game.efg", tmp_path / "profile.json"
    ends = 't "" 1 "" { 1 0 } t "" 2 "" { 0 1 }'
    replies = "".join(f'p "" 2 {number} "{name}" {{ "" "" }} 0 {ends} ' for number, name in ((1, "reply"), (2, "other")))
    game.write_text(f'EFG 2 R "game" {{ "A" "B" }} p "" 1 1 "start" {{ "raise it" "stop now" }} 0 {replies}')
    lock = ("--lock", 'start: raise it 1/2, "stop now" 1/2', "--lock", "reply: 1 1/4, 2 3/4")
    content: Any = document(run_here("solve", game, *lock, "--json"), "solve")
    assert [one["actions"] for one in content["lock"]] == [{"raise it": "1/2", "stop now": "1/2"}, {"1": "1/4", "2": "3/4"}]
    assert content["profiles"][0]["payoffs"] == ["1/8", "7/8"]
    assert run_here("solve", game, *lock, "-o", profile).code == 0
    again: Any = document(run_here("solve", game, "--lock", f"P2={profile}", "--json"), "solve")
    assert {"infoset": "reply", "actions": {"1": "1/4", "2": "3/4"}} in again["lock"]


def test_probabilities_that_are_too_long_are_printed_in_six_digits() -> None:
    whole, rest = "3" * 5000, "3" * 4999 + "2"
    lock = f"P2 roll 1 after 1x1: call 1/{whole}, 1x2 {rest}/{whole}"
    printed = run_here("solve", "--sides", 2, "--lock", lock, "--method", "dcfr+", "--iterations", 1).out
    assert "P2 roll 1 after 1x1: call 3.00000e-5000, 1x2 1" in printed


def test_nothing_is_locked_by_default() -> None:
    content: Any = document(run_here("solve", KUHN, "--json"), "solve")
    assert (content["lock"], content["profiles"][0]["unlocked"]) == ([], None)


def test_a_strategy_file_locks_its_strategy(tmp_path: Path) -> None:
    kept, game = tmp_path / "kept.ldz", ("--rules", "joker", "--sides", 3)
    run_here("solve", *game, "--iterations", 200, "-o", kept)
    exploited: Any = document(run_here("exploit", f"equilibrium:{kept}", *game, "--json"), "exploit")
    for seat, worst in enumerate(exploited["bots"][0]["worst_case"], 1):
        solved: Any = document(run_here("solve", *game, "--lock", f"P{seat}={kept}", "--json"), "solve")
        (profile,) = solved["profiles"]
        assert profile["equilibrium"]
        assert float(Fraction(profile["payoffs"][seat - 1])) == pytest.approx(float(Fraction(worst)), abs=1e-5)
    both: Any = document(run_here("solve", *game, "--lock", kept, "--json"), "solve")
    assert {one["infoset"][:2] for one in both["lock"]} == {"P1", "P2"}
    cure = "give --rules joker --sides 3 --dice 1,1 --payoffs win"
    for other in (("--sides", 2), (*game, "--payoffs", "zero-sum")):
        assert_refused(run_here("solve", *other, "--lock", kept), cure, code=2)


def test_both_evaluations_are_printed_without_a_tree(tmp_path: Path) -> None:
    kept = tmp_path / "kept.ldz"
    game = ("--rules", "common", "--sides", 4, "--dice", "2,2", "--iterations", 5)
    lock = ("--lock", "P2 roll 2 1 after 1x3: call 1")
    content: Any = document(run_here("solve", *game, *lock, "-o", kept, "--json"), "solve")
    (profile,) = content["profiles"]
    assert profile["unlocked"]["exploitability"] > profile["exploitability"]
    verified: Any = document(run_here("verify", kept, "--json"), "verify")
    assert verified["bounds"] == pytest.approx(profile["unlocked"]["bounds"], abs=1e-3)
    assert_refused(run_here("solve", *game, *lock, "--cluster", "local:2"), "--cluster", code=2)

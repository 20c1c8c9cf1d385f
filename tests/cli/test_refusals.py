"""Command lines that are refused: each error names its cause and what to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import PENNIES, assert_refused, run_here


@pytest.mark.parametrize("words", [(PENNIES,), (PENNIES, "opening"), ("missing.ldz",), ("-",)])
def test_show_refuses_a_file_beside_rule_options(words: tuple[object, ...]) -> None:
    ended = run_here("show", *words, "--sides", 3)
    assert_refused(ended, f"both {words[0]} and --sides describe a game", code=2)


@pytest.mark.parametrize(
    ("asked", "ending"),
    [
        (["exploit", "honest", "--sides", 2, "-o", "x.json"], ".csv"),
        (["arena", "honest", "random", "-o", "x.json"], ".csv"),
        (["sweep", "zero-intelligence", "--sides", 2, "-o", "y.svg"], ".csv"),
        (["values", "--sides", 2, "-o", "z.json.gz"], ".csv"),
        (["match", "--dice", "1,1", "-o", "z.txt"], ".csv"),
    ],
)
def test_a_table_is_not_written_to_a_file_named_for_another_format(asked: list[object], ending: str, tmp_path: Path) -> None:
    ended = run_here(*asked, cwd=tmp_path)
    assert_refused(ended, f"-o {asked[-1]}: the name must end in {ending}", code=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x", "x.csv", "x.CSV.gz"])
def test_a_table_may_be_compressed_or_have_no_ending(name: str, tmp_path: Path) -> None:
    assert run_here("values", "--sides", 2, "-o", name, cwd=tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_reaching_the_time_limit_of_each_game_is_not_a_failure() -> None:
    ended = run_here("values", "--sides", 6, "--dice", "2,2", "--time-limit", "0.01", "--target", "1e-9")
    assert (ended.code, ended.err) == (0, "")
    assert "the exit code is 0" in " ".join(run_here("values", "-h").out.split())


def test_a_profile_that_lists_an_information_set_twice_is_refused(tmp_path: Path) -> None:
    content = json.loads(run_here("solve", PENNIES, "-o", "-").out)
    content["sets"].append(content["sets"][0] | {"probabilities": ["1", "0"]})
    (tmp_path / "twice.json").write_text(json.dumps(content))
    assert_refused(run_here("verify", PENNIES, tmp_path / "twice.json"), "twice.json: ", "is listed twice")


@pytest.mark.parametrize(
    ("change", "words"),
    [({"number": True}, "needs player, number and probabilities"), ({"actions": ["tails", "heads"]}, "in this order")],
)
def test_a_profile_written_by_hand_must_fit_the_game(change: dict[str, object], words: str, tmp_path: Path) -> None:
    content = json.loads(run_here("solve", PENNIES, "-o", "-").out)
    del content["game"]
    (tmp_path / "mine.json").write_text(json.dumps(content))
    assert run_here("verify", PENNIES, tmp_path / "mine.json").code == 0
    content["sets"][0] |= change
    (tmp_path / "mine.json").write_text(json.dumps(content))
    assert_refused(run_here("verify", PENNIES, tmp_path / "mine.json"), "mine.json: ", words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a game, its profile, the game in other formats, and strategy files, one without its ending."""
    assert run_here("build", "--sides", 2, "-o", "game.efg", cwd=tmp_path).code == 0
    for name in ("profile.json", "game.gbt"):
        assert run_here("solve", "game.efg", "-o", name, cwd=tmp_path).code == 0
    assert run_here("convert", PENNIES, "game.nfg", cwd=tmp_path).code == 0
    assert run_here("solve", "--sides", 2, "-o", "kept.ldz", cwd=tmp_path).code == 0
    (tmp_path / "kept.ldz").rename(tmp_path / "kept")
    (tmp_path / "any.ldz").write_bytes(b"not opened")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("profile.json", "is a profile"),
        ("game.nfg", "is a game in strategic form"),
        ("game.gbt", "is a workbook"),
        ("kept", "has strategies"),
    ],
)
@pytest.mark.parametrize("command", ["info", "solve", "explore", "draw"])
def test_a_file_that_is_not_a_game_is_refused_with_its_content_type(command: str, name: str, kind: str, folder: Path) -> None:
    more = ["-o", "page.html"] * (command == "explore")
    assert_refused(run_here(command, name, *more, cwd=folder), f"{name} {kind}", ": name ")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("any.ldz", "is a strategy file, not a profile: `liarsdice show"),
        ("game.efg", "is a game, not a profile: `liarsdice solve"),
    ],
)
def test_a_file_that_is_not_a_profile_is_refused_with_its_content_type(name: str, kind: str, folder: Path) -> None:
    assert_refused(run_here("show", "game.efg", "--profile", name, cwd=folder), f"{name} {kind}")


def test_verify_asks_for_a_missing_profile(folder: Path) -> None:
    ended = run_here("verify", "game.efg", cwd=folder)
    assert_refused(ended, "game.efg is a game: name its profile too", "verify game.efg profile.json", code=2)


@pytest.mark.parametrize(
    "asked",
    [
        ("verify", "-", "-"),
        ("draw", "-", "--profile", "-"),
        ("show", "-", "--profile", "-"),
        ("explore", "-", "--profile", "-", "-o", "x.html"),
        ("convert", "-", "-", "x.gbt"),
        ("solve", "-", "--lock", "-"),
        ("solve", "--sides", "2", "--from", "1x1", "--lock", "-", "--beliefs", "-"),
    ],
)
def test_two_inputs_cannot_both_come_from_standard_input(asked: tuple[str, ...], tmp_path: Path) -> None:
    assert_refused(run_here(*asked, cwd=tmp_path), "cannot both come from standard input", code=2)


@pytest.mark.parametrize(
    "asked",
    [
        ("verify", "missing.ldz"),
        ("resolve", "folder.ldz", "1x1"),
        ("exploit", "table:missing.npz"),
        ("exploit", "equilibrium:missing.ldz"),
    ],
)
def test_a_strategy_that_cannot_be_read_is_refused_with_a_cure(asked: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "folder.ldz").mkdir()
    cure = "; name a file in it" if "folder.ldz" in asked else "; check the name and the folder"
    assert_refused(run_here(*asked, cwd=tmp_path), "cannot read ", cure)


@pytest.mark.parametrize("asked", [("build", "--sides", 2, "-o", ""), ("info", ""), ("solve", PENNIES, "-o", "")])
def test_an_empty_file_name_is_refused(asked: tuple[object, ...]) -> None:
    assert_refused(run_here(*asked), "the name of a file is empty", code=2)


@pytest.mark.parametrize(
    "asked",
    [
        ("info", "a\0b"),
        ("solve", PENNIES, "-o", "a\0b.json"),
        ("solve", "--sides", 2, "--method", "dcfr+", "--checkpoint", "a\0b"),
        ("show", "a\0b"),
    ],
)
def test_a_file_name_with_a_null_character_is_refused(asked: tuple[object, ...]) -> None:
    assert_refused(run_here(*asked), "holds a null character", code=2)


@pytest.mark.parametrize(
    ("asked", "cure"),
    [
        (("show", "1x2 2x3"), "1x2 2x3 is a history without a game: give a file before it, or rule options"),
        (("curves", "--dice", "1,1,1"), "curves is for two players: give --dice with two numbers"),
        (("info", "--sides", 2, "--max-input", "1GB"), "give it before the command, liarsdice --max-input"),
        (("info", "--sides", 2, "--version"), "give it before the command, liarsdice --version"),
    ],
)
def test_what_stands_in_the_wrong_place_is_refused_with_the_right_one(asked: tuple[object, ...], cure: str) -> None:
    assert_refused(run_here(*asked), cure, code=2)


@pytest.mark.parametrize("text", ["", "garbage", "x" * 5000])
def test_an_invalid_lock_is_refused_with_an_example(text: str) -> None:
    assert_refused(run_here("solve", "--sides", 2, "--lock", text), "is not a file: name one, or write a line such as")


def test_a_very_long_lock_line_is_accepted() -> None:
    line = "P1 roll 1 opening: " + " " * 5000 + "1x2 1"
    assert run_here("solve", "--rules", "common", "--sides", 2, "--lock", line).code == 0


def test_an_address_of_another_machine_is_refused_by_its_option() -> None:
    ended = run_here("coach", "me", "Ann", "--serve", "--lan", "--host", "192.0.2.1")
    assert_refused(ended, "192.0.2.1 is not an address of this machine; give another --host")


@pytest.mark.parametrize("option", [("--sides", 3), ("--dice", "2,2"), ("--rules", "dudo"), ("--spot-on-gains",)])
def test_rules_for_a_page_that_asks_for_them_are_refused(option: tuple[object, ...]) -> None:
    assert_refused(run_here("coach", "--serve", *option), "the page asks for the rules", code=2)


@pytest.mark.parametrize("name", ["x.nfg", "x.gbt"])
def test_labels_are_only_for_efg_files(name: str, tmp_path: Path) -> None:
    ended = run_here("convert", PENNIES, name, "--labels", "full", cwd=tmp_path)
    assert_refused(ended, "--labels is for an .efg file", code=2)
    assert not list(tmp_path.iterdir())


def test_a_command_bot_without_a_program_is_refused() -> None:
    assert_refused(run_here("arena", "honest", "command:"), "cannot be started: it names no program; write command: and")


def test_zero_intelligence_with_stairs_is_refused_with_a_cure() -> None:
    assert_refused(run_here("exploit", "zero-intelligence", "--rules", "snyd"), "does not play with stairs: give --no-stairs")


def test_a_truncated_certificate_is_refused_with_a_cure(tmp_path: Path) -> None:
    assert run_here("solve", "--rules", "common", "--sides", 2, "-o", "a.cert", cwd=tmp_path).code == 0
    text = (tmp_path / "a.cert").read_text()
    (tmp_path / "a.cert").write_text(text[: text.index("package ") + 20])
    assert_refused(run_here("verify", "a.cert", cwd=tmp_path), "a.cert: the line package is not a JSON object; copy it again")


def test_a_refusal_of_a_large_game_does_not_advise_other_rules() -> None:
    ended = run_here("exploit", "random", "--rules", "common", "--dice", "5,5")
    assert_refused(ended, "give fewer sides or dice, or a lower --max-quantity")
    assert "--rules" not in ended.err

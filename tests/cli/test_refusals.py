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
        (["benchmark", "honest", "-o", "bm.csv"], ".json"),
    ],
)
def test_a_table_is_not_written_under_the_ending_of_another_format(asked: list[object], ending: str, tmp_path: Path) -> None:
    ended = run_here(*asked, cwd=tmp_path)
    assert_refused(ended, f"-o {asked[-1]}: the name must end in {ending}", code=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x", "x.csv", "x.CSV.gz"])
def test_a_table_may_be_compressed_or_have_no_ending(name: str, tmp_path: Path) -> None:
    assert run_here("values", "--sides", 2, "-o", name, cwd=tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_time_limit_for_each_game_is_no_failure() -> None:
    ended = run_here("values", "--sides", 6, "--dice", "2,2", "--time-limit", "0.01", "--target", "1e-9")
    assert (ended.code, ended.err) == (0, "")
    assert "the exit code is 0" in " ".join(run_here("values", "-h").out.split())


def test_a_profile_with_an_information_set_twice_is_refused(tmp_path: Path) -> None:
    content = json.loads(run_here("solve", PENNIES, "-o", "-").out)
    content["sets"].append(content["sets"][0] | {"probabilities": ["1", "0"]})
    (tmp_path / "twice.json").write_text(json.dumps(content))
    assert_refused(run_here("verify", PENNIES, tmp_path / "twice.json"), "twice.json: ", "is listed twice")

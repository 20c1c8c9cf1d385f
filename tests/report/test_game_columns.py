"""Test the CSV files of commands: each row names its game, with all changes to the preset."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.formats.rule_fields import COLUMNS, rules_of_row
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.command_line import run_here

CHANGES: dict[str, Any] = {"wild": 2, "fixed_face": True}


def rows(*words: object) -> list[dict[str, str]]:
    ended = run_here(*words, "-o", "-")
    assert (ended.code, ended.err) == (0, ""), ended
    return list(csv.DictReader(io.StringIO(ended.out)))


@pytest.mark.parametrize(
    ("command", "dice"),
    [
        (("exploit", "honest"), (1, 1)),
        (("exploit", "honest"), (1, 1, 1)),
        (("exploit", "honest", "--coalition"), (1, 1, 1)),
        (("safe-exploit", "honest"), (1, 1)),
        (("sweep", "zero-intelligence"), (1, 1)),
        (("arena", "honest", "random", "--rounds", 4, "--seed", 1), (2, 1)),
    ],
    ids=str,
)
def test_rows_name_all_changes_to_the_preset(command: tuple[object, ...], dice: tuple[int, ...]) -> None:
    asked = (*command, "--rules", "common", "--sides", 2, "--dice", ",".join(map(str, dice)))
    plain, changed = rows(*asked), rows(*asked, "--wild", 2, "--fixed-face")
    assert list(plain[0])[: len(COLUMNS)] == list(COLUMNS)
    assert list(changed[0]) == [*plain[0], *CHANGES]
    assert {rules_of_row(row) for row in plain} == {rules("common", 2, dice)}
    assert {rules_of_row(row) for row in changed} == {rules("common", 2, dice, **CHANGES)}


def test_standings_name_the_options_of_the_match() -> None:
    asked = ("arena", "honest", "random", "--rounds", 4, "--seed", 1, "--rules", "perudo", "--dice", "2,1", "--spot-on")
    names = ("match", "palifico", "spot_on_gains", "spot_on_by")
    assert [rows(*asked)[0][name] for name in names] == ["no", "no", "no", "next"]
    played = rows(*asked, "--match", "--spot-on-gains", "--spot-on-by", "any")
    assert [played[0][name] for name in names] == ["yes", "yes", "yes", "any"]


def test_curves_name_the_changes_to_the_preset(tmp_path: Path) -> None:
    asked = ("curves", "cfr+", "--rules", "common", "snyd", "--sides", 2, "--iterations", 2)
    data, picture = tmp_path / "curves.csv", tmp_path / "curves.svg"

    def samples(*options: object) -> list[dict[str, str]]:
        assert run_here(*asked, *options, "-o", data, "-o", picture).code == 0
        return list(csv.DictReader(io.StringIO(data.read_text())))

    plain, changed = samples(), samples("--stairs")
    assert "stairs" not in plain[0]
    assert {(row["rules"], row["stairs"]) for row in changed} == {("common", "yes"), ("snyd", "")}
    assert "common, 2 sides, dice 1,1, stairs" in run_here(*asked, "--stairs").out
    assert "common, 2 sides, dice 1,1, stairs" in picture.read_text()

"""Test tables of values of rules that change a preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarsdice_cli.cli.main import run
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.tables import grid
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.studies.valuation import value
from liarsdice_cli.studies.value_table import dumps, read


def test_changes_have_their_own_columns_only_if_there_are_any(tmp_path: Path) -> None:
    file = tmp_path / "changed.csv"
    plain = grid(["joker"], [3], [(1, 1)])
    changed = grid(["joker", "face-first"], [3], [(1, 1)], order="face", max_quantity=1, wild="none")
    known = [value(game) for game in (*plain, *changed)]
    file.write_bytes(dumps(known[:1]))
    assert file.read_text().splitlines()[0].endswith("iterations")
    file.write_bytes(dumps(known))
    header, first, second, third = file.read_text().splitlines()
    assert header.endswith("iterations,wild,max_quantity,order")
    assert [line.split(",")[-3:] for line in (first, second, third)] == [["", "", ""], ["none", "1", "face"], ["none", "1", ""]]
    assert [one.rules for one in read(str(file))] == [*plain, *changed]
    file.write_text(header.replace("wild,max_quantity", "max_quantity,wild") + "\n")
    with pytest.raises(LiarsDiceError, match="not a table of values"):
        read(str(file))


def test_values_and_match_accept_changes_to_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["values", "--sides", "3", "--rules", "joker", "--order", "face", "--json"]) == 0
    game = json.loads(capsys.readouterr().out)["games"][0]
    assert game["rules"] == {"preset": "joker", "sides": 3, "dice": [1, 1], "payoffs": "win", "order": "face"}
    assert game["value"] == str(solve(rules("joker", 3, order="face")).value)
    assert run(["match", "--rules", "common", "--sides", "2", "--dice", "2,1", "--max-quantity", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["match"]["rules"]["max_quantity"] == 1
    assert [one["rules"]["max_quantity"] for one in said["games"]] == [1, 1, 1]


def test_probability_lists_raises_of_the_requested_bidding_order(capsys: pytest.CaptureFixture[str]) -> None:
    raises = {}
    for order in ("quantity", "face"):
        assert run(["probability", "2,3", "2", "2x3", "--order", order, "--json"]) == 0
        raises[order] = {one["bid"] for one in json.loads(capsys.readouterr().out)["raises"]}
    assert "1x4" in raises["face"] - raises["quantity"]
    assert "3x2" in raises["quantity"] - raises["face"]

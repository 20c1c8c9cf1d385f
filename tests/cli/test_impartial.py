"""The commands of `liarsdice impartial`: the documents' examples, JSON, trees, bad input, speed."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.formats import efg
from liarsdice_cli.games.impartial.subtraction import Subtraction, TakeAway
from liarsdice_cli.report.impartial import takeaway_json, takeaway_lines
from liarsdice_cli.solvers import backward
from tests.support.command_line import Ended, checked_document, run_here
from tests.support.properties import mostly_slow


def run(*args: object, stdin: str = "") -> Ended:
    return run_here("impartial", *args, input=stdin)


def lines(*args: object, stdin: str = "") -> list[str]:
    done = run(*args, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def document(*args: object, kind: str, stdin: str = "") -> dict[str, Any]:
    """Return the JSON that a command prints, checked against its schema."""
    content: dict[str, Any] = json.loads("\n".join(lines(*args, "--json", stdin=stdin)))
    return checked_document(content, kind)


def position(*args: object) -> dict[str, Any]:
    """Return the only position of a document."""
    (found,) = document(*args, kind="impartial")["positions"]
    assert isinstance(found, dict)
    return found


# Take-away


def test_takeaway_of_twenty_one() -> None:
    content = document("takeaway", 21, "1,2,3", kind="impartial")
    (found,), table = content["positions"], content["table"]
    assert found["winning_moves"] == [{"component": 1, "heap": 1, "size": 21, "left": [20]}]
    assert (found["result"], table["results"], table["period"]["length"]) == ("W", "LWWW" * 5 + "LW", 4)


def test_takeaway_of_a_thousand_million_chips() -> None:
    content = document("takeaway", 10**9, "1,3,4", "--misere", kind="impartial")
    assert content["positions"][0]["result"] == ("L" if (10**9 - 1) % 7 in (0, 2) else "W")
    assert content["table"]["grundy_values"] is None


def test_the_value_of_a_large_heap_is_null_in_json_without_a_period() -> None:
    question = TakeAway(Subtraction((7, 19, 3999, 4000)), 20_000, False)
    question.game.limit = 12_000
    assert question.period is None
    content = takeaway_json(question)
    (position,), table = content["positions"], content["table"]
    assert table is not None
    assert (position["value"], position["components"][0]["value"], table["period"]) == (None, None, None)
    assert position["result"] == ("W" if question.wins(20_000) else "L")


@pytest.mark.parametrize("options", [[7, "1,2,3"], [9, "2,3", "--misere"], [0, 1]])
def test_the_tree_of_takeaway_agrees(options: list[object], tmp_path: Path) -> None:
    won = position("takeaway", *options, "-o", tmp_path / "game.efg")["result"] == "W"
    assert backward.solve(efg.read(str(tmp_path / "game.efg")))[1].payoffs == ((int(won), int(not won)),)


# Bachet


SAMPLE = """20 3 1 3 8
21 3 1 3 8
22 3 1 3 8
23 3 1 3 8
1000000 10 1 23 38 11 7 5 4 8 3 13
999996 10 1 23 38 11 7 5 4 8 3 13
"""
ANSWERS = ["Stan", "Stan", "Ollie", "Stan", "Stan", "Ollie"]
"""The sample of UVa 10404, as published there and at open.kattis.com (bachetsgame)."""


def test_the_sample_of_uva_10404() -> None:
    assert run("bachet", stdin=SAMPLE).out == "".join(f"{name} wins\n" for name in ANSWERS)
    found = document("bachet", "-", kind="impartial", stdin=SAMPLE)["positions"]
    assert [one["result"] for one in found] == ["W" if name == "Stan" else "L" for name in ANSWERS]
    assert found[0]["components"] == [{"game": "take 1, 3, 8", "heaps": [20], "value": None}]


def test_an_ill_formed_line_ends_the_document_after_the_good_ones() -> None:
    done = run("bachet", "--json", stdin="20 3 1 3 8\n\n12 2 1 x\n22 3 1 3 8\n")
    assert (done.code, len(json.loads(done.out)["positions"])) == (1, 1)


@pytest.mark.parametrize("count", mostly_slow([2, 10]))
def test_bachet_solves_many_lines_of_a_million_stones(count: int) -> None:
    dice = random.Random(3)
    text = ""
    for _ in range(count):
        take = [1, *dice.sample(range(2, dice.choice((40, 250, 1000, 1_000_000))), 9)]
        text += f"{1_000_000 - dice.randrange(5)} 10 {' '.join(map(str, take))}\n"
    assert len(lines("bachet", stdin=text)) == count


# Nim


def test_nim_as_json_and_as_a_tree(tmp_path: Path) -> None:
    for options in (["2", "2"], ["1", "2", "1", "--misere"], ["0"], ["1", "1", "1", "--misere"]):
        won = position("nim", *options, "-o", tmp_path / "game.efg")["result"] == "W"
        assert backward.solve(efg.read(str(tmp_path / "game.efg")))[1].payoffs == ((int(won), int(not won)),)


@pytest.mark.parametrize("words", [["nim", "3", "--misree"], ["takeaway", "9", "1,2", "-x"]])
def test_a_misspelled_option_is_not_taken_for_a_number(words: list[str]) -> None:
    ended = run(*words)
    assert (ended.code, "No such option" in ended.err) == (2, True)


def test_nim_with_thousands_of_digits() -> None:
    big = "9" * 6000
    content = json.loads("\n".join(lines("nim", big, big, 3, "--json")), parse_int=str)
    assert content["positions"][0]["winning_moves"][-1:] == [{"component": "1", "heap": "3", "size": "3", "left": ["0"]}]


# Grundy values and sums


@pytest.mark.parametrize("game", ["nim", "kayles", "0.137", "1,2,3", "grundy"])
def test_grundy_as_json(game: str) -> None:
    content = document("grundy", game, "--values", 10, kind="impartial")
    assert (content["positions"], len(content["table"]["grundy_values"])) == ([], 10)


def test_a_sum_and_its_tree(tmp_path: Path) -> None:
    content = position("grundy", "nim 2", "kayles 3", "-o", tmp_path / "game.efg")
    assert (content["value"], content["result"]) == (1, "W")
    assert backward.solve(efg.read(str(tmp_path / "game.efg")))[1].payoffs == ((1, 0),)


# Positions


GRAPH = "from,to\n3,2\n3,1\n2,1\n2,0\n1,0\n0,\n"


@pytest.mark.parametrize("options", [[], ["--misere"], ["2"]])
def test_the_tree_of_positions_agrees(options: list[str], tmp_path: Path) -> None:
    content = document("positions", "-", *options, "-o", tmp_path / "game.efg", kind="positions", stdin=GRAPH)
    (won,) = (row["result"] == "W" for row in content["positions"] if row["position"] == content["start"])
    assert backward.solve(efg.read(str(tmp_path / "game.efg")))[1].payoffs == ((int(won), int(not won)),)


# Bad input


@pytest.mark.slow
def test_too_large_a_tree_is_refused() -> None:
    done = run("takeaway", 90, "1,2,3", "-o", "x.efg")
    assert (done.code, done.out) == (1, "")


def test_an_endless_game_has_no_tree(tmp_path: Path) -> None:
    circle = "from,to\na,b\nb,a\nc,d\nd,\n"
    done = run("positions", "-", "-o", tmp_path / "x.efg", stdin=circle)
    assert (done.code, done.out) == (1, "")
    assert run("positions", "-", "-o", tmp_path / "x.efg", "c", stdin=circle).code == 0
    assert efg.read(str(tmp_path / "x.efg")).nodes == 2


def test_a_byte_order_mark_before_the_games_of_bachet_is_ignored() -> None:
    done = run("bachet", stdin="\ufeff20 3 1 3 8\n")
    assert (done.code, done.out, done.err) == (0, "Stan wins\n", "")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_heap_with_too_many_moves_is_refused_before_anything_is_printed(options: list[str]) -> None:
    done = run("grundy", "kayles 99999999999", *options)
    assert (done.code, done.out) == (1, "")
    assert "choose heaps up to" in done.err


def test_the_rows_of_a_large_heap_are_generated_one_by_one() -> None:
    lines = takeaway_lines(TakeAway(Subtraction((1, 3, 4)), 10**12, misere=False), full=True)
    assert "f(9) = L  Grundy value 0" in islice(lines, 20)

"""`liarsdice probability` as a person or a script meets it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tests.support.command_line import assert_refused, checked_document, run_here

ROOT = Path(__file__).parents[2]
DOCUMENT = ("2,3,3,3,3", 36, "16x3")


def document(*args: object) -> dict[str, Any]:
    ended = run_here("probability", *args, "--json")
    assert (ended.code, ended.err) == (0, ""), ended
    return checked_document(json.loads(ended.out), "probability")


def lines(*args: object) -> list[str]:
    ended = run_here("probability", *args)
    assert (ended.code, ended.err) == (0, ""), ended
    return ended.out.splitlines()


def test_the_documents_example() -> None:
    content = document(*DOCUMENT)
    bid = content["last_bid"]
    assert float(Fraction(bid["true"])) == pytest.approx(stats.binom.sf(11, 36, 1 / 3))
    assert bid["true_normal"] == pytest.approx(stats.norm.sf((11.5 - 12) / 8**0.5))
    assert bid["page_z_score"] == pytest.approx(0.5 / 8**0.5)
    assert (bid["missing"], bid["chance"], bid["expected"]) == (12, "1/3", "16")
    assert (content["recommended"], content["by_level"]) == ("call", "17x3")
    assert len(content["raises"]) == 3 + 25 * 6
    omegas = [Fraction(one["omega"]) for one in content["raises"]]
    assert omegas == sorted(omegas, reverse=True)


def test_a_person_reads_the_same() -> None:
    ended = run_here("probability", *DOCUMENT)
    assert (ended.code, ended.err) == (0, "")
    shown = ended.out.splitlines()
    assert "16x3: 4 seen, 12 missing" in shown
    assert "recommended: call: a call is worth -0.5624, the best raise, 17x3, -0.5668" in shown
    assert "a player with level 0.3 would raise to 17x3: 0.5624 is not below 0.3" in shown
    assert next(line.split() for line in shown if line.startswith("17x3")) == ["17x3", "0.4225", "0.5775", "0.9547", "-0.5668"]
    assert len(lines(*DOCUMENT, "--full")) > 150


def test_the_opening() -> None:
    content = document("6,6", 2, "--rules", "common")
    assert content["last_bid"] is None
    assert (content["recommended"], content["by_level"]) == ("1x6", "1x6")
    assert lines("6,6", 2, "--rules", "common")[-1].endswith("bid 1x6: the opening cannot call")


def test_known_dice_count_for_everybody() -> None:
    content = document("3", 2, "3x3", "--known", "1,3")
    assert content["last_bid"]["true"] == "1"
    assert content["last_bid"]["missing"] == 0
    assert (content["recommended"], content["known"]) == ("4x3", [1, 3])
    assert "  true with probability 1; normal 1" in lines("3", 2, "3x3", "--known", "1,3")


def test_more_than_there_are_is_false_and_called() -> None:
    content = document("1,4", 3, "999999999x3")
    assert (content["last_bid"]["true"], content["raises"], content["recommended"]) == ("0", [], "call")
    assert lines("1,4", 3, "6x3")[-1] == "a player with level 0.3 would call: no raise is left"


def test_nothing_unknown_has_no_z_score() -> None:
    content = document("1,4", 0, "2x4", "--level", "1/2")
    assert content["last_bid"]["z_score"] is None
    assert (content["last_bid"]["true"], content["level"], content["next_dice"]) == ("1", "1/2", 0)


def test_options_of_the_rules() -> None:
    content = document("2,4", 2, "2x4", "--wild", "none", "--sides", 4, "--next", 1)
    assert content["last_bid"]["chance"] == "1/4"
    assert content["rules"]["wild"] == "none"
    assert [one["bid"] for one in content["raises"]].count("2x4") == 0
    dudo = document("2,4", 2, "1x6", "--rules", "dudo")
    assert "1x1" in [one["bid"] for one in dudo["raises"]]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("7", 3), ["no face 7", "1 to 6"]),
        (("0", 3), ["no face 0"]),
        (("", 3), ["FACES", "2,3,3"]),
        (("2,x", 3), ["FACES '2,x'", "commas"]),
        (("-2", 3), ["No such option"]),
        (("2", 3, "--known", "2;3"), ["--known"]),
        (("2", 3, "--known", "9"), ["no face 9"]),
        (("2", 10**12), ["no more than 100"]),
        (("2", 10**500), ["no more than 100"]),
        (("2", 3, "three 3s"), ["quantity x face", "3x6"]),
        (("2", 3, "9" * 5000 + "x3"), ["quantity x face"]),
        (("2", 3, "0x3"), ["0x3 is no bid"]),
        (("2", 3, "1x9"), ["1x9 is no bid"]),
        (("2", 3, "1x1", "--rules", "joker"), ["1x1 is no bid", "faces 2"]),
        (("2", 3, "--next", 4), ["next player", "0 to 3"]),
        (("2", 3, "--level", 0), ["level 0"]),
        (("2", 3, "--level", "nan"), ["--level 'nan'"]),
        (("2", 3, "--level", "1e999999999"), ["--level"]),
        (("2", 3, "--sides", 0), ["--sides"]),
        (("2", 3, "--wild", 8), ["--wild 8"]),
        (("2",), ["UNKNOWN"]),
        ((), ["FACES"]),
    ],
)
def test_bad_input_is_one_line_that_says_what_to_do(args: tuple[object, ...], words: list[str]) -> None:
    assert_refused(run_here("probability", *args), *words, code=2)

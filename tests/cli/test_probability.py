"""`liarsdice probability`: the document it prints as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tests.support.command_line import checked_document, run_here

ROOT = Path(__file__).parents[2]
DOCUMENT = ("2,3,3,3,3", 36, "16x3")


def document(*args: object) -> dict[str, Any]:
    ended = run_here("probability", *args, "--json")
    assert (ended.code, ended.err) == (0, ""), ended
    return checked_document(json.loads(ended.out), "probability")


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


def test_the_opening() -> None:
    content = document("6,6", 2, "--rules", "common")
    assert content["last_bid"] is None
    assert (content["recommended"], content["by_level"]) == ("1x6", "1x6")


def test_known_dice_count_for_every_player() -> None:
    content = document("3", 2, "3x3", "--known", "1,3")
    assert content["last_bid"]["true"] == "1"
    assert content["last_bid"]["missing"] == 0
    assert (content["recommended"], content["known"]) == ("4x3", [1, 3])


def test_an_impossible_bid_is_false_and_called() -> None:
    content = document("1,4", 3, "999999999x3")
    assert (content["last_bid"]["true"], content["raises"], content["recommended"]) == ("0", [], "call")


def test_there_is_no_z_score_without_unknown_dice() -> None:
    content = document("1,4", 0, "2x4", "--level", "1/2")
    assert content["last_bid"]["z_score"] is None
    assert (content["last_bid"]["true"], content["level"], content["next_dice"]) == ("1", "1/2", 0)


def test_rule_options_change_the_probabilities_and_the_raises() -> None:
    content = document("2,4", 2, "2x4", "--wild", "none", "--sides", 4, "--next", 1)
    assert content["last_bid"]["chance"] == "1/4"
    assert content["rules"]["wild"] == "none"
    assert [one["bid"] for one in content["raises"]].count("2x4") == 0
    dudo = document("2,4", 2, "1x6", "--rules", "dudo")
    assert "1x1" in [one["bid"] for one in dudo["raises"]]

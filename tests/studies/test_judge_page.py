"""The policies in docs/results.md are those of docs/judge.csv, and what is quick is what is computed."""

from __future__ import annotations

import pytest

from benchmarks import judge as page
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.studies.worst_case import value_of
from tests.support.properties import mostly_slow

LINES = [(game, entry) for game in page.GAMES for entry in page.ENTRIES if game in entry.games]
HONEST = [(game, entry) for game, entry in LINES if entry.name == "honest"]
QUICK = [*HONEST, *((game, entry) for game, entry in LINES if entry.name in ("equilibrium", "random") and game.dice == (1, 1))]


def test_the_page_is_what_the_file_says():
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.made(text, list(page.kept().values())) == text
    assert "dudo.ai's networks | 0.4" in text


def test_the_file_has_a_line_for_each_policy_in_its_games():
    assert list(page.kept()) == page.places()


def test_worst_cases_leave_no_more_than_the_value():
    for one in page.kept().values():
        if one["value_lower"]:
            assert float(one["player1"]) <= float(one["value_upper"]) + 1e-9
            assert float(one["player2"]) <= 1 - float(one["value_lower"]) + 1e-9
        assert float(one["exploitability"]) == pytest.approx(0.5 - float(one["mean"]), abs=1e-8)
        assert float(one["mean"]) == pytest.approx((float(one["player1"]) + float(one["player2"])) / 2, abs=1e-8)


@pytest.mark.parametrize(("game", "entry"), mostly_slow(QUICK, len(QUICK)))
def test_quick_lines_are_what_is_computed(game, entry):
    found = exploitability(game.rules, entry.policy(game.rules), opponent_max_bids=game.opponent_max_bids)
    kept = page.kept()[page.key_of(game, entry.name)]
    assert [float(kept["player1"]), float(kept["player2"])] == pytest.approx(
        [float(payoff) for payoff in found.payoffs], abs=1e-6
    )


@pytest.mark.slow
def test_values_are_those_of_the_games():
    value = float(value_of(page.OPEN_SPIELS.rules).lower)
    kept = [one for place, one in page.kept().items() if place[:2] == ("top-wild", "1,1")]
    assert len(kept) > 1
    for one in kept:
        assert float(one["value_lower"]) == pytest.approx(value, abs=1e-9)

"""Check the lines of docs/judge.csv, and compute the quick ones again."""

from __future__ import annotations

import pytest

from benchmarks import judge as page
from benchmarks.values import VALUES
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.studies.value_table import read
from tests.support.properties import mostly_slow

LINES = [(game, entry) for game in page.GAMES for entry in page.ENTRIES if game in entry.games]
HONEST = [(game, entry) for game, entry in LINES if entry.name == "honest"]
QUICK = [*HONEST, *((game, entry) for game, entry in LINES if entry.name in ("equilibrium", "random") and game.dice == (1, 1))]


def test_no_policy_guarantees_more_than_the_value():
    values = {one.rules: (1 + one.value) / 2 for one in read(str(VALUES)) if one.exact}
    compared = 0
    for one in page.RESULTS.read().values():
        value = values.get(rules(one["rules"], 6, [int(dice) for dice in one["dice"].split(",")], payoffs="zero-sum"))
        if value is not None and not one["opponent_max_bids"]:
            compared += 1
            assert float(one["player1"]) <= value + 1e-9
            assert float(one["player2"]) <= 1 - value + 1e-9
    assert compared > 15


def test_means_and_exploitabilities_follow_from_both_seats():
    for one in page.RESULTS.read().values():
        assert float(one["exploitability"]) == pytest.approx(0.5 - float(one["mean"]), abs=1e-8)
        assert float(one["mean"]) == pytest.approx((float(one["player1"]) + float(one["player2"])) / 2, abs=1e-8)


@pytest.mark.parametrize(("game", "entry"), mostly_slow(QUICK, len(QUICK)))
def test_quick_lines_match_computed_values(game, entry):
    found = exploitability(game.rules, entry.policy(game.rules), opponent_max_bids=game.opponent_max_bids)
    kept = page.RESULTS.read()[page.key_of(game, entry.name)]
    assert [float(kept["player1"]), float(kept["player2"])] == pytest.approx(
        [float(payoff) for payoff in found.payoffs], abs=1e-6
    )

"""Best responses against a history-by-history search, with and without merged positions; bid limits and coalitions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers import betting_search
from liarsdice_cli.solvers.best_response import best_response, best_response_value, coalition_value
from liarsdice_cli.solvers.betting_search import BeyondReachError
from liarsdice_cli.strategies.combined import LastBidOnly
from tests.support.best_responses import HistoryByHistory
from tests.support.policies import Whatever
from tests.support.progress import Recorded
from tests.support.properties import examples

GAMES = (
    ("common", 3, (1, 1)),
    ("ones-low", 2, (2, 1)),
    ("joker", 3, (1, 2)),
    ("dudo", 2, (2, 2)),
    ("classic", 2, (1, 1)),
    ("perudo", 2, (1, 1)),
)
ROOMS = (1, 20, 1 << 17)


@given(st.sampled_from(GAMES), st.booleans(), st.integers(0, 10**6), st.integers(0, 1), st.sampled_from(ROOMS))
@examples(40)
def test_best_responses_match_a_plain_search_for_any_batch_size(game, spot_on, seed, player, room):
    strategy, progress = Whatever(rules(*game, spot_on=spot_on), seed), Recorded()
    expected = HistoryByHistory(strategy, 1 - player)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(betting_search, "ROOM", room)
        found = best_response_value(strategy, player, progress=progress)
        response = best_response(strategy, player)
    assert [float(found.value), response.value] == pytest.approx([expected.value] * 2, abs=1e-12)
    assert found.positions == expected.positions
    assert progress.done == strategy.rules.bidding.history_count
    assert {history: rows.tolist() for history, rows in response.choices.items()} == expected.choices


@given(st.sampled_from(GAMES), st.booleans(), st.integers(0, 10**6), st.integers(0, 1))
@examples(20)
def test_merged_positions_have_the_value_of_their_histories(game, spot_on, seed, player):
    strategy = LastBidOnly(Whatever(rules(*game, spot_on=spot_on), seed))
    expected = HistoryByHistory(strategy, 1 - player)
    found = best_response_value(strategy, player, looks_back=False)
    assert float(found.value) == pytest.approx(expected.value, abs=1e-12)
    assert found.positions <= expected.positions


def test_equal_positions_are_visited_once():
    strategy = Uniform(rules("common", 3))
    assert best_response_value(strategy, 0).positions == 64
    assert best_response_value(strategy, 0, looks_back=False).positions == 47


@pytest.mark.parametrize("dice", [(1, 1, 1), (2, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize("seed", [3, 4])
def test_a_coalition_responds_as_one_player_with_all_dice(dice, seed):
    strategy = Whatever(rules("common", 2, dice, max_quantity=2), seed)
    for seat in range(len(dice)):
        expected = HistoryByHistory(strategy, seat)
        found = coalition_value(strategy, seat)
        assert float(found.value) == pytest.approx(float(expected.value), abs=1e-12)
        assert found.positions == expected.positions
        same = LastBidOnly(strategy)
        merged = coalition_value(same, seat, looks_back=False).value
        assert float(merged) == pytest.approx(float(HistoryByHistory(same, seat).value), abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", [("common", 3, (1, 1)), ("joker", 3, (1, 2))])
def test_a_limited_responder_calls_after_its_last_bid(game, player):
    strategy = Whatever(rules(*game), 7)
    found = [float(best_response_value(strategy, player, opponent_max_bids=most).value) for most in range(4)]
    assert found == pytest.approx([HistoryByHistory(strategy, 1 - player, most).value for most in range(4)], abs=1e-13)
    assert found == sorted(found)
    whole = best_response_value(strategy, player)
    assert best_response_value(strategy, player, opponent_max_bids=99).value == whole.value
    same = LastBidOnly(strategy)
    limited = best_response_value(same, player, looks_back=False, opponent_max_bids=1)
    assert limited.value == pytest.approx(HistoryByHistory(same, 1 - player, 1).value, abs=1e-13)


def test_best_responses_to_a_pure_strategy_are_exact():
    strategy = policy("honest").strategy(rules("ones-low", 6))
    for player in range(2):
        search = HistoryByHistory(strategy, 1 - player, number=Fraction)
        choices = best_response(strategy, player).choices
        assert {history: rows.tolist() for history, rows in choices.items()} == search.choices
        expected = search.value
        assert best_response_value(strategy, player).value == expected
        assert best_response_value(strategy, player, looks_back=False).value == expected
        assert coalition_value(strategy, 1 - player).value == expected


def test_games_that_are_too_large_or_for_three_players_are_refused():
    strategy = policy("random").strategy(rules("common", 6))
    for looks_back in (True, False):
        with pytest.raises(BeyondReachError, match="the limit is 100"):
            best_response_value(strategy, 0, looks_back, max_positions=100)
    with pytest.raises(LiarsDiceError, match="two players"):
        best_response_value(policy("random").strategy(rules("common", 2, (1, 1, 1))), 0)

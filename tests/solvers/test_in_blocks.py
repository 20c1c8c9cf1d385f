"""Best responses in blocks: against the search history by history, however the blocks are cut, and limited responders."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.solvers import in_blocks
from liarsdice_cli.solvers.best_response import BeyondReachError, best_value, stand
from liarsdice_cli.solvers.in_blocks import best_value_in_blocks
from tests.support.policies import Whatever
from tests.support.properties import examples

GAMES = (("common", 3, (1, 1)), ("ones-low", 2, (2, 1)), ("joker", 3, (1, 2)), ("dudo", 2, (2, 2)), ("classic", 2, (1, 1)))


@given(st.sampled_from(GAMES), st.integers(0, 10**6), st.integers(0, 1), st.sampled_from([1, 20, 1 << 17]))
@examples(40)
def test_they_are_those_of_the_search_wherever_blocks_are_cut(game, seed, player, together):
    strategy, done = Whatever(rules(*game), seed), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_blocks, "_TOGETHER", together)
        found = best_value_in_blocks(strategy, player, advance=done.append)
    searched = best_value(strategy, player)
    assert float(found.value) == pytest.approx(float(searched.value), abs=1e-13)
    assert found.positions == searched.positions
    assert sum(done) == 2**strategy.rules.bid_count


def limited(strategy, player, most, history=(), weights=None):
    """What a responder who bids at most so often wins with each of its rolls, by plain recursion."""
    game = strategy.rules
    if weights is None:
        weights = np.array([float(chance) for _, chance in game.rolls(1 - player)])
    true = stand(game, player)[history[-1]] if history else None
    if BettingState(game, history).mover != player:
        shares = zip(BettingState(game, history).actions, strategy.at(history) * weights, strict=True)
        return sum(
            true @ share if act == CALL else limited(strategy, player, most, (*history, act), share) for act, share in shares
        )
    values = [np.zeros(game.roll_count(player))]
    for action in BettingState(game, history).actions:
        if action == CALL:
            values.append(weights.sum() - true @ weights)
        elif most:
            values.append(limited(strategy, player, most - 1, (*history, action), weights))
    return np.max(values, axis=0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", [("common", 3, (1, 1)), ("joker", 3, (1, 2))])
def test_a_limited_responder_bids_so_often_and_then_calls(game, player):
    strategy = Whatever(rules(*game), 7)
    own = np.array([float(chance) for _, chance in strategy.rules.rolls(player)])
    found = [float(best_value_in_blocks(strategy, player, most).value) for most in range(4)]
    assert found == pytest.approx([float(own @ limited(strategy, player, most)) for most in range(4)], abs=1e-13)
    assert found == sorted(found)
    assert best_value_in_blocks(strategy, player, 99).value == best_value_in_blocks(strategy, player).value


def test_what_is_certain_is_exact():
    strategy = policy("honest").strategy(rules("ones-low", 6))
    for player in range(2):
        assert best_value_in_blocks(strategy, player).value == best_value(strategy, player).value


def test_what_is_beyond_reach_is_refused():
    strategy = policy("random").strategy(rules("common", 6))
    with pytest.raises(BeyondReachError, match="of which 100 are looked at"):
        best_value_in_blocks(strategy, 0, most=100)
    with pytest.raises(LiarsDiceError, match="two players"):
        best_value_in_blocks(policy("random").strategy(rules("common", 2, (1, 1, 1))), 0)

"""Test strategies made of other strategies, at every history."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.strategies.combined import BySeat, LastBidOnly, Spliced, WithImpossibleBids, in_whole_game
from liarsdice_cli.strategies.mixture import Mixture
from tests.support.policies import Whatever
from tests.support.properties import mostly_slow


def test_bids_missing_in_the_solved_game_are_called_and_never_made():
    game = rules("classic", 3)
    strategy = in_whole_game(game, Whatever(game.without_impossible_bids(), 3))
    highest = BettingState.parse(game, ["1x1", "3x1"]).history
    assert strategy.at(highest)[0].tolist() == [1, 1, 1]
    assert np.all(strategy.at(highest)[1:] == 0)
    opening = strategy.at([])
    assert np.all(opening[6:] == 0)
    assert np.allclose(opening.sum(axis=0), 1)
    assert np.array_equal(strategy.at([*highest, 8]), Uniform(game).at([*highest, 8]))


@pytest.mark.parametrize("spot_on", [False, True])
def test_last_bid_only_depends_on_the_mover_and_the_last_bid(spot_on):
    game, asked = rules("common", 2, (1, 1, 1), spot_on=spot_on), []

    class Noting(Whatever):
        def at(self, history):
            asked.append(tuple(history))
            return super().at(history)

    noting = Noting(game, 5)
    deaf, first = LastBidOnly(noting), {}
    assert deaf.rules is game
    for history in game.bidding.histories():
        said = deaf.at(history)
        heard = first.setdefault((len(history) % 3, history[-1:]), history)
        assert np.array_equal(said, Whatever(game, 5).at(heard))
    assert asked == [*first.values()]


@pytest.mark.parametrize("name", ["classic", "face-first"])
def test_a_strategy_without_impossible_bids_extends_to_the_whole_game(name):
    whole = rules(name, 3, spot_on=True, max_quantity=3)
    inner = Whatever(whole.without_impossible_bids(), 2)
    lifted = WithImpossibleBids(whole, inner)
    for history in whole.bidding.histories(3):
        said, legal = lifted.at(history), BettingState(whole, history).actions
        impossible = [bid for bid in history if whole.bids[bid].quantity > 2]
        if impossible[-1:] == [*history[-1:]] != []:
            assert said.T.tolist() == [[1] + [0] * (len(legal) - 1)] * 3
        elif not impossible:
            kept = [place for place, act in enumerate(legal) if act < 0 or whole.bids[act].quantity <= 2]
            known = [inner.rules.bids.index(whole.bids[bid]) for bid in history]
            assert np.array_equal(said[kept], inner.at(known))
            assert said.sum() == pytest.approx(3)
        else:  # an impossible bid was not called
            assert np.array_equal(said, Uniform(whole).at(history))


def test_each_seat_and_each_subgame_has_its_given_strategy():
    game = rules("common", 2, (1, 2, 1))
    seats = tuple(Whatever(game, seed) for seed in range(3))
    by_seat, begun = BySeat(game, seats), (1, 2)
    spliced = Spliced(game, seats[0], seats[1], begun, (0, 2))
    for history in game.bidding.histories():
        player = len(history) % 3
        assert np.array_equal(by_seat.at(history), seats[player].at(history))
        later = history[:2] == begun and player != 1
        assert np.array_equal(spliced.at(history), seats[later].at(history))


@pytest.mark.parametrize(("dice", "share"), mostly_slow(product([(1, 1), (1, 1, 2)], [0.25, 0, 1]), 6))
def test_a_mixture_is_realization_equivalent_to_its_two_strategies(dice, share):
    """Kuhn's theorem for a player's own bids; many of these have probability 0 in one of the two strategies."""
    game = rules("common", 2, dice)
    one, other = Whatever(game, 1), Whatever(game, 2)
    mixture = Mixture((one, other), (1 - share, share))

    def comes(strategy, history, player):
        whole = 1.0
        for length in range(player, len(history), len(dice)):
            before = history[:length]
            whole = whole * strategy.at(before)[BettingState(game, before).index(history[length])]
        return whole * strategy.at(history)

    for history in game.bidding.histories():
        player = BettingState(game, history).mover
        mixed = (1 - share) * comes(one, history, player) + share * comes(other, history, player)
        assert comes(mixture, history, player) == pytest.approx(mixed, abs=1e-12)
        nowhere = mixed.sum(axis=0) == 0
        mean = (1 - share) * one.at(history) + share * other.at(history)
        assert mixture.at(history)[:, nowhere] == pytest.approx(mean[:, nowhere], abs=1e-15)

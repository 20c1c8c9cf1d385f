"""Strategies after a history, against the labels of the tree that they come from."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.mixture import Mixture
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import (
    BySeat,
    Deaf,
    Equal,
    Lifted,
    OfProfile,
    Spliced,
    action_name,
    actions,
    history_of,
    mover,
    profile_of,
    taking,
)
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.report.play import refusal
from tests.support.policies import Whatever
from tests.support.properties import mostly_slow


def _random_probabilities(tree):
    generator = np.random.default_rng(3)
    numbers = generator.random(tree.actions)
    owner = np.repeat(np.arange(len(tree.infosets)), np.diff(tree.first_action))
    return numbers / np.bincount(owner, numbers)[owner]


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (1, 1, 1)])
def test_the_strategy_of_a_profile_says_what_stands_at_the_labelled_sets(dice):
    game = rules("common", 2, dice)
    tree = build(game)
    probabilities = _random_probabilities(tree)
    strategy = OfProfile.of(game, tree, probabilities)
    row = {label: row for row, label in enumerate(tree.infosets.labels) if tree.infosets.player[row] != CHANCE}
    seen = 0
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            said = strategy.at(history)
            text = "after " + " ".join(str(game.bids[bid]) for bid in history) if history else "opening"
            player = mover(game, history)
            assert said.shape == (len(actions(game, history)), game.roll_count(player))
            for place, (roll, _) in enumerate(game.rolls(player)):
                where = row[f"P{player + 1} roll {game.roll_label(roll)} {text}"]
                own = probabilities[tree.first_action[where] : tree.first_action[where + 1]]
                assert np.array_equal(said[:, place], own)
                seen += 1
    assert seen == np.count_nonzero(tree.infosets.player != CHANCE)
    again, own = profile_of(strategy, tree), tree.action_player != CHANCE
    assert np.array_equal(again.probabilities[own], probabilities[own])
    assert np.array_equal(again.probabilities[~own], tree.chance_probabilities[:-1][~own].astype(float))


def test_a_bid_that_the_solved_game_lacks_is_called_and_never_made():
    game = rules("classic", 3)
    tree = build(game.without_impossible_bids())
    strategy = OfProfile.of(game, tree, _random_probabilities(tree), reduced=True)
    highest = history_of(game, ["1x1", "3x1"])
    assert strategy.at(highest)[0].tolist() == [1, 1, 1]
    assert np.all(strategy.at(highest)[1:] == 0)
    opening = strategy.at([])
    assert np.all(opening[6:] == 0)
    assert np.allclose(opening.sum(axis=0), 1)
    assert np.array_equal(strategy.at([*highest, 8]), Equal(game).at([*highest, 8]))


def test_histories_are_read_as_a_person_writes_them():
    game = rules("joker", 3)
    assert history_of(game, ["1x2", "2x3"]) == [0, 3]
    assert actions(game, [0]) == [CALL, 1, 2, 3]
    with pytest.raises(UsageError, match="'1x1' is no bid of these rules"):
        history_of(game, ["1x1"])
    with pytest.raises(UsageError, match="1x2 does not follow 2x2"):
        history_of(game, ["2x2", "1x2"])


def test_an_opening_that_house_rules_forbid_is_refused_with_the_rule():
    game = rules("ones-low", 3, wild_opening=False)
    with pytest.raises(UsageError, match="1x1 does not open: nobody opens on 1; the lowest is 1x2"):
        history_of(game, ["1x1"])
    assert history_of(game, ["1x3", "2x1"]) == [2, 3]
    with pytest.raises(IllegalActionError, match="bid 1x1 in the opening, but nobody opens on 1"):
        action_of(View(game, (1,)), "1x1")
    assert refusal(View(game, (1,)), "1x1") == "1x1 does not open: nobody opens on 1, and the lowest now is 1x2."


def test_where_the_face_is_fixed_bids_that_change_it_are_refused():
    game = rules("common", 3, fixed_face=True)
    with pytest.raises(UsageError, match="2x3 does not follow 1x2: bids keep the face of the opening"):
        history_of(game, ["1x2", "2x3"])
    assert [action_of(View(game, (1,), (2,)), "2x2")] == actions(game, [2])[1:]
    assert actions(game, [3]) == [CALL]


def test_a_refusal_says_what_the_lowest_would_have_been():
    game = rules("ones-low", 3, wild_opening=False)
    with pytest.raises(UsageError, match="1x3 does not follow 2x1: bids rise; the lowest is 1x1"):
        history_of(game, ["1x2", "2x1", "1x3"])
    with pytest.raises(UsageError, match="1x2 does not follow 2x2: bids rise"):
        history_of(rules("common", 3, fixed_face=True), ["2x2", "1x2"])


@pytest.mark.parametrize("spot_on", [False, True])
def test_every_action_has_a_name_of_its_own_and_who_takes_it_takes_no_other(spot_on):
    game = rules("perudo", 3, (1, 2), spot_on=spot_on)
    for history in game.bidding.histories(2):
        legal = actions(game, history)
        endings = ["call", "spot-on"][: 1 + spot_on] if history else []
        assert [action_name(game, action) for action in legal] == [
            *endings,
            *(str(game.bids[act]) for act in legal if act >= 0),
        ]
        chosen = np.array([legal[roll % len(legal)] for roll in range(game.roll_count(mover(game, history)))])
        taken = taking(game, history, chosen)
        assert taken.dtype == np.float64
        for roll, action in enumerate(chosen):
            assert taken[:, roll].tolist() == [float(act == action) for act in legal]


@pytest.mark.parametrize("spot_on", [False, True])
def test_the_deaf_mind_who_moves_and_the_last_bid_alone(spot_on):
    game, asked = rules("common", 2, (1, 1, 1), spot_on=spot_on), []

    class Noting(Whatever):
        def at(self, history):
            asked.append(tuple(history))
            return super().at(history)

    noting = Noting(game, 5)
    deaf, first = Deaf(noting), {}
    assert deaf.rules is game
    for history in game.bidding.histories():
        said = deaf.at(history)
        heard = first.setdefault((len(history) % 3, history[-1:]), history)
        assert np.array_equal(said, Whatever(game, 5).at(heard))
    assert asked == [*first.values()]


@pytest.mark.parametrize("name", ["classic", "face-first"])
def test_a_strategy_of_the_smaller_game_in_the_whole_one(name):
    whole = rules(name, 3, spot_on=True, max_quantity=3)
    inner = Whatever(whole.without_impossible_bids(), 2)
    lifted = Lifted(whole, inner)
    for history in whole.bidding.histories(3):
        said, legal = lifted.at(history), actions(whole, history)
        impossible = [bid for bid in history if whole.bids[bid].quantity > 2]
        if impossible[-1:] == [*history[-1:]] != []:
            assert said.T.tolist() == [[1] + [0] * (len(legal) - 1)] * 3
        elif not impossible:
            kept = [place for place, act in enumerate(legal) if act < 0 or whole.bids[act].quantity <= 2]
            known = [inner.rules.bids.index(whole.bids[bid]) for bid in history]
            assert np.array_equal(said[kept], inner.at(known))
            assert said.sum() == pytest.approx(3)
        else:  # nobody called what cannot be true
            assert np.array_equal(said, Equal(whole).at(history))


def test_each_seat_and_each_part_of_a_game_has_the_strategy_that_was_given_to_it():
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
def test_a_mixture_makes_every_bid_as_often_as_its_two_strategies_together(dice, share):
    """Kuhn's theorem, for a player's own bids; actions of no weight among them, so that often only one of the two leads on."""
    game = rules("common", 2, dice)
    one, other = Whatever(game, 1), Whatever(game, 2)
    mixture = Mixture((one, other), (1 - share, share))

    def comes(strategy, history, player):
        whole = 1.0
        for length in range(player, len(history), len(dice)):
            before = history[:length]
            whole = whole * strategy.at(before)[actions(game, before).index(history[length])]
        return whole * strategy.at(history)

    for history in game.bidding.histories():
        player = mover(game, history)
        mixed = (1 - share) * comes(one, history, player) + share * comes(other, history, player)
        assert comes(mixture, history, player) == pytest.approx(mixed, abs=1e-12)
        nowhere = mixed.sum(axis=0) == 0
        mean = (1 - share) * one.at(history) + share * other.at(history)
        assert mixture.at(history)[:, nowhere] == pytest.approx(mean[:, nowhere], abs=1e-15)

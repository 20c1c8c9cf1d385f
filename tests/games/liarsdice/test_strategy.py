"""Strategies after a history, against the labels of the tree that they come from."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Equal, OfProfile, actions, history_of, mover
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.report.play import refusal


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

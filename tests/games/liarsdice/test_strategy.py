"""The strategy of a profile, against the labels of the tree that it comes from."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, profile_of
from liarsdice_cli.games.liarsdice.tree import build


def _random_probabilities(tree):
    generator = np.random.default_rng(3)
    numbers = generator.random(tree.actions)
    owner = np.repeat(np.arange(len(tree.infosets)), np.diff(tree.first_action))
    return numbers / np.bincount(owner, numbers)[owner]


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (1, 1, 1)])
def test_the_strategy_of_a_profile_agrees_with_its_labelled_infosets(dice):
    game = rules("common", 2, dice)
    tree = build(game)
    probabilities = _random_probabilities(tree)
    strategy = ProfileStrategy.of(game, tree, probabilities)
    row = {label: row for row, label in enumerate(tree.infosets.labels) if tree.infosets.player[row] != CHANCE}
    seen = 0
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            said = strategy.at(history)
            text = "after " + " ".join(str(game.bids[bid]) for bid in history) if history else "opening"
            player = BettingState(game, history).mover
            assert said.shape == (len(BettingState(game, history).actions), game.roll_count(player))
            for place, (roll, _) in enumerate(game.rolls(player)):
                where = row[f"P{player + 1} roll {game.roll_label(roll)} {text}"]
                own = probabilities[tree.first_action[where] : tree.first_action[where + 1]]
                assert np.array_equal(said[:, place], own)
                seen += 1
    assert seen == np.count_nonzero(tree.infosets.player != CHANCE)
    again, own = profile_of(strategy, tree), tree.action_player != CHANCE
    assert np.array_equal(again.probabilities[own], probabilities[own])
    assert np.array_equal(again.probabilities[~own], tree.chance_probabilities[:-1][~own].astype(float))

"""The strategy of a profile, against the labels of the tree that it comes from."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, profile_of
from liarsdice_cli.games.liarsdice.tree import build
from tests.support.policies import rows_by_history


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
    seen = 0
    for history, rows in rows_by_history(game, tree):
        said = strategy.at(history)
        assert said.shape == (len(BettingState(game, history).actions), len(rows))
        for column, row in zip(said.T, rows, strict=True):
            assert np.array_equal(column, probabilities[tree.first_action[row] : tree.first_action[row + 1]])
            seen += 1
    assert seen == np.count_nonzero(tree.infosets.player != CHANCE)
    again, own = profile_of(strategy, tree), tree.action_player != CHANCE
    assert np.array_equal(again.probabilities[own], probabilities[own])
    assert np.array_equal(again.probabilities[~own], tree.chance_probabilities[:-1][~own].astype(float))

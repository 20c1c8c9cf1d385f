"""Strategies as arrays: every row where the layout says, and the same worth as before."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import EQUAL, Profile, from_sets
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import OfProfile, actions, mover
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.games.liarsdice.weights import weights_of
from liarsdice_cli.solvers.public_tree.responses import Responses

pytestmark = pytest.mark.compiled


class Drawn:
    """Some strategy that depends on roll, history and player, the same whenever it is asked."""

    def __init__(self, game):
        self.rules = game

    def at(self, history):
        shape = len(actions(self.rules, history)), self.rules.roll_count(mover(self.rules, history))
        return np.random.default_rng([len(history), *history]).dirichlet(np.ones(shape[0]), shape[1]).T


@pytest.mark.parametrize(("preset", "sides", "dice"), [("common", 1, (1, 1)), ("joker", 3, (2, 1)), ("ones-low", 3, (1, 2))])
def test_every_history_stands_where_the_layout_says(preset, sides, dice):
    game = rules(preset, sides, dice)
    strategy, layout, done = Drawn(game), Layout(game.bid_count), []
    arrays = weights_of(strategy, done.append)
    assert [len(array) for array in arrays] == list(layout.rows)
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            count, first = layout.actions(history[-1] if history else -1), layout.first_row(history)
            if count:
                assert np.array_equal(arrays[length % 2][first : first + count], strategy.at(history))


def test_progress_counts_histories():
    done = []
    weights_of(Drawn(rules("ones-low", 4, (2, 1))), done.append)  # 12 bids
    assert sum(done) == 2**12


def test_a_profile_is_worth_in_arrays_what_the_judge_says_of_it_in_the_tree():
    game = rules("dudo", 3, (1, 2), payoffs="zero-sum")
    tree = build(game)
    generator = np.random.default_rng(7)
    equal = from_sets(tree, {})
    probabilities = equal.probabilities.astype(float)
    for row in np.flatnonzero(tree.infosets.player >= 0):
        own = slice(tree.first_action[row], tree.first_action[row + 1])
        probabilities[own] = generator.dirichlet(np.ones(own.stop - own.start))
    verdict = judge(tree, Profile(probabilities, np.full(len(tree.infosets), EQUAL)))
    public = public_game(game)
    responses, arrays = Responses(public, 1), weights_of(OfProfile.of(game, tree, probabilities))
    assert public.payoff(responses.wins(arrays, 0, best=False)) == pytest.approx(float(verdict.payoffs[0]), abs=1e-12)
    bounds = responses.bounds(arrays)
    assert [bounds.lower, bounds.upper] == pytest.approx([float(bound) for bound in verdict.bounds], abs=1e-12)

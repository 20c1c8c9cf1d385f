"""What actions are worth by the compiled walk, against the walk that asks the strategy history by history."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.weights import Averages
from liarsdice_cli.solvers.public_tree import values
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "payoffs"),
    [("joker", 3, (2, 1), "win"), ("dudo", 2, (1, 2), "zero-sum"), ("common", 2, (1, 1), "win")],
)
def test_both_ways_to_read_a_strategy_agree(preset, sides, dice, payoffs):
    game = rules(preset, sides, dice, payoffs=payoffs)
    solver = PublicTree(public_game(game), minimiser("cfr+"))
    for _ in range(5):
        solver.iterate()
    strategy = Averages(game, solver.averages)
    known = 0
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            fast, slow = values.after(strategy, history), beliefs.after(strategy, history)
            assert np.allclose(fast.probabilities, slow.probabilities)
            assert fast.reach == pytest.approx(slow.reach)
            assert (fast.values is None) == (slow.values is None)
            if fast.values is not None:
                assert np.allclose(fast.values, slow.values, atol=1e-9)
                known += 1
    assert known > 5

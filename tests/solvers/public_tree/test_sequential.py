"""Regrets at every history from the compiled traversal, against a recursion over histories and rolls in fractions."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.judging import judge as judge_plainly
from liarsdice_cli.solvers.public_tree import sequential
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.shard import ENTRIES
from liarsdice_cli.strategies.stored import StoredStrategy
from tests.support.sequential import Regrets

GAMES = [
    ("common", 2, (1, 1), {}),
    ("common", 3, (1, 1), {"payoffs": "zero-sum"}),
    ("joker", 3, (2, 1), {}),
    ("dudo", 2, (1, 2), {"payoffs": "zero-sum"}),
    ("joker", 3, (1, 1), {"spot_on": True}),
    ("perudo", 3, (1, 1), {}),
]


@pytest.fixture(params=[False, True], ids=["whole", "cut"])
def cut(request, cut_from):
    """Whether the tree is cut into shards."""
    if request.param:
        cut_from(2)


def drawn(game, tremble=0.0):
    """Return random strategies, with zeros, in a tree with unexpanded histories."""
    solver, generator = PublicTree(public_game(game), minimiser("cfr+"), tremble=tremble), np.random.default_rng(5)
    solver.expansion_threshold = 0.05
    for _ in range(4):
        solver.iterate()
    for _, shard in solver.store.all_shards:
        used = shard.used[ENTRIES]
        shard.arrays["averages"][:used] = generator.random(used) * (generator.random(used) < 0.6)
    return StoredStrategy(game, solver.store)


@pytest.mark.parametrize(("preset", "sides", "dice", "changes"), GAMES)
def test_the_largest_regrets_match_a_recursion(cut, preset, sides, dice, changes):
    game = rules(preset, sides, dice, **changes)
    for strategy in (drawn(game), drawn(game, tremble=0.1)):
        found, expected = sequential.judge(strategy), Regrets(strategy)
        assert found.histories == len({history for history, _ in expected.found})
        for player, largest in enumerate(found.sequential):
            assert largest.regret == pytest.approx(float(expected.largest(player)), abs=1e-9)
            history = tuple(map(str, game.bids)).index
            place = tuple(history(bid) for bid in largest.history), largest.roll
            assert float(expected.found[place]) == pytest.approx(largest.regret, abs=1e-9)
            assert len(place[0]) % 2 == player
        plain = judge_plainly(strategy)
        assert found.payoffs == pytest.approx(plain.payoffs, abs=1e-12)
        assert found.regrets == pytest.approx(plain.regrets, abs=1e-12)

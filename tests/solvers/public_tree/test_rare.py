"""Rare histories wait: a pass uses their last values, and some iterations visit them."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import EARLY, PERIOD, REGRETS, PublicTree
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser
from liarsdice_cli.strategies.shard import BLOCK, HISTORIES, LANES
from tests.support.checkpoints import arrays_of

UNCUT, CUT = ("joker", 4, (1, 1)), ("common", 4, (2, 2))
"""Games of 8 and of 16 bids: the tree of the second has shards."""


def _solver(game=CUT, iterations=0, name="dcfr+"):
    solver = PublicTree(public_game(rules(*game)), minimiser(name), 1)
    for _ in range(iterations):
        solver.iterate()
    return solver


def _value(solver, player, wait_below):
    """Return the value to a player when nothing is learnt, and the number of visited histories."""
    before, rates = solver.traverser.visited, (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, inf, wait_below)
    traversal = solver._traversal._replace(update_player=player, average_player=1 - player, rates=rates)
    return solver.traverser.run(traversal), solver.traverser.visited - before


def _open(solver, weights):
    """Let player 1 open with probabilities in proportion to these weights, whatever the roll."""
    shard, width = solver.store.top, int(solver.store.widths[0])
    for column, weight in zip(shard.columns_of(0), weights, strict=True):
        blocks = int(shard.columns[column, BLOCK]) + np.arange(width // LANES)
        shard.set_blocks(REGRETS, blocks, np.full((len(blocks), LANES), weight))


def _regrets(solver):
    """Return the regrets at every history, by shard and history, the opening first."""
    store, keys = solver.store, [(one, history) for one in solver.store.all_shards for history in range(one[1].used[HISTORIES])]
    return {(number, history): store.entries(shard, history, REGRETS) for (number, shard), history in keys}


@pytest.mark.parametrize("game", [UNCUT, CUT])
def test_the_last_value_is_scaled_by_the_reach(game):
    """With an opening that does not depend on the roll, the value after a bid is proportional to the probability of the bid."""
    solver = _solver(game, 6)
    openings = len(solver.store.top.columns_of(0))
    _open(solver, np.ones(openings))
    _value(solver, 1, 0.0)
    _open(solver, np.arange(1, openings + 1))
    waiting, few = _value(solver, 1, inf)
    visiting, many = _value(solver, 1, -1.0)
    assert waiting == pytest.approx(visiting, abs=1e-9)
    assert few < many / 4


@pytest.mark.parametrize("game", [UNCUT, CUT])
def test_rare_histories_change_only_in_the_iterations_that_visit_them(game):
    """All histories below the first bid are rare here."""
    solver, changes = _solver(game, EARLY), []
    while solver.iteration < EARLY + PERIOD + 1:
        solver.expansion_threshold = solver.rare_threshold = 0.999 * (solver.iteration + 1)
        before = _regrets(solver)
        solver.iterate()
        after = _regrets(solver)
        changed = [not np.array_equal(old, after[key]) for key, old in before.items()]
        changes.append((changed[0], sum(changed[1:])))
    assert changes[0] > (True, 0)
    assert changes[1:-1] == [(True, 0)] * (PERIOD - 1)
    assert changes[-1] > (True, 0)


@pytest.mark.parametrize("name", MINIMISERS)
def test_fewer_histories_are_visited_and_the_bounds_still_hold(name):
    many, few = _solver(name=name), _solver(name=name)
    many.rare_threshold = 0.0
    for _ in range(60):
        many.iterate()
        few.iterate()
    assert (few.traverser.visited < many.traverser.visited) == (few.rare_threshold > 0) == (name != "dcfr")
    assert few.bounds().exploitability < 2 * many.bounds().exploitability


def test_more_players_visit_every_history():
    assert _solver(("joker", 3, (1, 1, 1))).rare_threshold == 0


@pytest.mark.parametrize("game", [UNCUT, CUT])
def test_a_checkpoint_keeps_the_values(game, tmp_path):
    whole, part, file = _solver(game, 31), _solver(game, 14), str(tmp_path / "state")
    checkpoint.write(file, part, None)
    resumed = _solver(game)
    checkpoint.read(file, resumed)
    assert any(shard.values.any() for _, shard in resumed.store.all_shards)
    while resumed.iteration < whole.iteration:
        resumed.iterate()
    for mine, theirs in zip(arrays_of(resumed.store), arrays_of(whole.store), strict=True):
        assert np.array_equal(mine, theirs)

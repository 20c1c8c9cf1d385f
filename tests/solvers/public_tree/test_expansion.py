"""Which histories an update expands: those whose gain against the bidder's average strategy is above the threshold."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.shard import BID, REFUSED
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from tests.solvers.public_tree.test_averages import behaviour_of, histories_of, reach_of
from tests.solvers.public_tree.test_gains import gain_of

THRESHOLD = 0.05
GAMES = [("joker", 3, (1, 1)), ("perudo", 2, (2, 1)), ("common", 3, (2, 3))]
"""The last has 15 bids, so its tree has shards."""


def _candidates(solver):
    """Yield the unexpanded histories of the update player that the other one reaches and that have a column."""
    behaviour, bidder = behaviour_of(solver), 1 - solver.update_player
    for history, _ in histories_of(solver):
        if len(history) % 2 != bidder:
            continue
        shard, number = solver.store.find(history)
        for bid in shard.columns[shard.columns_of(number), BID].tolist():
            after, reach = (*history, bid), reach_of(behaviour, solver.game.rolls[bidder], history, 2)
            new = bid not in history and solver.game.bidding.has_choice(bid) and not solver.store.find(after)
            if new and (reach * behaviour[history][bid]).any():
                yield after


def _gain(game, solver, history):
    """Return the gain against the bidder's average strategy, as a mean over the iterations."""
    (*before, bid), bidder = history, (len(history) - 1) % 2
    found = solver.store.find(before)
    place = list(solver.game.bidding.following(solver.store.state_after(before)[0])).index(bid)
    endings = solver.game.bidding.final_action_count if before else 0
    reaches = list(solver.game.rolls)
    reaches[bidder] = solver.store.entries(*found, AVERAGE_STRATEGY)[endings + place]
    return gain_of(game, reaches, bid, bidder)


@pytest.mark.parametrize("game", GAMES)
def test_an_update_expands_the_histories_with_a_gain_above_the_threshold(game):
    game = rules(*game)
    solver = PublicTree(public_game(game), minimiser("dcfr+"), 1, kind=np.float64)
    solver.expansion_threshold, seen = THRESHOLD, set()
    for _ in range(24):
        candidates, turn = list(_candidates(solver)), solver.iteration + 1
        above = THRESHOLD / turn * solver.minimiser.total_weight(turn)
        solver.update()
        refused = any(shard.used[REFUSED] for _, shard in solver.store.all_shards)
        for history in candidates:
            gain, expanded = _gain(game, solver, history), bool(solver.store.find(history))
            if abs(gain - above) > 1e-9 * above and not (refused and not expanded):
                assert expanded == (gain > above), (turn, history)
                seen.add(expanded)
    assert seen == {True, False}

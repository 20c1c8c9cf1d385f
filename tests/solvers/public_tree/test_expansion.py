"""Which histories an update expands: those whose gain against the bidder's average strategy is above the threshold.

The threshold is lower where the bidder gains much by the bid.
"""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.gains import EASIER, TEMPTING
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.shard import BID, CHILD, NONE, REFUSED
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from tests.solvers.public_tree.test_averages import behaviour_of, histories_of, reach_of
from tests.solvers.public_tree.test_gains import bid_gain_of, gain_of

THRESHOLD = 0.2
GAMES = [("joker", 3, (1, 1)), ("perudo", 2, (2, 1)), ("joker", 4, (2, 3))]
"""The last has 15 bids, so its tree has shards."""


def _candidates(game, solver):
    """Yield the unexpanded histories of the update player that the other one reaches and that have a column.

    With each comes the bidder's gain by the last bid.
    """
    behaviour, bidder = behaviour_of(solver), 1 - solver.update_player
    for history, _ in histories_of(solver):
        if len(history) % 2 != bidder:
            continue
        shard, number = solver.store.find(history)
        for bid, child in shard.columns[shard.columns_of(number)][:, [BID, CHILD]].tolist():
            after, reach = (*history, bid), reach_of(behaviour, solver.game.rolls[bidder], history, 2)
            new = bid not in history and solver.game.bidding.has_choice(bid) and child == NONE
            if new and (reach * behaviour[history][bid]).any():
                yield after, _bid_gain(game, solver, after)


def _bid_gain(game, solver, history):
    """Return the bidder's gain by the last bid against the caller's average strategy, as a mean over the iterations."""
    (*before, bid), bidder = history, (len(history) - 1) % 2
    shard, number = solver.store.find(before)
    value = shard.values[number]
    if not value.any():
        return np.inf
    if not before:  # the caller is the second player, whose strategy of this iteration is in its average
        return bid_gain_of(game, solver.game.rolls[1] * solver.minimiser.total_weight(solver.iteration + 1), value, bid, bidder)
    row, entries = _entries(solver, before)
    return bid_gain_of(game, entries[row], value, bid, bidder)


def _entries(solver, history):
    """Return the row of the last bid in the averages of the history before it, and these averages."""
    *before, bid = history
    place = list(solver.game.bidding.following(solver.store.state_after(before)[0])).index(bid)
    endings = solver.game.bidding.final_action_count if before else 0
    return endings + place, solver.store.entries(*solver.store.find(before), AVERAGE_STRATEGY)


def _gain(game, solver, history):
    """Return the gain against the bidder's average strategy, as a mean over the iterations."""
    bidder, reaches = (len(history) - 1) % 2, list(solver.game.rolls)
    row, entries = _entries(solver, history)
    reaches[bidder] = entries[row]
    return gain_of(game, reaches, history[-1], bidder)


@pytest.mark.parametrize("game", GAMES)
def test_an_update_expands_the_histories_with_a_gain_above_the_threshold(game):
    game = rules(*game)
    solver = PublicTree(public_game(game), minimiser("dcfr+"), 1, kind=np.float64)
    solver.expansion_threshold, seen = THRESHOLD, set()
    for _ in range(12):
        candidates, turn = list(_candidates(game, solver)), solver.iteration + 1
        above = THRESHOLD / turn * solver.minimiser.total_weight(turn)
        solver.update()
        refused = any(shard.used[REFUSED] for _, shard in solver.store.all_shards)
        for history, bid_gain in candidates:
            gain, expanded = _gain(game, solver, history), bool(solver.store.find(history))
            tempts = bid_gain > TEMPTING * above
            least = above / EASIER if tempts else above
            if min(abs(gain - least), abs(bid_gain - TEMPTING * above)) > 1e-9 * above and not (refused and not expanded):
                assert expanded == (gain > least), (turn, history)
                seen.add((expanded, bool(gain > above)))
    assert seen == {(False, False), (True, False), (True, True)}  # the second by the lower threshold

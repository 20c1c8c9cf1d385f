"""The averages of expanded histories, against a sum over the strategies of all iterations."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.public_tree.solver import REGRETS, PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

ITERATIONS = 16
GAMES = [("joker", 3, (1, 1)), ("dudo", 2, (2, 1)), ("common", 3, (2, 3)), ("common", 2, (2, 1, 2)), ("common", 3, (2, 2, 1))]
"""The third and the last have 15 bids, so their trees have shards."""


def histories_of(solver):
    """Yield the expanded histories, each with its legal bids."""
    waiting = [()]
    while waiting:
        history = waiting.pop()
        bids = list(solver.game.bidding.following(solver.store.state_after(history)[0]))
        yield history, bids
        waiting += [(*history, bid) for bid in bids if solver.store.find((*history, bid))]


def behaviour_of(solver):
    """Return for each expanded history and bid its current probability by roll, and for None that of a call."""
    found = {}
    for history, bids in histories_of(solver):
        weights = np.maximum(solver.store.entries(*solver.store.find(history), REGRETS), 0)
        weights[0, weights.sum(axis=0) == 0] = 1
        weights /= weights.sum(axis=0)
        found[history] = dict(zip([None, *bids] if history else bids, weights, strict=True))
    return found


def reach_of(behaviour, chances, history, players):
    """Return the reach of the player to move, by its own bids; at an unexpanded history it calls."""
    reach = chances
    for place in range(len(history) % players, len(history), players):
        reach = reach * behaviour[history[:place]][history[place]] if history[:place] in behaviour else 0 * reach
    return reach


def _expected(solver, played, history):
    """Return the sum over the iterations of weight, own reach and probability: (actions, rolls)."""
    players, chances = solver.game.players, solver.game.rolls[len(history) % solver.game.players]
    actions, total = list(behaviour_of(solver)[history]), 0
    for weight, behaviour in played[len(history) % players]:
        here = behaviour.get(history, {None: 1.0})
        reach = weight * reach_of(behaviour, chances, history, players)
        total = total + np.array([reach * here.get(action, 0.0) for action in actions])
    return total


@pytest.mark.parametrize("name", ["cfr", "dcfr+"])
@pytest.mark.parametrize("game", GAMES)
def test_averages_are_those_of_all_iterations_also_before_the_expansion(game, name):
    solver = PublicTree(public_game(rules(*game)), minimiser(name), 1, kind=np.float64)
    solver.rare_threshold, solver.expansion_threshold = 0.0, 0.3
    played, grown = [[] for _ in solver.game.rolls], []
    for _ in range(ITERATIONS * solver.game.players):
        averaged = (solver.update_player - 1) % solver.game.players
        played[averaged].append((solver.minimiser.step(solver.iteration + 1).average_weight, behaviour_of(solver)))
        solver.update()
        grown.append(solver.store.histories)
    assert grown[0] < grown[len(grown) // 3] < grown[-1]
    for history, _ in histories_of(solver):
        found = solver.store.entries(*solver.store.find(history), AVERAGE_STRATEGY)
        assert found == pytest.approx(_expected(solver, played, history), rel=1e-9)


def test_a_solution_keeps_the_averages_alone():
    stored = solve(rules("joker", 3, (2, 1)), method="dcfr+", form="public tree", iterations=5).best.stored
    assert stored is not None
    for _, shard in stored.store.all_shards:
        assert list(shard.arrays) == [AVERAGE_STRATEGY]
        assert shard.values.size == 0

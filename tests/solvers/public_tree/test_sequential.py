"""Regrets at every history from the compiled traversal, against a recursion over histories and rolls in fractions."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats.registry import read_strategy
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.judging import judge as judge_plainly
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.public_tree import sequential
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.stored import StoredStrategy
from tests.support.entries import draw
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
        draw(shard, "averages", generator, 0.6)
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


class Reckless:
    """Player 1 opens with the lowest bid and player 2 calls it; after any mistake, players make the highest bid."""

    def __init__(self, game):
        self.rules = game

    def at(self, history):
        state = BettingState(self.rules, history)
        if not history:
            return state.pure(0)
        return state.pure(state.actions[-1] if history != (0,) else CALL)


def test_unreached_play_of_a_strategy_without_a_store_counts():
    game = rules("common", 3)
    found, expected = judge_plainly(Reckless(game), sequential=True), Regrets(Reckless(game))
    assert [one.regret for one in found.sequential] == pytest.approx([float(expected.largest(player)) for player in (0, 1)])
    assert found.sequential_regret > 0.5
    assert found.histories == 2**game.bid_count


def test_a_file_of_a_quasi_perfect_equilibrium_stays_optimal_after_mistakes(tmp_path):
    solution = solve(rules("ones-low", 2), refine="quasi-perfect")
    write(solution, tmp_path / "refined.ldz")
    stored = read_strategy(tmp_path / "refined.ldz")
    assert judge_plainly(stored, sequential=True).sequential_regret == pytest.approx(0, abs=1e-4)
    exact = solution.strategy()
    for number in range(2**stored.rules.bid_count):
        history = [bid for bid in range(stored.rules.bid_count) if number >> bid & 1]
        assert stored.at(history) == pytest.approx(np.array(exact.at(history), float), abs=1e-4)


class Rare(Reckless):
    """Players make the next bid up, but player 1 does so with roll 1 with a tiny probability only."""

    def __init__(self, game, tiny):
        super().__init__(game)
        self.tiny = tiny

    def at(self, history):
        state, up = BettingState(self.rules, history), tuple(range(len(history)))
        if tuple(history) != up:
            return state.pure(CALL)
        found = state.pure(state.actions[min(1, len(state.actions) - 1)] if history else 0)
        if len(history) in (0, 2):
            found[:, 0] = 0
            found[1 if not history else 0, 0] = 1 - self.tiny
            found[0 if not history else 1, 0] = self.tiny
        elif len(history) % 2 == 0:
            found[:, 1] = 0
            found[0, 1] = 1
        return found


def test_probabilities_too_small_for_floats_are_refused():
    game = rules("common", 4)
    found, expected = judge_plainly(Rare(game, 1e-12), sequential=True), Regrets(Rare(game, 1e-12))
    assert [one.regret for one in found.sequential] == pytest.approx([float(expected.largest(player)) for player in (0, 1)])
    with pytest.raises(LiarsDiceError, match="too small for floats"):
        judge_plainly(Rare(game, 1e-160), sequential=True)

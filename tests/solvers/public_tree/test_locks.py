"""Locks on the public tree, against the exact value on the explicit tree and against best responses in a cut tree."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.bidding import Bidding
from liarsdice_cli.games.liarsdice.locks import strategy_lock
from liarsdice_cli.games.liarsdice.public import public_game, public_subgame
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.subgame import subgame
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.best_response import best_response_value
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser
from liarsdice_cli.solvers.request import PUBLIC_TREE, Request
from liarsdice_cli.strategies.expansion import expand
from liarsdice_cli.strategies.shard import NONE
from liarsdice_cli.strategies.store import StrategyStore
from tests.support.policies import profile_by_labels
from tests.support.properties import mostly_slow
from tests.support.solving import solve

GAME = rules("joker", 4)
LOCK = (
    LockedSet("P1 roll 4 opening", (("1x2", Fraction(2, 3)), ("2x4", Fraction(1, 3)))),
    LockedSet("P1 roll 2 opening", (("2x4", Fraction(1)),)),
    LockedSet("P2 roll 3 after 1x2", (("call", Fraction(1)),)),
    LockedSet("P1 roll 1 after 1x3 1x4", (("2x2", Fraction(1)),)),
)
LOCKED = Problem.of(GAME).locked(LOCK)


@cache
def exact_values() -> tuple[Number, Number]:
    """Return the values of the locked game and of the unlocked one."""
    locked, free = (solve(Problem.of(GAME).locked(lock), "exact").best.judgement.payoffs[0] for lock in (LOCK, ()))
    return locked, free


@pytest.mark.parametrize("method", mostly_slow(MINIMISERS, 3))
def test_the_bounds_contain_the_exact_value_of_the_locked_game(method: str) -> None:
    exact, free = exact_values()
    one = solve(LOCKED, method, Request(form=PUBLIC_TREE, iterations=400)).best
    assert one.judgement.bounds is not None
    assert one.free is not None
    assert one.free.bounds is not None
    lower, upper = one.judgement.bounds
    assert lower <= exact <= upper <= lower + 0.05
    assert one.free.bounds[0] <= free <= one.free.bounds[1]
    assert abs(exact - free) > 0.001
    assert one.free.payoffs == pytest.approx(one.judgement.payoffs)


def test_a_lock_after_a_settled_bid_counts_where_players_tremble() -> None:
    game = rules("common", 2)
    assert public_game(game).settled[3], "2x2 and later bids cannot both be true"
    lock = tuple(LockedSet(f"P2 roll {roll} after 2x1", (("2x2", Fraction(1)),)) for roll in (1, 2))
    one = solve(Problem.of(game).locked(lock), "dcfr+", Request(form=PUBLIC_TREE, iterations=50, tremble=0.05))
    tree = build(game)
    verdict = judge(profile_by_labels(tree, game, one.strategy()))
    assert one.best.judgement.payoffs == pytest.approx([float(payoff) for payoff in verdict.payoffs], abs=1e-9)
    assert one.best.judgement.payoffs[0] > 0.6, "without the lock it is near one half"


def test_a_locked_set_plays_its_lock_at_any_depth() -> None:
    strategy = solve(LOCKED, "pcfr+", Request(form=PUBLIC_TREE, iterations=3)).strategy()
    bid = {str(one): place for place, one in enumerate(GAME.bids)}
    assert strategy.at([])[[bid["1x2"], bid["2x4"]], 3].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert strategy.at([bid["1x2"]])[0, 2] == 1
    after = strategy.at([bid["1x3"], bid["1x4"]])
    assert after[:, 0].tolist() == [0, 1, 0, 0]
    assert after[:, 1].tolist() != [0, 1, 0, 0]


@pytest.mark.parametrize("player", [0, 1])
def test_locking_a_whole_bot_in_a_cut_tree_gives_the_best_response_value(player: int) -> None:
    game = rules("common", 4, (2, 2))
    strategy = policy("honest").strategy(game)
    lock = strategy_lock(strategy, 1 - player, 1 << 16)
    solver = PublicTree(public_game(game), minimiser("pdcfr+"), 1, lock=lock)
    assert len(solver.store.shards) > 1
    for _ in range(60):
        solver.iterate()
    expected = float(best_response_value(strategy, player).value)
    payoffs = solver.responses.payoffs(best=True)
    assert payoffs[player] == pytest.approx(expected, abs=1e-9)
    assert payoffs[1 - player] == pytest.approx(1 - expected, abs=0.01)


def test_expanding_histories_builds_a_valid_tree() -> None:
    tree = StrategyStore([4, 4, 4], Bidding.free(16), ("averages",), np.float64)
    source = np.random.default_rng(1)
    histories = [tuple(np.flatnonzero(source.random(15) < 0.3).tolist()) for _ in range(600)]
    places = {history: expand(tree, history) for history in histories}
    for history, (shard, number) in places.items():
        assert tree.find(history) == (shard, number)
        assert expand(tree, history) == (shard, number)
    for number, shard in tree.all_shards:
        tree.check(shard, number)
    before = {history[:length] for history in histories for length in range(len(history) + 1)}
    assert tree.histories == len(before)
    assert tree.find([15]) is None
    assert NONE not in tree.roots[: tree.subtrees[0]]


def test_a_lock_in_a_subgame_applies_from_its_first_history() -> None:
    game = public_subgame(subgame(rules("common", 3, (2, 1)), "1x2"))
    assert (game.first, game.last) == (1, 0)
    rolls = len(game.rolls[0])
    fixed = np.zeros((game.bidding.actions(2), rolls))
    fixed[1] = 1
    solver = PublicTree(game, minimiser("dcfr+"), 1, lock={(2,): fixed})
    for _ in range(3):
        solver.iterate()
        shard, number = solver.store.find([2]) or pytest.fail("the locked history is not there")
        averages = solver.store.entries(shard, number, "averages")
        assert (averages / averages.sum(axis=0)).tolist() == fixed.tolist()


def test_a_checkpoint_stores_its_lock(tmp_path: Path) -> None:
    def run(lock: tuple[LockedSet, ...], iterations: int, checkpoint: Path | None = None) -> object:
        asked = Request(form=PUBLIC_TREE, iterations=iterations, checkpoint=checkpoint)
        return solve(Problem.of(rules("common", 4, (2, 2))).locked(lock), "dcfr+", asked).best.judgement

    lock, state = (LockedSet("P2 roll 12 after 1x3", (("call", Fraction(1, 3)), ("2x1", Fraction(2, 3)))),), tmp_path / "state"
    run(lock, 5, state)
    assert run(lock, 9, state) == run(lock, 9)
    for other in ((), (lock[0]._replace(name="P2 roll 13 after 1x3"),)):
        with pytest.raises(LiarsDiceError, match=r"has another (lock|kind of float)"):
            run(other, 9, state)


def test_large_games_use_float32_if_it_represents_the_lock() -> None:
    game = public_game(rules("common", 6, (2, 2)))
    whole = np.eye(24)[:, :21]
    assert PublicTree(game, minimiser("dcfr+"), 1, lock={(): whole}).kind is np.float32
    third = np.full((24, 21), 1 / 24)
    assert PublicTree(game, minimiser("dcfr+"), 1, lock={(): third}).kind is np.float64


def test_workers_refuse_a_lock() -> None:
    with pytest.raises(UsageError, match="a lock needs a single process: leave cluster"):
        solve(LOCKED, "dcfr+", Request(form=PUBLIC_TREE, iterations=3, cluster="local:2"))

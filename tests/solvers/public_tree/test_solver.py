"""The public-tree solver against the explicit tree: the same payoffs, regrets and bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from threading import Event

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.public_tree import traversers
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import REACH_THRESHOLD, PublicTree
from liarsdice_cli.solvers.public_tree.traversers import ShardRequest
from liarsdice_cli.solvers.regret.convergence import Limits, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser
from liarsdice_cli.strategies import store
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.shard import REFUSED, ROWS, ZEROS
from liarsdice_cli.strategies.store import SHARD
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.system.cluster import WorkerLostError
from tests.support.checkpoints import arrays_of
from tests.support.entries import draw
from tests.support.gambit_walk import game_of, sets_of
from tests.support.policies import profile_by_labels
from tests.support.properties import mostly_slow

SMALL_GAMES = [
    ("common", 3, (1, 1)),
    ("joker", 3, (2, 1)),
    ("dudo", 2, (1, 2)),
    ("common", 2, (1, 1, 1)),
    ("joker", 3, (1, 1, 1)),
    ("top-wild", 2, (2, 1, 1)),
    ("joker", 2, (1, 1, 1, 1)),
]
SLOW_GAMES = [("common", 3, (1, 1, 1)), ("classic", 2, (1, 1, 1)), ("joker", 2, (1, 1, 1, 1, 1))]


def _solver(preset, sides, dice, name="dcfr+", iterations=0, expansion_threshold=REACH_THRESHOLD, **options):
    solver = PublicTree(public_game(rules(preset, sides, dice, payoffs="zero-sum")), minimiser(name), **options)
    solver.expansion_threshold = expansion_threshold
    for _ in range(iterations):
        solver.iterate()
    return solver


def _check_against_the_tree(game, solver):
    """Check that evaluation on the public tree matches evaluation on the explicit tree."""
    tree = build(game)
    verdict = judge(profile_by_labels(tree, game, StoredStrategy(game, solver.store)))
    ours = solver.responses.judge()
    error = 1e-12
    assert ours.payoffs == pytest.approx([float(number) for number in verdict.payoffs], abs=error)
    assert ours.regrets == pytest.approx([float(number) for number in verdict.regrets], abs=error)
    assert all(mine >= float(theirs) - 1e-15 for mine, theirs in zip(ours.regrets, verdict.regrets, strict=True))
    if len(game.dice) == 2:
        assert ours.bounds == pytest.approx([float(number) for number in verdict.bounds], abs=error)


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "iterations"), mostly_slow([(*game, many) for game in SMALL_GAMES for many in (0, 1, 3, 20)], 3)
)
def test_evaluation_matches_the_explicit_tree_at_any_stage_of_expansion(preset, sides, dice, iterations):
    solver = _solver(preset, sides, dice, iterations=iterations)
    _check_against_the_tree(rules(preset, sides, dice, payoffs="zero-sum"), solver)


@pytest.mark.parametrize(("preset", "sides", "dice"), SMALL_GAMES)
def test_evaluation_matches_the_explicit_tree_for_random_strategies(preset, sides, dice):
    """Expand histories only above a high threshold, so that best responses leave the expanded tree."""
    solver = _solver(preset, sides, dice, iterations=6, expansion_threshold=0.03)
    generator = np.random.default_rng(5)
    for _, shard in solver.store.all_shards:
        draw(shard, "averages", generator, 0.6)
    _check_against_the_tree(rules(preset, sides, dice, payoffs="zero-sum"), solver)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "sides", "dice"), SLOW_GAMES)
def test_evaluation_matches_the_explicit_tree_in_larger_multiplayer_games(preset, sides, dice):
    _check_against_the_tree(rules(preset, sides, dice, payoffs="zero-sum"), _solver(preset, sides, dice, iterations=30))


@pytest.mark.parametrize(("preset", "sides", "dice"), [("common", 2, (1, 1)), ("joker", 3, (2, 1)), ("common", 2, (1, 1, 1))])
def test_evaluation_matches_the_explicit_tree_for_the_uniform_strategy(preset, sides, dice):
    game = rules(preset, sides, dice, payoffs="zero-sum")
    equal = expanded(Uniform(game))
    tree = build(game)
    verdict = judge(profile_by_labels(tree, game, Uniform(game)))
    ours = Responses(public_game(game), equal.store).judge()
    assert ours.payoffs == pytest.approx([float(number) for number in verdict.payoffs], abs=1e-12)
    assert ours.regrets == pytest.approx([float(number) for number in verdict.regrets], abs=1e-12)


@pytest.mark.parametrize(("preset", "sides", "dice"), [("joker", 2, (1, 1, 1)), ("common", 2, (1, 1, 1))])
def test_evaluation_matches_gambit_for_three_players(preset, sides, dice):
    game = rules(preset, sides, dice, payoffs="zero-sum")
    solver, tree = _solver(preset, sides, dice, iterations=5), build(game)
    profile = profile_by_labels(tree, game, StoredStrategy(game, solver.store)).probabilities.tolist()
    sets = [[profile[tree.first_action[row] : tree.first_action[row + 1]] for row in sets_of(tree, one)] for one in range(3)]
    gambits = game_of(efg.dumps(tree.stream()))
    expected, ours = gambits.mixed_behavior_profile(data=sets), solver.responses.judge()
    assert ours.payoffs == pytest.approx([float(expected.payoffs[player]) for player in gambits.players], abs=1e-9)
    assert ours.max_regret == pytest.approx(float(expected.max_regret()), abs=1e-9)


PUBLISHED = [("common", 6, Fraction(-1, 9)), ("joker", 6, Fraction(-7, 327)), ("top-wild", 5, Fraction(1, 125))]


@pytest.mark.parametrize(("preset", "sides", "value"), PUBLISHED)
def test_bounds_close_in_on_the_published_value(preset, sides, value):
    run_history = run(_solver(preset, sides, (1, 1)), Limits(target=1e-4))
    assert run_history.ended == "target"
    assert run_history.last.bounds.lower <= value <= run_history.last.bounds.upper
    assert run_history.last.proved.exploitability <= run_history.last.bounds.exploitability <= 1e-4


@pytest.mark.parametrize("name", MINIMISERS)
@pytest.mark.parametrize("dice", mostly_slow([((1, 1),), ((2, 1),)]))
def test_every_minimiser_approaches_the_value(name, dice):
    game = public_game(rules("joker", 4, dice))
    value = {(1, 1): Fraction(1, 2), (2, 1): Fraction(5, 8)}[dice]
    solver = PublicTree(game, minimiser(name))
    for _ in range(600):
        solver.iterate()
    bounds = solver.bounds()
    assert bounds.exploitability < 3e-3
    assert bounds.lower <= value <= bounds.upper


@pytest.mark.parametrize("dice", [(1, 1, 1), (1, 1, 1, 1)])
def test_regrets_fall_to_the_target_with_more_than_two_players(dice):
    solver = _solver("joker", 3, dice, "pdcfr+")
    ended = run(solver, Limits(target=2e-3, iterations=2000))
    assert ended.ended == "target"
    assert sum(ended.last.bounds.payoffs) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("name", "dice"), mostly_slow([("dcfr", (2, 1)), ("pdcfr+", (2, 1)), ("dcfr+", (1, 1, 1))], 2))
def test_threads_change_nothing(name, dice):
    alone, together = (_solver("top-wild", 5, dice, name, 20, threads=threads) for threads in (1, 3))
    assert together.threads == 3, "large enough to be cut"
    for one, other in zip(arrays_of(alone.store), arrays_of(together.store), strict=True):
        assert np.array_equal(one, other)
    assert alone.bounds() == together.bounds()


@pytest.mark.parametrize("name", ["dcfr+", "pdcfr+"])
def test_repeatedly_stopped_iterations_end_in_the_same_state(name):
    straight, stopped = (_solver("top-wild", 5, (2, 1), name, threads=1) for _ in range(2))
    asked = 0

    def stop():
        nonlocal asked
        asked += 1
        return asked % 3 == 0

    for _ in range(8):
        straight.iterate()
    while stopped.iteration < 8:
        stopped.iterate(stop)
        stopped.bounds()
    assert asked > 100
    for one, other in zip(arrays_of(straight.store), arrays_of(stopped.store), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("preset", "dice"), [("joker", (2, 1)), ("common", (1, 1, 1))])
def test_cutting_the_tree_changes_no_strategy(preset, dice, cut_from):
    whole = _solver(preset, 4, dice)
    cut_from(4)
    cut = _solver(preset, 4, dice)
    for solver in (whole, cut):
        for _, shard in solver.store.all_shards:  # without room, histories are expanded later
            shard.reserve(1 << 10, 1 << 14, 1 << 15, 1 << 15)
        for _ in range(12):
            solver.iterate()
    assert cut.store.shards
    assert not whole.store.shards
    game = rules(preset, 4, dice)
    for length in range(4):
        for history in combinations(range(game.bid_count), length):
            one, other = (StoredStrategy(game, solver.store).at(history) for solver in (whole, cut))
            assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.slow
def test_float32_keeps_sound_bounds(monkeypatch):
    monkeypatch.setattr(store, "SMALL", 0)
    solver = PublicTree(public_game(rules("top-wild", 5)), minimiser("dcfr+"))
    assert solver.kind is np.float32
    run_history = run(solver, Limits(iterations=300))
    assert run_history.ended == "iterations"
    assert run_history.last.iteration == 300
    assert run_history.last.bounds.lower <= Fraction(63, 125) <= run_history.last.bounds.upper
    assert run_history.last.bounds.exploitability < 1e-3


def test_full_memory_stops_expansion_and_the_bounds_stay_valid():
    value = Fraction(-1, 9)
    free = _solver("common", 6, (1, 1), iterations=50)
    short = _solver("common", 6, (1, 1), iterations=50, memory=free.store.bytes_used / 3)
    assert short.short
    assert not free.short
    assert short.store.bytes_used < free.store.bytes_used
    for solver in (free, short):
        assert solver.bounds().lower <= value <= solver.bounds().upper
    assert run(short, Limits(target=1e-9)).ended == "memory"


def test_a_shard_that_cannot_grow_any_more_counts_as_full_memory(monkeypatch):
    monkeypatch.setattr(store, "MOST_BLOCKS", 40)
    monkeypatch.setattr(traversers, "MOST_BLOCKS", 40)
    solver = PublicTree(public_game(rules("common", 6)), minimiser("dcfr+"))
    solver.store.top.blocks = solver.store.top.blocks[:40].copy()
    assert run(solver, Limits(target=1e-9)).ended == "memory"
    assert len(solver.store.top.blocks) == 40


def test_bounds_begin_again_after_a_worker_is_lost(monkeypatch):
    """The restored tree may be another one, so shards that were done before the loss do not count."""
    solver = _solver("common", 4, (2, 2), iterations=20, threads=1)
    expected, traverse, lost = solver.bounds(), solver.backend.traverse, []

    def lose_once(request, done, stop):
        if not lost:
            lost.append(True)
            done.update(request.shards.tolist())
            request.below.value[:] = 0.3
            raise WorkerLostError("a worker")
        return traverse(request, done, stop)

    monkeypatch.setattr(solver.backend, "traverse", lose_once)
    assert solver.bounds() == expected
    assert lost


def test_after_an_error_no_other_shard_begins():
    solver = _solver("common", 4, (2, 2), iterations=3, threads=2)
    begun, wait = [], Event()

    class Failing:
        @staticmethod
        def run(traversal, shard, subtrees, chosen):
            begun.append(shard)
            if len(begun) == 1:
                raise KeyboardInterrupt
            wait.wait(0.2)
            return 0

    below = solver.traverser.below
    below.due[: solver.store.subtrees[0]] = True
    shards = np.unique(solver.store.roots[: solver.store.subtrees[0], SHARD])
    with pytest.raises(KeyboardInterrupt):
        solver.backend.traverse(ShardRequest(Failing(), None, below, shards), set(), lambda: False)
    wait.set()
    solver.backend._pool.shutdown()  # waits for what has begun
    assert len(begun) < len(shards)


def test_the_row_of_zeros_stays_0_without_room_for_rows():
    solver = PublicTree(public_game(rules("common", 6)), minimiser("dcfr+"), memory=0)
    shard = solver.store.top
    shard.arrays = {name: array[:8].copy() for name, array in shard.arrays.items()}
    for _ in range(4):
        solver.iterate()
    assert shard.used[ROWS] == 8
    assert shard.used[REFUSED] > 0
    assert not any(array[ZEROS].any() for array in shard.arrays.values())


@pytest.mark.parametrize("damage", [np.nan, np.inf])
def test_non_finite_numbers_are_detected(damage):
    solver = PublicTree(public_game(rules("common", 3)), minimiser("cfr+"))
    solver.iterate()
    solver.store.top.arrays["regrets"][1, 0] = damage
    with pytest.raises(LiarsDiceError, match="no longer finite"):
        solver.iterate()


@pytest.mark.parametrize(
    "game",
    [*(rules(preset, 2, max_quantity=1) for preset in PRESETS), rules("common", 1), rules("top-wild", 1, (2, 1))],
    ids=str,
)
def test_games_with_one_bid_per_face_or_one_side_are_solved(game):
    solved, _ = exact.solve(build(game))
    proved = run(PublicTree(public_game(game), minimiser("dcfr+")), Limits(iterations=50)).last.proved
    assert proved.lower <= solved.judgement.payoffs[0] <= proved.upper
    assert proved.exploitability < 0.05


def test_a_single_bid_is_always_called():
    solver = PublicTree(public_game(rules("common", 1, max_quantity=1)), minimiser("cfr"))
    solver.iterate()
    bounds = solver.bounds()
    assert (bounds.lower, bounds.upper) == pytest.approx((1, 1))

"""Mirror descent: strategies with small regret at every history, in memory and in files."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import ldz
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.public_tree import sequential
from liarsdice_cli.solvers.public_tree.mirror_descent import RATE, MirrorDescent
from liarsdice_cli.solvers.public_tree.solver import REGRETS
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.strategies.shard import ROWS, ZEROS
from tests.support.sequential import Regrets


def test_the_regret_at_every_history_falls_to_the_target_and_a_recursion_confirms_it():
    game = rules("common", 3, payoffs="zero-sum")
    solution = solve(game, refine="sequential", target=0.05)
    assert (solution.method, solution.run_history.ended) == ("mirror-descent", "target")
    largest = solution.judgement.sequential
    regrets = Regrets(solution.best.stored)
    assert solution.judgement.histories == len({history for history, _ in regrets.found}) == 64
    for player, one in enumerate(largest):
        assert one.regret == pytest.approx(float(regrets.largest(player)), abs=1e-9)
        assert 0 < one.regret <= 0.05
    low, high = solution.judgement.bounds
    assert low <= -1 / 9 <= high <= low + 0.1


@pytest.mark.parametrize(("preset", "dice"), [("joker", (2, 1)), ("dudo", (1, 2))])
def test_regrets_fall_to_the_target_in_other_games(preset, dice):
    solution = solve(rules(preset, 3, dice), refine="sequential", target=0.03)
    assert solution.run_history.ended == "target"
    assert solution.judgement.sequential_regret <= 0.03


def test_an_equilibrium_without_refinement_has_large_regrets_after_mistakes():
    solution = solve(rules("common", 4), method="dcfr+", iterations=400, form="public tree")
    assert solution.judgement.exploitability < 0.002
    assert sequential.judge(solution.best.stored).sequential_regret > 0.2


def test_a_file_stores_the_strategy_after_many_mistakes(tmp_path):
    solution = solve(rules("common", 3, (2, 1)), refine="sequential", target=0.05)
    write(solution, str(tmp_path / "refined.ldz"))
    kept = ldz.StrategyFile(str(tmp_path / "refined.ldz"))
    for history in ([], [0, 1, 2, 3, 4], [0, 2, 3, 5]):
        expected = solution.best.stored.at(history)
        assert kept.at(history) == pytest.approx(expected, rel=2e-3)
        assert np.all(expected > 0)
    regret = solution.judgement.sequential_regret
    assert sequential.judge(kept).sequential_regret == pytest.approx(regret, abs=3e-3)


def test_bids_are_settled_if_no_later_bid_can_be_true_with_them():
    game = public_game(rules("common", 3, (2, 2)))
    assert np.flatnonzero(game.settled).tolist() == [9, 10, 11]  # all four dice
    assert not public_game(rules("joker", 3, (1, 1))).settled[:-1].any()  # jokers match both bids
    assert not public_game(rules("common", 3, spot_on=True)).settled.any()
    by_face = public_game(rules("common", 2, order="face"))
    assert by_face.settled.tolist() == [False, False, False, True]  # 2x1 excludes 1x2 and 2x2, which can both be true


def test_a_run_that_cycles_takes_smaller_steps():
    """With the first step size the largest regret is still above 0.6 after 1,200 iterations."""
    solver, regret = MirrorDescent(public_game(rules("ones-low", 3, (2, 2))), 0.01, 0.001, threads=1, memory=inf), 1.0
    while solver.iteration < 3000 and regret > 0.02:
        solver.iterate()
        regret = solver.bounds().regret if solver.iteration % 100 == 0 else 1.0
    assert regret <= 0.02
    assert solver.rate < RATE


def test_histories_with_rows_go_on_learning_without_room_for_more():
    solver = MirrorDescent(public_game(rules("common", 3)), 0.01, 0.001, threads=1, memory=0)
    solver.iterate()
    shard = solver.store.top
    rows = int(shard.used[ROWS])
    shard.arrays = {name: array[:rows].copy() for name, array in shard.arrays.items()}
    before = shard.arrays[REGRETS].copy()
    solver.iterate()
    assert shard.used[ROWS] == rows
    assert (shard.arrays[REGRETS][ZEROS + 1 :] != before[ZEROS + 1 :]).any()


def test_unsupported_requests_are_refused(tmp_path):
    game = rules("common", 2)
    with pytest.raises(LiarsDiceError, match="for two players"):
        solve(rules("common", 2, (1, 1, 1)), refine="sequential")
    with pytest.raises(UsageError, match="on rules of Liar's Dice"):
        solve(build(game), refine="sequential")
    with pytest.raises(UsageError, match="only mirror-descent finds"):
        solve(game, method="dcfr+", refine="sequential")
    with pytest.raises(UsageError, match=r"mirror-descent does not support "):
        solve(game, refine="sequential", checkpoint=tmp_path / "state")
    with pytest.raises(UsageError, match="rounding hides"):
        solve(game, refine="sequential", target=1e-20)


@pytest.mark.slow
def test_best_responses_from_a_history_on_gain_the_reported_regret():
    """The program's other traversal, which computes the values after one history, gives the same regrets.

    It stores the values of subtrees in 32 bits.
    """
    game = rules("common", 3, (2, 2))
    solution = solve(game, refine="sequential", target=0.02)
    strategy, names = solution.best.stored, [str(bid) for bid in game.bids]
    values = Values(strategy)

    def regrets(history):
        reaches, mover = beliefs.reaches_after(strategy, history), len(history) % 2
        own = (values.action_wins(history, reaches) * strategy.at(history)).sum(axis=0)
        return (values.best_wins(history, mover, reaches) - own) / reaches[1 - mover].sum()

    generator, most = np.random.default_rng(4), solution.judgement.sequential_regret
    for _ in range(100):
        length = generator.integers(0, 7)
        assert regrets(sorted(generator.choice(9, length, replace=False).tolist())).max() <= most + 1e-6
    for one in solution.judgement.sequential:
        assert regrets([names.index(bid) for bid in one.history]).max() == pytest.approx(one.regret, abs=1e-6)

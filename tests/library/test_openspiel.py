"""Policies from and to OpenSpiel: its exploitability agrees with ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.tensors import tensor
from liarsdice_cli.games.bidding import CALL

pyspiel = pytest.importorskip("pyspiel", reason="compares with OpenSpiel, an extra")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
mccfr = pytest.importorskip("open_spiel.python.algorithms.external_sampling_mccfr")


@pytest.mark.parametrize(
    ("preset", "sides", "dice"), [("top-wild", 3, (1, 1)), ("face-first", 3, (1, 1)), ("top-wild", 2, (2, 2))]
)
def test_an_exact_solution_has_exploitability_0_in_openspiel(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    rules = ld.rules(preset, sides, dice, payoffs="zero-sum")
    solution = ld.solve(rules)
    assert solution.exact
    table = ld.interop.to_openspiel(solution)
    assert exploitability.exploitability(table.game, table) == pytest.approx(0, abs=1e-9)


def test_the_honest_strategy_survives_the_round_trip_to_openspiel() -> None:
    rules = ld.rules("top-wild", 3, payoffs="zero-sum")
    honest = ld.policy("honest").strategy(rules)
    table = ld.interop.to_openspiel(honest)
    back = ld.interop.from_openspiel(table, rules)
    for history in ((), (0,), (0, 3), (2, 3, 4)):
        assert back.at(history) == pytest.approx(honest.at(history))
    theirs = exploitability.exploitability(table.game, table)
    assert float(ld.exploitability(rules, table).exploitability) == pytest.approx(theirs, abs=1e-9)


def test_rules_that_openspiel_lacks_are_refused() -> None:
    with pytest.raises(ld.LiarsDiceError, match="liars_dice has no"):
        ld.interop.to_openspiel(ld.solve(ld.rules("common", 2)))


PARAMETERS = (
    {"dice_sides": 3},
    {"dice_sides": 4, "bidding_rule": "reset-quantity"},
    {"dice_sides": 2, "numdice": 2},
)


def solvers(game: Any) -> Iterator[Any]:
    """Yield OpenSpiel's own solvers, each after a few iterations."""
    for make, iterations in ((pyspiel.CFRSolver, 10), (pyspiel.CFRPlusSolver, 3)):
        solver = make(game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        yield solver
    external, outcome = pyspiel.ExternalSamplingMCCFRSolver(game, 1), pyspiel.OutcomeSamplingMCCFRSolver(game, seed=1)
    for _ in range(100):
        external.run_iteration()
        outcome.run_iteration()
    yield from (external, outcome)
    in_python = mccfr.ExternalSamplingSolver(game)
    for _ in range(20):
        in_python.iteration()
    yield in_python


@pytest.mark.slow
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_policies_of_openspiels_solvers_have_the_same_exploitability_here(parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game("liars_dice", parameters)
    rules = ld.interop.from_openspiel(game)
    for solver in solvers(game):
        theirs = exploitability.exploitability(game, solver.average_policy())
        for policy in (solver, solver.average_policy()):
            assert float(ld.exploitability(rules, policy).exploitability) == pytest.approx(theirs, abs=1e-12)


def test_openspiels_games_are_converted_to_rules() -> None:
    game = pyspiel.load_game("liars_dice(numdice=2,dice_sides=5,bidding_rule=reset-quantity)")
    assert ld.interop.from_openspiel(game) == ld.rules("face-first", 5, (2, 2), payoffs="zero-sum")
    with pytest.raises(ld.LiarsDiceError, match="kuhn_poker is another game"):
        ld.interop.from_openspiel(pyspiel.load_game("kuhn_poker"))


def test_openspiels_tensors_equal_ours() -> None:
    game = pyspiel.load_game("liars_dice", {"dice_sides": 3, "numdice": 2})
    rules = ld.interop.from_openspiel(game)
    for history in ((), (0,), (2, 5, 11), (1, 3, rules.bid_count)):
        state = game.new_initial_state()
        for action in (2, 0, 1, 1, *history):
            state.apply_action(action)
        said = [CALL if action == rules.bid_count else action for action in history]
        for player, roll in enumerate(((1, 3), (2, 2))):
            assert tensor(rules, player, roll, said).tolist() == state.information_state_tensor(player)


def test_policies_with_imperfect_recall_are_evaluated_in_the_whole_game() -> None:
    game = pyspiel.load_game("liars_dice_ir", {"dice_sides": 4})  # four bids; OpenSpiel 2.0.2 ignores its recall_length
    solver = pyspiel.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    strategy = ld.interop.from_openspiel(solver, game)
    assert strategy.at((0, 2, 3, 4, 5)) == pytest.approx(strategy.at((1, 2, 3, 4, 5)))
    assert float(ld.exploitability(strategy.rules, strategy).exploitability) > 0


def test_policies_with_ambiguous_keys_are_queried_state_by_state() -> None:
    game = pyspiel.load_game("liars_dice", {"dice_sides": 10})
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    for _ in range(3):
        solver.run_iteration()
    strategy, average = ld.interop.from_openspiel(solver, game), solver.average_policy()
    state = game.new_initial_state()
    for action in (0, 9, 3):
        state.apply_action(action)
    said = dict(average.action_probabilities(state))
    assert strategy.at((3,))[:, 9] == pytest.approx([said[20], *(said[bid] for bid in range(4, 20))])

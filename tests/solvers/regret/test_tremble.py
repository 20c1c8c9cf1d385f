"""Regret minimisation with trembles: no probability is below its floor; bounds are those of the perturbed game."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path as File

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import Path, action_values, payoff_nodes, payoffs_of
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.recall import last_action, remembered
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.regret.convergence import PassingBounds
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.solvers.regret.sparse import SparseForm
from liarsdice_cli.solvers.request import EXTENSIVE, Request
from tests.support.command_line import ROOT
from tests.support.solving import solve


def best_while_erring(tree: GameTree, profile: Profile, player: int, tremble: float) -> float:
    """Return a player's best-response value in the perturbed game: the maximum mixed with the mean, from the leaves up."""
    nodes, own = payoff_nodes(tree), last_action(tree, player)
    weighed = payoffs_of(tree, player, exact=False).values
    for other in (CHANCE, 1 - player):
        weighed = weighed * Path.of(tree, profile.probabilities, other).reach.values
    before = remembered(tree, player)
    assert before is not None
    values = np.zeros(tree.actions + 1)
    np.add.at(values, own[nodes], weighed)
    for row in reversed(np.flatnonzero(tree.infosets.player == player).tolist()):
        actions = values[tree.first_action[row] : tree.first_action[row + 1]]
        values[before[row]] += (1 - tremble) * actions.max() + tremble * actions.mean()
    assert values[NONE] <= action_values(tree, weighed, player, own[nodes], before)[NONE] + 1e-12
    return float(values[NONE])


@pytest.mark.parametrize("name", ["dcfr+", "pcfr+", "cfr"])
@pytest.mark.parametrize("tremble", [0.3, 0.01])
def test_all_players_tremble_and_the_bounds_are_those_of_the_perturbed_game(name: str, tremble: float) -> None:
    tree = build(rules("common", 3))
    solver = SparseForm(tree, minimiser(name), tremble)
    for _ in range(60):
        solver.iterate()
    profile, bounds = solver.profile(), solver.bounds()
    players = tree.action_player != CHANCE
    floors = (tremble / tree.action_counts)[tree.action_infoset]
    assert np.all(profile.probabilities[players] >= floors[players] * (1 - 1e-9))
    assert bounds.upper == pytest.approx(best_while_erring(tree, profile, 0, tremble), abs=1e-9)
    assert bounds.lower == pytest.approx(1 - best_while_erring(tree, profile, 1, tremble), abs=1e-9)


def test_the_perturbed_game_is_solved_to_the_target() -> None:
    solution = solve(build(rules("joker", 4)), request=Request(tremble=0.05, target=1e-4))
    assert solution.run_history is not None
    assert solution.run_history.ended == "target"
    assert solution.parameters["tremble"] == 0.05
    assert solution.note.startswith("every player errs with probability 0.05 at every decision")
    assert solution.best.judgement.exploitability > 1e-3  # type: ignore[operator]


def test_player_2_does_not_guess_the_ace_after_a_mistaken_offer() -> None:
    tree = efg.read(str(ROOT / "sample_games" / "guess-the-ace.efg"))
    solution, other = (solve(tree, request=Request(tremble=tremble, iterations=300)) for tremble in (0.01, Fraction(1, 100)))
    assert (solution.best.in_tree.probabilities == other.best.in_tree.probabilities).all()
    row = list(tree.infosets.labels).index("P2, after the offer")
    assert solution.best.in_tree.at(row)[1] > 0.98


def test_lp_takes_no_tremble() -> None:
    with pytest.raises(UsageError, match="lp takes no tremble"):
        solve(build(rules("common", 2)), "lp", Request(tremble=0.1, form=EXTENSIVE))


# On the public tree, where players tremble at expanded histories


def test_all_players_tremble_at_expanded_histories_of_the_public_tree() -> None:
    game = rules("common", 3)
    solution = solve(game, request=Request(tremble=0.05, iterations=400))
    assert solution.parameters["tremble"] == 0.05
    averages = solution.best.stored
    assert averages is not None
    grown = [history for history in ([], [0], [1], [2], [0, 1]) if averages.store.find(history) is not None]
    assert len(grown) > 2
    for history in grown:
        said = averages.at(history)
        assert np.all(said >= 0.05 / len(said) * (1 - 1e-5)), history


def test_the_tree_and_the_public_tree_agree_on_the_perturbed_game() -> None:
    """The fully expanded public tree is the same game; the bounds from the tree lie within its bounds, up to 0.02."""
    game = rules("joker", 3)
    on_tree = solve(build(game), request=Request(tremble=0.1, target=1e-4))
    without = solve(game, request=Request(tremble=0.1, iterations=3000))
    assert on_tree.run_history is not None
    assert without.run_history is not None
    low, high = on_tree.run_history.last.bounds.lower, on_tree.run_history.last.bounds.upper  # type: ignore[union-attr]
    other = without.run_history.last.bounds
    assert isinstance(other, PassingBounds)
    assert other.lower - 2e-2 < low <= high < other.upper + 2e-2


def test_a_tremble_increases_the_exploitability() -> None:
    game = rules("common", 4)
    plain, erring = (solve(game, request=Request(tremble=one, iterations=300)) for one in (None, 0.1))
    gains = [solution.best.judgement.exploitability for solution in (plain, erring)]
    assert gains[0] is not None
    assert gains[1] is not None
    assert gains[1] > gains[0] + 0.01


def test_checkpoints_store_the_tremble(tmp_path: File) -> None:
    game, file = rules("common", 4), str(tmp_path / "state")
    solve(game, request=Request(tremble=0.1, iterations=10, checkpoint=file))
    with pytest.raises(LiarsDiceError, match=r"has another tremble: 0\.1, not 0\.0"):
        solve(game, request=Request(iterations=20, checkpoint=file))
    parts = solve(game, request=Request(tremble=0.1, iterations=20, checkpoint=file))
    whole = solve(game, request=Request(tremble=0.1, iterations=20))
    assert parts.best.judgement == whole.best.judgement


@pytest.mark.slow
def test_workers_tremble_like_a_single_process() -> None:
    game = rules("common", 4, (2, 2))
    alone, shared = (solve(game, request=Request(tremble=0.1, iterations=12, cluster=one)) for one in (None, "local:2"))
    assert alone.parameters["histories"] == shared.parameters["histories"] > 100
    assert alone.best.judgement == shared.best.judgement

"""Problems offer one interface for trees, rules and subgames; requests group their options by method."""

from __future__ import annotations

import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.subgame import subgame
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.pictures import picture
from liarsdice_cli.library.solving import locks
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.solvers.problem import Problem, RulesProblem, SubgameProblem, TreeProblem
from liarsdice_cli.solvers.regret.convergence import Limits
from liarsdice_cli.solvers.request import Request

GAME = rules("common", 2)


@pytest.fixture(scope="module")
def lock() -> tuple[LockedSet, ...]:
    return locks("P1 roll 1 opening: 1x2 1", GAME)


def test_rules_and_their_tree_are_the_same_problem(lock: tuple[LockedSet, ...]) -> None:
    of_rules, of_tree = Problem.of(GAME), Problem.of(build(GAME))
    assert (type(of_rules), type(of_tree)) == (RulesProblem, TreeProblem)
    for one in (of_rules, of_tree):
        assert (one.nodes, one.players, one.information_sets) == (125, 2, 32)  # 16 histories with two rolls each
        assert (one.constant_sum, one.perfect_recall, one.lock) == (True, True, ())
        assert one.tree is one.free_tree
        assert one.locked(()) is one
        locked = one.locked(lock)
        assert (locked.lock, locked.nodes, one.lock) == (lock, one.nodes, ())
        assert locked.free_tree is one.free_tree
        assert locked.tree.fingerprint != one.tree.fingerprint
        assert [list(shares) for shares in locked.tree_lock.values()] == [[0, 1, 0, 0]]


def test_a_subgame_has_no_tree_and_no_lock(lock: tuple[LockedSet, ...]) -> None:
    problem = Problem.of(subgame(GAME, ["1x2"]))
    assert isinstance(problem, SubgameProblem)
    assert (problem.players, problem.constant_sum, len(problem.left_out)) == (2, True, 0)
    assert 0 < problem.nodes < Problem.of(GAME).nodes
    assert problem.locked(()) is problem
    with pytest.raises(UsageError, match="leave lock out"):
        problem.locked(lock)
    with pytest.raises(LiarsDiceError, match="without a tree"):
        assert problem.tree


def test_bids_left_out_of_a_large_game_are_reported() -> None:
    problem = Problem.of(rules("classic", 4))
    assert min(problem.left_out) == "3x1"
    problem.check_history(["1x1", "2x4"])
    with pytest.raises(LiarsDiceError, match="3x1 is never true"):
        problem.check_history(["1x1", "3x1"])
    assert "bids of 3 or more dice" in picture(rules("classic", 4), depth=2).note
    assert picture(rules("classic", 4), depth=2, no_profile=True).note.startswith("drawn without the bids of 3 or more dice")
    assert picture(rules("classic", 2), depth=2, no_profile=True).note == ""


def test_a_request_is_updated_by_name() -> None:
    request = Request("dcfr+", target=1e-3, max_profiles=2, time_limit=1.0)
    assert request.updated(iterations=5).limits == Limits(1e-3, 5, 1.0)
    assert request.updated(target=None, max_profiles=None) == Request("dcfr+", time_limit=1.0)
    with pytest.raises(UsageError, match="nonsense is not an option of a request"):
        request.updated(nonsense=1)


def test_a_solved_tree_has_no_strategy_by_history() -> None:
    solution = solve(Problem.of(build(rules("common", 2))), Request(method="exact"))
    with pytest.raises(UsageError, match="use its profile"):
        solution.strategy()

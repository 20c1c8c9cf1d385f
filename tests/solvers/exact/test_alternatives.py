"""The largest probability of an action in any equilibrium, against locks and linear programs in floats."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.exact.alternatives import Alternatives
from liarsdice_cli.solvers.exact.reduction import unreduced
from liarsdice_cli.solvers.exact.sequence_form import sequence_form
from liarsdice_cli.solvers.problem import Problem
from tests.support.properties import mostly_slow
from tests.support.solving import solve


@pytest.mark.parametrize(("preset", "sides"), mostly_slow([("common", 3), ("joker", 4), ("classic", 3), ("common", 4)]))
def test_locking_an_action_keeps_the_value_if_and_only_if_its_largest_probability_is_1(preset: str, sides: int) -> None:
    game = rules(preset, sides)
    solution = solve(game)
    tree, profile = solution.problem.free_tree, solution.profile
    rows = [row for row in range(len(tree.infosets)) if tree.infosets.player[row] != CHANCE]
    found = Alternatives(profile).largest_probabilities(rows[:200])
    seen = {share for shares in found.values() for share in shares.values()}
    assert 1 in seen
    assert all(0 <= share <= 1 for share in seen)
    known = solution.solved[0].judgement.bounds
    first = [
        row for row in found if len(tree.label_of(row).split("after ")[-1].split()) == 1 or "opening" in tree.label_of(row)
    ]
    for row in first[:2]:  # a plan may avoid later sets
        for action, share in found[row].items():
            locked = Problem.of(game).locked((LockedSet(tree.label_of(row), ((action, Fraction(1)),)),))
            assert (solve(locked, "exact").solved[0].judgement.bounds == known) == (share == 1)


def matrix_game(payoffs: list[list[int]]) -> bytes:
    names = [" ".join(f'"{number}"' for number in range(size)) for size in (len(payoffs), len(payoffs[0]))]
    lines = ['EFG 2 R "" { "A" "B" }', f'p "" 1 1 "" {{ {names[0]} }} 0']
    for place, row in enumerate(payoffs):
        lines.append(f'p "" 2 1 "" {{ {names[1]} }} 0')
        lines += [f't "" {1 + place * len(row) + at} "" {{ {number} {-number} }}' for at, number in enumerate(row)]
    return "\n".join(lines).encode()


def test_no_optimal_plan_that_reaches_a_set_has_a_larger_share() -> None:
    """By linear programs in floats: weight - share x weight before has a maximum of 0 over the optimal plans."""
    tree = build(rules("joker", 3))
    solved, _ = exact.solve(tree)
    form = sequence_form(tree, unreduced(tree))
    found = Alternatives(solved.in_tree).largest_probabilities(range(1, len(tree.infosets)))
    below_one = 0
    for player in (0, 1):
        own, other = form.sides[player], form.sides[1 - player]
        entries = (form.first, form.second) if player == 0 else (form.second, form.first)
        matrix = np.zeros((other.sequences, own.sequences))
        matrix[entries[1], entries[0]] = form.payoff * (1, -1)[player]
        values = np.zeros((other.sequences, 1 + len(other.rows)))
        values[0, 0] = -1
        values[np.arange(1, other.sequences), 1 + other.set] -= 1
        values[other.before, 1 + np.arange(len(other.rows))] += 1
        plans = np.zeros((1 + len(own.rows), own.sequences + values.shape[1]))
        plans[0, 0] = 1
        plans[1 + own.set, np.arange(1, own.sequences)] = 1
        plans[1 + np.arange(len(own.rows)), own.before] -= 1
        worth = (1, -1)[player] * float(solved.judgement.payoffs[0]) * form.scale
        bounds = [(0, None)] * own.sequences + [(worth - 1e-9 * form.scale, None)] + [(None, None)] * len(other.rows)
        for row in [row for row in found if tree.infosets.player[row] == player][:12]:
            (number,) = np.flatnonzero(own.rows == row).tolist()
            for action, share in found[row].items():
                place = tree.first_action[row] + tree.actions_at(row).labels.index(action)
                cost = np.zeros(len(bounds))
                cost[1 + np.flatnonzero(own.action == place)] = -1
                cost[own.before[number]] = float(share)
                best = linprog(
                    cost,
                    -np.hstack([matrix, values]),
                    np.zeros(other.sequences),
                    plans,
                    np.eye(len(plans))[0],
                    bounds,
                )
                assert best.success
                assert best.fun == pytest.approx(0, abs=1e-6)
                below_one += share < 1
    assert below_one


@pytest.mark.parametrize("seed", range(12))
def test_shares_in_matrix_games_match_a_linear_program(seed: int) -> None:
    chosen = random.Random(seed)
    payoffs = [[chosen.randrange(3) for _ in range(4)] for _ in range(4)]
    tree = efg.parse(matrix_game(payoffs))
    solved, _ = exact.solve(tree)
    value = float(solved.judgement.payoffs[0])
    found = Alternatives(solved.in_tree).largest_probabilities([0, 1])
    for player, matrix in enumerate((np.array(payoffs, float), -np.array(payoffs, float).T)):
        for action, share in found.get(player, {}).items():
            wins = value if player == 0 else -value
            best = linprog(-np.eye(4)[int(action)], -matrix.T, np.full(4, -wins + 1e-12), np.ones((1, 4)), [1])
            assert best.success
            assert float(share) == pytest.approx(-best.fun, abs=1e-6)


def test_alternatives_are_unplayed_actions_in_games_for_two_players() -> None:
    tree = build(rules("common", 2))
    solution, _ = exact.solve(tree)
    rows = range(1, len(tree.infosets))
    assert Alternatives(solution.in_tree).largest_probabilities([]) == {}
    found = Alternatives(solution.in_tree).largest_probabilities(rows)
    assert found
    for row, shares in found.items():
        assert all(not solution.in_tree[tree.label_of(row)][action] for action in shares)
    three = build(rules("common", 2, (1, 1, 1)))
    with pytest.raises(LiarsDiceError, match="two players"):
        Alternatives(from_sets(three, {}))

"""Elimination of dominated actions, against the whole game: values stay, wins are sure, and no dropped action is needed."""

from __future__ import annotations

from fractions import Fraction
from math import inf, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.strategic_form import count_strategies, payoff_vectors, strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.exact.reduction import Reduction, reduce
from liarsdice_cli.solvers.exact.sequence_form import sequence_form
from liarsdice_cli.solvers.exact.solve import ends
from tests.support.properties import examples
from tests.support.random_games import Game, constant_sum_games, tree_of
from tests.support.solving import solve


def reduced(tree: GameTree) -> Reduction:
    return reduce(tree, ends(tree))


def unreduced(tree: GameTree) -> Reduction:
    return Reduction(np.ones(tree.actions, bool), np.ones(tree.nodes, bool), np.full(len(tree.infosets), NONE))


def program_value(tree: GameTree, reduction: Reduction) -> Fraction:
    """Return the payoff of two optimal plans of the program."""
    form = sequence_form(tree, reduction)
    program = LinearProgram(form)
    plans = program.exact_plans(program.optimum(inf))
    assert plans is not None
    first, second = plans
    assert first.dtype == second.dtype == object
    return Fraction(sum((form.payoff * first[form.first] * second[form.second]).tolist(), Fraction(0))) / form.scale


def children(tree: GameTree) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(tree.nodes)]
    for node in range(1, tree.nodes):
        below[tree.parent[node]].append(node)
    return below


def totals(tree: GameTree) -> list[Fraction]:
    """Return the sum of player 1's payoffs from the root to every node."""
    paid = []
    for node in range(tree.nodes):
        row = int(tree.outcome[node])
        here = tree.outcomes[row].payoffs[0] if row != NONE else Fraction(0)
        paid.append(here + (paid[tree.parent[node]] if node else 0))
    return paid


@examples(150)
@given(game=constant_sum_games(40))
def test_reduction_keeps_the_value(game: Game) -> None:
    tree = tree_of(game)
    reduction = reduced(tree)
    assert program_value(tree, reduction) == program_value(tree, unreduced(tree))


@pytest.mark.parametrize(("name", "known"), [("common", Fraction(-1, 9)), ("joker", Fraction(1, 3))])
def test_reduction_keeps_the_value_of_liars_dice(name: str, known: Fraction) -> None:
    tree = build(rules(name, 3, payoffs="zero-sum"))
    assert program_value(tree, reduced(tree)) == program_value(tree, unreduced(tree)) == known


@pytest.mark.slow
@examples(150)
@given(game=constant_sum_games(40))
def test_winning_actions_win_against_every_response(game: Game) -> None:
    tree = tree_of(game)
    reduction, below, paid = reduced(tree), children(tree), totals(tree)
    terminal = [paid[node] for node in range(tree.nodes) if not below[node]]
    goal = {0: max(terminal), 1: min(terminal)}
    assume(goal[0] != goal[1])
    chances = tree.chance_probabilities

    def wins(node: int, player: int) -> bool:
        """Return whether the player always ends with the best payoff, whichever kept actions the player chooses."""
        if not below[node]:
            return paid[node] == goal[player]
        mover = int(tree.player[node])
        return all(
            wins(child, player)
            for child in below[node]
            if chances[tree.action[child]] != 0 and (mover != player or reduction.actions[tree.action[child]])
        )

    for node in np.flatnonzero(reduction.nodes & (tree.player >= 0)).tolist():
        winning = int(reduction.wins[tree.infoset[node]])
        if winning != NONE:
            (child,) = (child for child in below[node] if tree.action[child] == winning)
            assert wins(child, int(tree.player[node]))


@examples(150)
@given(game=constant_sum_games(30))
def test_every_set_keeps_an_action_and_chance_keeps_its_possible_actions(game: Game) -> None:
    tree = tree_of(game)
    reduction = reduced(tree)
    left = np.bincount(tree.action_infoset[reduction.actions], minlength=len(tree.infosets))
    assert np.all(left > 0)
    chances = tree.action_player == CHANCE
    assert np.array_equal(reduction.actions[chances], (tree.chance_probabilities[:-1] != 0)[chances])
    path = [True] * tree.nodes
    for node in range(1, tree.nodes):
        path[node] = path[tree.parent[node]] and bool(reduction.actions[tree.action[node]])
    assert reduction.nodes.tolist() == path
    for row, winning in enumerate(reduction.wins.tolist()):
        kept = np.flatnonzero(reduction.actions & (tree.action_infoset == row)).tolist()
        assert winning == NONE or kept == [winning]


def secured(matrix: Any) -> float:
    """Return the value that the row player of a matrix can guarantee."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    costs = np.append(np.zeros(rows), -1.0)
    answer = linprog(
        costs,
        np.hstack([-matrix.T, np.ones((columns, 1))]),
        np.zeros(columns),
        np.append(np.ones(rows), 0)[None],
        [1],
        [(0, None)] * rows + [(None, None)],
    )
    assert answer.success
    return float(-answer.fun)


@pytest.mark.slow
@examples(150)
@given(game=constant_sum_games(30))
def test_kept_actions_guarantee_as_much_as_all_actions(game: Game) -> None:
    """The opponent keeps all pure strategies, including those with dropped actions."""
    tree = tree_of(game)
    reduction = reduced(tree)
    assume(not np.all(reduction.actions[tree.action_player >= 0]))
    assume(prod(count_strategies(tree, player) for player in (0, 1)) <= 3_000)
    choices = [strategies(tree, player) for player in (0, 1)]
    vectors = np.array([float(first) for first, _ in payoff_vectors(tree, choices)])
    matrix = vectors.reshape(len(choices[1]), len(choices[0])).T
    for player, payoffs in enumerate((matrix, -matrix.T)):
        kept = [all(reduction.actions[action] for action in strategy) for strategy in choices[player]]
        assert any(kept)
        assert secured(payoffs[kept]) == pytest.approx(secured(payoffs), abs=1e-9)


def test_the_first_of_several_losing_actions_is_kept() -> None:
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } c "" 1 "" { "a" 1/2 "b" 1/2 } 0 t "" 1 "" { 1 -1 }
        p "" 1 1 "" { "x" "y" "z" } 0 t "" 2 "" { -1 1 } t "" 2 t "" 2"""
    )
    assert reduced(tree).actions.tolist() == [True, True, True, False, False]


def test_a_win_that_is_forced_two_moves_later_is_found() -> None:
    """After l, player 2 has only one action, which gives player 1 the best payoff; nothing else could be dropped first."""
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } c "" 1 "" { "a" 1/2 "b" 1/2 } 0 t "" 4 "" { -1 1 }
        p "" 1 1 "" { "l" "r" } 0 p "" 2 1 "" { "x" } 0 t "" 1 "" { 1 -1 }
        p "" 2 2 "" { "y" "z" } 0 t "" 2 "" { 0 0 } t "" 3 "" { 1/2 -1/2 }"""
    )
    reduction = reduced(tree)
    assert reduction.actions.tolist() == [True, True, True, False, True, True, True]
    assert reduction.wins.tolist() == [NONE, 2, NONE, NONE]


def test_sets_that_only_dropped_actions_reach_have_no_win() -> None:
    """Player 1 wins with l, so play never reaches player 2's set, at which nothing was won or lost before."""
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } c "" 1 "" { "a" 1/2 "b" 1/2 } 0 t "" 4 "" { -1 1 }
        p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 }
        p "" 2 1 "" { "y" "z" } 0 t "" 2 "" { 0 0 } t "" 3 "" { 1/2 -1/2 }"""
    )
    reduction = reduced(tree)
    assert reduction.wins.tolist() == [NONE, 2, NONE]
    assert reduction.actions.tolist() == [True, True, True, False, True, True]


def test_dropping_a_response_can_make_an_action_a_loss() -> None:
    """By hand: player 2 wins with x and so never plays y. Then `in` loses for player 1 and is dropped."""
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } p "" 1 1 "" { "in" "half" "out" } 0
        p "" 2 1 "" { "y" "x" "z" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 } t "" 2
        t "" 3 "" { -1/2 1/2 } t "" 4 "" { 0 0 }"""
    )
    reduction = reduced(tree)
    assert reduction.actions.tolist() == [False, True, True, False, True, False]
    assert reduction.wins.tolist() == [NONE, 4]
    assert reduction.nodes.tolist() == [True, False, False, False, False, True, True]


def living(tree: GameTree) -> dict[str, tuple[str, ...]]:
    """Return the kept actions of every remaining information set, by label."""
    reduction = reduced(tree)
    rows = np.unique(tree.infoset[reduction.nodes & (tree.player >= 0)])
    found = {}
    for row in rows.tolist():
        kept = reduction.actions[tree.first_action[row] : tree.first_action[row + 1]].tolist()
        actions = tree.actions_at(row).labels
        found[tree.infosets.labels[row]] = tuple(action for action, stays in zip(actions, kept, strict=True) if stays)
    return found


@pytest.mark.parametrize(
    ("sides", "dice", "most", "left"),
    [
        (2, (1, 1), 3, 55),
        (3, (1, 1), 3, 259),
        (2, (1, 2), 4, 341),
        pytest.param(4, (1, 1), 4, 949, marks=pytest.mark.slow),
        pytest.param(2, (1, 2), 5, 341, marks=pytest.mark.slow),
        pytest.param(3, (1, 1), 4, 259, marks=pytest.mark.slow),
    ],
)
def test_impossible_bids_are_removed(sides: int, dice: tuple[int, int], most: int, left: int) -> None:
    """The reduced classic game is the reduced common game; `left` is the measured number of nodes."""
    classic = build(rules("classic", sides, dice, max_quantity=most))
    common = build(rules("common", sides, dice))
    assert living(classic) == living(common)
    assert [int(np.count_nonzero(reduced(tree).nodes)) for tree in (classic, common)] == [left, left]


def never_more_and_call_whoever_does(tree: GameTree, small: GameTree, answer: Profile) -> Profile:
    """Extend a profile to the game with impossible bids: it never makes one, and calls whenever one is made."""
    known = dict(zip(small.infosets.labels, range(len(small.infosets)), strict=True))
    given = {}
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        actions = tree.actions_at(row).labels
        here = known.get(tree.infosets.labels[row])
        if here is None:
            given[row] = [Fraction(action == "call") for action in actions]
        else:
            smaller = small.actions_at(here).labels
            played = dict(zip(smaller, answer.at(here), strict=True))
            given[row] = [played.get(action, Fraction(0)) for action in actions]
    return from_sets(tree, given)


@pytest.mark.parametrize(
    ("name", "sides", "dice", "most"),
    [
        ("classic", 2, (1, 1), 4),
        ("classic", 3, (1, 1), 3),
        ("common", 2, (2, 1), 4),
        pytest.param("joker", 3, (1, 2), 5, marks=pytest.mark.slow),
        ("top-wild", 2, (1, 1), 5),
        ("face-first", 2, (1, 1), 5),
        ("face-first", 3, (1, 1), 3),
        ("ones-low", 2, (1, 2), 4),
        ("dudo", 3, (1, 1), 3),
        pytest.param("classic", 4, (1, 1), 4, marks=pytest.mark.slow),
    ],
)
def test_a_solution_without_impossible_bids_solves_the_whole_game(
    name: str, sides: int, dice: tuple[int, int], most: int
) -> None:
    whole = rules(name, sides, dice, max_quantity=most)
    assert whole.without_impossible_bids().max_quantity == sum(dice) < most
    tree, small = build(whole), build(whole.without_impossible_bids())
    (solved,) = solve(small).solved
    verdict = judge(never_more_and_call_whoever_does(tree, small, solved.profile))
    assert verdict.is_equilibrium
    assert verdict.regrets == (0, 0)
    assert verdict.payoffs == solved.judgement.payoffs


def test_leaving_out_a_possible_bid_is_detected() -> None:
    """If a bid that can be true is left out, a player gains by making it."""
    whole = rules("common", 2, payoffs="zero-sum")
    tree, small = build(whole), build(rules("common", 2, max_quantity=1, payoffs="zero-sum"))
    (solved,) = solve(small).solved
    assert (judge(never_more_and_call_whoever_does(tree, small, solved.profile)).max_regret or 0) > 0

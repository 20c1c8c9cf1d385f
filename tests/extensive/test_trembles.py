"""Evaluation of perturbed plans: accepted plans, refused plans, and a check in fractions at a small tremble."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from liarsdice_cli.extensive.evaluate import realization
from liarsdice_cli.extensive.profile import EQUAL, Profile, from_sets
from liarsdice_cli.extensive.recall import last_action, remembered
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import (
    MISTAKE,
    RefinedJudgement,
    RefinedProfile,
    is_equilibrium,
    judge_refined,
    lengths,
    limit,
    possible_sets,
    with_mistakes,
)
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import quasi_perfect


class Refined(NamedTuple):
    tree: GameTree
    weights: Numbers


@cache
def refined(preset: str = "joker", sides: int = 4) -> Refined:
    tree = build(rules(preset, sides))
    profile = quasi_perfect.solve(tree).in_tree
    assert isinstance(profile, RefinedProfile)
    return Refined(tree, profile.weights)


def plain(profile: Profile) -> Profile:
    """Return the profile without its perturbed plans."""
    return Profile(profile.tree, profile.probabilities, profile.source)


def proved(profile: Profile) -> bool | None:
    """Return whether the evaluation proves the profile to be quasi-perfect, or None if it does not check."""
    judgement = judge_refined(profile)
    return judgement.quasi_perfect if isinstance(judgement, RefinedJudgement) else None


def players_actions(tree: GameTree) -> list[int]:
    return np.flatnonzero(tree.action_player >= 0).tolist()


@pytest.mark.parametrize(("preset", "sides"), [("classic", 2), ("common", 3), ("joker", 4), ("dudo", 3)])
def test_the_plans_of_the_solver_are_an_equilibrium(preset: str, sides: int) -> None:
    assert is_equilibrium(*refined(preset, sides))


def test_extra_coefficients_change_nothing_and_too_few_are_refused() -> None:
    tree, weights = refined()
    assert is_equilibrium(tree, np.pad(weights, ((0, 0), (0, 3))) + Fraction(0))
    assert not is_equilibrium(tree, weights[:, :1])


@pytest.mark.parametrize("seed", range(20))
def test_any_change_of_a_weight_is_refused(seed: int) -> None:
    tree, weights = refined()
    chance = random.Random(seed)
    changed = weights.copy()
    place = chance.choice(players_actions(tree)), chance.randrange(weights.shape[1])
    changed[place] += Fraction(chance.choice([-1, 1]), chance.choice([1, 7, 10**9]))
    assert not is_equilibrium(tree, changed)


def test_plans_without_trembles_are_refused() -> None:
    tree, weights = refined()
    profile = limit(tree, weights)
    plain = np.zeros((tree.actions + 1, 1), object) + Fraction(0)
    for player in (0, 1):
        before = remembered(tree, player)
        assert before is not None
        own = np.append(tree.action_player == player, True)
        plain[own, 0] = realization(tree, profile.probabilities, before, player)[own]
    assert not is_equilibrium(tree, plain)


def test_perturbed_plans_that_are_not_best_responses_are_refused() -> None:
    """At every set the plans take the first action and tremble to the others: they are valid, but not optimal."""
    tree = refined().tree
    length = lengths(tree)
    weights = np.zeros((tree.actions + 1, int(length.max()) + 1), object) + Fraction(0)
    weights[NONE, 0] = Fraction(1)
    for player in (0, 1):
        before = remembered(tree, player)
        assert before is not None
        for row in np.flatnonzero(tree.infosets.player == player).tolist():
            first, stop = tree.first_action[row], tree.first_action[row + 1]
            for action in range(first + 1, stop):
                weights[action, length[action]] = Fraction(1)
            weights[first] = weights[before[row]] - weights[first + 1 : stop].sum(axis=0)
    assert not is_equilibrium(tree, weights)


def test_plans_are_optimal_in_fractions_at_a_small_tremble() -> None:
    """At ε = 2^-200, every action played above its tremble is best in fractions, computed here from the leaves up."""
    tree, weights = refined("common", 3)
    tremble = Fraction(1, 2**200)
    plan = np.array([sum(number * tremble**power for power, number in enumerate(row)) for row in weights.tolist()], object)
    for player in (0, 1):
        own, other = last_action(tree, player), last_action(tree, 1 - player)
        before = remembered(tree, player)
        assert before is not None
        value = dict.fromkeys(range(-1, tree.actions), Fraction(0))
        for node in np.flatnonzero(tree.outcome != NONE).tolist():
            value[own[node]] += tree.outcomes[tree.outcome[node]].payoffs[player] * plan[other[node]]  # equally likely deals
        for row in reversed(np.flatnonzero(tree.infosets.player == player).tolist()):
            actions = range(tree.first_action[row], tree.first_action[row + 1])
            best = max(value[action] for action in actions)
            value[before[row]] += best
            for action in actions:
                assert plan[action] >= tremble ** int(lengths(tree)[action])
                assert value[action] == best or plan[action] == tremble ** int(lengths(tree)[action])


def test_a_profile_that_is_not_the_limit_of_its_plans_is_not_proved() -> None:
    tree, weights = refined()
    right, other = limit(tree, weights), from_sets(tree, {})
    assert proved(right) is True
    assert proved(plain(right)) is None
    assert proved(RefinedProfile(tree, other.probabilities, other.source, weights)) is False


def test_weights_prove_nothing_without_perfect_recall() -> None:
    from tests.support.command_line import ROOT

    tree = efg.read(str(ROOT / "sample_games" / "absent-minded-driver.efg"))
    uniform, ones = from_sets(tree, {}), np.full((tree.actions + 1, 2), Fraction(1), object)
    assert proved(RefinedProfile(tree, uniform.probabilities, uniform.source, ones)) is False


def test_mistakes_get_tiny_probabilities_and_nothing_else_changes() -> None:
    tree, weights = refined()
    profile = limit(tree, weights)
    floats = with_mistakes(profile)
    exact = profile.probabilities.astype(np.float64)
    assert np.array_equal(floats[exact != 0], exact[exact != 0])
    by_mistake = floats[(exact == 0) & (tree.action_player >= 0)]
    assert 0 < by_mistake.min() <= by_mistake.max() < MISTAKE
    assert with_mistakes(plain(profile)) is profile.probabilities


def test_sets_that_chance_never_reaches_stay_without_behaviour() -> None:
    text = (
        'EFG 2 R "" { "A" "B" } c "" 1 "" { "x" 1 "y" 0 } 0 p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 } '
        'p "" 2 1 "" { "l" "r" } 0 t "" 1 t "" 2'
    )
    tree = efg.parse(text.encode())
    assert possible_sets(tree).tolist() == [False, True, False]
    solved = quasi_perfect.solve(tree)
    assert solved.in_tree.source.tolist()[2] == EQUAL
    assert isinstance(solved.judgement, RefinedJudgement)
    assert solved.judgement.quasi_perfect

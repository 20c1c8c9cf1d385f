"""Locks on random games: the profile keeps its payoffs, and players have fewer deviations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import lock_in, locked, locked_sets, marked, tree_lock
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.strategic_form import count_strategies
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from tests.extensive.test_evaluate import best_by_trying, judged_games
from tests.support.random_games import patient, small_fractions


@patient()
@given(game=judged_games(perfect_recall=True, payoffs=small_fractions), data=st.data())
def test_a_locked_game_has_the_same_payoffs_and_fewer_deviations(game: tuple[GameTree, Profile], data: st.DataObject) -> None:
    tree, profile = game
    assume(all(count_strategies(tree, player) <= 60 for player in range(len(tree.players))))
    rows = np.flatnonzero(tree.infosets.player != CHANCE).tolist()
    chosen = data.draw(st.lists(st.sampled_from(rows), unique=True) if rows else st.just([]))
    fixed = {row: tuple(map(Fraction, profile.at(row))) for row in chosen}
    bound, free = locked(tree, fixed), judge(profile)
    verdict, probabilities = judge(profile.on(bound)), profile.probabilities.tolist()
    assert verdict.payoffs == free.payoffs
    players = range(len(tree.players))
    assert list(verdict.best_responses) == [best_by_trying(bound, probabilities, player) for player in players]
    for player in players:
        best, freely = verdict.best_responses[player], free.best_responses[player]
        assert best is not None
        assert freely is not None
        assert best <= freely
        if not set(rows) - set(chosen) & {row for row in rows if tree.infosets.player[row] == player}:
            assert verdict.regrets[player] == 0
    assert lock_in(marked(tree, profile, fixed)) == fixed
    assert tree.fingerprint == locked(tree, {}).fingerprint


@pytest.mark.slow
@patient(100)
@given(game=judged_games(perfect_recall=True))
def test_a_profile_survives_the_round_trip_through_locked_sets(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    lock = locked_sets(profile)
    rows = [row for row in range(len(tree.infosets)) if tree.infosets.player[row] != CHANCE]
    labels = [tree.infosets.labels[row] for row in rows]
    names = {tree.numbered(row) for row in rows}
    assume(len(set(labels)) == len(labels) or not names & set(labels))
    assume(all(len(set(tree.actions_at(row).names)) == tree.action_counts[row] for row in rows))
    fixed = tree_lock(tree, lock)
    assert fixed == {row: tuple(profile.at(row)) for row in rows if profile.source[row] == 0}


@given(weights=st.lists(st.integers(0, 40), min_size=1, max_size=6).filter(any))
def test_floats_of_plain_fractions_become_these_fractions(weights: list[int]) -> None:
    exact = [Fraction(weight, sum(weights)) for weight in weights]
    assert plain_fractions([float(number) for number in exact]) == exact


@given(weights=st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(any))
def test_any_floats_become_a_nearby_distribution(weights: list[float]) -> None:
    numbers = [weight / sum(weights) for weight in weights]
    fractions = plain_fractions(numbers)
    assert sum(fractions) == 1
    assert min(fractions) >= 0
    assert max(abs(float(one) - number) for one, number in zip(fractions, numbers, strict=True)) < 1e-5


def test_a_locked_game_can_be_written() -> None:
    pennies = efg.parse(
        b'EFG 2 R "pennies" { "A" "B" } p "" 1 1 "" { "H" "T" } 0 p "" 2 1 "" { "h" "t" } 0'
        b' t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 } p "" 2 1 0 t "" 2 t "" 1'
    )
    text = efg.dumps(locked(pennies, {1: (Fraction(1, 3), Fraction(2, 3))}).stream(), labels="full")
    assert text.count(b"\nc ") == 2
    assert b'{ "h" 1/3 "t" 2/3 }' in text

"""Evaluation against pygambit, against plain play of every pure strategy, and at equilibria from the literature."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pygambit
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement, complete, judge
from liarsdice_cli.extensive.profile import BEST, EQUAL, GIVEN, Profile, from_sets
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.strategic_form import count_strategies, strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from tests.support.gambit_walk import CATALOGUE, SAMPLES, catalogue_name, fraction, game_in, game_of, large_ones_slow, sets_of
from tests.support.properties import mostly_slow
from tests.support.random_games import Game, games, patient, small_fractions, tree_of
from tests.support.recall import is_absent_minded

FILES = [*CATALOGUE, *SAMPLES]
HALF = Fraction(1, 2)


def sample(name: str) -> GameTree:
    return efg.parse(next(path for path in SAMPLES if path.stem == name).read_bytes())


def random_distribution(source: random.Random, size: int, most: int) -> list[Fraction]:
    weights = [source.randint(0, most) for _ in range(size)]
    weights[source.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_sets(tree: GameTree, source: random.Random, most: int = 4) -> dict[int, list[Fraction]]:
    rows = np.flatnonzero(tree.infosets.player != CHANCE).tolist()
    return {row: random_distribution(source, int(tree.action_counts[row]), most) for row in rows}


def gambits_profile(game: Any, tree: GameTree, sets: Mapping[int, list[Fraction]], exact: bool) -> Any:
    number = (lambda it: pygambit.Rational(it.numerator, it.denominator)) if exact else float
    data = [[[number(it) for it in sets[row]] for row in sets_of(tree, player)] for player in range(len(tree.players))]
    return game.mixed_behavior_profile(data=data, rational=exact)


@pytest.mark.parametrize("most", mostly_slow([4, 1, 10**20]))
@pytest.mark.parametrize("path", large_ones_slow(FILES), ids=catalogue_name)
def test_payoffs_and_regrets_match_gambit(path: Path, most: int) -> None:
    game, tree = game_in(path), efg.parse(path.read_bytes())
    source = random.Random(most)
    if tree.nodes > 1_000:
        most = min(most, 4)  # pygambit cannot return numbers of more than 4,300 digits
    for _ in range(3 if tree.nodes < 1_000 else 1):
        sets = random_sets(tree, source, most)
        verdict = judge(from_sets(tree, sets))
        expected = gambits_profile(game, tree, sets, exact=True)
        assert verdict.exact
        assert verdict.payoffs == tuple(fraction(expected.payoffs[name]) for name in game.players)
        if has_perfect_recall(tree) and tree.nodes < 1_000:
            assert verdict.max_regret == fraction(expected.max_regret())


@pytest.mark.parametrize("path", mostly_slow(FILES, 3), ids=catalogue_name)
def test_evaluation_in_floats_matches_gambit(path: Path) -> None:
    game, tree = game_in(path), efg.parse(path.read_bytes())
    sets = random_sets(tree, random.Random(5), 10)
    verdict = judge(from_sets(tree, {row: [float(number) for number in sets[row]] for row in sets}))
    expected = gambits_profile(game, tree, sets, exact=False)
    assert not verdict.exact
    assert not verdict.is_equilibrium
    assert verdict.payoffs == pytest.approx(tuple(expected.payoffs[name] for name in game.players), rel=1e-9, abs=1e-12)
    if has_perfect_recall(tree) and tree.nodes < 1_000:
        assert verdict.max_regret == pytest.approx(float(expected.max_regret()), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_evaluation_of_the_two_sided_game_matches_gambit(seed: int) -> None:
    tree = build(rules("classic", 2, payoffs="zero-sum"))
    game = game_of(efg.dumps(tree.stream()))
    sets = random_sets(tree, random.Random(seed))
    verdict, expected = judge(from_sets(tree, sets)), gambits_profile(game, tree, sets, exact=True)
    assert verdict.payoffs == tuple(fraction(expected.payoffs[name]) for name in game.players)
    assert verdict.max_regret == fraction(expected.max_regret())
    assert verdict.constant == 0


# Plain play: no columns, no integers over common denominators, no backward induction.


def played(tree: GameTree, probability: list[Any]) -> list[Any]:
    """Return the expected payoffs with these action probabilities, move by move down the tree."""
    payoffs: list[Any] = [Fraction(0)] * len(tree.players)
    reached: list[Any] = [Fraction(1)] * tree.nodes
    for node in range(tree.nodes):
        if node:
            reached[node] = reached[tree.parent[node]] * probability[tree.action[node]]
        if tree.outcome[node] != NONE:
            for player, payoff in enumerate(tree.outcomes[tree.outcome[node]].payoffs):
                payoffs[player] += reached[node] * payoff
    return payoffs


def best_by_trying(tree: GameTree, probability: list[Any], player: int) -> Any:
    """Return the player's highest payoff over all of the player's pure strategies."""
    own = np.flatnonzero(tree.action_player == player).tolist()
    values = []
    for strategy in strategies(tree, player):
        changed = [*probability]
        for action in own:
            changed[action] = Fraction(action in strategy)
        values.append(played(tree, changed)[player])
    return max(values)


@st.composite
def judged_games(draw: st.DrawFn, **wanted: Any) -> tuple[GameTree, Profile]:
    game: Game = draw(games(names=st.just(""), most_nodes=30, **wanted))
    tree = tree_of(game)
    sets = {}
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        weights = draw(
            st.lists(st.integers(0, 3), min_size=int(tree.action_counts[row]), max_size=int(tree.action_counts[row]))
        )
        weights[0] += sum(weights) == 0
        sets[row] = [Fraction(weight, sum(weights)) for weight in weights]
    return tree, from_sets(tree, sets)


@patient()
@given(game=judged_games(perfect_recall=True))
def test_exact_numbers_match_plain_play(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    assume(all(count_strategies(tree, player) <= 60 for player in range(len(tree.players))))
    verdict = judge(profile)
    probability = profile.probabilities.tolist()
    assert list(verdict.payoffs) == played(tree, probability)
    assert list(verdict.best_responses) == [best_by_trying(tree, probability, player) for player in range(len(tree.players))]
    check_what_follows(tree, verdict)


def check_what_follows(tree: GameTree, verdict: Judgement) -> None:
    gains = [best - own for best, own in zip(verdict.best_responses, verdict.payoffs, strict=True)]
    assert list(verdict.regrets) == gains
    assert min(gains) >= 0
    assert verdict.max_regret == max(gains)
    assert verdict.is_equilibrium == (not any(gains))
    assert verdict.constant == tree.constant_sum
    assert (verdict.exploitability is None) == (verdict.bounds is None) == (len(gains) != 2 or tree.constant_sum is None)
    if verdict.bounds is not None and tree.constant_sum is not None:
        assert verdict.exploitability == (gains[0] + gains[1]) / 2
        assert verdict.bounds == (tree.constant_sum - verdict.best_responses[1], verdict.best_responses[0])
        assert verdict.bounds[0] <= verdict.payoffs[0] <= verdict.bounds[1]
        assert verdict.bounds[1] - verdict.bounds[0] == 2 * verdict.exploitability
        assert sum(verdict.payoffs) == tree.constant_sum


@patient()
@given(game=judged_games(perfect_recall=True, players=st.just(2), payoffs=small_fractions, constant_sum=True))
def test_bounds_of_constant_sum_games_match_plain_play(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    assume(all(count_strategies(tree, player) <= 60 for player in range(2)))
    verdict = judge(profile)
    probability = profile.probabilities.tolist()
    assert verdict.best_responses == (best_by_trying(tree, probability, 0), best_by_trying(tree, probability, 1))
    if tree.constant_sum is not None:  # nearly always; an end without an outcome pays 0
        assert verdict.bounds is not None
    check_what_follows(tree, verdict)


@patient(300)
@given(game=games(names=st.just(""), most_nodes=12, payoffs=st.integers(-1, 1).map(Fraction)))
def test_the_constant_sum_is_the_total_of_every_path(game: Game) -> None:
    tree = tree_of(game)
    sums = [sum(tree.outcomes[outcome].payoffs) if outcome != NONE else 0 for outcome in tree.outcome]
    for node in range(1, tree.nodes):
        sums[node] += sums[tree.parent[node]]
    ends = {total for total, arity in zip(sums, tree.arity, strict=True) if arity == 0}
    assert tree.constant_sum == (ends.pop() if len(ends) == 1 else None)


@pytest.mark.slow
@patient()
@given(game=judged_games(payoffs=small_fractions))
def test_payoffs_with_imperfect_recall_match_plain_play(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    verdict = judge(profile)
    assert list(verdict.payoffs) == played(tree, profile.probabilities.tolist())
    for regret, best, player in zip(verdict.regrets, verdict.best_responses, range(len(tree.players)), strict=True):
        assert (regret is None) == (best is None)
        assert (regret is None) or not is_absent_minded(tree, player)
    assert (verdict.max_regret is None) == (None in verdict.regrets) == (not has_perfect_recall(tree))
    assert verdict.is_equilibrium <= has_perfect_recall(tree)


@patient()
@given(game=judged_games(payoffs=small_fractions))
def test_floats_are_close_to_the_exact_numbers(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    exact, rough = judge(profile), judge(Profile(tree, profile.probabilities.astype(np.float64), profile.source))
    assert not rough.exact
    for one, other in zip(exact.payoffs + exact.best_responses, rough.payoffs + rough.best_responses, strict=True):
        assert (one is None) == (other is None)
        assert one is None or float(one) == pytest.approx(other, rel=1e-9, abs=1e-9)
    for number in (*rough.payoffs, *rough.best_responses, *rough.regrets):
        assert number is None or type(number) is float


@patient()
@given(game=judged_games(perfect_recall=True))
def test_completing_a_profile_changes_no_payoff_and_no_regret(game: tuple[GameTree, Profile]) -> None:
    tree, profile = game
    source = np.where(tree.infosets.player == CHANCE, GIVEN, np.arange(len(tree.infosets)) % 3 > 0)
    completed = complete(Profile(tree, profile.probabilities, source))
    assert judge(completed) == judge(profile)
    for row in range(len(tree.infosets)):
        before, after = profile.at(row), completed.at(row)
        assert sum(after) == 1
        if completed.source[row] == BEST:
            assert source[row] == EQUAL
            assert tree.infosets.player[row] != CHANCE
            assert sorted(after)[-1] == 1
        else:
            assert after == before
            assert completed.source[row] == source[row]
    assert complete(completed).probabilities.tolist() == completed.probabilities.tolist()


def test_completion_adds_best_responses_only_at_sets_that_the_player_alone_avoids() -> None:
    text = (
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "out" "in" } 0 t "" 1 "" { 0 0 } '
        'p "" 2 1 "" { "stop" "on" } 0 t "" 2 "" { 5 5 } p "" 1 2 "" { "low" "high" } 0 t "" 3 "" { 1 1 } t "" 4 "" { 3 9 }'
    )
    tree = efg.parse(text.encode())
    profile = complete(from_sets(tree, {0: [1, 0], 1: [0, 1]}))
    assert profile.source.tolist() == [GIVEN, GIVEN, BEST]
    assert profile.at(2) == [0, 1]
    profile = complete(from_sets(tree, {0: [1, 0], 1: [1, 0]}))  # now player 2 avoids the set too
    assert profile.source.tolist() == [GIVEN, GIVEN, EQUAL]
    assert profile.at(2) == [HALF, HALF]


# Equilibria from the literature


def by_label(tree: GameTree, probabilities: Mapping[str, Any]) -> dict[int, list[Any]]:
    """Each number is the probability of the second of two actions."""
    return {tree.infosets.labels.index(label): [1 - number, number] for label, number in probabilities.items()}  # type: ignore[attr-defined]


def kuhn(share: Any) -> tuple[GameTree, Profile]:
    """Return an equilibrium of Kuhn (1950): player 1 bets the lowest card with probability `share`, up to 1/3."""
    tree = sample("kuhn-poker")
    third = Fraction(1, 3)
    bets = {
        "card 1": share,
        "card 2": 0 * share,
        "card 3": 3 * share,
        "card 1, after pass and bet": 0 * share,
        "card 2, after pass and bet": share + third,
        "card 3, after pass and bet": 1 + 0 * share,
        "card 1, after pass": third,
        "card 2, after pass": 0 * share,
        "card 3, after pass": 1 + 0 * share,
        "card 1, after bet": 0 * share,
        "card 2, after bet": third,
        "card 3, after bet": 1 + 0 * share,
    }
    profile = from_sets(tree, by_label(tree, bets))
    assert set(profile.source) == {GIVEN}
    return tree, profile


@pytest.mark.parametrize(
    "share",
    ["0", "1/7", "1/5", "1/3", "1/4", "123456789012345678901234567890123456789/1000000000000000000000000000000000000000"],
)
def test_kuhns_equilibria_are_proved(share: str) -> None:
    _, profile = kuhn(Fraction(share))
    verdict = judge(profile)
    assert verdict.is_equilibrium
    assert verdict.regrets == (0, 0)
    assert verdict.payoffs == (Fraction(-1, 18), Fraction(1, 18))
    assert verdict.bounds == (Fraction(-1, 18), Fraction(-1, 18))
    assert verdict.exploitability == 0


def test_betting_the_lowest_card_too_often_is_not_an_equilibrium() -> None:
    tree, profile = kuhn(Fraction(1, 3))
    sets = by_label(tree, {"card 1": Fraction(1, 2)})
    changed = {row: sets.get(row, profile.at(row)) for row in range(1, len(tree.infosets))}
    verdict = judge(from_sets(tree, changed))
    assert not verdict.is_equilibrium
    assert verdict.regrets[0] == 0
    assert verdict.regrets[1] is not None
    assert verdict.regrets[1] > 0


def test_kuhns_equilibrium_in_floats_is_not_proved() -> None:
    verdict = judge(kuhn(0.2)[1])
    assert not verdict.exact
    assert not verdict.is_equilibrium
    assert verdict.max_regret == pytest.approx(0, abs=1e-12)


def test_matching_pennies() -> None:
    tree = sample("matching-pennies")
    assert judge(from_sets(tree, {0: [HALF, HALF], 1: [HALF, HALF]})).is_equilibrium
    verdict = judge(from_sets(tree, {0: [Fraction(1), Fraction(0)], 1: [Fraction(3, 4), Fraction(1, 4)]}))
    assert verdict.payoffs == (HALF, -HALF)
    assert verdict.best_responses == (HALF, 1)
    assert verdict.regrets == (0, Fraction(3, 2))
    assert verdict.exploitability == Fraction(3, 4)
    assert verdict.bounds == (-1, HALF)


@pytest.mark.parametrize(
    "name", ["seltens-horse", "entry-deterrence", "three-player-majority", "outside-option", "centipede-4"]
)
def test_pure_equilibria_found_by_gambit_are_proved(name: str) -> None:
    path = next(path for path in SAMPLES if path.stem == name)
    game, tree = game_in(path), sample(name)
    found = pygambit.nash.enumpure_solve(game).equilibria
    assert len(found) >= 1
    for equilibrium in found:
        behavior = equilibrium.as_behavior()
        given_sets = {}
        for player, label in enumerate(game.players):
            for row, infoset in zip(sets_of(tree, player), game.get_infosets(label), strict=True):
                given_sets[row] = [fraction(number) for _, number in behavior[pygambit.H.path(*infoset.actions)]]
        verdict = judge(from_sets(tree, given_sets))
        assert verdict.is_equilibrium
        assert verdict.payoffs == tuple(fraction(behavior.payoffs[label]) for label in game.players)


# Edge cases


@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(0), Fraction(1), Fraction(2, 7)])
def test_the_absent_minded_driver(share: Fraction) -> None:
    """Piccione and Rubinstein (1997): leaving with probability 1/3 at either exit is best, and pays 4/3."""
    tree = sample("absent-minded-driver")
    verdict = judge(from_sets(tree, {0: [share, 1 - share]}))
    assert verdict.payoffs == (4 * (1 - share) * share + (1 - share) ** 2,)
    assert verdict.payoffs[0] <= Fraction(4, 3)
    assert (verdict.regrets, verdict.best_responses) == ((None,), (None,))
    assert verdict.max_regret is None
    assert verdict.exploitability is None
    assert verdict.bounds is None
    assert not verdict.is_equilibrium
    rough = judge(from_sets(tree, {0: [float(share), float(1 - share)]}))
    assert rough.payoffs == pytest.approx([float(verdict.payoffs[0])])
    assert rough.regrets == (None,)


@pytest.mark.parametrize(("end", "payoffs"), [('t "" 0', (0, 0)), ('t "" 1 "" { 1/3 -2 }', (Fraction(1, 3), -2))])
def test_a_game_of_one_node(end: str, payoffs: tuple[Any, ...]) -> None:
    tree = efg.parse(f'EFG 2 R "" {{ "A" "B" }} {end}'.encode())
    verdict = judge(from_sets(tree, {}))
    assert verdict.payoffs == verdict.best_responses == payoffs
    assert verdict.regrets == (0, 0)
    assert verdict.is_equilibrium
    assert verdict.bounds == (payoffs[0], payoffs[0])
    assert verdict.constant == sum(payoffs)


def test_a_game_without_players() -> None:
    tree = efg.parse(b'EFG 2 R "" { } c "" 1 "" { "a" 1 } 0 t "" 0')
    verdict = judge(from_sets(tree, {}))
    assert (verdict.payoffs, verdict.regrets, verdict.max_regret) == ((), (), 0)
    assert verdict.exploitability is None


def test_players_without_moves_have_no_regret() -> None:
    tree = efg.parse(
        b'EFG 2 R "" { "A" "B" "C" } c "" 1 "" { "x" 1/3 "y" 2/3 } 0 p "" 2 1 "" { "a" "b" } 0 t "" 1 "" { 1 2 3 } '
        b't "" 2 "" { 4 5 6 } t "" 3 "" { 7 8 9 }'
    )
    verdict = judge(from_sets(tree, {1: [HALF, HALF]}))
    assert verdict.payoffs == (Fraction(33, 6), Fraction(39, 6), Fraction(45, 6))
    assert verdict.regrets == (0, HALF, 0)
    assert verdict.best_responses == (verdict.payoffs[0], verdict.payoffs[1] + HALF, verdict.payoffs[2])


def test_huge_and_tiny_numbers_stay_exact() -> None:
    huge, tiny, odd = Fraction(10) ** 300, Fraction(1, 10**300), Fraction(1, 10**40 + 121)
    tree = efg.parse(
        f'EFG 2 R "" {{ "A" "B" }} c "" 1 "" {{ "x" 1e-40 "y" .{"9" * 40} }} 0 p "" 1 1 "" {{ "a" "b" }} 0 '
        't "" 1 "" { 1e300 -1e-300 } t "" 2 "" { -1e300 1e-300 } t "" 3 "" { 1e-300 1/7 }'.encode()
    )
    rare = Fraction(1, 10**40)
    verdict = judge(from_sets(tree, {1: [odd, 1 - odd]}))
    assert verdict.payoffs == (
        rare * (odd * huge - (1 - odd) * huge) + (1 - rare) * tiny,
        rare * (-odd * tiny + (1 - odd) * tiny) + (1 - rare) / 7,
    )
    assert verdict.best_responses[0] == rare * huge + (1 - rare) * tiny
    assert verdict.regrets == (rare * 2 * (1 - odd) * huge, 0)
    rough = judge(from_sets(tree, {1: [0.25, 0.75]}))
    assert rough.payoffs == pytest.approx((-0.5e260, 1 / 7))
    assert rough.best_responses == pytest.approx((1e260, 1 / 7))


def test_payoffs_too_large_for_floats_need_fractions() -> None:
    tree = efg.parse(b'EFG 2 R "" { "A" } p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1e400 } t "" 2 "" { 1e-400 }')
    assert judge(from_sets(tree, {0: [HALF, HALF]})).payoffs == (HALF * (Fraction(10) ** 400 + Fraction(1, 10**400)),)
    with pytest.raises(LiarsDiceError, match="too large for floats: give the profile in fractions"):
        judge(from_sets(tree, {0: [0.5, 0.5]}))


@pytest.mark.parametrize("payoffs", ["1/2, -1/3", "1/4, 1/4", "3, 1"])
def test_fractional_payoffs_in_floats(payoffs: str) -> None:
    tree = efg.parse(
        f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {payoffs} }} t "" 2 "" {{ 1/5, 1/5 }}'.encode()
    )
    expected = [(Fraction(number) + Fraction(1, 5)) / 2 for number in payoffs.split(", ")]
    assert judge(from_sets(tree, {0: [0.5, 0.5]})).payoffs == pytest.approx([float(number) for number in expected])


def test_payoffs_at_inner_nodes_count() -> None:
    tree = sample("twice-repeated-prisoners-dilemma")
    always = {row: [Fraction(1), Fraction(0)] for row in range(len(tree.infosets))}
    verdict = judge(from_sets(tree, always))
    assert verdict.payoffs == (6, 6)  # 3 in either stage
    assert verdict.best_responses == (10, 10)  # 5 in either stage
    never = {row: [Fraction(0), Fraction(1)] for row in range(len(tree.infosets))}
    assert judge(from_sets(tree, never)).is_equilibrium


def test_a_deep_tree_is_evaluated() -> None:
    levels = 2_000
    moves = " ".join(f'p "" {level % 2 + 1} {level + 1} "" {{ "on" "off" }} 0' for level in range(levels))
    ends = " ".join(f't "" {number + 1} "" {{ {number} {-number} }}' for number in range(levels + 1))
    tree = efg.parse(f'EFG 2 R "" {{ "A" "B" }} {moves} {ends}'.encode())
    verdict = judge(from_sets(tree, {}))
    assert verdict.payoffs[0] == sum(Fraction(number, 2 ** min(levels - number + 1, levels)) for number in range(levels + 1))
    assert verdict.best_responses[0] is not None
    assert verdict.best_responses[0] > verdict.payoffs[0]


# Profiles


def test_a_profile_takes_chance_probabilities_from_the_game() -> None:
    tree = sample("kuhn-poker")
    profile = from_sets(tree, {0: [Fraction(1), *[Fraction(0)] * 5]})
    assert profile.at(0) == [Fraction(1, 6)] * 6
    assert profile.source[0] == GIVEN
    assert set(profile.source[1:]) == {EQUAL}


@pytest.mark.parametrize(
    "numbers",
    [
        [HALF],
        [HALF, HALF, Fraction(0)],
        [],
        [Fraction(2, 3), Fraction(2, 3)],
        [Fraction(3, 2), Fraction(-1, 2)],
        [0, 0],
        [0.0, 0.0],
        [0.5, 0.6],
        [1.5, -0.5],
        [nan, 0.5],
        [inf, 0.5],
        [-inf, inf],
        [Fraction(10) ** 400, 0.5],
    ],
)
def test_invalid_distributions_are_replaced_by_equal_probabilities(numbers: list[Any]) -> None:
    tree = sample("matching-pennies")
    profile = from_sets(tree, {0: numbers, 1: [Fraction(1), Fraction(0)]})
    assert profile.source.tolist() == [EQUAL, GIVEN]
    assert profile.at(0) == [0.5, 0.5]
    assert profile.at(1) == [1, 0]


@pytest.mark.parametrize("numbers", [[1 / 3, 2 / 3], [0.5 + 1e-9, 0.5], [1.0 + 1e-8, -1e-8], [1, 0.0], [Fraction(1, 3), 2 / 3]])
def test_rounding_errors_in_floats_are_corrected(numbers: list[Any]) -> None:
    tree = sample("matching-pennies")
    profile = from_sets(tree, {0: numbers})
    assert profile.source.tolist() == [GIVEN, EQUAL]
    assert not profile.exact
    assert sum(profile.at(0)) == pytest.approx(1, abs=1e-15)
    assert min(profile.at(0)) >= 0
    assert profile.at(0) == pytest.approx([float(number) for number in numbers], abs=1e-7)


def test_fractions_and_integers_are_exact() -> None:
    tree = sample("matching-pennies")
    profile = from_sets(tree, {0: [1, 0], 1: [Fraction(1, 3), Fraction(2, 3)]})
    assert profile.exact
    assert all(type(number) is Fraction for number in profile.probabilities)
    assert not from_sets(tree, {0: [1, 0], 1: [0.5, 0.5]}).exact
    assert from_sets(tree, {}).exact


def test_completion_adds_best_responses_at_consecutive_moves_of_one_player() -> None:
    """Player 1 stays out; after `in`, player 1 moves twice in a row, with no payoff in between."""
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } p "" 1 1 "" { "out" "in" } 0 t "" 1 "" { 5 0 }
        p "" 1 2 "" { "a" "b" } 0 p "" 1 3 "" { "c" "d" } 0 t "" 2 "" { 1 0 } t "" 3 "" { 2 0 }
        p "" 1 4 "" { "e" "f" } 0 t "" 4 "" { 4 0 } t "" 2"""
    )
    completed = complete(from_sets(tree, {0: [Fraction(1), Fraction(0)]}))
    assert completed.source.tolist() == [GIVEN, BEST, BEST, BEST]
    assert [completed.at(row) for row in range(4)] == [[1, 0], [0, 1], [0, 1], [1, 0]]


def test_completion_ignores_imperfect_recall_of_another_player() -> None:
    tree = efg.parse(
        b"""EFG 2 R "" { "A" "B" } c "" 1 "" { "a" 1/2 "b" 1/2 } 0
        p "" 1 1 "" { "l" "r" } 0 p "" 1 2 "" { "x" "y" } 0 t "" 1 "" { 1 1 } t "" 2 "" { 0 0 }
        p "" 1 2 0 t "" 2 t "" 1
        p "" 2 1 "" { "out" "in" } 0 t "" 1 p "" 2 2 "" { "m" "n" } 0 t "" 2 t "" 1"""
    )
    assert not has_perfect_recall(tree)
    labels = [(int(player), int(number)) for player, number in zip(tree.infosets.player, tree.infosets.number, strict=True)]
    stays, later = labels.index((1, 1)), labels.index((1, 2))
    completed = complete(from_sets(tree, {stays: [Fraction(1), Fraction(0)]}))
    assert completed.source[later] == BEST
    assert completed.at(later) == [0, 1]
    assert all(completed.source[row] == EQUAL for row, (player, _) in enumerate(labels) if player == 0)

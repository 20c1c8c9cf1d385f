"""Values and beliefs at all information sets at once, against those at each set separately."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import MOST_NUMBERS, Profile, allows_fractions, from_sets
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.recall import remembered
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import lengths, limit
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice import tree
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.solving import solve

HISTORIES = [(), ("1x2",), ("1x1", "1x2"), ("1x2", "2x1", "2x2")]


@pytest.mark.parametrize("refine", [None, "quasi-perfect"])
@pytest.mark.parametrize("history", HISTORIES)
def test_values_match_those_after_each_history(history: tuple[str, ...], refine: str | None) -> None:
    profile = solve(tree.build(rules("common", 2)), refine=refine).profile
    everything = ProfileValues(profile.in_floats())
    for decision in after_history.after(profile, history).rows:
        values = everything.action_values(decision.row)
        if decision.values is None:
            assert values is None
        else:
            assert values is not None
            assert np.allclose(values, [float(value) for value in decision.values], atol=1e-12)


@pytest.mark.parametrize("history", HISTORIES)
def test_values_in_fractions_match_those_after_each_history(history: tuple[str, ...]) -> None:
    profile = solve(tree.build(rules("common", 2)), refine="quasi-perfect").profile
    everything = ProfileValues(profile)
    for decision in after_history.after(profile, history).rows:
        values, held = everything.action_values(decision.row), everything.beliefs(decision.row)
        assert (None if values is None else values.tolist()) == decision.values
        assert held is None or held.sum() == 1
    assert everything.payoffs_at(0).tolist() == list(judge(profile).payoffs)


def test_expected_values_match_the_evaluation_with_payoffs_at_inner_nodes() -> None:
    game = efg.read("sample_games/twice-repeated-prisoners-dilemma.efg")
    profile = from_sets(game, {})
    everything = ProfileValues(profile)
    assert everything.payoffs_at(0).tolist() == list(judge(profile).payoffs)
    own = everything.action_values(0)
    assert own is not None
    assert own.sum() / len(own) == everything.expected(0)[0]


def test_perfect_information_gives_every_action_a_value_even_at_unreached_sets() -> None:
    profile = solve(efg.read("sample_games/take-away-7.efg")).profile
    everything = ProfileValues(profile)
    for row in range(len(profile.tree.infosets)):
        node = int(profile.tree.first_node[row])
        own = everything.action_values(row)
        assert own is not None
        heap = int(profile.tree.label_of(row).split()[0])
        assert own.max() == (heap % 4 != 0)
        assert everything.payoffs_at(node).sum() == 1


def test_beliefs_follow_the_strategies_of_the_others_and_imperfect_recall_has_no_values() -> None:
    game = efg.read("sample_games/myerson-card-game.efg")
    raised = game.row_called("raised")
    profile = from_sets(game, {game.row_called("red"): [1, 0], game.row_called("black"): [0, 1]})
    assert ProfileValues(profile).beliefs(raised).tolist() == [1, 0]
    never = from_sets(game, {game.row_called("red"): [0, 1], game.row_called("black"): [0, 1]})
    assert ProfileValues(never).beliefs(raised) is None
    driver = ProfileValues(from_sets(efg.read("sample_games/absent-minded-driver.efg"), {}))
    assert driver.action_values(0) is None
    assert driver.beliefs(0).tolist() == [Fraction(2, 3), Fraction(1, 3)]


def test_fractions_are_allowed_if_their_number_and_denominators_are_small() -> None:
    game = tree.build(rules("common", 3))
    rows = [row for row in range(len(game.infosets)) if game.infosets.player[row] >= 0 and game.action_counts[row] == 2]
    primes = [number for number in range(10**6, 10**6 + 2000) if all(number % divisor for divisor in range(2, 1002))]
    given = {row: [Fraction(1, prime), Fraction(prime - 1, prime)] for row, prime in zip(rows, primes, strict=False)}
    assert len(given) > 20
    many, few = from_sets(game, given), from_sets(game, {})
    assert allows_fractions(few, MOST_NUMBERS)
    assert not allows_fractions(few, MOST_NUMBERS + 1)
    assert not allows_fractions(many, MOST_NUMBERS)
    assert allows_fractions(many, game.nodes)
    assert not allows_fractions(from_sets(game, {rows[0]: [0.5, 0.5]}), 1)


def trembling_plans(game: GameTree, seed: int) -> Numbers:
    """Return plans that take one action at every set, and the others with a random multiple of the tremble."""
    source = random.Random(seed)
    weights = np.full((game.actions + 1, int(lengths(game).max()) + 1), Fraction(0), object)
    weights[NONE, 0] = Fraction(1)
    for player in range(len(game.players)):
        before = remembered(game, player)
        assert before is not None
        for row in np.flatnonzero(game.infosets.player == player).tolist():
            actions = list(range(game.first_action[row], game.first_action[row + 1]))
            chosen = actions.pop(source.randrange(len(actions)))
            for action in actions:
                weights[action, 1:] = weights[before[row], :-1] * source.randint(1, 3)
            weights[chosen] = weights[before[row]] - weights[actions].sum(axis=0)
    return weights


def at_a_small_tremble(game: GameTree, weights: Numbers) -> Profile:
    """Return the profile of the plans at a small tremble, in fractions."""
    tremble = Fraction(1, 2**80)
    plan = [sum(number * tremble**power for power, number in enumerate(numbers)) for numbers in weights.tolist()]
    given = {}
    for player in range(len(game.players)):
        before = remembered(game, player)
        assert before is not None
        for row in np.flatnonzero(game.infosets.player == player).tolist():
            given[row] = [plan[action] / plan[before[row]] for action in range(*game.first_action[row : row + 2])]
    return from_sets(game, given)


@pytest.mark.parametrize("dice", [(1, 1, 1), (1, 1, 1, 1), (2, 1)])
@pytest.mark.parametrize("seed", [1, 2])
def test_beliefs_and_values_after_mistakes_match_those_of_small_trembles(dice: tuple[int, ...], seed: int) -> None:
    game = tree.build(rules("common", 2, dice, max_quantity=2))
    weights = trembling_plans(game, seed)
    everything, nearly = (
        ProfileValues(limit(game, weights)),
        ProfileValues(at_a_small_tremble(game, weights)),
    )
    erred = 0
    for row in np.flatnonzero(game.infosets.player >= 0).tolist():
        held, values = everything.beliefs(row), everything.action_values(row)
        assert held is not None
        assert values is not None
        assert np.allclose(held.astype(float), nearly.beliefs(row).astype(float), atol=1e-9)
        assert np.allclose(values.astype(float), nearly.action_values(row).astype(float), atol=1e-9)
        erred += everything.reach[game.members(row)].sum() == 0
    assert erred > 2
    for history in [(), ("1x2",), ("1x1", "1x2")]:
        for decision in after_history.after(everything.profile, history).rows:
            assert decision.values == everything.action_values(decision.row).tolist()  # type: ignore[union-attr]

"""The exact frontier of restricted Nash responses, against linear programs over all pure strategies."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.optimize import linprog

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import TreeLock
from liarsdice_cli.extensive.mixture import mixture
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.strategic_form import payoff_vectors, strategies
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact.restricted_nash import ExactResponses
from liarsdice_cli.solvers.frontier import Frontier, Response, frontier, slope
from tests.support.command_line import KUHN
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow
from tests.support.solving import solve

GAMES = ("kuhn", "classic", "joker")


@cache
def game(name: str) -> GameTree:
    return efg.parse(KUHN.read_bytes()) if name == "kuhn" else build(rules(name, 2 if name == "classic" else 3))


def strategy(tree: GameTree, player: int, seed: int) -> TreeLock:
    """Return a random strategy; it is pure for even seeds, so that many of its actions have probability 0."""
    source, fixed = random.Random(seed), {}
    for row in np.flatnonzero(tree.infosets.player == player).tolist():
        weights = [source.randint(0, 3) * (seed % 2) for _ in range(tree.action_counts[row])]
        weights[source.randrange(len(weights))] += 1
        fixed[row] = tuple(Fraction(weight, sum(weights)) for weight in weights)
    return fixed


@cache
class Unproved:
    """A response to a divided line that lies on the line, without a proof that nothing is above it."""

    player, ends, tolerance, depth = 0, (Fraction(0), Fraction(1)), Fraction(0), None
    value = Fraction(0), Fraction(0)

    @staticmethod
    def respond(weight: Fraction) -> Response[str]:
        gain, worst_case = {0: (0, 0), 1: (1, -1)}.get(weight, (Fraction(1, 2), Fraction(-1, 2)))
        ceiling = weight * gain + (1 - weight) * worst_case
        return Response(weight, gain, worst_case, ceiling + (0 < weight < 1), "")

    @staticmethod
    def mix(one: str, other: str, share: Fraction) -> str:
        return one + other


def test_a_frontier_is_exact_only_if_every_response_is_proved() -> None:
    found = frontier(Unproved())
    assert len(found.points) == 2
    assert not found.exact


def responses(name: str, player: int, seed: int) -> ExactResponses:
    return ExactResponses(game(name), player, strategy(game(name), 1 - player, seed))


@cache
def whole(name: str, player: int, seed: int) -> Frontier[Profile]:
    return frontier(responses(name, player, seed))


@pytest.mark.parametrize(("name", "player", "seed"), mostly_slow(product(GAMES, (0, 1), range(4))))
def test_the_slope_falls_from_the_value_to_the_best_response(name: str, player: int, seed: int) -> None:
    tree, curve = game(name), whole(name, player, seed)
    found = curve.points
    fixed = strategy(tree, 1 - player, seed)
    value = solve(tree, "exact").best.judgement.payoffs[player]
    best = judge(from_sets(tree, fixed)).best_responses[player]
    assert (found[0].worst_case, found[0].risk, found[-1].gain) == (value, 0, best)
    assert curve.exact
    assert all(one.limit == one.gain for one in found)
    for one, other in pairwise(found):
        assert one.worst_case > other.worst_case
        assert one.gain < other.gain
    slopes = [slope(one, other) for one, other in pairwise(found)]
    assert slopes == sorted(set(slopes), reverse=True)
    for one in found:
        assert judged(tree, player, fixed, one.strategy) == (one.gain, one.worst_case)


def judged(tree: GameTree, player: int, fixed: TreeLock, profile: Profile) -> tuple[Number, Number]:
    """Return the gain and the worst case of the player's strategy in a profile."""
    sets = {row: list(profile.at(row)) for row in range(len(tree.infosets)) if tree.infosets.player[row] == player}
    verdict = judge(from_sets(tree, {row: list(numbers) for row, numbers in fixed.items()} | sets))
    assert tree.constant_sum is not None
    other_best = verdict.best_responses[1 - player]
    assert other_best is not None
    return verdict.payoffs[player], tree.constant_sum - other_best


@pytest.mark.parametrize(
    ("name", "player", "seed"),
    [
        *mostly_slow(product(["kuhn"], (0, 1), range(4))),
        *(pytest.param("classic", player, seed, marks=pytest.mark.slow) for player in (0, 1) for seed in range(4)),
    ],
)
def test_the_best_gain_at_any_risk_matches_a_program_over_all_pure_strategies(name: str, player: int, seed: int) -> None:
    tree, corners = game(name), whole(name, player, seed).points
    matrix, fixed = payoffs(name, player), strategy(tree, 1 - player, seed)
    bound = matrix @ weights(tree, 1 - player, fixed)
    for share in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1), Fraction(2)):
        risk = Fraction(share * corners[-1].risk)
        least, found = corners[0].worst_case - risk, frontier(responses(name, player, seed), risk)
        one = found.chosen
        assert one is not None
        program = linprog(
            -bound,
            A_ub=-matrix.T,
            b_ub=np.full(matrix.shape[1], -float(least)),
            A_eq=np.ones((1, len(matrix))),
            b_eq=[1.0],
        )
        assert one.worst_case == max(least, corners[-1].worst_case)
        assert float(one.gain) == pytest.approx(-program.fun, abs=1e-8)
        assert (one.gain, one.worst_case) == judged(tree, player, fixed, one.strategy)
        assert (found.exact, one.limit) == (True, one.gain)


@cache
def payoffs(name: str, player: int) -> np.ndarray:  # type: ignore[type-arg]
    """Return the player's payoffs: rows are the player's pure strategies, columns the opponent's."""
    tree = game(name)
    choices = [strategies(tree, one) for one in (0, 1)]
    vectors = [float(vector[player]) for vector in payoff_vectors(tree, choices)]
    table = np.array(vectors).reshape(len(choices[1]), len(choices[0]))
    return table.T if player == 0 else table


def weights(tree: GameTree, player: int, fixed: TreeLock) -> np.ndarray:  # type: ignore[type-arg]
    """Return the weights of the mixture of pure strategies that is realization-equivalent to a behaviour strategy."""
    chances = {
        int(tree.first_action[row]) + place: float(number)
        for row, numbers in fixed.items()
        for place, number in enumerate(numbers)
    }
    return np.array([np.prod([chances[action] for action in plan]) for plan in strategies(tree, player)])


def test_only_the_frontier_around_a_risk_is_searched() -> None:
    corners, found = whole("common", 1, 1).points, Recorded()
    risk = Fraction((corners[0].risk + corners[1].risk) / 2)
    some = frontier(responses("common", 1, 1), risk, found)
    assert some.chosen is not None
    assert some.chosen.gain == (corners[0].gain + corners[1].gain) / 2
    everything = Recorded()
    frontier(responses("common", 1, 1), progress=everything)
    assert found.done < everything.done


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_a_mixture_of_strategies_gets_the_mean_payoff_against_any_opponent(share: Fraction) -> None:
    tree = game("classic")
    sets = [{row: list(numbers) for row, numbers in strategy(tree, 0, seed).items()} for seed in (0, 2)]
    for seed in range(3):
        other = {row: list(numbers) for row, numbers in strategy(tree, 1, seed).items()}
        one, two = (from_sets(tree, own | other) for own in sets)
        mixed = judge(mixture(0, one, two, share)).payoffs[0]
        first, second = (judge(profile).payoffs[0] for profile in (one, two))
        assert mixed == (1 - share) * first + share * second

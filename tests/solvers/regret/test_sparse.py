"""Minimisers on the sequence form, against the exact solver, the public tree and a plain implementation of the rule."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import EQUAL, Profile, from_sets
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Outcome
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser, power_discount
from liarsdice_cli.solvers.regret.sparse import SparseForm
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.shard import BLOCK, LANES, Shard
from liarsdice_cli.strategies.store import StrategyStore
from tests.support.gambit_walk import SAMPLES
from tests.support.properties import examples, mostly_slow
from tests.support.random_games import Game, constant_sum_games, tree_of
from tests.support.solving import solve

HEAD = 'EFG 2 R "" { "A" "B" } '
names = st.sampled_from(list(MINIMISERS))


def after(tree: GameTree, name: str, iterations: int) -> SparseForm:
    solver = SparseForm(tree, minimiser(name))
    for _ in range(iterations):
        solver.iterate()
    return solver


def exact_value(tree: GameTree) -> Fraction:
    solution = solve(tree, "exact")
    assert solution.exact
    return Fraction(solution.solved[0].judgement.payoffs[0])


# Against the public tree: the tests compare single steps from the same state, not whole runs. Regret matching is discontinuous
# where no regret is positive, and sums differ in the last digit between processors. So whole runs end in different strategies,
# both of them good.

GAMES = [
    ("common", 3, (1, 1), "win"),
    ("joker", 3, (1, 1), "zero-sum"),
    ("dudo", 2, (1, 2), "win"),
    ("classic", 3, (1, 1), "win"),
    ("joker", 2, (2, 1), "zero-sum"),
    ("top-wild", 4, (1, 1), "zero-sum"),
]
each_game = pytest.mark.parametrize(("preset", "sides", "dice", "payoffs"), GAMES)
LEARNERS = (0, 1)


class Both:
    """A game as the sparse form of its tree and as its public tree, with the correspondence between their numbers.

    The public tree is fully expanded. Its averages are weighted by the probability of the roll, and its regrets are not. In the
    sparse form it is the other way round.
    """

    def __init__(self, game: Rules, name: str) -> None:
        tree = build(game)
        self.sparse = SparseForm(tree, minimiser(name))
        self.public = PublicTree(public_game(game), minimiser(name))
        self.public.expansion_threshold, self.public.rare_threshold = -1.0, 0.0
        sequence = np.zeros(tree.actions, np.int64)
        for actions in self.sparse.actions:
            sequence[actions] = np.arange(1, len(actions) + 1)
        sequences, places = ProfileStrategy.of(game, tree, sequence), expanded(Uniform(game)).store
        self.public.store.top = _everything(places, self.public)
        self.histories: list[tuple[Any, int, Any]] = []  # blocks, mover and sequences of each history
        for length in range(game.bid_count):
            for history in combinations(range(game.bid_count - 1), length):
                found = places.find(history)
                assert found is not None
                shard, player = found[0], length % 2
                columns, width = shard.columns_of(found[1]), int(places.widths[player])
                first = int(shard.columns[columns[0], BLOCK])  # a new history has consecutive columns
                own = np.arange(first, first + len(columns) * width // LANES)
                self.histories.append((own, player, sequences.at(history).astype(np.int64)))
        self.chances = self.public.game.rolls

    def at(self, kind: str, own: Any, player: int) -> Any:
        """Return the numbers of a history in the public tree."""
        shard = self.public.store.top
        numbers = shard.arrays[kind][shard.blocks[own]].reshape(-1, int(self.public.store.widths[player]))
        return numbers[:, : len(self.chances[player])]

    def set(self, kind: str, player: int, numbers: Callable[[tuple[int, ...]], Any]) -> None:
        """Set the same regrets, averages or last regrets of a player in both forms.

        numbers : makes the numbers of a history from its shape (actions, rolls)
        """
        chance = self.chances[player]
        for own, mover, sequences in self.histories:
            if mover == player:
                drawn = numbers(sequences.shape)
                whole = np.zeros((len(drawn), int(self.public.store.widths[player])))
                whole[:, : len(chance)] = drawn * chance if kind == "averages" else drawn
                self.public.store.top.set_blocks(kind, own, whole.reshape(-1, LANES))
                getattr(self.sparse, kind)[player][sequences] = drawn if kind == "averages" else drawn * chance

    def assert_alike(self, kind: str, player: int) -> None:
        """Check that the numbers of both forms, in the same unit, are equal up to rounding."""
        chance, most, apart = self.chances[player], 0.0, 0.0
        for own, mover, sequences in self.histories:
            if mover == player:
                public = self.at(kind, own, player) / (chance if kind == "averages" else 1)
                sparse = getattr(self.sparse, kind)[player][sequences] / (1 if kind == "averages" else chance)
                most, apart = max(most, np.abs(public).max()), max(apart, np.abs(sparse - public).max())
        assert apart <= 1e-10 * most, (kind, player)


def _everything(tree: StrategyStore, solver: PublicTree) -> Shard:
    """Return the only shard of a fully expanded tree, with room for all arrays of a solver."""
    shard = solver.store.new_shard()
    shard.states, shard.first_column, shard.columns = tree.top.states, tree.top.first_column, tree.top.columns
    shard.used[:] = tree.top.used
    shard.reserve(*tree.top.capacity)
    return shard


@each_game
def test_bounds_match_the_public_tree_for_the_same_averages(
    preset: str, sides: int, dice: tuple[int, ...], payoffs: str
) -> None:
    """Every sum is positive, because at sums of 0 the sparse form plays uniformly and the public tree calls."""
    both = Both(rules(preset, sides, dice, payoffs=payoffs), "cfr")
    for seed in range(20):
        generator = np.random.default_rng(seed)

        def drawn(shape: tuple[int, ...], generator: np.random.Generator = generator) -> Any:
            numbers = generator.uniform(0.1, 1, shape) * (generator.random(shape) < 0.6)
            numbers[generator.integers(shape[0])] = 0.5
            return numbers

        for player in LEARNERS:
            both.set("averages", player, drawn)
        sparse, public = both.sparse.bounds(), both.public.bounds()
        assert isinstance(public, Bounds)
        assert (sparse.lower, sparse.upper) == pytest.approx((public.lower, public.upper), rel=0, abs=1e-12)


def state(both: Both, iteration: int, generator: np.random.Generator) -> None:
    """Set a possible state before an iteration whose result does not depend on the last digit of a sum.

    A regret of one iteration is at most 1. So a set with a regret above `least` still has a positive regret after the update.
    Without positive regrets the forms would differ: the sparse form plays uniformly and the public tree calls.
    """
    step = both.sparse.minimiser.step(iteration)
    least = 4 * (step.regret_weight + step.prediction_after)

    def regrets(shape: tuple[int, ...]) -> Any:
        numbers = generator.uniform(least, 2 * least, shape) * generator.choice([-1.0, 1.0], shape)
        numbers[generator.integers(shape[0])] = 1.5 * least
        return np.maximum(numbers, step.floor)

    for player in LEARNERS:
        both.set("regrets", player, regrets)
        both.set("averages", player, lambda shape: generator.uniform(0.1, 1, shape) * step.average_weight)
        if both.sparse.minimiser.predicts:
            both.set("last", player, lambda shape: generator.uniform(-1, 1, shape))
    both.sparse.iteration = both.public.iteration = iteration - 1


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "payoffs", "name"), mostly_slow([(*game, name) for game in GAMES for name in MINIMISERS])
)
def test_an_iteration_matches_the_public_tree_from_the_same_state(
    preset: str, sides: int, dice: tuple[int, ...], payoffs: str, name: str
) -> None:
    both = Both(rules(preset, sides, dice, payoffs=payoffs), name)
    kinds = ("regrets", "averages", "last") if both.sparse.minimiser.predicts else ("regrets", "averages")
    for iteration in (1, 2, 7, 50):
        if both.sparse.minimiser.step(iteration).discount == 0:
            continue  # the step discards all earlier regrets, so some sets have no positive regrets
        state(both, iteration, np.random.default_rng(iteration))
        both.sparse.iterate()
        both.public.iterate()
        for kind in kinds:
            for player in LEARNERS:
                both.assert_alike(kind, player)


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "payoffs", "name"), mostly_slow([(*game, name) for game in GAMES for name in MINIMISERS], 16)
)
def test_bounds_of_both_forms_contain_the_exact_value_in_long_runs(
    preset: str, sides: int, dice: tuple[int, ...], payoffs: str, name: str
) -> None:
    both = Both(rules(preset, sides, dice, payoffs=payoffs), name)
    value = exact_value(both.sparse.tree)
    for solver in (both.sparse, both.public):
        for _ in range(5):
            bounds = solver.bounds()
            assert Fraction(bounds.lower) <= value <= Fraction(bounds.upper)
            for _ in range(40):
                solver.iterate()


# Against the rule in the docstring of solvers/regret/minimisers.py, node by node


class Plain:
    """Regret minimisation by recursion over the nodes, in unscaled payoffs."""

    def __init__(self, tree: GameTree, name: str) -> None:
        self.tree, self.minimiser, self.iteration = tree, minimiser(name), 0
        self.children: list[list[int]] = [[] for _ in range(tree.nodes)]
        for node in range(1, tree.nodes):
            self.children[tree.parent[node]].append(node)
        self.chance = [float(number) for number in tree.chance_probabilities]
        zero = np.zeros(tree.actions)
        self.regrets, self.last, self.averages = zero.copy(), zero.copy(), zero.copy()

    def at(self, row: int) -> slice:
        return slice(int(self.tree.first_action[row]), int(self.tree.first_action[row + 1]))

    def play(self, row: int, prediction: float) -> Any:
        weights = np.maximum(self.regrets[self.at(row)] + prediction * self.last[self.at(row)], 0)
        return weights / weights.sum() if weights.sum() else np.full(len(weights), 1 / len(weights))

    def iterate(self) -> None:
        step = self.minimiser.step(self.iteration + 1)
        for learner in (0, 1):
            aheads = {learner: step.prediction, 1 - learner: step.prediction if learner == 0 else step.prediction_after}
            new = np.zeros(self.tree.actions)
            visited: set[int] = set()
            seen: set[int] = set()
            self.walk(0, learner, aheads, 1.0, 1.0, 0.0, new, visited, seen, step.average_weight)
            for row in np.flatnonzero(self.tree.infosets.player == learner).tolist():
                here = self.at(row)
                old = self.regrets[here]
                kept = np.where(old > 0, step.discount, step.discount_negative) * old
                self.regrets[here] = np.maximum(kept + step.regret_weight * new[here], step.floor)
                if row in visited:
                    self.last[here] = new[here]
        self.iteration += 1

    def walk(
        self,
        node: int,
        learner: int,
        aheads: dict[int, float],
        others: float,
        own: float,
        payoff: float,
        new: Any,
        visited: set[int],
        seen: set[int],
        weight: float,
    ) -> float:
        """Return the node's value to the learner; `own` is the other player's own reach probability."""
        tree = self.tree
        if tree.outcome[node] != NONE:
            payoff += float(tree.outcomes[tree.outcome[node]].payoffs[0]) * (1 if learner == 0 else -1)
        if tree.player[node] == TERMINAL:
            return payoff
        row, mover = int(tree.infoset[node]), int(tree.player[node])
        here = self.at(row)
        play = np.array(self.chance[here]) if mover == CHANCE else self.play(row, aheads[mover])
        if mover == 1 - learner and row not in seen:
            seen.add(row)
            self.averages[here] += weight * own * play
        rest = (learner, aheads)
        values = np.array(
            [
                self.walk(
                    child,
                    *rest,
                    others * (1 if mover == learner else play[branch]),
                    own * (play[branch] if mover == 1 - learner else 1),
                    payoff,
                    new,
                    visited,
                    seen,
                    weight,
                )
                for branch, child in enumerate(self.children[node])
            ]
        )
        value = float(values @ play)
        if mover == learner:
            new[here] += others * (values - value)
            if others:
                visited.add(row)
        return value


def with_payoffs_of_their_own(game: Game, seed: int) -> GameTree:
    """Return the game with a different payoff at every end, so that no two actions tie by chance."""
    tree, chosen = tree_of(game), random.Random(seed)
    ends = np.flatnonzero(tree.player == TERMINAL)
    payoffs = [Fraction(chosen.randrange(-(10**9), 10**9), 10**8) for _ in ends]
    outcome = np.full(tree.nodes, NONE, np.int32)
    outcome[ends] = np.arange(len(ends))
    return replace(tree, outcomes=[Outcome("", (payoff, 3 - payoff)) for payoff in payoffs], outcome=outcome)


@examples(50)
@given(game=constant_sum_games(40), seed=st.integers(0, 999), name=names)
def test_the_averages_match_a_plain_implementation_of_the_rule(game: Game, seed: int, name: str) -> None:
    tree = with_payoffs_of_their_own(game, seed)
    sparse, plain = SparseForm(tree, minimiser(name)), Plain(tree, name)
    for _ in range(6):
        sparse.iterate()
        plain.iterate()
    for actions, averages in zip(sparse.actions, sparse.averages, strict=True):
        assert averages[1:] == pytest.approx(plain.averages[actions], rel=1e-7, abs=1e-9)


# Against the exact solver and the judge


@examples(60)
@given(game=constant_sum_games(40), iterations=st.integers(0, 40), name=names)
def test_bounds_contain_the_exact_value(game: Game, iterations: int, name: str) -> None:
    tree = tree_of(game)
    bounds = after(tree, name, iterations).bounds()
    assert Fraction(bounds.lower) <= exact_value(tree) <= Fraction(bounds.upper)


@examples(50)
@given(game=constant_sum_games(40), iterations=st.integers(0, 9), name=names)
def test_bounds_match_an_exact_evaluation_within_the_rounding_error(game: Game, iterations: int, name: str) -> None:
    """Every float is a fraction, so the strategies in proportion to the averages are evaluated exactly."""
    tree = tree_of(game)
    solver = after(tree, name, iterations)
    probabilities = np.array(tree.chance_probabilities[:-1], object)
    for actions, averages in zip(solver.actions, solver.averages, strict=True):
        for row in np.unique(tree.action_infoset[actions]).tolist():
            place = slice(int(tree.first_action[row]), int(tree.first_action[row + 1]))
            weights = [Fraction(float(averages[1 + one])) for one in np.flatnonzero(tree.action_infoset[actions] == row)]
            total = sum(weights) or Fraction(len(weights))
            probabilities[place] = [(weight if any(weights) else 1) / total for weight in weights]
    verdict = judge(Profile(tree, probabilities, from_sets(tree, {}).source))
    assert verdict.exact
    assert verdict.bounds is not None
    lower, upper = map(Fraction, verdict.bounds)
    bounds = solver.bounds()
    assert lower - Fraction(solver.rounding_error) * 2 <= Fraction(bounds.lower) <= lower
    assert upper <= Fraction(bounds.upper) <= upper + Fraction(solver.rounding_error) * 2
    assert solver.rounding_error < 1e-12


CONSTANT_SUM = [
    path
    for path in SAMPLES
    if path.stem != "liars-dice-3-sides"
    for tree in [efg.parse(path.read_bytes())]
    if len(tree.players) == 2 and tree.constant_sum is not None and has_perfect_recall(tree)
]


@pytest.mark.parametrize(("path", "name"), mostly_slow(product(CONSTANT_SUM, MINIMISERS), 3))
def test_sample_games_are_solved_to_the_target(path: Any, name: str) -> None:
    tree = efg.parse(path.read_bytes())
    span = SparseForm(tree, minimiser(name)).range
    solution = solve(tree, name, Request(target=0.01 * span, iterations=100_000))
    (solved,) = solution.solved
    assert solution.run_history is not None
    assert (solution.finished, solution.run_history.ended, solution.arithmetic) == (True, "target", "float")
    proved = solution.run_history.last.proved
    assert Fraction(proved.lower) <= exact_value(tree) <= Fraction(proved.upper)
    assert solved.judgement.exploitability == pytest.approx(
        solution.run_history.last.bounds.exploitability, abs=1e-12 * max(span, 1)
    )
    assert not solved.judgement.exact


# Edge cases

TEXTS = {
    "one node": ('t "" 1 "" { 1/3 -1/3 }', Fraction(1, 3)),
    "an outcome at no end": ('t "" 0', Fraction(0)),
    "chance alone": ('c "" 1 "" { "a" 1/3 "b" 2/3 } 0 t "" 1 "" { 3 0 } t "" 2 "" { 0 3 }', Fraction(1)),
    "player 1 alone": ('p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 3 0 } t "" 2 "" { 1 2 }', Fraction(3)),
    "player 2 alone": ('p "" 2 1 "" { "a" "b" } 0 t "" 1 "" { 3 0 } t "" 2 "" { 1 2 }', Fraction(1)),
    "one action each": ('p "" 1 1 "" { "a" } 0 p "" 2 1 "" { "b" } 0 t "" 1 "" { 2 -5 }', Fraction(2)),
    "constant payoffs": ('p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 7 -7 } t "" 1', Fraction(7)),
    "chance never": (
        'c "" 1 "" { "a" 0 "b" 1 } 0 p "" 1 1 "" { "x" "y" } 0 t "" 1 "" { 900 -900 } t "" 2 "" { 1 -1 } '
        'p "" 2 1 "" { "x" "y" } 0 t "" 2 t "" 3 "" { 2 -2 }',
        Fraction(1),
    ),
    "chance in the middle, payoffs on the way": (
        'p "" 1 1 "" { "x" "y" } 1 "" { 1 -1 } c "" 1 "" { "a" 1/4 "b" 3/4 } 0 p "" 2 1 "" { "l" "r" } 0 t "" 2 "" { 4 0 } '
        't "" 3 "" { 0 4 } p "" 2 1 0 t "" 3 t "" 2 p "" 2 2 "" { "l" "r" } 0 t "" 2 t "" 4 "" { 1 3 }',
        Fraction(2),
    ),
    "huge payoffs": (f'p "" 1 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {10**300} 0 }} t "" 2 "" {{ 0 {10**300} }}', Fraction(10**300)),
    "tiny payoffs": ('p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1e-300 0 } t "" 2 "" { 0 1e-300 }', Fraction(1, 10**300)),
    "far from 0": (f'p "" 1 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {10**9} 1 }} t "" 2 "" {{ {10**9 + 1} 0 }}', Fraction(10**9 + 1)),
}


@pytest.mark.parametrize(
    ("text", "known", "name"), mostly_slow([(*row, name) for row in TEXTS.values() for name in MINIMISERS], 8)
)
def test_edge_cases_are_solved(text: str, known: Fraction, name: str) -> None:
    tree = efg.parse((HEAD + text).encode())
    (solution, solver) = solve(tree, name, Request(iterations=300)), after(tree, name, 300)
    bounds = solver.bounds()
    assert Fraction(bounds.lower) <= known <= Fraction(bounds.upper)
    assert bounds.exploitability <= 0.02 * solver.range + 2 * solver.rounding_error
    assert float(solution.solved[0].judgement.payoffs[0]) == pytest.approx(float(known), abs=0.02 * solver.range + 1e-300)


@pytest.mark.parametrize("payoff", [10**400, 10**308])
def test_payoffs_too_large_for_floats_are_refused(payoff: int) -> None:
    text = f'p "" 1 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {payoff} {-payoff} }} t "" 2 "" {{ {-payoff} {payoff} }}'
    with pytest.raises(LiarsDiceError, match="too large for floats: divide them all by the same number"):
        solve(efg.parse((HEAD + text).encode()), "cfr")


def test_the_default_target_scales_with_the_range_of_payoffs() -> None:
    tree = efg.parse(next(path for path in SAMPLES if path.stem == "kuhn-poker").read_bytes())
    larger = replace(tree, outcomes=[Outcome("", tuple(1000 * one for one in outcome.payoffs)) for outcome in tree.outcomes])
    for game, width in ((tree, 4), (larger, 4000)):
        run_history = solve(game, "pcfr+").run_history
        assert run_history is not None
        assert run_history.ended == "target"
        assert run_history.last.bounds.exploitability <= 1e-3 * width


def test_a_time_limit_keeps_the_solution_so_far() -> None:
    solution = solve(build(rules("common", 3)), "cfr", Request(time_limit=1e-9, target=1e-9))
    assert solution.run_history is not None
    assert (solution.finished, solution.run_history.ended, len(solution.solved)) == (False, "time", 1)
    assert not solution.interrupted


def test_an_interrupt_keeps_the_solution_so_far() -> None:
    class Pressed(Progress):
        def sample(self, sample: Any, target: float | None) -> None:
            assert target == 1e-9
            if sample.iteration > 0:
                signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore SIGINT in background jobs
    try:
        solution = solve(build(rules("common", 3)), "cfr", Request(target=1e-9), progress=Pressed())
    finally:
        signal.signal(signal.SIGINT, before)
    assert solution.run_history is not None
    assert (solution.finished, solution.interrupted, len(solution.solved)) == (False, True, 1)
    assert solution.run_history.last.iteration > 0


def test_sets_that_the_averages_never_reach_are_marked() -> None:
    text = 'p "" 1 1 "" { "out" "in" } 0 t "" 1 "" { 5 0 } p "" 1 2 "" { "l" "r" } 0 t "" 2 "" { 1 4 } t "" 3 "" { 2 3 }'
    solver = after(efg.parse((HEAD + text).encode()), "cfr+", 1)
    solver.averages[0][2:] = 0
    assert solver.profile().source.tolist() == [0, EQUAL]


@pytest.mark.parametrize("damage", [np.nan, np.inf])
@pytest.mark.parametrize("player", [0, 1])
def test_non_finite_numbers_are_detected(damage: float, player: int) -> None:
    solver = after(build(rules("common", 3)), "cfr+", 1)
    solver.regrets[player][1] = damage
    with pytest.raises(LiarsDiceError, match="no longer finite in iteration 2"):
        solver.iterate()


# Weights of the minimisers, and when bounds are computed


def test_the_regret_weight_is_one_over_the_product_of_the_discounts() -> None:
    step, expected = minimiser("dcfr+").step, 1.0
    assert step(40).regret_weight == step(40).regret_weight > step(39).regret_weight
    for before in range(1, 40):
        expected /= power_discount(before, 1.5)
    assert step(40).regret_weight == expected
    assert step(1).regret_weight == 1


def test_bounds_are_not_computed_in_every_iteration() -> None:
    class Quick:
        iteration, looks, short = 0, 0, False
        workers = ()

        def iterate(self, stop: Callable[[], bool]) -> None:
            self.iteration += 1

        def bounds(self) -> Bounds:
            self.looks += 1
            return Bounds(0, 1)

    solver = Quick()
    run_history = run(solver, Limits(seconds=0.1))
    assert run_history.ended == "time"
    assert len(run_history.samples) == solver.looks < 500 < solver.iteration
    assert run_history.last.bounds.exploitability < inf

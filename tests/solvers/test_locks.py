"""Locked games against the definition, equilibria, and pygambit on the locked tree."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pygambit
import pytest

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import LockedSet, lock_in, locked, locked_sets
from liarsdice_cli.extensive.profile import LOCKED, Profile, from_sets
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import RefinedProfile, judge_refined
from liarsdice_cli.formats import efg, profile_json
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS
from liarsdice_cli.solvers.request import EXTENSIVE, Request
from liarsdice_cli.solvers.solution import Solution
from tests.support.command_line import KUHN, ROOT
from tests.support.gambit_walk import fraction, game_of
from tests.support.properties import mostly_slow
from tests.support.solving import solve

COMMON = rules("common", 3)
CALL = LockedSet("P2 roll 1 after 1x1", (("call", Fraction(1)),))


def with_lock(game: GameTree | Rules, lock: tuple[LockedSet, ...], method: str = "auto", **asked: object) -> Solution:
    return solve(Problem.of(game).locked(lock), method, Request(**asked))  # type: ignore[arg-type]


def random_profile(tree: GameTree, seed: int) -> Profile:
    """Return a random profile in which many actions have probability 0."""
    source = random.Random(seed)
    sets = {}
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        size = int(tree.action_counts[row])
        weights = [int(place == source.randrange(size)) for place in range(size)] if row % 2 else [source.randint(0, 3)] * size
        weights[source.randrange(size)] += 1
        sets[row] = [Fraction(weight, sum(weights)) for weight in weights]
    return from_sets(tree, sets)


@pytest.mark.parametrize(
    ("game", "player", "seed"),
    mostly_slow(product([COMMON, rules("classic", 2), rules("joker", 3, (2, 1))], (0, 1), range(3)), 5),
    ids=str,
)
def test_locking_a_whole_strategy_gives_the_best_response_value(game: Rules, player: int, seed: int) -> None:
    tree = build(game)
    opponent = random_profile(tree, seed)
    solution = with_lock(game, locked_sets(opponent, player))
    expected = judge(opponent).best_responses[1 - player]
    assert (solution.exact, solution.best.judgement.payoffs[1 - player]) == (True, expected)
    assert solution.best.free is not None
    assert solution.best.free.payoffs == solution.best.judgement.payoffs
    assert solution.best.free.regrets[1 - player] == 0


@pytest.mark.parametrize("name", mostly_slow(["common", "joker", "top-wild", "ones-low"]))
def test_locking_part_of_an_equilibrium_keeps_the_value(name: str) -> None:
    game = rules(name, 3)
    free = solve(game)
    part = locked_sets(free.best.in_tree)
    for lock in (part[::2], part[1::3], locked_sets(free.best.in_tree, 0), locked_sets(free.best.in_tree, 1)):
        solution = with_lock(game, lock)
        assert solution.exact
        assert solution.best.judgement.payoffs == free.best.judgement.payoffs


@pytest.mark.parametrize(
    ("seed", "path"), mostly_slow(product(range(4), ["kuhn-poker", "myerson-card-game", "liars-dice-2-sides"]))
)
def test_values_of_locked_games_match_gambit(path: str, seed: int) -> None:
    tree = efg.parse((ROOT / "sample_games" / f"{path}.efg").read_bytes())
    lock = random.Random(seed).sample(locked_sets(random_profile(tree, seed)), 3)
    solution = with_lock(tree, tuple(lock))
    assert has_perfect_recall(solution.problem.tree)
    game = game_of(written(tree, {one.name: [number for _, number in one.probabilities] for one in lock}))
    found = pygambit.nash.lcp_solve(game).equilibrium
    payoffs = [fraction(found.payoffs[player]) for player in game.players]
    assert solution.exact
    assert list(solution.best.judgement.payoffs) == payoffs


def written(tree: GameTree, lock: dict[str, list[Fraction]]) -> bytes:
    """Return the locked game as an EFG file, node by node, with a separate chance node for every node of a locked set."""
    lines = [f'EFG 2 R "" {{ {" ".join(map(quoted, tree.players))} }}']
    for node, (row, outcome) in enumerate(zip(tree.infoset.tolist(), tree.outcome.tolist(), strict=True), 1):
        payoffs = [] if outcome == NONE else tree.outcomes[outcome].payoffs
        end = f'{outcome + 1} "" {{ {" ".join(map(str, payoffs))} }}' if outcome != NONE else "0"
        if row == NONE:
            lines.append(f't "" {end}')
            continue
        labels = tree.actions_at(row).labels
        chances = lock.get(tree.label_of(row), tree.actions_at(row).probabilities)
        if chances is None:
            actions = " ".join(map(quoted, labels))
            lines.append(f'p "" {tree.infosets.player[row] + 1} {row + 1} "" {{ {actions} }} {end}')
        else:
            actions = " ".join(f"{quoted(label)} {number}" for label, number in zip(labels, chances, strict=True))
            lines.append(f'c "" {node} "" {{ {actions} }} {end}')
    return "\n".join(lines).encode()


def quoted(text: str) -> str:
    return f'"{text}"'


@pytest.mark.parametrize("method", mostly_slow(["lp", "lcp", *MINIMISERS], 2))
def test_every_method_respects_the_lock(method: str) -> None:
    asked = {"form": EXTENSIVE, "iterations": 200} if method in MINIMISERS else {}
    solution = with_lock(rules("classic", 2), (CALL,), method, **asked)
    assert solution.solved
    for one in solution.solved[:3]:
        row = int(np.flatnonzero(one.in_tree.source == LOCKED)[0])
        assert [float(number) for number in one.in_tree.at(row)] == [1, 0, 0, 0]
        assert one.free is not None
        assert one.judgement.payoffs == pytest.approx(one.free.payoffs)
    assert float(solution.best.judgement.payoffs[0]) == pytest.approx(0.75, abs=0.02)


def test_general_sum_and_three_player_games_can_be_locked() -> None:
    tree = efg.parse((ROOT / "sample_games" / "three-player-majority.efg").read_bytes())
    first = next(iter(locked_sets(random_profile(tree, 1), 2)))
    solution = with_lock(tree, (first,))
    assert solution.exact
    beer = efg.parse((ROOT / "sample_games" / "beer-quiche.efg").read_bytes())
    assert with_lock(beer, locked_sets(random_profile(beer, 0), 1)).exact


def test_locks_with_zero_probabilities_are_solved_exactly() -> None:
    tree = efg.parse(KUHN.read_bytes())
    lock = locked_sets(from_sets(tree, {1: [Fraction(1), Fraction(0)], 2: [Fraction(1), Fraction(0)]}), 0)
    solution = with_lock(tree, lock)
    assert solution.exact
    assert solution.best.in_tree.exact


TWO_STAGES = b"""EFG 2 R "two locked sets, then a choice of each player" { "A" "B" }
c "" 1 "" { "h" 1/2 "l" 1/2 } 0
p "" 1 1 "hi" { "b" "f" } 0
p "" 1 3 "hi2" { "c" "d" } 0
p "" 2 1 "two" { "x" "y" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 3 -3 }
t "" 3 "" { 0 0 }
t "" 3
p "" 1 2 "lo" { "b" "f" } 0
p "" 1 4 "lo2" { "c" "d" } 0
p "" 2 1 0
t "" 1
t "" 4 "" { -1 1 }
t "" 3
t "" 3
"""
OPENINGS = [(1, Fraction(1, 2)), (2, Fraction(1, 4)), (3, Fraction(1, 8))]


@pytest.mark.parametrize(
    ("game", "lock"),
    [
        (
            efg.parse(TWO_STAGES),
            (
                LockedSet("hi", (("b", Fraction(1, 10)), ("f", Fraction(9, 10)))),
                LockedSet("lo", (("b", Fraction(1)),)),
            ),
        ),
        (
            COMMON,
            tuple(LockedSet(f"P1 roll {roll} opening", (("1x1", low), ("1x2", 1 - low))) for roll, low in OPENINGS),
        ),
    ],
    ids=["two stages", "openings"],
)
def test_beliefs_after_locked_actions_follow_from_the_lock(game: GameTree | Rules, lock: tuple[LockedSet, ...]) -> None:
    """At sets that are reached, beliefs need no trembles: those of the refined profile are those of its probabilities."""
    profile = with_lock(game, lock).best.in_tree
    assert isinstance(profile, RefinedProfile)
    refined, plain = ProfileValues(profile), ProfileValues(Profile(profile.tree, profile.probabilities, profile.source))
    reached = np.flatnonzero(plain.reached_sets & (profile.tree.infosets.player != CHANCE)).tolist()
    assert len(reached) > 4
    for row in reached:
        expected = plain.beliefs(row)
        assert expected is not None
        assert refined.beliefs(row) is not None
        assert refined.beliefs(row).tolist() == expected.tolist()


@pytest.mark.parametrize("method", ["auto", "exact", "quasi-perfect"])
def test_locks_of_both_players_in_turn_count(method: str) -> None:
    """Both players have one die with one side, so P2's bid of two ones, which P1 calls, is true."""
    names = ("P1 roll 1 opening", "1x1"), ("P2 roll 1 after 1x1", "2x1"), ("P1 roll 1 after 1x1 2x1", "call")
    lock = tuple(LockedSet(name, ((action, Fraction(1)),)) for name, action in names)
    judgement = with_lock(rules("common", 1), lock, method).best.judgement
    assert tuple(judgement.payoffs) == (0, 1)
    assert tuple(judgement.bounds) == (0, 0)


def test_a_profile_file_marks_the_locked_sets() -> None:
    solution = with_lock(COMMON, (CALL,))
    tree = solution.problem.free_tree
    text = profile_json.dumps(solution.best.in_tree, "exact")
    assert text.count(b'"locked": true') == 1
    fixed = lock_in(solution.best.in_tree)
    assert list(fixed.values()) == [(1, 0, 0, 0, 0, 0)]
    assert judge_refined(solution.best.in_tree.on(locked(tree, fixed))) == solution.best.judgement


@pytest.mark.parametrize(
    ("name", "probabilities", "message"),
    [
        ("P2 roll 9 after 1x1", {"call": 1}, "P2 has no roll '9': write one such as 3"),
        ("P2 roll 1 after 9x9", {"call": 1}, "'9x9' is not a bid"),
        ("P1 roll 1 after 1x1", {"call": 1}, "P2 moves there"),
        ("roll 1", {"call": 1}, "names no information set: write one such as"),
        ("P2 roll 1 after 1x1", {"calls": 1}, "'calls' is not an action there; give call, 1x2"),
        ("P2 roll 1 after 1x1", {"call": Fraction(1, 2)}, "so that they add up to 1, not 1/2"),
        ("P2 roll 1 after 1x1", {"call": 2, "1x2": -1}, "so that they add up to 1"),
    ],
)
def test_invalid_locks_are_refused(name: str, probabilities: dict[str, int], message: str) -> None:
    lock = LockedSet(name, tuple((action, Fraction(number)) for action, number in probabilities.items()))
    with pytest.raises(UsageError, match=message):
        with_lock(COMMON, (lock,))


def test_locked_sets_of_a_file_are_named_by_label_or_number() -> None:
    tree = efg.parse(KUHN.read_bytes())
    by_label, by_number = (LockedSet(name, (("bet", Fraction(1)),)) for name in ("card 1, after pass", "P2 set 1"))
    assert with_lock(tree, (by_label,)).exact
    assert with_lock(tree, (by_number,)).exact
    with pytest.raises(UsageError, match="no information set of a player is called 'P2 set 7'"):
        with_lock(tree, (by_label._replace(name="P2 set 7"),))
    with pytest.raises(UsageError, match="locked twice"):
        with_lock(COMMON, (CALL, CALL))


@pytest.mark.parametrize("sides", mostly_slow([3, 6]))
def test_sets_left_out_of_a_large_tree_cannot_be_locked(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rules("classic", sides)
    if sides == 3:  # treat this small game as a large one
        monkeypatch.setattr("liarsdice_cli.games.liarsdice.tree.MAX_NODES_WITH_IMPOSSIBLE_BIDS", 1)
    assert with_lock(game, (LockedSet("P2 roll 3 after 1x2", (("call", Fraction(1)),)),)).exact
    with pytest.raises(UsageError, match="bids of 3 or more dice are never true, and left out"):
        with_lock(game, (LockedSet("P2 roll 3 after 3x1", (("3x2", Fraction(1)),)),))


def test_the_problem_of_a_solution_keeps_its_lock() -> None:
    solution = with_lock(COMMON, (CALL,), "exact")
    again = solve(solution.problem, "exact")
    assert again.best.judgement.bounds == solution.best.judgement.bounds != solve(COMMON, "exact").best.judgement.bounds
    assert again.problem.lock == (CALL,)

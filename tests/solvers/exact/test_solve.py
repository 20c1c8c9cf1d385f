"""The exact method against published values, matrix games, brute force, Gambit and OpenSpiel; fallbacks and refusals."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Sequence
from fractions import Fraction
from math import inf, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import judge, realization
from liarsdice_cli.extensive.profile import BEST, EQUAL, GIVEN, Profile
from liarsdice_cli.extensive.recall import has_perfect_recall, sets_before
from liarsdice_cli.extensive.strategic_form import count_strategies, payoff_vectors, strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build, stream
from liarsdice_cli.solvers import by_gambit, gambit
from liarsdice_cli.solvers.exact import simplex
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.exact.reduction import reduce
from liarsdice_cli.solvers.exact.sequence_form import sequence_form
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import EvaluatedProfile
from tests.support.known_values import BIDDING_RULES, OPENSPIEL, TABLE
from tests.support.properties import examples, mostly_slow
from tests.support.random_games import Game, constant_sum_games, tree_of
from tests.support.solving import solve

Matrix = Sequence[Sequence[Fraction | int]]


def exactly(tree: GameTree, request: Request | None = None) -> EvaluatedProfile:
    """Return the only profile of the exact method; check that it is complete and a proved equilibrium."""
    solution = solve(tree, "exact", request)
    assert (solution.method, solution.arithmetic, solution.form) == ("exact", "rational", "extensive")
    assert (solution.finished, solution.exact, len(solution.solved)) == (True, True, 1)
    solved = solution.solved[0]
    assert solved.judgement.regrets == (0, 0)
    assert solved.judgement.bounds == (solved.judgement.payoffs[0],) * 2
    assert_complete(tree, solved.profile)
    return solved


def assert_complete(tree: GameTree, profile: Profile) -> None:
    """Check that every set has a distribution, and that the player's own actions never reach the sets left open."""
    assert profile.exact
    numbers = profile.probabilities.tolist()
    assert min(numbers, default=0) >= 0
    sums = np.zeros(len(tree.infosets), object)
    np.add.at(sums, tree.action_infoset, profile.probabilities)
    assert all(total == 1 for total in sums.tolist())
    for player in (0, 1):
        before = sets_before(tree, player)
        plan = realization(tree, profile.probabilities, before, player)
        silent = (profile.source != GIVEN) & (tree.infosets.player == player)
        assert not np.any(plan[before[silent]] != 0)
    assert all(number in (0, 1) for number in profile.probabilities[(profile.source == BEST)[tree.action_infoset]].tolist())


def value(tree: GameTree) -> Fraction:
    payoff = exactly(tree).judgement.payoffs[0]
    assert isinstance(payoff, Fraction)
    return payoff


def bimatrix(payoffs: Matrix, constant: Fraction | int = 0) -> GameTree:
    """Return a game in which both players choose simultaneously; `payoffs` are those of player 1."""
    rows, columns = ([f'"{number}"' for number in range(size)] for size in (len(payoffs), len(payoffs[0])))
    lines = ['EFG 2 R "" { "A" "B" }', f'p "" 1 1 "" {{ {" ".join(rows)} }} 0']
    numbers: dict[Fraction | int, int] = {}
    for row in payoffs:
        lines.append(f'p "" 2 1 "" {{ {" ".join(columns)} }} 0')
        lines += [
            f't "" {numbers.setdefault(number, len(numbers) + 1)} "" {{ {Fraction(number)} {constant - Fraction(number)} }}'
            for number in row
        ]
    return efg.parse("\n".join(lines).encode())


def diagonal(numbers: Sequence[Fraction | int]) -> Matrix:
    return [[number if row == column else 0 for column in range(len(numbers))] for row, number in enumerate(numbers)]


def random_matrix(seed: int, size: int, most: int) -> Matrix:
    chosen = random.Random(seed)
    return [[chosen.randrange(most) for _ in range(size)] for _ in range(size)]


def brute_force(tree: GameTree) -> float:
    """Return the value of the matrix of all reduced pure strategies, by a linear program that does not use the tree."""
    from scipy.optimize import linprog

    choices = [strategies(tree, player) for player in (0, 1)]
    vectors = np.array([float(first) for first, _ in payoff_vectors(tree, choices)])
    matrix = vectors.reshape(len(choices[1]), len(choices[0]))  # the first player's strategy changes fastest
    columns = np.hstack([-matrix, np.ones((len(matrix), 1))])
    total = np.append(np.ones(matrix.shape[1]), 0)[None]
    bounds = [(0, None)] * matrix.shape[1] + [(None, None)]
    answer = linprog(-np.eye(len(total[0]))[-1], columns, np.zeros(len(matrix)), total, [1], bounds)
    assert answer.success
    return float(-answer.fun)


@pytest.mark.parametrize(
    ("name", "sides", "known"), [pytest.param(*row, marks=pytest.mark.slow if row[1] > 4 else ()) for row in TABLE]
)
def test_values_from_rules_match_the_published_table(name: str, sides: int, known: Fraction) -> None:
    asked = rules(name, sides, payoffs="zero-sum")
    tree = build(
        asked if sides < 4 else asked.without_impossible_bids()
    )  # classic rules with 4 sides are tested below and in test_reduction
    solved = exactly(tree)
    assert solved.judgement.payoffs == (known, -known)


@pytest.mark.parametrize(("name", "sides", "known"), mostly_slow(TABLE))
def test_values_from_files_match_the_published_table(name: str, sides: int, known: Fraction) -> None:
    asked = rules(name, sides, payoffs="zero-sum")
    tree = efg.parse(efg.dumps(stream(asked if sides < 4 else asked.without_impossible_bids())))
    solved = exactly(tree)
    assert solved.judgement.payoffs == (known, -known)


@pytest.mark.slow
def test_classic_rules_with_four_sides_and_all_bids() -> None:
    tree = build(rules("classic", 4, payoffs="zero-sum"))
    assert tree.nodes == 2_097_137
    assert exactly(tree).judgement.payoffs == (Fraction(-1, 8), Fraction(1, 8))


@pytest.mark.parametrize("most", mostly_slow([3, 4]))
def test_values_of_win_payoffs_follow_from_zero_sum_values(most: int) -> None:
    for name, sides, known in TABLE:
        if sides <= most:
            assert value(build(rules(name, sides).without_impossible_bids())) == (1 + known) / 2


@pytest.mark.parametrize(("rule", "sides", "dice"), mostly_slow(OPENSPIEL, 4))
def test_values_match_the_recorded_values_of_openspiel(rule: str, sides: int, dice: int) -> None:
    tree = build(rules(BIDDING_RULES[rule], sides, (dice, dice), payoffs="zero-sum"), "multiset")
    assert float(value(tree)) == pytest.approx(OPENSPIEL[rule, sides, dice], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "sides", "dice"), OPENSPIEL)
def test_the_recorded_values_match_openspiel(rule: str, sides: int, dice: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("ecos")
    solver = pytest.importorskip("open_spiel.python.algorithms.sequence_form_lp")
    parameters = {"players": 2, "numdice": dice, "dice_sides": sides, "bidding_rule": rule}
    first, second, *_ = solver.solve_zero_sum_game(pyspiel.load_game("liars_dice", parameters))
    assert (first, second) == pytest.approx((OPENSPIEL[rule, sides, dice], -OPENSPIEL[rule, sides, dice]), abs=1e-6)


@examples(120)
@given(game=constant_sum_games())
def test_values_match_the_matrix_of_all_strategies(game: Game) -> None:
    tree = tree_of(game)
    assert has_perfect_recall(tree)
    assume(prod(count_strategies(tree, player) for player in (0, 1)) <= 3_000)
    assert float(value(tree)) == pytest.approx(brute_force(tree), abs=1e-9)


@pytest.mark.slow
@examples(8)
@given(game=constant_sum_games(60))
def test_values_match_gambits_exact_program(game: Game) -> None:
    tree = tree_of(game)
    assume(np.count_nonzero(tree.player >= 0) > 5)
    theirs = solve(tree, "lp")
    assert theirs.arithmetic == "rational"
    assert theirs.exact
    assert theirs.solved[0].judgement.payoffs[0] == value(tree)


@pytest.mark.parametrize(
    ("payoffs", "known"),
    [
        ([[1, -1], [-1, 1]], 0),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),
        ([[3, -1], [-2, 4]], 1),  # (3 * 4 - 1 * 2) / (3 + 4 + 1 + 2)
        ([[4, 3, 9], [1, 2, 0], [7, 3, 8]], 3),  # a saddle point
        ([[2, -3], [-3, 4]], Fraction(-1, 12)),  # two-finger Morra: Thomas Ferguson, Game Theory, part II, section 1.2
        ([[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]], 0),  # Morra, with guesses
        (diagonal([1, 2, 3, 4]), Fraction(12, 25)),  # 1 / (1 + 1/2 + 1/3 + 1/4)
        ([[5]], 5),
        ([[1, 2, 3]], 1),
        ([[1], [2], [3]], 3),
        ([[Fraction(1, 3)] * 3] * 2, Fraction(1, 3)),
    ],
)
def test_matrix_games_have_their_known_values(payoffs: Matrix, known: Fraction | int) -> None:
    for constant in (0, Fraction(7, 2)):
        solved = exactly(bimatrix(payoffs, constant))
        assert solved.judgement.payoffs == (known, constant - known)


@pytest.mark.parametrize(("size", "bits"), mostly_slow([(80, 300), (150, 600)]))
def test_a_dense_matrix_has_long_fractions_and_an_exact_value(size: int, bits: int) -> None:
    found = value(bimatrix(random_matrix(1, size, 1000)))
    assert found.denominator.bit_length() > bits


@pytest.mark.parametrize(
    "numbers",
    [
        [Fraction(10) ** 300, Fraction(10) ** 300 * 2],
        [Fraction(10) ** -300, Fraction(10) ** -300 * 2, Fraction(10) ** -300 * 7],
        [Fraction(10) ** 300, Fraction(10) ** -300],
        [Fraction(1), Fraction(10) ** 20, Fraction(10) ** -20],
        [Fraction(1, 10**39 + 7), Fraction(1, 10**39 + 9), Fraction(1, 10**39 + 13)],
        [Fraction(number, 3**84 + number) for number in range(1, 12)],
    ],
    ids=["huge", "tiny", "huge and tiny", "forty powers of ten", "long", "eleven long ones"],
)
def test_payoffs_of_any_size_stay_exact(numbers: list[Fraction]) -> None:
    assert value(bimatrix(diagonal(numbers))) == 1 / sum(1 / number for number in numbers)


@pytest.fixture(params=mostly_slow(["called large", "large"]))
def large(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[GameTree, Fraction]:
    """Return a game that is too large for the exact simplex, or counts as too large, and its value."""
    if request.param == "large":
        return build(rules("joker", 6, payoffs="zero-sum")), Fraction(-7, 327)
    tree = bimatrix(random_matrix(4, 12, 1000))
    known = value(tree)
    monkeypatch.setattr(simplex, "LARGEST", 200)
    return tree, known


def test_without_a_sound_basis_the_result_is_a_bracket(
    large: tuple[GameTree, Fraction], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, known = large
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    solution = solve(tree, "exact")
    judgement = solution.solved[0].judgement
    lower, upper = judgement.bounds or (1, -1)
    assert lower <= known <= upper
    assert (judgement.exact, judgement.is_equilibrium, solution.exact, solution.finished) == (True, False, False, True)
    assert all(0 <= regret <= 1e-6 for regret in judgement.regrets if regret is not None)
    assert 0 < upper - lower == sum(judgement.regrets)  # type: ignore[arg-type]


def test_without_a_sound_basis_small_games_are_still_solved_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    assert value(build(rules("common", 3, payoffs="zero-sum"))) == Fraction(-1, 9)
    assert value(bimatrix(random_matrix(3, 9, 100))) == pytest.approx(brute_force(bimatrix(random_matrix(3, 9, 100))))


def test_a_large_game_that_floats_cannot_solve_is_refused(
    large: tuple[GameTree, Fraction], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LinearProgram, "optimum", lambda self, deadline, presolve: None)
    with pytest.raises(LiarsDiceError, match=r"cannot be solved in floats: .*try method='lp'$"):
        solve(large[0], "exact")
    assert value(bimatrix([[3, -1], [-2, 4]])) == 1


def test_presolve_can_be_switched_off() -> None:
    tree = bimatrix(random_matrix(2, 5, 50))
    program = LinearProgram(sequence_form(tree, reduce(tree, exact.ends(tree))))
    settings_of = [program.optimum(float("inf"), presolve).getOptionValue("presolve")[1] for presolve in (True, False)]
    assert settings_of == ["choose", "off"]


@pytest.mark.slow
@examples(100)
@given(game=constant_sum_games(40))
def test_only_unreached_sets_without_a_sure_win_are_left_open(game: Game) -> None:
    """Sets marked EQUAL have equal probabilities, dropped actions included."""
    tree = tree_of(game)
    profile, wins = exactly(tree).profile, reduce(tree, exact.ends(tree)).wins
    for player in (0, 1):
        before = sets_before(tree, player)
        plan = realization(tree, profile.probabilities, before, player)
        for row in np.flatnonzero(tree.infosets.player == player).tolist():
            open_ = plan[before[row]] == 0 and wins[row] == NONE
            assert (profile.source[row] != GIVEN) == open_
            assert profile.source[row] != EQUAL or len(set(profile.at(row))) == 1


def test_floats_become_fractions_without_negative_weights() -> None:
    assert exact._fractions(np.array([-1e-12, 0.5, 2e-9])).tolist() == [0, Fraction(1, 2), Fraction(2, 10**9)]


def test_attempts_run_with_presolve_and_then_without(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []
    monkeypatch.setattr(LinearProgram, "optimum", lambda self, deadline, presolve: tried.append(presolve))
    assert exactly(bimatrix([[3, -1], [-2, 4]])).judgement.payoffs[0] == 1  # by the exact simplex
    assert tried == [True, False]


def test_without_exact_plans_the_first_attempt_returns_its_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, asked, whole = bimatrix([[3, -1], [-2, 4]]), [], LinearProgram.optimum

    def noted(self: LinearProgram, deadline: float, presolve: bool) -> Any:
        asked.append((deadline, presolve))
        return whole(self, deadline, presolve)

    monkeypatch.setattr(LinearProgram, "optimum", noted)
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    program = LinearProgram(sequence_form(tree, reduce(tree, exact.ends(tree))))
    assert [plan.dtype for plan in next(exact._attempts(program, inf))] == [np.float64] * 2
    assert asked == [(inf, True)]


def test_the_summary_counts_what_the_reduction_removed() -> None:
    tree = build(rules("classic", 3))
    kept = reduce(tree, exact.ends(tree))
    players = tree.action_player != CHANCE
    nodes, actions = np.count_nonzero(~kept.nodes), np.count_nonzero(~kept.actions & players)
    assert (nodes, actions, np.count_nonzero(players)) == (8_949, 1_495, 3_066)
    assert solve(tree, "exact").note.startswith(
        "iterated elimination of weakly dominated actions removed 8,949 of 9,208 nodes and 1,495 of 3,066 actions; "
    )


def test_a_bracket_survives_a_second_attempt_that_runs_out_of_time(
    large: tuple[GameTree, Fraction], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = LinearProgram.optimum

    def late(self: LinearProgram, deadline: float, presolve: bool) -> object:
        if not presolve:
            raise TimeLimitError("late")
        return whole(self, deadline, presolve)

    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    monkeypatch.setattr(LinearProgram, "optimum", late)
    (solved,) = solve(large[0], "exact", Request(time_limit=60)).solved
    assert 0 < max(solved.judgement.regrets) < 1e-6  # type: ignore[type-var]


@pytest.mark.slow
def test_the_exact_simplex_stops_at_its_work_limit_and_leaves_a_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    monkeypatch.setattr(exact, "_MOST_WORK", 100_000)  # the default takes about a minute
    solution = solve(bimatrix(random_matrix(5, 90, 1000)), "exact")
    assert (solution.finished, solution.exact) == (True, False)
    assert 0 < (solution.solved[0].judgement.max_regret or 0) < 1e-3


@pytest.mark.parametrize("step", [0.0, 61.0])
def test_a_slow_clock_does_not_turn_an_exact_result_into_a_bracket(step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, step)  # advances by `step` seconds at each reading
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    assert exactly(bimatrix(random_matrix(5, 12, 1000))).judgement.is_equilibrium


HEAD = 'EFG 2 R "" { "A" "B" } '
REFUSED = {
    "constant-sum game of two players": f'{HEAD}p "" 1 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ 1 1 }} t "" 2 "" {{ 2 1 }}',
    "constant-sum game of two players; try method='auto'": (
        'EFG 2 R "" { "A" "B" "C" } p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1 1 -2 } t "" 2 "" { 0 0 0 }'
    ),
    "two players": 'EFG 2 R "" { "A" } p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1 } t "" 2 "" { 1 }',
    "perfect recall, and a player forgets here; try method='enumpure-agent'": (
        f'{HEAD}p "" 1 1 "" {{ "l" "r" }} 0 p "" 1 2 "" {{ "x" "y" }} 0 t "" 1 "" {{ 1 -1 }} t "" 2 "" {{ -1 1 }} '
        'p "" 1 2 0 t "" 2 t "" 1'
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_other_games_are_refused_in_one_line(message: str) -> None:
    with pytest.raises(LiarsDiceError) as caught:
        solve(efg.parse(REFUSED[message].encode()), "exact")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "method=" in str(caught.value)


WON, LOST = 't "" 1 "won" { 1 -1 } ', 't "" 2 "lost" { -1 1 } '
PENNIES = f'p "" 1 %d "" {{ "h" "t" }} 0 p "" 2 %d "" {{ "h" "t" }} 0 {WON}{LOST}p "" 2 %d 0 {LOST}{WON}'


@pytest.mark.parametrize(
    ("text", "payoffs"),
    [
        ('t "" 1 "" { 1/3 -1/3 }', ("1/3", "-1/3")),
        ('t "" 0', (0, 0)),
        (f'c "" 1 "" {{ "a" 1 "b" 0 }} 0 {PENNIES % (1, 1, 1)}{WON}', (0, 0)),
        (f'c "" 1 "" {{ "a" 0 "b" 1 }} 0 {PENNIES % (1, 1, 1)}{WON}', (1, -1)),
        (f'c "" 1 "" {{ "a" 0 "b" 1/2 "c" 1/2 }} 0 {PENNIES % (1, 1, 1)}{LOST}{PENNIES % (2, 2, 2)}', ("-1/2", "1/2")),
        (f'p "" 1 1 "" {{ "a" "b" }} 0 {LOST}c "" 1 "" {{ "x" 2/3 "y" 1/3 }} 0 {WON}{LOST}', ("1/3", "-1/3")),
        (f'c "" 1 "" {{ "x" 2/3 "y" 1/3 }} 0 {WON}{LOST}', ("1/3", "-1/3")),
        ((PENNIES % (1, 1, 1)).replace("1 -1 }", "2 3 }").replace("-1 1 }", "2 3 }"), (2, 3)),
        (f'p "" 1 1 "" {{ "only" }} 0 p "" 2 1 "" {{ "only" }} 3 "in" {{ 1/2 -1/2 }} {LOST}', ("-1/2", "1/2")),
    ],
    ids=[
        "one terminal node",
        "no payoff",
        "an impossible win",
        "impossible pennies",
        "an impossible branch of three",
        "a player without decisions",
        "nobody decides",
        "equal payoffs",
        "one action",
    ],
)
def test_games_with_little_to_decide(text: str, payoffs: tuple[str | int, str | int]) -> None:
    assert exactly(efg.parse((HEAD + text).encode())).judgement.payoffs == tuple(map(Fraction, payoffs))


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (2_000, 1),
        pytest.param(10_000, 1, marks=pytest.mark.slow),
        pytest.param(100_000, 1, marks=pytest.mark.slow),
        pytest.param(50_000, 2, marks=pytest.mark.slow),
        pytest.param(2, 100_000, marks=pytest.mark.slow),
    ],
)
def test_nodes_with_very_many_actions_are_solved(rows: int, columns: int) -> None:
    chosen = random.Random(rows)
    payoffs = [[chosen.randrange(1000) for _ in range(columns)] for _ in range(rows)]
    found = value(bimatrix(payoffs))
    table = np.array(payoffs)
    assert table.min(axis=1).max() <= found <= table.max(axis=0).min()  # pure strategies guarantee these bounds
    if columns == 1:
        assert found == table.max()


def test_the_time_limit_ends_the_linear_program_and_its_thread() -> None:
    tree = build(rules("common", 5))
    unreduced = reduce(tree, np.zeros(tree.nodes, np.int64))
    assert unreduced.actions.all()
    program = LinearProgram(sequence_form(tree, unreduced))
    threads = threading.active_count()
    with pytest.raises(TimeLimitError, match="while solving the linear program"):
        program.optimum(time.monotonic() + 0.01)
    assert threading.active_count() == threads


@pytest.mark.parametrize(("sides", "seconds"), mostly_slow([(4, 1e-9), (6, 1e-9), (6, 0.02)]))
def test_the_time_limit_ends_the_run(sides: int, seconds: float) -> None:
    tree = build(rules("top-wild", sides))
    solution = solve(tree, "exact", Request(time_limit=seconds))
    assert (solution.finished, solution.exact, solution.solved) == (False, False, ())
    assert solution.note.startswith("stopped at the time limit")


def test_responses_to_dropped_actions_leave_no_regret() -> None:
    """At a set that only dropped actions reach, no single action wins, but some must not be played.

    Player 2's b is better than a: after a, player 1 wins at S with y and with z, while x loses everywhere. Player 2's c is
    dropped in the same round for another reason: D is won once f is dropped. So the program does not contain S, and neither y
    nor z wins at both of its nodes. A profile that plays x at S would let player 2 gain with a.
    """
    outcomes = {"1": "1 -1", "-1": "-1 1", "0": "0 0", "h": "9/10 -9/10", "q": "1/2 -1/2", "u": "-1/2 1/2"}

    def ends(*names: str) -> str:
        return " ".join(f't "" {[*outcomes].index(name) + 1} "{name}" {{ {outcomes[name]} }}' for name in names)

    meet = 'p "" 1 1 "S" { "x" "y" "z" } 0'
    fork, last = 'p "" 2 2 "B" { "c" "d" } 0', 'p "" 2 3 "D" { "g" "k" } 0'
    tree = efg.parse(
        f"""EFG 2 R "" {{ "A" "B" }} c "" 1 "" {{ "l" 1/3 "r" 1/3 "m" 1/3 }} 0
        p "" 2 1 "A" {{ "a" "b" }} 0 {meet} {ends("-1", "1", "1")} {ends("h")}
        {fork} {meet} {ends("-1", "q", "u")} {last} {ends("-1", "0")}
        p "" 1 2 "F" {{ "e" "f" }} 0 {ends("1")} {fork} {ends("0")} {last} {ends("0", "-1")}""".encode()
    )
    reduction = reduce(tree, exact.ends(tree))
    assert not np.any(reduction.nodes[tree.infoset == [*tree.infosets.labels].index("S")])
    assert value(tree) == Fraction(3, 10)


def by_gambit_in_floats(tree: GameTree) -> gambit.RawProfile:
    (profile,) = gambit.run(
        efg.dumps(by_gambit._numbered(tree).stream(), labels="full"), Request("lp", arithmetic="float")
    ).profiles
    return profile


@pytest.mark.slow
@pytest.mark.parametrize("payoffs", ["win", "zero-sum"])
def test_gambits_float_program_is_evaluated_but_never_called_exact(payoffs: str) -> None:
    """In the 3-sided game Gambit's float program leaves out sets that play reaches (pygambit 17.0.0b2).

    At these sets player 1 gets the lowest payoff with every action, and Gambit takes them to be irrelevant. With probabilities
    of 0 there, the profile loses the play that reaches them, and a best response beats it by 1/9. With any distribution there,
    the regrets are 0 up to rounding, and the evaluation confirms this. Floats are never called exact.

    The same held for the actions in reverse, the call last, the bids in reverse and four random orders. It also held for
    payoffs doubled and divided by ten, and for joker, top-wild, face-first and dudo rules. The sets left out differed, but once
    completed, no profile had a regret above 3e-15.
    """
    tree = build(rules("common", 3, payoffs=payoffs))
    raw = by_gambit_in_floats(tree)
    left_out = [row for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist() if row not in raw]
    solution = solve(tree, "lp", Request(arithmetic="float"))
    assert (solution.arithmetic, solution.finished, solution.exact) == ("float", True, False)
    (solved,) = solution.solved
    assert not solved.judgement.exact
    assert not solved.judgement.is_equilibrium
    assert [row for row in left_out if solved.profile.source[row] == GIVEN] == []

    told = judge(exact_copy(tree, solved.profile))  # the same probabilities, evaluated in fractions
    assert told.exact
    assert solved.judgement.regrets == pytest.approx([float(regret or 0) for regret in told.regrets], abs=1e-12)
    assert solved.judgement.payoffs == pytest.approx([float(payoff) for payoff in told.payoffs], abs=1e-12)
    lower, upper = told.bounds or (1, -1)
    slack = Fraction(1, 10**12)
    assert lower - slack <= {"win": Fraction(4, 9), "zero-sum": Fraction(-1, 9)}[payoffs] <= upper + slack

    holes = solved.profile.probabilities.copy()
    for row in left_out:
        holes[tree.first_action[row] : tree.first_action[row + 1]] = 0
    as_it_stands = judge(Profile(tree, holes, solved.profile.source)).regrets
    equal = [row for row in left_out if solved.profile.source[row] == EQUAL]
    worst = max(float(regret or 0) for regret in as_it_stands)
    assert worst == pytest.approx(1 / 9 if equal else 0, abs=1e-9)


def exact_copy(tree: GameTree, profile: Profile) -> Profile:
    """Return the profile with its floats as fractions, scaled to distributions."""
    numbers = np.array([Fraction(number) for number in profile.probabilities.tolist()], object)
    sums = np.zeros(len(tree.infosets), object)
    np.add.at(sums, tree.action_infoset, numbers)
    chances = tree.action_player == CHANCE
    numbers = numbers / sums[tree.action_infoset]
    numbers[chances] = tree.chance_probabilities[:-1][chances]
    return Profile(tree, numbers, profile.source)


def test_the_linear_program_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    (solved,) = solve(build(rules("joker", 4)), "exact").solved
    assert solved.judgement.payoffs[0] == Fraction(1, 2)
    assert capfd.readouterr() == ("", "")

"""Method selection and its refusals, the round trip through Gambit, and marks at sets that methods leave open."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.cli.wording import worded
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import complete, judge, realization
from liarsdice_cli.extensive.profile import BEST, EQUAL, GIVEN, Profile, from_sets
from liarsdice_cli.extensive.recall import has_perfect_recall, sets_before
from liarsdice_cli.extensive.strategic_form import strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build, stream
from liarsdice_cli.solvers import by_gambit, gambit
from liarsdice_cli.solvers.gambit_methods import METHODS
from liarsdice_cli.solvers.ladder import methods
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS
from liarsdice_cli.solvers.request import Request
from tests.support.gambit_walk import SAMPLES
from tests.support.progress import Recorded
from tests.support.properties import examples
from tests.support.random_games import Game, constant_sum_games, games, random_profile, small_fractions, tree_of
from tests.support.solving import chosen, solve

HEAD = 'EFG 2 R "" { "A" "B" } '


def sample(name: str) -> GameTree:
    (path,) = (path for path in SAMPLES if path.name == f"{name}.efg")
    return efg.parse(path.read_bytes())


def three_at_once(actions: int) -> GameTree:
    """Return a game of three simultaneous choices, in which the first player gets 1 if all agree."""
    choices = "{ " + " ".join(f'"{number}"' for number in range(actions)) + " }"
    lines = [f'EFG 2 R "" {{ "A" "B" "C" }} p "" 1 1 "" {choices} 0']
    for first in range(actions):
        lines.append(f'p "" 2 1 "" {choices} 0')
        for second in range(actions):
            lines.append(f'p "" 3 1 "" {choices} 0')
            for third in range(actions):
                agreed = int(first == second == third)
                lines.append(f't "" {agreed + 1} "" {{ {agreed} 0 0 }}')
    return efg.parse("\n".join(lines).encode())


FORGETFUL = f"""{HEAD}
p "" 1 1 "" {{ "a" "b" }} 0
p "" 1 2 "" {{ "c" "d" }} 0
t "" 1 "" {{ 1 -1 }}
t "" 2 "" {{ 0 0 }}
p "" 1 2 0
t "" 2
t "" 1
"""

GAMES = {
    "centipede": lambda: sample("centipede-4"),
    "one node": lambda: efg.parse(f'{HEAD}t "" 1 "" {{ 1 2 }}'.encode()),
    "kuhn": lambda: sample("kuhn-poker"),
    "beer": lambda: sample("beer-quiche"),
    "horse": lambda: sample("seltens-horse"),
    "many at once": lambda: three_at_once(22),
    "driver": lambda: sample("absent-minded-driver"),
    "forgetful": lambda: efg.parse(FORGETFUL.encode()),
    "dice": lambda: build(rules("classic", 2), "staged"),
    "larger dice": lambda: rules("common", 6),
}


@pytest.mark.parametrize(
    ("game", "request_", "method", "reason"),
    [
        ("centipede", Request(), "backward", "perfect information"),
        ("one node", Request(), "backward", "perfect information"),
        ("centipede", Request(arithmetic="rational", form="extensive", time_limit=9, max_profiles=1), "backward", "perfect"),
        ("kuhn", Request(), "quasi-perfect", "two players, constant sum, perfect recall"),
        ("dice", Request(), "quasi-perfect", "two players, constant sum, perfect recall"),
        ("larger dice", Request(), "exact", "two players, constant sum, perfect recall"),
        ("kuhn", Request(arithmetic="rational", form="extensive"), "quasi-perfect", "two players"),
        ("kuhn", Request(arithmetic="float"), "lp", "two players, constant sum, perfect recall"),
        ("kuhn", Request(form="strategic"), "lp", "two players, constant sum, perfect recall"),
        ("beer", Request(), "lcp", "two players, perfect recall"),
        ("centipede", Request(arithmetic="float"), "lcp", "two players, perfect recall"),
        ("horse", Request(), "enumpure", "3 players, 8 pure profiles"),
        ("horse", Request(arithmetic="float"), "logit", "3 players, in floats"),
        ("many at once", Request(), "logit", "too many pure profiles"),
        ("driver", Request(), "enumpure-agent", "a player forgets"),
        ("kuhn", Request(target=0.01, arithmetic="rational"), "quasi-perfect", "two players"),
        ("centipede", Request(target=0.01, arithmetic="rational"), "backward", "perfect"),
        ("beer", Request(target=0.01), "logit", "takes a target"),
        ("horse", Request(target=0.01), "logit", "takes a target"),
        ("kuhn", Request(target=0.01), "dcfr+", "for a target, a number of iterations or a tremble"),
        ("kuhn", Request(iterations=5), "dcfr+", "for a target, a number of iterations or a tremble"),
    ],
)
def test_auto_chooses_the_first_method_that_fits(game: str, request_: Request, method: str, reason: str) -> None:
    taken, why = chosen(GAMES[game](), request_)
    assert taken == method
    assert reason in why


@pytest.mark.parametrize(
    ("game", "request_", "method"),
    [
        ("centipede", Request(), "backward"),
        ("kuhn", Request(), "quasi-perfect"),
        ("kuhn", Request(arithmetic="float"), "lp"),
        ("beer", Request(), "lcp"),
        ("horse", Request(), "enumpure"),
        ("horse", Request(arithmetic="float"), "logit"),
        ("kuhn", Request(target=0.01, arithmetic="rational"), "quasi-perfect"),
        ("beer", Request(target=0.01), "logit"),
        ("driver", Request(), "enumpure-agent"),
    ],
)
def test_the_method_that_auto_chooses_solves_the_game(game: str, request_: Request, method: str) -> None:
    tree, progress = GAMES[game](), Recorded()
    solution = solve(tree, "auto", request_, progress)
    assert (solution.method, solution.finished) == (method, True)
    assert solution.reason == chosen(tree, request_)[1]
    assert solution.arithmetic == (request_.arithmetic or ("float" if method == "logit" else "rational"))
    assert (solution.subgame_perfect is None) == (method != "backward")
    assert progress.done == (0 if method in ("backward", "quasi-perfect") else len(solution.solved))
    assert solution.exact == (solution.arithmetic == "rational" and game != "driver")
    for one in solution.solved:
        told, again = one.judgement, judge(one.profile)
        assert (told.payoffs, told.regrets, told.exact) == (again.payoffs, again.regrets, again.exact)
        assert told.exact == (solution.arithmetic == "rational")
        assert game == "driver" or float(told.max_regret or 0) < 0.05
    if game == "driver":
        assert all(one.judgement.regrets == (None,) for one in solution.solved)


@pytest.mark.parametrize(
    ("dice", "request_", "method"),
    [
        ((1, 1), Request(target=0.1, arithmetic="rational"), "quasi-perfect"),
        ((1, 1), Request(target=0.1), "dcfr+"),
        ((1, 1, 1), Request(target=0.1), "pdcfr+"),
    ],
)
def test_auto_reaches_the_target_on_rules(dice: tuple[int, ...], request_: Request, method: str) -> None:
    solution = solve(rules("joker", 3, dice, payoffs="zero-sum"), "auto", request_)
    assert (solution.method, solution.finished) == (method, True)
    regrets = [float(regret) for regret in solution.judgement.regrets]
    assert (sum(regrets) / 2 if len(dice) == 2 else max(regrets)) <= 0.1 + 1e-12


def test_an_explicitly_named_method_has_no_reason() -> None:
    assert solve(sample("kuhn-poker"), "exact").reason == ""


def test_every_method_has_a_name_and_a_one_line_description() -> None:
    names = list(methods())
    assert names[:5] == ["auto", "backward", "exact", "quasi-perfect", "double-oracle"]
    assert names[5:] == [*MINIMISERS, "mirror-descent", "rounded", *METHODS]
    assert all(line and "\n" not in line for line in methods().values())


@pytest.mark.parametrize("name", ["", "nash", "LP", "auto "])
def test_an_unknown_method_is_refused_with_a_list_of_methods(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        solve(sample("kuhn-poker"), name)
    assert worded(caught.value) == f"--method {name}: choose from {', '.join(methods())}"


@pytest.mark.parametrize(
    ("game", "method", "request_", "error", "message"),
    [
        ("kuhn", "exact", Request(arithmetic="float"), UsageError, "exact computes in fractions on the extensive form"),
        ("kuhn", "exact", Request(form="strategic"), UsageError, "use a method such as lp or lcp"),
        ("kuhn", "exact", Request(target=0.1), UsageError, "exact takes no --target: leave it out"),
        ("centipede", "backward", Request(arithmetic="float"), UsageError, "backward computes in fractions"),
        ("centipede", "backward", Request(form="strategic"), UsageError, "backward computes in fractions"),
        ("centipede", "backward", Request(target=0.1), UsageError, "backward takes no --target"),
        ("kuhn", "backward", Request(), LiarsDiceError, "backward needs perfect information"),
        ("beer", "exact", Request(), LiarsDiceError, "exact needs a constant-sum game of two players"),
        ("driver", "exact", Request(), LiarsDiceError, "exact needs a constant-sum game of two players"),
        ("kuhn", "lp", Request(target=0.1), UsageError, "lp takes no --target"),
        ("kuhn", "gnm", Request(arithmetic="rational"), UsageError, "gnm cannot use arithmetic 'rational'"),
        ("beer", "auto", Request(target=0.1, arithmetic="rational"), UsageError, "logit cannot use arithmetic"),
        ("beer", "lp", Request(), LiarsDiceError, "lp needs a constant-sum game"),
        ("centipede", "backward", Request(iterations=1), UsageError, "use a minimiser such as dcfr+"),
        ("kuhn", "lp", Request(iterations=1), UsageError, "lp takes no --iterations"),
        ("kuhn", "cfr", Request(arithmetic="rational"), UsageError, "cfr computes in floats on the extensive form"),
        ("kuhn", "cfr+", Request(form="strategic"), UsageError, "use a method such as lp or lcp"),
        ("kuhn", "dcfr", Request(target=1e-18), UsageError, "--target 1e-18: rounding hides exploitabilities below"),
        ("kuhn", "dcfr", Request(target=-1.0), UsageError, "--target is -1.0: give an exploitability above 0"),
        ("kuhn", "dcfr", Request(target=float("inf")), UsageError, "--target is inf: give a finite exploitability"),
        ("beer", "linear", Request(), LiarsDiceError, "linear needs a constant-sum game of two players; try --method lcp"),
        ("horse", "pcfr+", Request(), LiarsDiceError, "needs a constant-sum game of two players; try --method auto"),
        ("beer", "auto", Request(iterations=9), UsageError, "only minimisers take --iterations, and they need"),
        ("kuhn", "mirror-descent", Request(tremble=0.1), UsageError, "mirror-descent takes no --tremble"),
        ("horse", "auto", Request(tremble=0.1), UsageError, "only minimisers take --tremble"),
        ("forgetful", "auto", Request(iterations=9), UsageError, "two players with perfect recall: leave it out"),
        ("forgetful", "pdcfr+", Request(), LiarsDiceError, "pdcfr+ needs perfect recall, and a player forgets here"),
    ],
)
def test_unsupported_requests_are_refused(
    game: str, method: str, request_: Request, error: type[LiarsDiceError], message: str
) -> None:
    with pytest.raises(error) as caught:
        solve(GAMES[game](), method, request_)
    assert isinstance(caught.value, error)
    assert message in worded(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", ["exact", "backward"])
def test_reaching_the_time_limit_is_not_an_error(method: str) -> None:
    tree = sample("take-away-7")
    late = solve(tree, method, Request(time_limit=1e-9))
    assert (late.finished, late.solved, late.subgame_perfect, late.exact) == (False, (), None, False)
    assert late.note.startswith("stopped at the time limit")
    done = solve(tree, method, Request(time_limit=60, max_profiles=5))
    assert (done.finished, done.exact, len(done.solved)) == (True, True, 1)


ODD_LABELS = f"""EFG 2 R "say \\"p\\"" {{ "Chance" "" }} "comment"
c "n" 7 "dice" {{ "" 1/3 "" 2/3 }} 0
p "n" 1 -4 "same" {{ "Chance" "Chance" "é {{" }} 0
t "" -3 "won" {{ 1 -1 }}
t "" 5 "won" {{ -1 1 }}
t "" 9 "" {{ 0 0 }}
p "n" 1 {2**31 - 1} "same" {{ "" "" }} 0
p "" 2 0 "" {{ "a" "a" }} 0
t "" 5
t "" -3
p "" 2 0 0
t "" -3
t "" 5
"""


def test_labels_and_numbers_survive_the_round_trip_through_gambit() -> None:
    tree = efg.parse(ODD_LABELS.encode())
    (solved,) = solve(tree, "lp").solved
    assert solved.judgement.is_equilibrium
    assert solved.judgement.payoffs == (Fraction(1, 3), Fraction(-1, 3))
    half = [Fraction(1, 2)] * 2
    assert [solved.profile.at(row) for row in np.flatnonzero(tree.infosets.player != CHANCE)] == [[1, 0, 0], half, half]


def test_several_chance_nodes_may_share_a_set() -> None:
    """A file may put several chance nodes in one set, which Gambit takes for imperfect recall."""
    staged = efg.dumps(stream(rules("common", 2), "staged"))
    tree = efg.parse(staged.replace(b'c "" 3 ', b'c "" 2 '))
    assert np.count_nonzero(tree.player == CHANCE) == 3 > np.count_nonzero(tree.infosets.player == CHANCE)
    (solved,) = solve(tree, "lp").solved
    assert solved.judgement.is_equilibrium
    assert solved.judgement.payoffs == (Fraction(1, 2), Fraction(1, 2))


def test_staged_dealing_has_a_chance_set_for_every_node() -> None:
    tree = build(rules("common", 2, (1, 1, 1), max_quantity=1), "staged")
    assert np.count_nonzero(tree.player == CHANCE) == 7 == np.count_nonzero(tree.infosets.player == CHANCE)


SHORT = f"""{HEAD}
p "" 2 1 "" {{ "x" "y" "z" }} 0
p "" 1 1 "" {{ "l" "r" }} 0
t "" 2 "" {{ -1 1 }}
t "" 1 "" {{ 0 0 }}
c "" 1 "" {{ "a" 1/3 "b" 2/3 }} 0
t "" 3 "" {{ 1 -1 }}
t "" 2
t "" 1
"""


def test_gambits_solution_is_an_equilibrium_despite_omitted_sets() -> None:
    solution = solve(efg.parse(SHORT.encode()), "lp")
    assert solution.exact
    assert solution.solved[0].judgement.payoffs == (Fraction(-1, 3), Fraction(1, 3))
    assert solution.solved[0].judgement.regrets == (0, 0)


def test_distributions_that_add_up_to_less_than_1_are_scaled_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gambit 16's exact lp plays r with 2/3, which is enough to keep player 2 from x, and never plays l, the worse action.

    Scaled to 1, this is an equilibrium. Equal probabilities, the default for omitted sets, would let player 2 gain.
    """
    tree = efg.parse(SHORT.encode())
    answered: gambit.RawProfile = {
        1: (Fraction(0), Fraction(2, 3)),
        0: (Fraction(0), Fraction(1), Fraction(0)),
    }
    found = gambit.GambitRun((answered,), finished=True, seconds=0.0, arithmetic="rational", form="extensive")
    monkeypatch.setattr(gambit, "run", lambda *_, **__: found)
    solution = solve(tree, "lp")
    assert solution.exact
    assert solution.solved[0].judgement.payoffs == (Fraction(-1, 3), Fraction(1, 3))
    assert solution.solved[0].profile.at(1) == [0, 1]
    assert solution.note == "1 distribution(s) that added up to less than 1 were scaled up"


@pytest.mark.parametrize(
    ("numbers", "filled"),
    [
        ([Fraction(1, 3), Fraction(1, 6)], [Fraction(2, 3), Fraction(1, 3)]),
        ([Fraction(0), 1 - Fraction(1, 10**40)], [0, 1]),
        ([0.25, 0.25], [0.5, 0.5]),
        ([Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 4), Fraction(3, 4)]),
        ([Fraction(0), Fraction(0)], [0, 0]),
        ([0.6, 0.6], [0.6, 0.6]),
    ],
)
def test_only_nonzero_distributions_below_1_are_scaled_up(
    numbers: list[Fraction | float], filled: list[Fraction | float]
) -> None:
    assert by_gambit._filled_up({5: tuple(numbers)})[5] in (filled, tuple(filled))  # type: ignore[dict-item]


def changed(tree: GameTree, profile: Profile, rows: list[int], seed: int) -> Profile:
    """Return the profile with other probabilities at these sets."""
    chosen, probabilities = random.Random(seed), profile.probabilities.copy()
    for row in rows:
        weights = [chosen.randrange(1, 9) for _ in range(tree.action_counts[row])]
        actions = slice(tree.first_action[row], tree.first_action[row + 1])
        probabilities[actions] = [Fraction(weight, sum(weights)) for weight in weights]
    return Profile(tree, probabilities, profile.source)


def out_of_own_reach(tree: GameTree, profile: Profile) -> list[int]:
    """Return the sets that their player's own actions never reach, whatever the others do."""
    found = []
    for player in range(len(tree.players)):
        before = sets_before(tree, player)
        plan = realization(tree, profile.probabilities, before, player)
        found += np.flatnonzero((tree.infosets.player == player) & (plan[before] == 0)).tolist()
    return found


def verdict(tree: GameTree, profile: Profile) -> tuple[object, object]:
    judgement = judge(profile)
    return judgement.payoffs, judgement.regrets


recalling = games(names=st.just(""), payoffs=small_fractions, most_nodes=35, perfect_recall=True)


@pytest.mark.slow
@examples(150)
@given(game=recalling, seed=st.integers(0, 999))
def test_completing_a_profile_changes_no_payoff_and_no_regret(game: Game, seed: int) -> None:
    tree = tree_of(game)
    profile = random_profile(tree, seed, given=2 / 3)
    completed = complete(profile)
    assert verdict(tree, completed) == verdict(tree, profile)
    away = out_of_own_reach(tree, profile)
    best = np.flatnonzero(completed.source == BEST).tolist()
    assert set(best) <= set(away)
    assert all(profile.source[row] == EQUAL for row in best)
    kept = (completed.source == profile.source)[tree.action_infoset]
    assert completed.probabilities[kept].tolist() == profile.probabilities[kept].tolist()
    assert verdict(tree, changed(tree, completed, away, seed)) == verdict(tree, profile)


def worth(tree: GameTree, profile: Profile, player: int, strategy: tuple[int, ...], through: int) -> Fraction:
    """Return a pure strategy's payoff from the plays through an action, against the profile, by enumeration."""
    total = Fraction(0)
    inner = set(tree.parent.tolist())
    for end in range(tree.nodes):
        if end in inner:
            continue
        node, weight, payoff, actions = end, Fraction(1), Fraction(0), []
        while node != NONE:
            if tree.outcome[node] != NONE:
                payoff += tree.outcomes[tree.outcome[node]].payoffs[player]
            if node:
                action = int(tree.action[node])
                actions.append(action)
                weight *= int(action in strategy) if tree.action_player[action] == player else profile.probabilities[action]
            node = int(tree.parent[node])
        if through in actions:
            total += weight * payoff
    return total


@examples(150)
@given(game=games(names=st.just(""), payoffs=small_fractions, most_nodes=22, perfect_recall=True), seed=st.integers(0, 999))
def test_sets_marked_as_best_responses_hold_best_responses(game: Game, seed: int) -> None:
    """At a marked set, no strategy gains more than the best strategy that takes the action of the profile."""
    tree = tree_of(game)
    completed = complete(random_profile(tree, seed, given=2 / 3))
    for row in np.flatnonzero(completed.source == BEST).tolist():
        numbers, player = completed.at(row), int(tree.infosets.player[row])
        assert sorted(numbers) == [0] * (len(numbers) - 1) + [1]
        gains = [
            max(worth(tree, completed, player, plan, action) for plan in strategies(tree, player) if action in plan)
            for action in range(tree.first_action[row], tree.first_action[row + 1])
        ]
        assert gains.index(max(gains)) == numbers.index(1)


def test_completion_marks_in_a_small_game() -> None:
    """Player 1 stays out: player 1's later action is a best response, and player 2's unreached set stays uniform."""
    tree = efg.parse(
        f"""{HEAD}p "" 1 1 "" {{ "out" "in" }} 0 t "" 1 "" {{ 5 0 }} p "" 1 2 "" {{ "l" "r" }} 0 t "" 2 "" {{ 1 0 }}
        p "" 2 1 "" {{ "x" "y" }} 0 t "" 3 "" {{ 3 1 }} t "" 4 "" {{ 2 2 }}""".encode()
    )
    completed = complete(from_sets(tree, {0: [Fraction(1), Fraction(0)]}))
    assert completed.source.tolist() == [GIVEN, BEST, EQUAL]
    assert completed.at(1) == [0, 1]
    assert completed.at(2) == [Fraction(1, 2), Fraction(1, 2)]
    assert all(isinstance(number, Fraction) for number in completed.probabilities.tolist())


def test_floats_are_completed_in_floats() -> None:
    tree = sample("outside-option")
    completed = complete(from_sets(tree, {0: [0.0, 1.0] if tree.action_counts[0] == 2 else [1.0]}))
    assert completed.probabilities.dtype == np.float64


@pytest.mark.slow
@examples(120)
@given(game=constant_sum_games(40), seed=st.integers(0, 999))
def test_payoffs_do_not_depend_on_sets_that_the_exact_method_leaves_open(game: Game, seed: int) -> None:
    tree = tree_of(game)
    (solved,) = solve(tree, "exact").solved
    open_sets = np.flatnonzero(solved.profile.source != GIVEN).tolist()
    assert set(open_sets) <= set(out_of_own_reach(tree, solved.profile))
    assert verdict(tree, changed(tree, solved.profile, open_sets, seed)) == (solved.judgement.payoffs, (0, 0))


@pytest.mark.parametrize(
    ("name", "method"),
    [("liars-dice-2-sides", "lp"), ("outside-option", "enumpure"), ("beer-quiche", "enummixed"), ("kuhn-poker", "lcp")],
)
def test_payoffs_do_not_depend_on_unreached_sets_of_gambits_profiles(name: str, method: str) -> None:
    tree = sample(name)
    solution = solve(tree, method)
    assert solution.exact
    for seed, one in enumerate(solution.solved):
        away = out_of_own_reach(tree, one.profile)
        assert verdict(tree, changed(tree, one.profile, away, seed)) == (one.judgement.payoffs, one.judgement.regrets)
        assert set(np.flatnonzero(one.profile.source == BEST).tolist()) <= set(away)


def test_profiles_of_games_without_perfect_recall_are_not_completed() -> None:
    tree = sample("absent-minded-driver")
    assert not has_perfect_recall(tree)
    profile = from_sets(tree, {})
    assert complete(profile).source.tolist() == profile.source.tolist()


def test_auto_solves_constant_sum_and_perfect_information_samples_exactly() -> None:
    quick: list[Path] = [path for path in SAMPLES if path.name not in ("absent-minded-driver.efg", "liars-dice-3-sides.efg")]
    taken = {path.name: chosen(efg.parse(path.read_bytes()), Request())[0] for path in quick}
    assert {"backward", "quasi-perfect", "lcp", "enumpure"} == set(taken.values())
    for path in quick:
        if taken[path.name] in ("backward", "quasi-perfect"):
            assert solve(efg.parse(path.read_bytes())).exact

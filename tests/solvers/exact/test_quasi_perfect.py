"""Quasi-perfect equilibria of textbook games, poker, Liar's Dice and random games; refusals."""

from __future__ import annotations

import runpy
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given

from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.profile import GIVEN
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import RefinedJudgement, possible_sets
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.exact import iterative_refinement, quasi_perfect
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.exact.reduction import _Elimination
from liarsdice_cli.solvers.solution import EvaluatedProfile
from tests.support.command_line import ROOT
from tests.support.properties import examples, mostly_slow
from tests.support.random_games import Game, constant_sum_games, tree_of
from tests.support.solving import solve

POKER = runpy.run_path(str(ROOT / "sample_games" / "poker.py"))


def test_a_proof_survives_the_time_limit_of_the_preferred_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise TimeLimitError("too late")

    monkeypatch.setattr(quasi_perfect.selection, "preferred", late)
    assert refined(build(rules("common", 2))).judgement.payoffs[0] > 0


def refined(tree: GameTree) -> EvaluatedProfile:
    """Return the profile; check that it is proved, and complete at every set that chance can reach."""
    solved = quasi_perfect.solve(tree)
    assert solved.judgement.is_equilibrium
    assert isinstance(solved.judgement, RefinedJudgement)
    assert solved.judgement.quasi_perfect
    given_sets = solved.in_tree.source == GIVEN
    assert np.array_equal(given_sets, possible_sets(tree) | (tree.infosets.player == CHANCE))
    return solved


def poker(name: str, ranks: int) -> GameTree:
    text = "\n".join(POKER["lines"](POKER[name](ranks)))
    return efg.parse(text.encode())


def sample(name: str) -> GameTree:
    return efg.read(str(ROOT / "sample_games" / f"{name}.efg"))


def liars(preset: str, sides: int, dice: tuple[int, ...] = (1, 1)) -> GameTree:
    return build(rules(preset, sides, dice))


def probability(tree: GameTree, solved: EvaluatedProfile, label: str, action: str) -> Fraction:
    row = list(tree.infosets.labels).index(label)
    found = solved.in_tree.at(row)[tree.actions_at(row).labels.index(action)]
    assert isinstance(found, Fraction)
    return found


# Games from the literature


def test_player_2_does_not_guess_the_ace_after_a_mistaken_offer() -> None:
    """A game of Miltersen and Sorensen: player 1 ends the game, and in some equilibria player 2 would guess the ace."""
    tree = sample("guess-the-ace")
    solved = refined(tree)
    assert (probability(tree, solved, "P1", "end"), solved.judgement.payoffs) == (1, (0, 0))
    assert probability(tree, solved, "P2, after the offer", "another") == 1


def test_gambits_logit_path_ends_at_the_same_guess() -> None:
    tree = sample("guess-the-ace")
    found = solve(tree, "logit").best.in_tree
    assert float(found.at(list(tree.infosets.labels).index("P2, after the offer"))[1]) > 1 - 1e-3


def test_an_action_that_is_better_only_after_a_mistake_is_taken() -> None:
    """Both actions of A have the value 0 against a best response; if B errs, the first one wins."""
    text = (
        'EFG 2 R "slip" { "A" "B" } p "" 1 1 "" { "daring" "safe" } 0 p "" 2 1 "" { "take" "err" } 0 '
        't "" 1 "" { 0 0 } t "" 2 "" { 1 -1 } t "" 3 "" { 0 0 }'
    )
    tree = efg.parse(text.encode())
    assert refined(tree).in_tree.probabilities.tolist() == [1, 0, 1, 0]


def test_kuhn_poker_has_its_known_value() -> None:
    tree = sample("kuhn-poker")
    solved = refined(tree)
    assert solved.judgement.payoffs[0] == Fraction(-1, 18)


@pytest.mark.slow
def test_leduc_poker_has_its_published_value() -> None:
    """Published as about -0.0856, for example with OpenSpiel. With six different cards the tree has 9,457 nodes."""
    tree = poker("leduc", 3)
    assert (tree.nodes, np.count_nonzero(tree.infosets.player == 0)) == (1939, 144)
    assert abs(float(refined(tree).judgement.payoffs[0]) + 0.0856064) < 1e-7


@pytest.mark.parametrize(("name", "ranks"), mostly_slow([("kuhn", 8), ("leduc", 4), ("leduc", 5), ("leduc", 9), ("kuhn", 13)]))
def test_poker_of_other_sizes_has_its_exact_value(name: str, ranks: int) -> None:
    tree = poker(name, ranks)
    assert refined(tree).judgement.payoffs[0] == exact.solve(tree)[0].judgement.payoffs[0]


# Liar's Dice

PRESETS = ("classic", "common", "joker", "top-wild", "face-first", "ones-low", "dudo")
GAMES = [(preset, sides) for preset in PRESETS for sides in (2, 3)] + [("common", 4), ("joker", 4), ("joker", 5)]
LARGE = [("top-wild", 4), ("joker", 6), ("common", 5), ("top-wild", 5), ("common", 6)]


@pytest.mark.parametrize(
    ("preset", "sides"), mostly_slow(GAMES) + [pytest.param(*game, marks=pytest.mark.slow) for game in LARGE]
)
def test_liars_dice_has_its_value_and_no_dominated_action_anywhere(preset: str, sides: int) -> None:
    tree = liars(preset, sides)
    solved = refined(tree)
    assert solved.judgement.payoffs[0] == exact.solve(tree)[0].judgement.payoffs[0]
    assert_nothing_dominated(tree, solved)


@pytest.mark.parametrize(
    ("preset", "sides", "dice"),
    mostly_slow([("dudo", 2, (1, 2)), ("top-wild", 2, (2, 2)), ("ones-low", 3, (1, 2)), ("joker", 3, (2, 2))]),
)
def test_games_with_sets_of_value_0_are_solved(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    """In a zero-sum game the value of a set may be 0, and then the slack of its row may stay in the basis."""
    tree = build(rules(preset, sides, dice, payoffs="zero-sum"))
    assert isinstance(refined(tree).judgement, RefinedJudgement)


def assert_nothing_dominated(tree: GameTree, solved: EvaluatedProfile) -> None:
    """Check that every set takes only sure wins if it has any, and no sure losses if it has other actions."""
    search = _Elimination(tree, exact.ends(tree))
    won, lost = search._label()
    size = search._set_sizes()
    played = solved.in_tree.probabilities != 0
    for row, (start, stop) in enumerate(pairwise(tree.first_action.tolist())):
        if tree.infosets.player[row] == CHANCE:
            continue
        wins, loses = (count[start:stop] == size[row] for count in (won, lost))
        if wins.any():
            assert not np.any(played[start:stop] & ~wins), tree.label_of(row)
        if not loses.all():
            assert not np.any(played[start:stop] & loses), tree.label_of(row)


def test_the_exact_method_takes_dominated_actions() -> None:
    """The exact method promises nothing after mistakes. This shows that the check above can fail."""
    tree = liars("joker", 4)
    with pytest.raises(AssertionError, match=r"P\d roll"):
        assert_nothing_dominated(tree, exact.solve(tree)[0])


@pytest.mark.slow
def test_two_dice_against_one_have_their_known_value() -> None:
    tree = liars("common", 3, (2, 1))
    assert refined(tree).judgement.payoffs[0] == Fraction(5, 9)


# Any game


@examples(60)
@given(constant_sum_games())
def test_random_constant_sum_games_have_their_exact_value(game: Game) -> None:
    tree = tree_of(game)
    assume(has_perfect_recall(tree) and len(tree.players) == 2)
    assert refined(tree).judgement.payoffs[0] == exact.solve(tree)[0].judgement.payoffs[0]


def test_failures_of_highs_are_retried_with_other_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([True, False, False])
    run = iterative_refinement.run
    monkeypatch.setattr(iterative_refinement, "run", lambda highs, deadline: run(highs, deadline) and next(answers, True))
    assert refined(liars("common", 3)).judgement.payoffs[0] == Fraction(4, 9)


def test_repeated_failures_of_highs_raise_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterative_refinement, "run", lambda highs, deadline: False)
    with pytest.raises(LiarsDiceError, match="no tremble that was tried leads to a proof"):
        quasi_perfect.solve(liars("common", 2))


@pytest.mark.parametrize("name", ["beer-quiche", "seltens-horse"])
def test_general_sum_and_three_player_games_are_refused(name: str) -> None:
    with pytest.raises(LiarsDiceError, match="quasi-perfect needs a constant-sum game of two players"):
        quasi_perfect.solve(sample(name))


def test_the_time_limit_is_respected() -> None:
    with pytest.raises(TimeLimitError, match="stopped at the time limit"):
        quasi_perfect.solve(liars("common", 4), 1e-6)


def test_payoffs_too_far_apart_for_floats_are_refused() -> None:
    huge = 10**400
    tree = efg.parse(
        f"""EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "H" "T" }} 0 p "" 2 1 "" {{ "h" "t" }} 0
        t "" 1 "" {{ {huge} -{huge} }} t "" 2 "" {{ -1 1 }} p "" 2 1 0 t "" 2 t "" 3 "" {{ 1 -1 }}""".encode()
    )
    with pytest.raises(LiarsDiceError, match="use payoffs of similar size"):
        quasi_perfect.solve(tree)

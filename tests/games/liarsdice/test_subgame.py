"""Subgames: beliefs that are given, by Bayes' rule or of fair dice; restricted bids; refusals."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.public import public_game, public_subgame
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.games.liarsdice.subgame import BAYES, GIVEN, PRIOR, subgame
from liarsdice_cli.games.liarsdice.tree import Counts


class _Honest:
    """A strategy that opens 1x1 exactly with a 1, never opens 2x2, and is otherwise uniform after the opening."""

    def __init__(self, game: Rules) -> None:
        self.rules = game

    def at(self, history: list[int]) -> Floats:
        said = Uniform(self.rules).at(history).copy()
        if not history:
            said[:] = [[1, 0], [0, 0.5], [0, 0.5], [0, 0]]
        return said


TWO = rules("common", 2)


def test_beliefs_are_those_of_fair_dice_by_default() -> None:
    rest = subgame(rules("common", 6, (2, 1)), "1x2 2x3")
    assert (rest.source, rest.mover, [len(one) for one in rest.beliefs]) == (PRIOR, 0, [21, 6])
    assert [one.sum() for one in rest.beliefs] == pytest.approx([1, 1])
    assert rest.beliefs[1].tolist() == pytest.approx([1 / 6] * 6)


def test_a_strategy_gives_beliefs_by_bayes_rule() -> None:
    rest = subgame(TWO, "1x1", _Honest(TWO))
    assert (rest.source, rest.beliefs[0].tolist(), rest.beliefs[1].tolist()) == (BAYES, [1, 0], [0.5, 0.5])
    silent = "so it gives no beliefs about the rolls after 2x2: give bids that it makes, or another strategy$"
    with pytest.raises(LiarsDiceError, match=f"^P1 never makes these bids in this strategy, {silent}"):
        subgame(TWO, "2x2", _Honest(TWO))


def test_given_beliefs_are_normalised_and_the_others_stay_fair() -> None:
    three = rules("joker", 3, (2, 1, 1))
    rest = subgame(three, ["1x2"], {1: {(3, 2): 2.0, (1, 1): 6.0}, 3: [1, 1, 2]})
    assert rest.source == GIVEN
    assert dict(zip([roll for roll, _ in three.rolls(0)], rest.beliefs[0].tolist(), strict=True))[2, 3] == 0.25
    assert rest.beliefs[1].tolist() == pytest.approx([1 / 3] * 3)
    assert rest.beliefs[2].tolist() == [0.25, 0.25, 0.5]
    assert subgame(TWO, "1x1", {1: [1e308, 1e308]}).beliefs[0].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("history", "beliefs", "words"),
    [
        ("1x1 1x1", None, "1x1 cannot follow 1x1"),
        ("3x1", None, "not a bid of these rules"),
        ("2x2", None, "a call is the only action"),
        ("1x1", {3: {(1,): 1.0}}, "the players are P1 to P2"),
        ("1x1", {1: {(3,): 1.0}}, r"P1 has no roll '\(3,\)': give one such as 2$"),
        ("1x1", {1: [1.0]}, "give 2 numbers"),
        ("1x1", {2: [0.0, 0.0]}, "not all 0"),
        ("1x1", {2: [float("nan"), 1.0]}, "weights of 0 or more"),
        ("1x1", {2: [-1.0, 2.0]}, "weights of 0 or more"),
        ("1x1", {2: [1j, 2.0]}, "give real numbers"),
        ("1x1", {2: {(1,): 1j}}, "give real numbers"),
        ("1x1", {2: {1: 0.5}}, "P2 has no roll"),
        ([-2], None, "numbers of bids from 0 to 3"),
        ([99], None, "numbers of bids from 0 to 3"),
    ],
)
def test_an_invalid_subgame_is_refused(history: str | list[int], beliefs: dict[int, list[float]] | None, words: str) -> None:
    with pytest.raises((UsageError, LiarsDiceError), match=words):
        subgame(TWO, history, beliefs)


@pytest.mark.parametrize("bids", [[0], [3, 2], [2, 2], [-1], [99]])
def test_bids_that_may_not_be_made_any_more_are_refused(bids: list[int]) -> None:
    with pytest.raises(UsageError, match="numbers of bids that may still be made, rising"):
        subgame(TWO, "1x1", bids=bids)
    assert subgame(TWO, "1x1", bids=[1, 3]).bids == (1, 3)


@pytest.mark.parametrize("bids", [[], [4, 5]])
def test_bids_of_which_none_can_open_are_refused(bids: list[int]) -> None:
    with pytest.raises(UsageError, match=r"^bids=.*: none of these can open: include one that can, such as 0 \(1x2\)"):
        subgame(rules("perudo", 3), bids=bids)


def test_beliefs_of_a_strategy_for_other_rules_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^beliefs come from a strategy for common rules, 3 .* not for common rules, 2 sides"):
        subgame(TWO, "1x1", Uniform(rules("common", 3)))


def test_two_weights_for_one_roll_are_refused() -> None:
    with pytest.raises(UsageError, match="has two weights"):
        subgame(rules("common", 2, (2, 1)), "1x1", {1: {(1, 2): 1, (2, 1): 5}})


def test_impossible_bids_are_left_out_and_rows_are_extended_to_all_actions() -> None:
    classic = rules("classic", 4)
    rest = subgame(classic, "1x3")
    assert [str(classic.bids[bid]) for bid in rest.bids] == ["1x4", "2x1", "2x2", "2x3", "2x4"]
    rows = np.arange(6.0)[:, None] + np.zeros(4)
    spread = rest.with_all_actions(rest.history, rows, fill=-1)
    assert spread[:, 0].tolist() == [0, 1, 2, 3, 4, 5] + [-1] * 8
    assert len(spread) == len(BettingState(classic, rest.history).actions)
    assert rest.local_history([2, 5]) == (3,)
    for stranger, words in (([1], "1x2 is not in the subgame after 1x3: give"), ([2, 8], "leaves out the bid 3x1: give")):
        with pytest.raises(LiarsDiceError, match=words):
            rest.local_history(stranger)


def test_the_subgame_from_the_opening_is_the_whole_game() -> None:
    game = rules("ones-low", 3, (2, 1))
    whole, rest = public_game(game), public_subgame(subgame(game))
    assert (rest.bids, rest.first, rest.last) == (whole.bids, 0, -1)
    assert [one.tolist() for one in rest.rolls] == [one.tolist() for one in whole.rolls]
    assert Counts.of_subgame(subgame(game)) == Counts.of(game, "multiset")


def test_counts_agree_with_plain_recursion() -> None:
    rest = subgame(rules("common", 2, (1, 1, 1)), "1x2 2x1", {2: [0, 1]})
    sets, nodes = [0, 0, 0], [0, 0]

    def walk(last: int, mover: int) -> None:
        sets[mover] += int(np.count_nonzero(rest.beliefs[mover]))
        nodes[0] += 4
        nodes[1] += 4
        for bid in rest.bids:
            if bid > last:
                walk(bid, (mover + 1) % 3)

    walk(rest.history[-1], rest.mover)
    counts = Counts.of_subgame(rest)
    assert (counts.infosets, [counts.decision_nodes, counts.terminal_nodes]) == (tuple(sets), nodes)


def test_a_different_belief_gives_a_different_game() -> None:
    one, other = subgame(TWO, "1x1"), subgame(TWO, "1x1", {1: [1, 2]})
    assert public_subgame(one).name != public_subgame(other).name
    assert public_subgame(one).name == public_subgame(subgame(TWO, "1x1")).name

"""Test matches in which a right spot-on wins back a die, against truncated matches and against Markov chains."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.table import Table, rounds_of
from liarsdice_cli.studies import endless
from liarsdice_cli.studies.endless import play
from liarsdice_cli.studies.intervals import Interval
from liarsdice_cli.studies.match_of_more import SolvedRound, match_of_more
from tests.support.command_line import assert_refused, document, run_here
from tests.support.match_tree import End, MatchTree, Round

GAINS = MatchRules(spot_on_gains=True)


class Truncated(MatchTree):
    """A match as one tree, cut off after some rounds, where it pays player 1 `cut`."""

    endings = ("call", "spot-on")

    def __init__(self, game: Rules, rounds: int, cut: int, palifico: bool = False) -> None:
        super().__init__()
        self.game, self.rounds, self.cut, self.palifico = game, rounds, cut, palifico
        self._start(game.dice, 0, False, ())

    def _start(self, dice: tuple[int, ...], first: int, last_die: bool, past: tuple[object, ...]) -> None:
        """Add a round that player `first` opens; `last_die` says whether that player has just lost all dice but one."""
        if len(past) == self.rounds:
            self._win(0 if self.cut else 1)
            return
        seated = self.game.with_dice((dice[first], dice[1 - first]))
        self._round(Round(seated.palifico() if self.palifico and last_die else seated, dice, first), past)

    def _after(self, played: Round, end: End, past: tuple[object, ...]) -> None:
        held, player = list(played.dice), end.player
        surplus = sum(played.rules.matching(roll, end.bid.face) for roll in end.rolls) - end.bid.quantity
        if end.action == "spot-on" and surplus == 0:
            held[player] = min(held[player] + 1, self.game.dice[player])
            self._start(tuple(held), player, False, past)
            return
        loser = player if surplus >= 0 or end.action == "spot-on" else 1 - player
        held[loser] -= 1
        if 0 in held:
            self._win(held.index(max(held)))
        else:
            self._start(tuple(held), loser, held[loser] == 1, past)


def swept(start: Table, sweeps: int) -> Interval:
    """Return the bounds after sweeps in which every state uses the bounds of the sweep before."""
    states = endless._states([start], "loser")
    values = dict.fromkeys(states, Interval(Fraction(0), Fraction(1)))
    for _ in range(sweeps):
        values = {state: endless.swept(state, following, values) for state, following in states.items()}
    return values[start]


def same(one: Fraction, other: Fraction) -> bool:
    """Return whether two fractions are equal up to the grid on which bounds are kept."""
    return abs(one - other) <= Fraction(4, 1 << 40)


CUT = [("common", 2, (1, 1), 1), ("joker", 3, (1, 1), 1), ("joker", 2, (2, 1), 1)]
CUT_LATER = [("joker", 3, (1, 1), 2), ("common", 2, (1, 1), 2), ("common", 2, (1, 2), 1)]


@pytest.mark.parametrize(
    ("name", "sides", "dice", "rounds"), [*CUT, *(pytest.param(*one, marks=pytest.mark.slow) for one in CUT_LATER)]
)
def test_sweeps_equal_the_truncated_match(name: str, sides: int, dice: tuple[int, int], rounds: int) -> None:
    game = rules(name, sides, dice, spot_on=True)
    found = swept(Table.start(game, GAINS), rounds)
    assert same(found.lower, Truncated(game, rounds, cut=0).value())
    assert same(found.upper, Truncated(game, rounds, cut=1).value())


@pytest.mark.slow
def test_sweeps_equal_the_truncated_match_with_palifico() -> None:
    game = rules("joker", 2, (2, 1), spot_on=True)
    found = swept(Table.start(game, MatchRules(palifico=True, spot_on_gains=True)), 2)
    assert same(found.lower, Truncated(game, 2, cut=0, palifico=True).value())


def chain(start: Table, values, share: float) -> float:
    """Return the probability that seat 0 wins if both play fixed strategies in every round, by a linear system over the states.

    Both act uniformly at random, but call with a probability of `share` or more, so their matches end.
    """
    states = list(values)
    matrix, right = np.eye(len(states)), np.zeros(len(states))
    for row, state in enumerate(states):
        for following, chance in ends_of(state, share):
            if following.is_settled:
                right[row] += chance * (following.dice_left[0] > 0)
            else:
                matrix[row, states.index(following)] -= chance
    return float(np.linalg.solve(matrix, right)[states.index(start)])


def ends_of(state: Table, share: float):
    """Yield the tables that follow a round with their probabilities, by plain recursion over dice and bids."""
    game = state.rules
    for (one, first), (other, second) in product(game.rolls(0), game.rolls(1)):
        yield from _bidding(state, (one, other), float(first * second), share)


def _bidding(state: Table, rolls, chance: float, share: float):
    betting = BettingState(state.rules, state.history)
    if betting.is_terminal:
        ended = state.showdown(rolls)
        yield (ended if ended.is_over else ended.next_round()), chance
        return
    actions = list(betting.actions)
    weights = {action: (1 - share) / len(actions) for action in actions}
    weights[CALL if CALL in weights else actions[0]] += share
    for action in actions:
        yield from _bidding(state.act(action), rolls, chance * weights[action], share)


ENDING = [((1, 1), 0.7), *(pytest.param(*one, marks=pytest.mark.slow) for one in [((1, 1), 0.2), ((2, 1), 0.7)])]


@pytest.mark.parametrize(("dice", "share"), ENDING)
def test_best_responses_to_strategies_that_end_matches_enclose_the_value(dice: tuple[int, int], share: float) -> None:
    """Against any fixed strategy, a best response does at least as well as the value."""
    game = rules("common", 2, dice, spot_on=True)
    start = Table.start(game, GAINS)
    found = play([start], "loser")
    fixed = chain(start, found.values, share)
    assert 0 < fixed < 1
    against = [best_response(start, found.values, share, player) for player in (0, 1)]
    assert against[0] >= float(found.values[start].lower) - 1e-6
    assert against[1] <= float(found.values[start].upper) + 1e-6
    assert against[1] - 1e-6 <= fixed <= against[0] + 1e-6


def best_response(start: Table, values, share: float, player: int) -> float:
    """Return the probability that seat 0 wins if `player` plays a best response in every state, by value iteration."""
    worth = dict.fromkeys(values, 0.5)
    for _ in range(30):
        worth = {state: _answered(state, worth, share, player) for state in worth}
    return worth[start]


def _answered(state: Table, worth, share: float, player: int) -> float:
    game, seat = state.rules, state.seats.index(player)
    own, others = game.rolls(seat), game.rolls(1 - seat)

    def ended(table: Table, rolls) -> float:
        after = table.showdown(rolls)
        return float(after.dice_left[0] > 0) if after.is_over else worth[after.next_round()]

    def value(table: Table, roll, reach: np.ndarray) -> float:
        betting = BettingState(game, table.history)
        if betting.is_terminal:
            pairs = [(roll, other) if seat == 0 else (other, roll) for other, _ in others]
            return float(sum(chance * ended(table, rolls) for chance, rolls in zip(reach, pairs, strict=True)))
        actions = list(betting.actions)
        if betting.mover == seat:
            found = [value(table.act(action), roll, reach) for action in actions]
            return max(found) if player == 0 else min(found)
        weights = {action: (1 - share) / len(actions) for action in actions}
        weights[CALL if CALL in weights else actions[0]] += share
        return sum(value(table.act(action), roll, reach * weights[action]) for action in actions)

    prior = np.array([float(chance) for _, chance in others])
    return sum(float(chance) * value(state, roll, prior) for roll, chance in own)


def test_each_sweep_shrinks_the_gap_by_a_factor() -> None:
    gaps = play([Table.start(rules("common", 2, (1, 1), spot_on=True), GAINS)], "loser").gaps
    factors = [float(after / before) for before, after in pairwise(gaps)]
    assert max(factors) < 0.3
    assert gaps[-1] <= endless.TARGET


def test_if_every_claim_is_right_sweeps_stop_at_trivial_bounds() -> None:
    """With two sides under joker rules every die counts for the only face, so both players know the count and never lose."""
    start = Table.start(rules("joker", 2, (1, 1), spot_on=True), GAINS)
    found = play([start], "loser")
    assert found.values[start] == (0, 1)
    assert len(found.gaps) == 2


@pytest.mark.slow
def test_winning_a_die_back_changes_the_value() -> None:
    without = ld.match("common", 2, (2, 2), spot_on=True)
    found = ld.match("common", 2, (2, 2), spot_on=True, spot_on_gains=True)
    lower, upper = found.won_by_first(2, 2, 1)
    assert upper - lower <= endless.TARGET
    assert not lower <= without.won_by_first(2, 2, 1).lower <= upper


def test_a_right_claim_wins_back_a_die_on_the_table() -> None:
    game = rules("common", 6, (2, 2, 2), spot_on=True)
    table = Table(game, (2, 1, 2), match_rules=GAINS)
    bid = game.bids.index((1, 4))
    claimed = table.act(bid).act(SPOT_ON)
    right, wrong = claimed.showdown([(1, 4), (5,), (5, 5)]), claimed.showdown([(4, 4), (5,), (5, 5)])
    assert (right.loser, right.gainer, right.dice_left, right.is_over) == (None, 1, (2, 2, 2), False)
    assert (wrong.loser, wrong.dice_left) == (1, (2, 0, 2))
    following = right.next_round()
    assert (following.dice, following.opener, following.gainer, following.is_palifico) == ((2, 2, 2), 1, None, False)
    full = replace(claimed, dice=(2, 2, 2)).gain(1)
    assert full.dice_left == (2, 2, 2)


@pytest.mark.parametrize("options", [["--spot-on-gains"], ["--spot-on", "--spot-on-gains", "--dice", "1,1,1"]])
def test_unsupported_matches_are_refused(options: list[str]) -> None:
    assert_refused(run_here("match", "--dice", "1,1", *options), code=2)


def test_too_large_rounds_and_missing_spot_on_are_refused() -> None:
    with pytest.raises(LiarsDiceError, match="nodes"):
        ld.match("common", 6, (2, 2), spot_on=True, spot_on_gains=True)
    with pytest.raises(LiarsDiceError, match="3,145,697 nodes, but sweeps"):  # impossible bids included
        ld.match("classic", 4, (1, 1), spot_on=True, spot_on_gains=True)
    with pytest.raises(UsageError, match="spot_on=True"):
        ld.match("common", 2, (1, 1), spot_on_gains=True)


@pytest.mark.parametrize("option", [{"method": "exact"}, {"time_limit": 1}, {"threads": 2}, {"cluster": "local:2"}])
def test_options_that_sweeps_do_not_use_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(option))} is not for spot_on_gains=True, which uses only target"):
        ld.match("common", 2, (1, 1), spot_on=True, spot_on_gains=True, **option)
    with pytest.raises(UsageError, match="0 is never reached"):
        ld.match("common", 2, (1, 1), spot_on=True, spot_on_gains=True, target=0)


def made(*words: str) -> dict[str, Any]:
    """Return the document of a command, checked against its schema."""
    return dict(document(run_here(*words), "values"))


def test_the_document_has_the_bounds_and_the_gaps() -> None:
    found = made("match", "--dice", "1,1", "--sides", "2", "--rules", "common", "--spot-on", "--spot-on-gains", "--json")
    gaps = found["match"]["gaps"]
    assert gaps == sorted(gaps, reverse=True)
    for state in found["match"]["states"]:
        assert 0 <= state["upper"] - state["lower"] <= gaps[-1] + 1e-12
        assert state["order"] is state["wins"] is None


# Three players


def test_winning_chances_of_three_follow_from_the_chances_to_lose_a_round() -> None:
    found = match_of_more(Table.start(rules("joker", 2, (2, 1, 1))))
    for table in rounds_of(found.start):
        assert sum(found.wins(table)) == pytest.approx(1)
    start = found.start
    loses = found.solved[start.rules].loses
    after = [found.wins(start.lose(seat).next_round()) for seat in range(3)]
    assert found.wins(start) == pytest.approx(
        [sum(q * one[seat] for q, one in zip(loses, after, strict=True)) for seat in range(3)]
    )
    assert found.wins(start)[0] == max(found.wins(start))


def test_winning_chances_rotate_with_the_opener_if_dice_are_equal() -> None:
    found = match_of_more(Table.start(rules("joker", 2, (1, 1, 1))))
    first, second, third = (found.wins(one) for one in found.rounds())
    assert second == pytest.approx((first[2], *first[:2]))
    assert third == pytest.approx((first[1], first[2], first[0]))


def test_equal_chances_to_lose_every_round_give_equal_chances_to_win() -> None:
    found = match_of_more(Table.start(rules("joker", 2, (2, 2, 2))))
    even = {game: SolvedRound((1 / game.players,) * game.players, 0.0) for game in found.solved}
    assert replace(found, solved=even).wins(found.start) == pytest.approx((1 / 3,) * 3)


def test_the_document_of_three_players() -> None:
    found = made("match", "--dice", "1,1,1", "--sides", "2", "--rules", "joker", "--json")["match"]
    assert [state["opener"] for state in found["states"]] == [1, 2, 3]
    assert sum(found["states"][0]["wins"]) == pytest.approx(1)
    assert found["regret"] < 0.01
    assert_refused(run_here("match", "--dice", "1,1,1", "--opener", "winner"), code=2)

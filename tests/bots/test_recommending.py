"""Recommendations at a real table, against what follows from the rules alone."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.bots.advice import NEAR_EQUILIBRIUM, Adviser
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.recommending import NEAR, Recommendation, by_resolving, recommend
from liarsdice_cli.bots.resolving import Resolving
from liarsdice_cli.bots.rollouts import Rollouts
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import PAYOFFS, Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.solving import solve


def view(game: Rules, roll: tuple[int, ...], *bids: str) -> View:
    return View(game, roll, BettingState.parse(game, bids).history)


def found(game: Rules, roll: tuple[int, ...], *bids: str, iterations: int = 60, most: int = 30) -> Recommendation:
    """Return the recommendation from solving the subgame."""
    resolving = Resolving("resolving", iterations=iterations, most=most)
    return by_resolving(resolving.resolver(game), view(game, roll, *bids))


def test_a_bid_made_true_by_the_players_own_dice_is_not_called() -> None:
    one = found(rules("common", 4, (2, 2)), (4, 4), "2x4")
    assert one.action != CALL
    assert one.true[CALL] == pytest.approx(1)
    assert one.cost(CALL) == pytest.approx(max(one.advice.values), abs=1e-9)


def test_a_bid_that_cannot_be_true_is_called() -> None:
    one = found(rules("common", 4, (2, 1)), (1,), "3x4")
    assert (one.action, one.value(CALL), one.true[CALL]) == (CALL, 1, 0)
    assert one.cost(one.action) == 0


def test_a_call_that_is_the_only_action_is_valued_by_the_beliefs() -> None:
    """There are three dice, so the bid is true only if both other players hold a 6 too."""
    one = found(rules("common", 6, (1, 1, 1)), (6,), "2x6", "3x6")
    assert one.advice.actions == [CALL]
    assert one.value(CALL) == pytest.approx(1 - one.true[CALL])
    first, second = (hand.counts[6] for hand in one.hands)
    assert one.true[CALL] == pytest.approx(first[1] * second[1])
    assert (one.called, one.iterations) == (None, 0)


def test_impossible_bids_are_listed_with_value_0() -> None:
    one = found(rules("classic", 3, (1, 1)), (2,), "2x3")
    assert [one.value(bid) for bid in one.advice.actions if bid != CALL] == [0, 0, 0]


@pytest.mark.slow
def test_hands_are_distributions_that_shift_with_a_bid() -> None:
    one = found(rules("ones-low", 6, (3, 2)), (2, 5), "2x6", iterations=15)
    (hand,) = one.hands
    for face, counts in hand.counts.items():
        assert counts.sum() == pytest.approx(1)
        assert hand.fair[face] @ np.arange(4) == pytest.approx(3 * (1 / 6 if face == 1 else 1 / 3))
    assert hand.expected(6) > hand.expected(6, fair=True) + 0.2
    assert hand.likeliest(6) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["perudo", "snyd"])
def test_house_rules_are_respected(preset: str) -> None:
    """In snyd 1, 2 is stairs and counts as three dice of any face. In perudo the 1 is wild, and 1x1 may follow 2x6."""
    game = rules(preset, 6, (2, 2))
    one = found(game, (1, 2), "2x6")
    assert one.true[CALL] == pytest.approx(1) if game.stairs else 0.5 < one.true[CALL] < 1
    assert ("1x1" in [str(game.bids[bid]) for bid in one.advice.actions if bid != CALL]) != game.stairs
    assert sum(one.hands[0].counts[6]) == pytest.approx(1)
    assert one.fair == pytest.approx(1 if game.stairs else 20 / 36)


@pytest.mark.slow
def test_the_recommendation_is_the_likeliest_of_the_near_optimal_actions() -> None:
    one = found(rules("dudo", 6, (2, 2, 2)), (3, 3), "1x3", "2x4", iterations=20)
    shares = dict(zip(one.advice.actions, one.advice.probabilities or (), strict=True))
    value = one.value(one.action)
    assert value is not None
    assert value >= max(one.advice.values) - NEAR
    assert shares[one.action] == max(share for bid, share in shares.items() if one.cost(bid) == 0)


def test_a_bid_that_was_not_considered_has_no_value_unless_it_would_be_called() -> None:
    """Four of 18 bids are considered: those on two dice and one more. 1x1 is below them, and 6x3 above."""
    game = rules("common", 3, (3, 3))
    one = found(game, (1, 1, 1), most=4)
    low, high = BettingState.parse(game, ["1x1", "6x3"]).history
    assert one.value(low) is None
    assert one.cost(low) is None
    assert one.value(high) == pytest.approx(0)


@pytest.mark.parametrize("preset", ["ones-low", "perudo", "snyd"])
def test_with_three_players_the_recommendation_comes_from_rollouts(preset: str) -> None:
    game, bot = rules(preset, 6, (2, 2, 2)), Rollouts(deals=300)
    seen = view(game, (2, 6), "1x6", "2x6")
    one = recommend(bot, seen)
    assert one.action == bot.values(seen).best == seen.actions[bot.distribution(seen).argmax()]
    assert one.value(one.action) == max(one.advice.values)
    assert one.value(CALL) == pytest.approx(1 - one.true[CALL])
    assert [hand.player for hand in one.hands] == [0, 1]
    assert all(counts.sum() == pytest.approx(1) for hand in one.hands for counts in hand.counts.values())
    assert one.hands[0].expected(6) > one.hands[0].expected(6, fair=True)
    assert (one.exploitability, one.iterations, one.deals) == (None, 0, 300)


def test_payoffs_do_not_change_the_advice_in_a_small_game() -> None:
    win, zero = (recommend(Resolving("resolving"), view(rules("common", 3, payoffs=one), (3,), "1x3")) for one in PAYOFFS)
    assert (zero.action, zero.advice) == (win.action, win.advice)
    assert zero.cost(CALL) == win.cost(CALL) == 1


def test_payoffs_do_not_change_the_regret_of_the_advice() -> None:
    given = []
    for payoffs in PAYOFFS:
        game = rules("common", 3, payoffs=payoffs)
        rough = solve(game, method="dcfr+", iterations=3, form="public tree")
        given.append(Adviser(_solved={game: rough}).advice(view(game, (3,), "1x3")))
    win, zero = given
    assert zero.basis == NEAR_EQUILIBRIUM
    assert zero.regret == pytest.approx(win.regret)
    assert win.regret > 0.01


def test_payoffs_do_not_change_the_advice_in_a_subgame() -> None:
    win, zero = (found(rules("common", 4, (2, 2), payoffs=one), (1, 4), "1x4", iterations=4) for one in PAYOFFS)
    assert zero.advice.values == pytest.approx(win.advice.values, abs=1e-9)
    assert zero.exploitability == zero.advice.regret == pytest.approx(win.exploitability)
    assert win.exploitability > 0.01


def test_advice_in_a_small_two_player_game_comes_from_its_solution() -> None:
    game = rules("common", 3)
    one = recommend(Resolving("resolving"), view(game, (3,), "1x3"))
    assert one.exploitability == 0
    assert all(one.value(action) is not None for action in one.view.actions)
    assert sum(one.advice.probabilities or ()) == pytest.approx(1)
    assert one.advice.basis == "equilibrium"


@pytest.mark.parametrize("preset", ["joker", "dudo"])
def test_a_call_is_worth_what_the_beliefs_say_after_every_opening(preset: str) -> None:
    """The equilibrium of `dudo` makes some of the openings only by mistake."""
    game = rules(preset, 4)
    for bid in game.bids:
        one = recommend(Resolving("resolving"), view(game, (3,), str(bid)))
        assert one.advice.basis == "equilibrium"
        assert float(one.advice.values[0]) == pytest.approx(1 - one.true[CALL])


def test_a_subgame_is_solved_after_bids_that_the_solution_never_makes() -> None:
    game = rules("common", 3)
    one = recommend(Resolving("resolving", iterations=20), view(game, (3,), "1x1", "1x2", "1x3", "2x1"))
    assert one.value(CALL) is not None
    assert len(one.hands) == 1

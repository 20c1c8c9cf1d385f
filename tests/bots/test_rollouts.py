"""Rollouts against exact best responses, and beliefs against Bayes' rule by hand."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.bots.opponents import ALIKE, DOUBT, HABITS, RASH, SLIP, Beliefs, Logit, Pure, models
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.rollouts import Rollouts
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL, OPENING, SPOT_ON
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.playing import tournament
from liarsdice_cli.solvers.best_response import best_response
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.strategies.combined import BySeat
from liarsdice_cli.strategies.expansion import expanded
from tests.support.properties import mostly_slow

ALL = [rules(preset, 6, (2, 1, 2)) for preset in PRESETS] + [rules("perudo", 6, (2, 1, 2)).palifico()]


def payoff(game: Rules, ours: Policy, theirs: Policy, seat: int) -> float:
    """Return the exact probability that a bot wins a round from a seat against another bot."""
    strategies = ours.strategy(game), theirs.strategy(game)
    grown = expanded(BySeat(game, strategies if seat == 0 else strategies[::-1]))
    return float(Responses(Values(grown).game, grown.store).payoffs(best=False)[seat])


@pytest.mark.parametrize(
    ("game", "name"),
    mostly_slow(
        [
            (rules("common", 3), "honest"),
            (rules("common", 6), "honest"),
            (rules("common", 6), "zero-intelligence:0.4"),
            (rules("joker", 4), "zero-intelligence:0.2"),
            (rules("common", 3, (2, 1)), "honest"),
        ]
    ),
)
def test_it_wins_nearly_as_often_as_a_best_response_against_a_known_bot(game: Rules, name: str) -> None:
    bot, other = Rollouts("rollout", policy(name)), policy(name)
    for seat in (0, 1):
        best = float(best_response(other.strategy(game), seat, other.looks_back).value)
        assert best - 0.03 < payoff(game, bot, other, seat) < best + 1e-9


def test_the_values_of_a_call_and_of_spot_on_are_exact() -> None:
    """Two honest players with one die each bid 1x3 and 2x3. The second has a 3, apart from slips and doubt."""
    game = rules("common", 6, (1, 1, 1), spot_on=True)
    seen = View(game, (3,), BettingState.parse(game, ["1x3", "2x3"]).history)
    beliefs = Beliefs.after(game, seen.history, (Pure(Honest().strategy(game)),))
    found = Rollouts("rollout", Honest(), deals=50).values(seen).values
    first, second = (rolls[2] for rolls in beliefs.rolls[:2])
    assert found[CALL] == pytest.approx((1 - first) * (1 - second))
    assert found[SPOT_ON] == pytest.approx(first * (1 - second) + second * (1 - first))


def test_beliefs_follow_bayes_rule_with_priors_from_the_other_players() -> None:
    """The second player's bid fits level 1/4 better, so that level is likelier for the first player too.

    The third player moves.
    """
    game, level = rules("common", 4, (1, 1, 1)), policy("zero-intelligence:0.25").strategy(rules("common", 4, (1, 1, 1)))
    history = BettingState.parse(game, ["1x2", "2x4"]).history
    of_both = Pure(Honest().strategy(game)), Pure(level)
    likely = []
    for player, before in enumerate([(), history[:1]]):
        place = BettingState(game, before).index(history[player])
        bids = len(BettingState(game, before).actions)
        likely.append(np.array([(1 - SLIP) * one.strategy.at(before)[place] + SLIP / bids for one in of_both]))
    believed = [np.full(2, 1 / 2)] * 2
    for _ in range(100):  # each player's prior depends on the beliefs about the other
        prior = [(ALIKE + believed[1 - player]) / (2 * ALIKE + 1) for player in (0, 1)]
        believed = [prior[player] * likely[player].mean(axis=1) for player in (0, 1)]
        believed = [weights / weights.sum() for weights in believed]
    beliefs = Beliefs.after(game, history, of_both)
    for player in (0, 1):
        after = prior[player][:, None] * likely[player] / 4
        expected = (1 - DOUBT) * after / after.sum() + DOUBT / 8
        assert beliefs.joint[player] == pytest.approx(expected, abs=0.01)
    assert beliefs.joint[2].sum(axis=0) == pytest.approx(np.full(4, 1 / 4))
    alone = Beliefs.after(game, history[:1], of_both)
    assert alone.joint[0] == pytest.approx((1 - DOUBT) * likely[0] / likely[0].sum() + DOUBT / 8)


def test_players_who_raise_alike_are_taken_for_habitual_bidders() -> None:
    """Five players who stay on one face are likelier to follow a habit than a single one."""
    game = rules("ones-low", 6, (5,) * 6)
    history = BettingState.parse(game, ["2x5", "3x5", "4x5", "5x5", "6x5"]).history
    one, five = Beliefs.after(game, history[:1], models(game)), Beliefs.after(game, history, models(game))
    by_habit = [beliefs.joint[0][-len(HABITS) :].sum() for beliefs in (one, five)]
    assert by_habit[0] < 0.7 < by_habit[1]


@pytest.mark.parametrize("game", ALL, ids=str)
def test_a_model_gives_every_roll_a_distribution_and_draws_from_it(game: Rules) -> None:
    generator = np.random.default_rng(1)
    for model in models(game):
        for player in range(3):
            for last in (*[OPENING] * (player == 0), 0, game.bid_count // 2, game.bid_count - 1):
                actions = ([] if last == OPENING else [CALL]) + list(game.bidding.following(last))
                shares = np.array([model.row(player, last, action) for action in actions])
                assert shares.min() >= 0
                assert shares.sum(axis=0) == pytest.approx(np.ones(game.roll_count(player)))
                if last == OPENING:
                    continue
                drawn = model.act(player, np.full(4000, last), np.zeros(4000, np.int64), generator)
                often = np.array([np.mean(drawn == action) for action in actions])
                assert np.abs(often - shares[:, 0]).max() < 0.045  # 5.7 standard errors
                assert set(drawn) <= set(actions)


def test_deals_are_drawn_from_the_beliefs() -> None:
    game = rules("ones-low", 3, (2, 1))
    beliefs = Beliefs.after(game, (3,), models(game))
    drawn_models, rolls = beliefs.deal(20_000, np.random.default_rng(2))
    for player, joint in enumerate(beliefs.joint):
        often = np.zeros_like(joint)
        np.add.at(often, (drawn_models[player], rolls[player]), 1 / 20_000)
        assert np.abs(often - joint).max() < 0.02


@pytest.mark.parametrize("game", mostly_slow([(one,) for one in ALL]), ids=str)
def test_it_plays_all_rules_and_is_deterministic_in_a_view(game: Rules) -> None:
    bot = Rollouts(deals=60)
    bot.check(game)
    bids = [game.bids[bid] for bid in game.bidding.openings[:1]]
    seen = View(game, game.rolls(1)[0][0], tuple(map(game.bids.index, bids)))
    found = bot.distribution(seen)
    assert found.sum() == 1
    assert (found == Rollouts(deals=60).distribution(seen)).all()
    assert set(bot.values(seen).values) == set(seen.actions)


@pytest.mark.slow
def test_it_wins_more_than_its_share_at_a_table_of_three() -> None:
    result = tournament(rules("ones-low", 6, (3, 3, 3)), ["rollout", "honest", "honest"], rounds=300, seed=4)
    assert result.standings()[0].low > 2 / 3


def test_it_responds_only_to_bots_that_ignore_earlier_bids() -> None:
    assert policy("rollout:honest").name == "rollout:honest"
    with pytest.raises(UsageError, match="looks at earlier bids"):
        policy("rollout:trusting")
    with pytest.raises(UsageError, match="names no bot"):
        policy("rollout:")


def test_logit_prefers_likelier_outcomes() -> None:
    game = rules("common", 6, (2, 2))
    model = Logit(game)
    low, high = model.row(0, OPENING, 0), model.row(0, OPENING, game.bid_count - 1)
    assert (low > high).all()
    calls = [model.row(1, last, CALL).mean() for last in range(game.bid_count - 1)]
    assert calls[-1] > 0.9 > calls[0]


def test_any_player_may_call_any_bid_unless_the_bot_is_known() -> None:
    """The next player calls a certainly true bid about as often as a rash player. A known honest bot never does."""
    game = rules("ones-low", 6, (5, 5, 5))
    seen = View(game, (2, 2, 2, 2, 2), ())
    bid = game.bids.index(Bid(1, 2))
    assert RASH < Rollouts().beliefs(seen).acts(1, bid, CALL) < 2 * RASH
    assert Rollouts("rollout", Honest()).beliefs(seen).acts(1, bid, CALL) == 0

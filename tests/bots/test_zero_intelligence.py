"""The zero-intelligence player: against scipy, against every roll of the dice, and against its own definition."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from liarsdice_cli.bots.zero_intelligence import payoff
from liarsdice_cli.bots.zero_intelligence.policy import BY_LEVEL, BY_PAYOFF, LevelMixture, ZeroIntelligence
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import (
    CONTINUITY_CORRECTION,
    PlayerView,
    deviations,
    expectations,
    match_probability,
    probability_true,
    z_score,
)
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.tail_probabilities import binomial, normal, normal_cdf
from tests.support.house_rules import DICE_BY_DICE
from tests.support.properties import examples, mostly_slow

DOCUMENT = PlayerView(rules("ones-low"), own=(2, 3, 3, 3, 3), unknown=36, next_dice=5)


# Tails


@pytest.mark.parametrize("dice", [0, 1, 2, 7, 36, 100])
@pytest.mark.parametrize("match", [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
def test_binomial_tails_agree_with_scipy(dice, match):
    tails = binomial(dice, match)
    assert np.allclose([float(tail) for tail in tails], stats.binom.sf(np.arange(-1, dice + 1), dice, float(match)), atol=1e-14)
    assert tails[0] == 1
    assert tails[-1] == 0
    assert all(isinstance(tail, Fraction) for tail in tails)


def test_normal_tails_agree_with_scipy():
    assert np.allclose([normal_cdf(z) for z in (-37, -3, 0, 2)], stats.norm.cdf([-37, -3, 0, 2]), rtol=1e-12)
    match = Fraction(1, 3)
    inner = stats.norm.sf(np.arange(1, 37) - 0.5, 12, sqrt(8))
    assert np.allclose(normal(36, match), [1, *inner, 0])
    assert max(abs(float(one) - two) for one, two in zip(binomial(36, match), normal(36, match), strict=True)) < 0.01
    assert normal(3, Fraction(1)) == binomial(3, Fraction(1)) == (1, 1, 1, 1, 0)


# The document's example


def test_the_example_of_the_document():
    assert expectations(DOCUMENT) == [6, 13, 16, 12, 12, 12]
    s1, s2 = sqrt(36 * (1 / 6) * (1 - 1 / 6)), sqrt(36 * (1 / 3) * (1 - 1 / 3))
    assert np.allclose(deviations(DOCUMENT), [s1, s2, s2, s2, s2, s2])
    assert z_score(DOCUMENT, Bid(16, 3)) == pytest.approx((16 + 0.5 - 16) / s2)


def test_the_documents_correction_has_the_wrong_sign_for_the_probability_that_a_bid_is_bad():
    bad = float(payoff.probability_bad(DOCUMENT, Bid(16, 3)))
    assert bad == pytest.approx(stats.binom.cdf(16 - 4 - 1, 36, 1 / 3))
    right, page = (normal_cdf(z_score(DOCUMENT, Bid(16, 3), correction)) for correction in (CONTINUITY_CORRECTION, 0.5))
    assert right == pytest.approx(1 - float(probability_true(DOCUMENT, Bid(16, 3), normal)))
    assert abs(right - bad) < 0.01
    assert page - bad > 0.13
    assert page == pytest.approx(stats.binom.cdf(16 - 4, 36, 1 / 3), abs=0.01), "that at most sixteen match"


# Every roll of the dice


def _all(dice, sides):
    return list(product(range(1, sides + 1), repeat=dice))


@pytest.mark.parametrize("preset", DICE_BY_DICE)
@pytest.mark.parametrize("known", mostly_slow([((1, 3),), ((),)]))
def test_probability_and_payoff_agree_with_counting_all_rolls(preset, known):
    game = rules(preset, 3)
    level = Fraction(2, 5)
    seen = PlayerView(game, (1, 2), unknown=3, next_dice=2, known=known)
    for bid in seen.raises(None):
        held = [(b, z) for b in _all(2, 3) for z in _all(1, 3)]
        true = sum(game.holds(bid, [(*seen.own, *known, *b, *z)]) for b, z in held)
        assert probability_true(seen, bid) == Fraction(true, len(held))
        lost = called = 0
        for b, z in held:
            hidden = _all(3, 3)
            believed = sum(game.holds(bid, [(*known, *b, *rest)]) for rest in hidden)
            calls = Fraction(believed, len(hidden)) < level
            called += calls
            lost += calls and not game.holds(bid, [(*seen.own, *known, *b, *z)])
        assert payoff.omega(seen, bid, level) == -Fraction(lost, len(held)), bid
        assert payoff.probability_called(seen, bid, level) == Fraction(called, len(held)), bid


@st.composite
def player_views(draw):
    game = rules(draw(st.sampled_from(DICE_BY_DICE)), draw(st.integers(2, 8)))
    faces = st.lists(st.integers(1, game.sides), max_size=6).map(tuple)
    unknown = draw(st.integers(0, 20))
    return PlayerView(game, draw(faces), unknown, draw(st.integers(0, unknown)), draw(faces))


LEVELS = st.fractions(Fraction(1, 100), 1, max_denominator=100)


@examples(60)
@given(player_views(), LEVELS)
def test_the_lowest_raise_on_a_face_is_the_best_on_that_face(seen, level):
    by_face: dict[int, payoff.Raise] = {}
    for one in payoff.raises(seen, None, level):
        assert -one.bad <= one.omega <= 0, "A loses only with a bad bid"
        lower = by_face.get(one.bid.face)
        assert lower is None or lower.rank >= one.rank
        by_face[one.bid.face] = one


@examples(60)
@given(player_views(), LEVELS, st.data())
def test_the_best_raise_and_the_call_follow_their_definitions(seen, level, data):
    bids = seen.raises(None)
    if not bids:
        return
    last = data.draw(st.sampled_from(bids))
    rest = list(payoff.raises(seen, last, level))
    order = replace(seen.rules, max_quantity=2 * seen.total + 1).bids
    higher = order[order.index(last) + 1 :]
    possible = [bid for bid in higher if bid.quantity <= seen.total and (not seen.rules.fixed_face or bid.face == last.face)]
    assert [one.bid for one in rest] == possible
    best = payoff.best_raise(seen, seen.raises(last), level)
    assert (best is None) == (not rest)
    if best:
        assert best.omega == max(one.omega for one in rest)
        same = [one for one in rest if one.omega == best.omega]
        assert best.bad == min(one.bad for one in same)
        assert best.bid == next(one.bid for one in same if one.bad == best.bad)
    assert payoff.calls(seen, last, level) == (probability_true(seen, last) < level)


def test_normal_tails_approximate_payoffs_of_many_dice():
    for bid in DOCUMENT.raises(Bid(16, 3))[:12]:
        exact, about = (float(payoff.omega(DOCUMENT, bid, tails=tails)) for tails in (binomial, normal))
        assert about == pytest.approx(exact, abs=0.03)


def test_the_threshold_is_the_smallest_number_that_is_not_believed():
    level, match = Fraction(1, 5), Fraction(1, 3)
    y0 = payoff.threshold(level, 9, match)
    assert stats.binom.sf(y0 - 1, 9, 1 / 3) < 1 / 5 <= stats.binom.sf(y0 - 2, 9, 1 / 3)
    assert payoff.threshold(Fraction(1, 3), 1, match) == 2, "what is as probable as the level is believed"
    assert payoff.threshold(Fraction(1, 10**6), 4, match) == 5


@pytest.mark.parametrize("level", [0, -1, 1.5, float("nan")])
def test_a_level_that_is_not_a_probability_is_refused(level):
    with pytest.raises(UsageError, match="level"):
        payoff.as_level(level)


def test_the_smallest_levels_stay_above_zero():
    assert payoff.as_level(1e-300) == Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("own", "unknown", "next_dice", "known", "words"),
    [
        ((7,), 3, 1, (), "no face 7"),
        ((1,), 3, 1, (0,), "no face 0"),
        ((1,), -1, 0, (), "give 0 or more"),
        ((1,), 100, 1, (), "no more than 100"),
        ((1,), 3, 4, (), "next player cannot have 4 of 3"),
    ],
)
def test_impossible_player_views_are_refused(own, unknown, next_dice, known, words):
    with pytest.raises(UsageError, match=words):
        PlayerView(rules("ones-low"), own, unknown, next_dice, known)


def test_unknown_bids_are_refused_and_very_high_bids_have_few_raises():
    joker = PlayerView(rules("joker"), (1,), 2, 1)
    for bid in (Bid(1, 1), Bid(0, 2), Bid(1, 7)):
        with pytest.raises(UsageError, match="not a bid"):
            joker.raises(bid)
    assert joker.raises(Bid(50, 2)) == ()
    assert match_probability(joker.rules, 2) == Fraction(1, 3)
    by_face = PlayerView(rules("face-first", 3), (1,), 1, 1)
    assert by_face.raises(Bid(9, 2)) == (Bid(1, 3), Bid(2, 3))
    halving = PlayerView(rules("dudo", order="halving"), (2,), 3, 1)
    assert [str(bid) for bid in halving.raises(Bid(4, 6))] == ["2x1", "3x1", "4x1"]
    assert [str(bid) for bid in halving.raises(Bid(7, 2))] == ["4x1"]
    assert halving.raises(Bid(9, 2)) == halving.raises(Bid(99, 2)) == ()
    assert halving.raises(Bid(1, 1))[0] == Bid(3, 2)


# The player


GAMES = [
    rules("classic", 3),
    rules("common", 6, (1, 2)),
    rules("dudo", 4, (2, 1, 1)),
    rules("joker", 4, (2, 2)),
    rules("face-first", 3, (1, 1, 1)),
]


@pytest.mark.parametrize("call", [BY_LEVEL, BY_PAYOFF])
@pytest.mark.parametrize("game", mostly_slow(GAMES, 3), ids=str)
def test_the_player_follows_the_formulas(game, call):
    level = Fraction(3, 10)
    player = ZeroIntelligence(game, level, call)
    turns = [[], *([bid] for bid in range(game.bid_count)), *([0, bid] for bid in range(1, game.bid_count))]
    for history in turns:
        mover = len(history) % game.players
        said = player.at(history)
        assert said.shape == (len(BettingState(game, history).actions), game.roll_count(mover))
        assert set(np.unique(said)) <= {0.0, 1.0}
        for column, (roll, _) in enumerate(game.rolls(mover)):
            seen = PlayerView.of_player(game, mover, roll)
            last = game.bids[history[-1]] if history else None
            best = payoff.best_raise(seen, seen.raises(last), level)
            action = player.action(history, roll)
            assert BettingState(game, history).actions[int(said[:, column].argmax())] == action
            assert player.probabilities(history, roll) == {action: 1.0}
            if last is None or best is None:
                assert action == (CALL if best is None else game.bids.index(best.bid))
                continue
            called = payoff.calls(seen, last, level) if call == BY_LEVEL else payoff.call_pays(seen, last, best)
            assert action == (CALL if called else game.bids.index(best.bid)), (roll, last)


@pytest.mark.parametrize("game", mostly_slow(GAMES, 3), ids=str)
def test_a_drawn_level_is_kept_for_the_round(game):
    levels = {Fraction(1, 20): 0.2, Fraction(1, 4): 0.5, Fraction(3, 5): 0.3}
    mixture = LevelMixture.of_levels(game, levels)
    generator = np.random.default_rng(6)
    seen_mixed = False
    for _ in range(40):
        length = int(generator.integers(0, 2 * game.players + 2))
        history = sorted(generator.choice(game.bid_count, min(length, game.bid_count), replace=False).tolist())
        mover = len(history) % game.players
        turns = [history[:turn] for turn in range(mover, len(history) + 1, game.players)]
        said = mixture.at(history)
        assert np.allclose(said.sum(axis=0), 1)
        for column, (roll, _) in enumerate(game.rolls(mover)):

            def reach(strategy, moves, column=column, turns=turns, history=history):
                """Return the probability of the mover's own bids in the history, followed by each action."""
                product = 1.0
                for turn in turns[:-1]:
                    product *= strategy.at(turn)[BettingState(game, turn).index(history[len(turn)]), column]
                return product * strategy.at(turns[-1])[moves, column]

            every = np.arange(len(said))
            whole = sum(weight * reach(one, every) for one, weight in zip(mixture.strategies, mixture.weights, strict=True))
            assert np.allclose(reach(mixture, every), whole), "Kuhn's theorem"
            if whole.sum() == 0 and len(turns) > 1:
                prior = sum(w * one.at(history)[:, column] for one, w in zip(mixture.strategies, mixture.weights, strict=True))
                assert np.allclose(said[:, column], prior)
            seen_mixed |= bool(np.any((said[:, column] > 0) & (said[:, column] < 1)))
            assert mixture.probabilities(history, roll) == {
                action: pytest.approx(value)
                for action, value in zip(BettingState(game, history).actions, said[:, column].tolist(), strict=True)
                if value
            }
    assert seen_mixed


def test_invalid_weights_and_parameters_are_refused():
    game = rules("common", 3)
    for weights in ({0.1: 0.5}, {0.1: 1.5, 0.2: -0.5}):
        with pytest.raises(UsageError, match="weight"):
            LevelMixture.of_levels(game, weights)
    with pytest.raises(UsageError, match="calls by whim"):
        ZeroIntelligence(game, call="whim")
    with pytest.raises(UsageError, match="level"):
        ZeroIntelligence(game, level=2)

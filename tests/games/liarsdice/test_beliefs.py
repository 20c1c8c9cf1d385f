"""Values and beliefs of strategies, against tree traversals (`after_history`, `evaluate`) and counts of deals."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.matching import standing_table
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.report.history import last_bid_true
from tests.support.properties import examples, mostly_slow


def behaviour(tree, seed):
    """Return a profile that often leaves an action out, so that some histories are never reached."""
    generator = np.random.default_rng(seed)
    chosen = {}
    for row, player in enumerate(tree.infosets.player.tolist()):
        if player != CHANCE:
            numbers = generator.random(tree.action_counts[row]) * (generator.random(tree.action_counts[row]) < 0.6)
            numbers[generator.integers(len(numbers))] += 0.1
            chosen[row] = (numbers / numbers.sum()).tolist()
    return from_sets(tree, chosen)


def histories(game):
    """Return every betting history, the shortest first."""
    return sorted(game.bidding.histories(), key=len)


@pytest.mark.parametrize(
    ("preset", "dice", "payoffs"), mostly_slow(product(sorted(PRESETS), [(1, 1), (2, 1), (1, 2)], ["win", "zero-sum"]), 7)
)
def test_values_and_probabilities_agree_with_the_tree_traversal(preset, dice, payoffs):
    game = rules(preset, 2, dice, payoffs=payoffs)
    tree = build(game)
    profile = behaviour(tree, len(preset) + dice[0])
    strategy = ProfileStrategy.of(game, tree, profile.probabilities)
    everything = continuations.all_continuations(strategy)
    for history in histories(game)[::3]:
        said = everything.after(history)
        page = after_history.after(profile, [str(game.bids[bid]) for bid in history])
        assert page.player == said.mover
        assert np.allclose(said.probabilities.T, [row.probabilities for row in page.rows])
        for place, row in enumerate(page.rows):
            if row.values is None:
                assert all(missing is None for missing in (said.values, said.value, said.last_bid_true))
            else:
                assert said.values[:, place] == pytest.approx(row.values)
                assert said.value[place] == pytest.approx(np.dot(row.values, row.probabilities))
                assert (said.last_bid_true is None) == (not history)
                assert not history or said.last_bid_true[place] == pytest.approx(last_bid_true(page, row))


@pytest.mark.parametrize(("preset", "sides", "dice"), [("classic", 3, (1, 1)), ("dudo", 2, (2, 1)), ("face-first", 2, (1, 2))])
def test_the_value_of_the_opening_is_the_evaluated_payoff(preset, sides, dice):
    game = rules(preset, sides, dice)
    tree = build(game)
    profile = behaviour(tree, 5)
    opening = continuations.after(ProfileStrategy.of(game, tree, profile.probabilities), [])
    assert opening.reach == pytest.approx(1)
    payoff = opening.beliefs(0) @ opening.value
    assert payoff == pytest.approx(float(judge(profile).payoffs[0]))


@given(st.integers(0, 2**32), st.sampled_from([(1, 1), (2, 1), (1, 2)]), st.data())
@examples(30)
def test_beliefs_agree_with_counting_deals(seed, dice, data):
    game = rules("common", 2, dice)
    tree = build(game)
    strategy = ProfileStrategy.of(game, tree, behaviour(tree, seed).probabilities)
    history = data.draw(st.sampled_from(histories(game)))
    said = continuations.after(strategy, history)
    weight = {}
    for first, second in product(enumerate(game.rolls(0)), enumerate(game.rolls(1))):
        chance = float(first[1][1] * second[1][1])
        for length, bid in enumerate(history):
            earlier = history[:length]
            roll = (first, second)[BettingState(game, earlier).mover][0]
            chance *= strategy.at(earlier)[BettingState(game, earlier).index(bid), roll]
        weight[first[0], second[0]] = chance
    assert said.reach == pytest.approx(sum(weight.values()))
    for player in (0, 1):
        held = said.beliefs(player)
        if said.reach:
            of_roll = [sum(w for rolls, w in weight.items() if rolls[player] == roll) for roll in range(len(held))]
            assert held == pytest.approx(np.array(of_roll) / said.reach)
        assert held is None or held.sum() == pytest.approx(1)


@given(st.integers(0, 2**32), st.data())
@examples(30)
def test_a_single_history_gives_the_same_result_as_all_histories(seed, data):
    game = rules("joker", 3, (2, 1))
    strategy = ProfileStrategy.of(game, build(game), behaviour(build(game), seed).probabilities)
    history = data.draw(st.sampled_from(histories(game)))
    part, whole = continuations.after(strategy, history), continuations.all_continuations(strategy).after(history)
    assert (part.values is None) == (whole.values is None)
    for one, two in zip((*part.reaches, part.probabilities), (*whole.reaches, whole.probabilities), strict=True):
        assert one == pytest.approx(two)
    assert part.values is None or part.values == pytest.approx(whole.values)


class Lowest:
    """A strategy that makes the lowest bid, or calls if there is none."""

    rules = rules("common", 2)

    def at(self, history):
        said = np.zeros((len(BettingState(self.rules, history).actions), 2))
        said[1 if history and len(said) > 1 else 0] = 1
        return said


def test_values_exist_only_if_the_opponent_may_have_reached_the_history():
    everything = continuations.all_continuations(Lowest())
    assert everything.after([0]).values is not None
    strayed = everything.after([1])
    assert strayed.reach == 0
    assert strayed.values is strayed.last_bid_true is strayed.beliefs(0) is None
    own = everything.after([1, 2])
    assert own.reach == 0
    assert own.beliefs(0) is None
    assert own.beliefs(1).tolist() == [0.5, 0.5]
    assert own.values.tolist() == [[0.5, 1.0], [0.0, 0.5]]


def test_beliefs_remain_if_the_game_is_too_large_for_values():
    game = rules("common", 6, (2, 2))
    said = continuations.after(Uniform(game), [3, 20], most=1000)
    assert said.values is not None
    said = continuations.after(Uniform(game), [3])
    assert said.values is None
    assert said.last_bid_true == pytest.approx([(said.beliefs(0) * column).sum() for column in standing_table(game)[3].T])
    with pytest.raises(LiarsDiceError, match="352,321,536 betting histories times rolls are more than the 2,000,000"):
        continuations.all_continuations(Uniform(game))

"""Action values from the compiled traversal, against traversals that read the strategy history by history."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from liarsdice_cli.formats import ldz
from liarsdice_cli.games.liarsdice import beliefs, continuations
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers.public_tree import values
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.stored import StoredStrategy
from tests.support.entries import draw
from tests.support.properties import mostly_slow

OF_TWO = [("joker", 3, (2, 1), "win"), ("dudo", 2, (1, 2), "zero-sum"), ("common", 2, (1, 1), "win")]
OF_MORE = [("common", 2, (1, 1, 1), "zero-sum"), ("joker", 2, (1, 2, 1), "win"), ("joker", 2, (1, 1, 1, 1), "zero-sum")]
ROUNDED = {False: 1e-12, True: 1e-6}
"""Tolerances without and with a cut: the values of subtrees are stored in 32 bits."""


@pytest.fixture(params=[False, True], ids=["whole", "cut"])
def cut(request, cut_from):
    """Whether the tree is cut into shards."""
    if request.param:
        cut_from(2)
    return request.param


def _learned(preset, sides, dice, payoffs):
    """Return strategies after some iterations, with unexpanded histories and rolls of reach probability 0."""
    game = rules(preset, sides, dice, payoffs=payoffs)
    solver = PublicTree(public_game(game), minimiser("cfr+"))
    solver.expansion_threshold = 0.02
    for _ in range(5):
        solver.iterate()
    return StoredStrategy(game, solver.store)


def _drawn(preset, sides, dice, payoffs):
    """Return random strategies in the tree of `_learned`."""
    strategy, generator = _learned(preset, sides, dice, payoffs), np.random.default_rng(3)
    for _, shard in strategy.store.all_shards:
        draw(shard, "averages", generator, 0.7)
    return strategy


def _histories(game):
    for length in range(game.bid_count + 1):
        yield from combinations(range(game.bid_count), length)


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "payoffs", "made"),
    mostly_slow([(*game, made) for game in OF_TWO for made in (_learned, _drawn)]),
)
def test_both_ways_to_read_a_strategy_agree(preset, sides, dice, payoffs, made, cut):
    strategy = made(preset, sides, dice, payoffs)
    assert bool(strategy.store.shards) == cut
    reader, known, gone = values.Values(strategy), 0, 0
    for history in _histories(strategy.rules):
        fast, slow = reader.after(history), continuations.after(strategy, history)
        assert np.allclose(fast.probabilities, slow.probabilities)
        assert fast.reach == pytest.approx(slow.reach)
        assert (fast.values is None) == (slow.values is None)
        if fast.values is not None:
            assert np.allclose(fast.values, slow.values, rtol=0, atol=ROUNDED[cut])
            known, gone = known + 1, gone + (strategy.store.find(history) is None)
    assert known > 5
    assert gone > 0, "histories that have not grown are worth something too"


@pytest.mark.parametrize(("preset", "sides", "dice", "payoffs"), mostly_slow(OF_TWO))
def test_values_hold_for_other_reaches_than_those_under_the_strategy(preset, sides, dice, payoffs, cut):
    strategy, generator = _drawn(preset, sides, dice, payoffs), np.random.default_rng(5)
    reader, drawn = values.Values(strategy), [generator.random(strategy.rules.roll_count(player)) for player in range(2)]
    for history in _histories(strategy.rules):
        for reaches in (beliefs.priors(strategy.rules), drawn):
            slow = continuations.Continuations(strategy, history, reaches).after(())
            assert np.allclose(reader.after(history, reaches).values, slow.values, rtol=0, atol=ROUNDED[cut])


def _best_wins(strategy, history, player, reach):
    """Return a player's probability of not losing with a best response, weighted by the reach of the only opponent."""
    state = BettingState(strategy.rules, history)

    def after(action, reach):
        if action >= 0:
            return _best_wins(strategy, (*history, action), player, reach)
        stands = beliefs.standing_probabilities(strategy.rules, history[-1], player, [reach, reach])
        return stands if state.mover != player else reach.sum() - stands

    if state.mover == player:
        return np.max([after(action, reach) for action in state.actions], axis=0)
    shares = strategy.at(history)
    return sum(after(action, reach * share) for action, share in zip(state.actions, shares, strict=True) if share.any())


@pytest.mark.parametrize(("preset", "sides", "dice", "payoffs"), mostly_slow(OF_TWO))
def test_best_responses_to_any_beliefs_match_a_plain_recursion(preset, sides, dice, payoffs, cut):
    strategy = _drawn(preset, sides, dice, payoffs)
    reader, generator = values.Values(strategy), np.random.default_rng(5)
    drawn = [generator.random(strategy.rules.roll_count(player)) for player in range(2)]
    for history in _histories(strategy.rules):
        for player in range(2):
            expected = _best_wins(strategy, history, player, drawn[1 - player])
            assert np.allclose(reader.best_wins(history, player, drawn), expected, rtol=0, atol=1e-12)


class Spelled:
    """Action values by enumeration of all rolls and all continuations, from the rules alone."""

    def __init__(self, strategy):
        self.strategy, self.game = strategy, strategy.rules
        self.said = {}
        self.matching = [matching_table(self.game, player) for player in range(self.game.players)]

    def at(self, history):
        if history not in self.said:
            self.said[history] = self.strategy.at(history)
        return self.said[history]

    def wins(self, history, action, player, dealt):
        """Return the expected payoff of a player after an action, given all rolls."""
        turn = BettingState(self.game, history).mover
        if action >= self.game.bid_count or action < 0:
            matching = sum(self.matching[one][history[-1], place] for one, place in enumerate(dealt))
            true = bool(matching >= self.game.bids[history[-1]].quantity)
            loser = self.game.loser((turn - 1) % self.game.players, turn, true)
            return float(self.game.payoffs_when_losing(loser)[player])
        return self.value((*history, action), player, dealt)

    def value(self, history, player, dealt):
        chances = self.at(history)[:, dealt[BettingState(self.game, history).mover]].tolist()
        return sum(
            chance * self.wins(history, action, player, dealt)
            for action, chance in zip(BettingState(self.game, history).actions, chances, strict=True)
            if chance
        )

    def action_values(self, history, roll, beliefs_of):
        """Return the value of every action of the mover's roll; `beliefs_of` holds the probabilities of the others' rolls."""
        player = BettingState(self.game, history).mover
        found = []
        for action in BettingState(self.game, history).actions:
            total = 0.0
            for others in product(*(range(len(one)) for one in beliefs_of)):
                chance = prod(float(one[place]) for one, place in zip(beliefs_of, others, strict=True))
                if chance:
                    dealt = (*others[:player], roll, *others[player:])
                    total += chance * self.wins(history, action, player, dealt)
            found.append(total)
        return found


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "payoffs", "made"),
    mostly_slow([(*game, made) for game in OF_MORE for made in (_learned, _drawn)]),
)
def test_multiplayer_values_match_an_enumeration_by_the_rules(preset, sides, dice, payoffs, made, cut):
    strategy = made(preset, sides, dice, payoffs)
    assert bool(strategy.store.shards) == cut
    reader, spelled, game, known, gone = values.Values(strategy), Spelled(strategy), strategy.rules, 0, 0
    for history in _histories(game):
        if len(history) > 3 and sum(history) % 3:
            continue  # the other histories are slow to enumerate and show nothing new
        found = reader.after(history)
        reaches = beliefs.reaches_after(strategy, history)
        others = [reach for player, reach in enumerate(reaches) if player != found.mover]
        assert found.probabilities == pytest.approx(strategy.at(history))
        assert found.reach == pytest.approx(prod(float(reach.sum()) for reach in reaches))
        assert (found.values is None) == any(reach.sum() == 0 for reach in others)
        if found.values is None:
            continue
        for roll in range(game.roll_count(found.mover)):
            expected = spelled.action_values(history, roll, [reach / reach.sum() for reach in others])
            assert found.values[:, roll].tolist() == pytest.approx(expected, abs=ROUNDED[cut])
        known, gone = known + 1, gone + (strategy.store.find(history) is None)
    assert known > 5
    assert gone > 0


def test_actions_of_probability_0_have_values():
    """A bid of probability 0 that leads to an unexpanded history is called."""
    strategy = _learned("common", 2, (1, 1, 1), "win")
    strategy.store.top.arrays["averages"][:] = 0
    game, reader = strategy.rules, values.Values(strategy)
    opening = reader.after(())
    assert opening.probabilities[0].tolist() == [1, 1]
    fair = [
        [beliefs.standing_probabilities(game, bid, 0, opening.reaches)[roll] for roll in range(2)]
        for bid in range(game.bid_count)
    ]
    assert opening.values.tolist() == pytest.approx(np.array(fair), abs=1e-12)
    never = reader.after((2,))
    assert never.values is None
    assert never.mover == 1


@pytest.mark.parametrize(("preset", "sides", "dice", "payoffs"), [OF_TWO[0], OF_MORE[0]])
def test_a_file_stores_the_values_of_subtrees_and_lookups_agree(preset, sides, dice, payoffs, cut_from, tmp_path):
    cut_from(2)
    strategy = _learned(preset, sides, dice, payoffs)
    worth = values.subtree_values(strategy, threads=1)
    assert [one.shape for one in worth] == [(strategy.store.subtrees[0], rolls) for rolls in strategy.store.rolls]
    kept = replace(strategy, values=worth)
    name = str(tmp_path / "kept.ldz")
    origin = ldz.Origin("cfr+", 5, 0.0, 1.0) if len(dice) == 2 else ldz.Origin("cfr+", 5, regrets=(0.5,) * 3)
    ldz.write(name, kept, origin)
    file = ldz.StrategyFile(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Responses, "wins", lambda *rest: pytest.fail("the file knows"))
        reader = values.Values(file)
        last = strategy.rules.bid_count - 1
        for history in ((), (0,), (1, 2), (0, last - 1), (0, last)):
            fast, own = reader.after(history), values.Values(kept).after(history)
            assert (fast.values is None) == (own.values is None)
            if own.values is not None:
                assert fast.values == pytest.approx(own.values, abs=2e-3)


def test_an_uncut_tree_has_no_subtree_values():
    assert values.subtree_values(_learned(*OF_TWO[0])) is None


@pytest.mark.parametrize(("preset", "sides", "dice", "payoffs"), [OF_TWO[0], OF_MORE[0]])
def test_values_at_the_opening_match_the_evaluation(preset, sides, dice, payoffs, cut):
    game = rules(preset, sides, dice, payoffs=payoffs)
    for strategy in (expanded(Uniform(game)), _learned(preset, sides, dice, payoffs)):
        opening = values.Values(strategy).after(())
        judgement = Responses(public_game(game), strategy.store).judge()
        mean = float(opening.value @ opening.reaches[0])
        assert mean == pytest.approx(float(judgement.payoffs[0]), abs=ROUNDED[cut])

"""The gains that decide whether a history is expanded, against sums over all rolls."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest

from liarsdice_cli.games.bidding import CALL, FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.solvers.public_tree import arrays, gains, showdown
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.system.compiling import compiled_in_place
from tests.support.house_rules import each_house_of_any

ERROR = 1e-9
each_preset = pytest.mark.parametrize(
    "game", [rules("joker", 3, (2, 1)), rules("common", 2, (1, 1, 1)), rules("snyd", 3, (2, 2)), rules("dudo", 3, (1, 2))]
)


@compiled_in_place(gains, showdown)
def _matters(tables, bids, player, slot, bid, bidder, threshold, value, chances, vectors, reach_row, reach_sum, total, scratch):
    reach = chances, vectors, reach_row, reach_sum, total
    return gains.matters(tables, bids, player, slot, bid, bidder, threshold, value, *reach, scratch)


@compiled_in_place(gains, showdown)
def _bid_gain(tables, bids, player, bid, bidder, value, chances, vectors, reach_row, reach_sum, total, scratch):
    reach = chances, vectors, reach_row, reach_sum, total
    return gains.bid_gain(tables, bids.blocks, bids.endings, bid, bidder, player, value, *reach, scratch[0])


def gain_of(game: Rules, reaches, bid: int, bidder: int) -> float:
    """Return the gain of the best action over a call, by the definition: over all rolls, and all legal bids."""
    player, bidding = (bidder + 1) % game.players, public_game(game).bidding
    after, found = (player + 1) % game.players, 0.0
    options = [(ending, bid, bidder, player) for ending in FINAL_ACTIONS[: bidding.final_action_count]]
    options += [(CALL, one, player, after) for one in range(bid + 1, bidding.stops[bid])]
    all_rolls = [[roll for roll, _ in game.rolls(one)] for one in range(game.players)]
    for own, (roll, chance) in enumerate(game.rolls(player)):
        numbers = [[own] if one == player else range(len(all_rolls[one])) for one in range(game.players)]
        wins = np.zeros(len(options))
        for chosen in product(*numbers):
            dice = [all_rolls[one][number] for one, number in enumerate(chosen)]
            weight = prod(reaches[one][number] for one, number in enumerate(chosen) if one != player)
            for place, (ending, asked, one, other) in enumerate(options):
                stands = game.holds(game.bids[asked], dice, ending)
                wins[place] += weight * (game.loser(one, other, stands) != player)
        assert dice[player] == roll
        found += float(chance) * (wins.max() - wins[0])
    return found


def bid_gain_of(game: Rules, reach, value, bid: int, bidder: int) -> float:
    """Return the gain of one of two players by a bid that is called, by the definition; arguments as for `gains.bid_gain`."""
    caller, found = 1 - bidder, 0.0
    for own, (roll, chance) in enumerate(game.rolls(bidder)):
        wins = 0.0
        for weight, (other, _) in zip(reach, game.rolls(caller), strict=True):
            dice = [roll, other] if bidder == 0 else [other, roll]
            wins += weight * game.holds(game.bids[bid], dice, CALL)
        found += float(chance) * max(0.0, wins - value[own] * sum(reach))
    return found


def _check(game: Rules) -> None:
    public, generator = public_game(game), np.random.default_rng(3)
    traverser = PublicTree(public, minimiser("dcfr+"), 1, kind=np.float64).traverser.shard_traverser
    bids, showdowns = traverser.bids, traverser.showdowns
    stack = arrays.new_stack(showdowns, bids.endings)
    seen = set()
    for bid in range(public.bids):
        if not public.bidding.has_choice(bid):
            continue
        bidder = bid % game.players
        player = (bidder + 1) % game.players
        reaches = [generator.random(len(rolls)) * (generator.random(len(rolls)) < 0.7) * rolls for rolls in public.rolls]
        stack.chances.known[0] = False
        for one, reach in enumerate(reaches):
            stack.vectors[one], stack.reach_row[one], stack.reach_sum[one] = 0, one, reach.sum()
            stack.vectors[one, : len(reach)] = reach
        expected, where = gain_of(game, reaches, bid, bidder), (player, stack.slot[0], np.int32(bid), bidder)
        reach = stack.chances, stack.vectors, stack.reach_row, stack.reach_sum, stack.total, stack.action_value[0]
        for error in (-ERROR, ERROR):
            assert _matters(showdowns, bids, *where, expected + error, np.zeros(0), *reach) == (error < 0)
        seen.add(expected > 0)
        if game.players == 2:
            value = generator.random(traverser.width)
            stack.vectors[-1 - game.players] = stack.vectors[player]
            wanted = bid_gain_of(game, reaches[player], value, bid, bidder)
            numbers = player, np.int32(bid), bidder
            assert _bid_gain(showdowns, bids, *numbers, value, *reach) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
            assert _bid_gain(showdowns, bids, *numbers, 0 * value, *reach) == np.inf
    assert True in seen


@each_preset
def test_a_gain_matches_the_sum_over_all_rolls(game):
    _check(game)


@each_house_of_any
def test_a_gain_matches_the_sum_over_all_rolls_with_house_rules(game):
    _check(game)

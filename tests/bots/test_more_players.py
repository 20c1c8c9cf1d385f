"""Equilibrium bots for three or more players: they play the solved strategy, and hints are based on it."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.arena.tournament import Tournament, run
from liarsdice_cli.bots.advice import NEAR_EQUILIBRIUM, Adviser
from liarsdice_cli.bots.equilibrium import Equilibrium, solved
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from tests.support.command_line import run_here
from tests.support.properties import mostly_slow


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "dice"), [("classic", (1, 1, 1)), ("common", (1, 1, 1)), ("face-first", (1, 1, 1, 1))])
def test_it_plays_the_solved_strategy_and_calls_impossible_bids(preset, dice):
    game = rules(preset, 4, dice)
    strategy, small = Equilibrium().strategy(game), game.without_impossible_bids()
    found = solved(game).best
    assert max(found.judgement.regrets) <= 5e-3
    for names in ([], ["1x2"], ["1x1", "2x3"]):
        history, reduced = BettingState.parse(game, names).history, BettingState.parse(small, names).history
        said = dict(
            zip((game.action_name(one) for one in BettingState(game, history).actions), strategy.at(history), strict=True)
        )
        expected = dict(
            zip(
                (small.action_name(one) for one in BettingState(small, reduced).actions),
                found.stored.at(reduced),
                strict=True,
            )
        )
        assert sum(said.values()) == pytest.approx(1)
        assert all(np.array_equal(said[name], expected.get(name, np.zeros(4))) for name in said)
    if small != game:
        impossible = next(bid for bid in game.bids if bid.quantity > small.max_quantity)
        assert (strategy.at(BettingState.parse(game, [str(impossible)]).history)[0] == 1).all()


def test_equilibria_from_a_file_and_from_the_solver_play_at_one_table(tmp_path):
    file = str(tmp_path / "three.ldz")
    options = ("--dice", "1,1,1", "--sides", 3, "--rules", "joker")
    assert run_here("solve", *options, "-o", file, "-q").code == 0
    game = rules("joker", 3, (1, 1, 1))
    bots = tuple(map(policy, (f"equilibrium:{file}", "equilibrium", "random")))
    result = run(Tournament(game, bots, 300, False, 1))
    won = [one.won for one in result.standings()]
    assert min(won) == won[2]
    with pytest.raises(LiarsDiceError, match="is for joker rules, 3 sides, dice 1,1,1"):
        bots[0].check(rules("common", 3, (1, 1, 1)))


@pytest.mark.slow
def test_an_equilibrium_bot_plays_a_match_of_three_to_its_end():
    bots = tuple(map(policy, ("equilibrium", "honest", "random")))
    result = run(Tournament(rules("common", 3, (1, 2, 1)), bots, 20, True, 1))
    assert sum(one.won for one in result.standings()) == result.standings()[0].games


@pytest.mark.parametrize("sides", mostly_slow([3, 6]))
def test_advice_for_three_players_is_in_probabilities_of_not_losing(sides):
    game = rules("common", sides, (1, 1, 1))
    adviser = Adviser()
    opening = [adviser.advice(View(game, (face,))) for face in game.faces]
    assert {one.basis for one in opening} == {NEAR_EQUILIBRIUM}
    expected = sum(np.dot(one.values, one.probabilities) for one in opening) / sides
    found = adviser.game(game).best.judgement
    assert expected == pytest.approx(found.payoffs[0], abs=1e-7)
    assert max(max(one.values) for one in opening) <= 1
    assert sum(float(one.cost(one.best)) for one in opening) == 0
    assert opening[0].regret == found.max_regret
    sure = adviser.advice(View(game, (sides,), BettingState.parse(game, [f"1x{sides}"]).history))
    assert sure.values[sure.actions.index(CALL)] == pytest.approx(0)


def test_advice_on_an_impossible_bid_among_three_is_from_an_equilibrium_that_is_not_exact():
    advice = Adviser().advice(View(rules("classic", 4, (1, 1, 1)), (3,), (2, 12)))
    assert (advice.basis, advice.best, advice.cost(CALL), advice.cost(13)) == (NEAR_EQUILIBRIUM, CALL, 0, 1)
    assert advice.regret > 0

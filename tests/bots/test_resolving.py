"""The re-solving bot: its beliefs, the bids that it considers, and its strategy."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.bots.equilibrium import is_solvable, solved
from liarsdice_cli.bots.opponents import DOUBT
from liarsdice_cli.bots.resolving import Resolver, Resolving
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.exploitation import exploitability
from tests.support.command_line import end_by, posix, seconds_used, start, wait_for
from tests.support.properties import mostly_slow


def _quick(**how: float) -> Resolving:
    """Return a bot with a fixed number of iterations instead of a time limit."""
    return Resolving("resolving", iterations=40, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", mostly_slow([((2, 1, 1),), ((1, 1),), ((3, 2),)]))
def test_it_gives_a_distribution_over_the_legal_actions_for_every_roll(dice: tuple[int, ...]) -> None:
    game, bot = rules("joker", 4, dice), _quick()
    for bids in ([], ["1x3"], ["1x2", "2x2"], ["1x2", "1x4", "2x3"], [str(game.bids[-1])]):
        history = BettingState.parse(game, bids).history
        said = bot.resolver(game).at(history)
        assert said.shape[0] == len(BettingState(game, history).actions)
        assert said.min() >= 0
        assert said.sum(axis=0) == pytest.approx(np.ones(said.shape[1]))


def test_bids_shift_beliefs_and_exclude_no_roll() -> None:
    game = rules("common", 4, (2, 2))
    resolver, history = _quick().resolver(game), BettingState.parse(game, ["2x4"]).history
    rest, fair = resolver.subgame(history), priors(game)[0]
    shift, bids = rest.beliefs[0] / fair, resolver.at(())[history[0]]
    assert (shift >= DOUBT * 0.999).all()
    assert shift[bids.argmax()] == pytest.approx(shift.max())
    assert shift[bids.argmin()] == pytest.approx(shift.min())
    assert shift.min() < 1 < shift.max()
    assert rest.beliefs[1] == pytest.approx(priors(game)[1])


def test_beliefs_about_the_bot_follow_from_its_own_strategy() -> None:
    game = rules("common", 6)
    resolver = _quick().resolver(game)
    opened = resolver.at(())
    bid = int(opened.sum(axis=1).argmax())
    history = (bid, min(bid + 2, 10))
    rest = resolver.subgame(history)
    expected = opened[bid] / opened[bid].sum()
    assert rest.beliefs[0] == pytest.approx((1 - DOUBT) * expected + DOUBT / 6, abs=1e-6)


@pytest.mark.slow
def test_only_plausible_bids_are_considered_if_there_are_many() -> None:
    game, bot = rules("ones-low", 6, (5, 5)), Resolving("resolving", iterations=2, most=20)
    rest = bot.strategy(game).subgame(())
    quantities = [game.bids[bid].quantity for bid in rest.bids]
    assert len(rest.bids) == 20
    assert (min(quantities), max(quantities)) == (1, 5)
    assert {game.bids[bid].quantity for bid in rest.bids if game.bids[bid].face == 1} == {1, 2, 3}
    assert rest.bids == tuple(sorted(rest.bids))
    late = bot.strategy(game).subgame(BettingState.parse(game, ["8x2"]).history)
    assert all(bid > late.history[-1] for bid in late.bids)
    assert bot.strategy(game).at(()).shape == (60, 252)


def test_its_exploitability_is_low_if_it_resolves_every_decision() -> None:
    game = rules("common", 3)
    assert exploitability(game, Resolving("resolving", iterations=300).resolver(game)).exploitability < 0.02


def test_it_plays_a_solution_of_the_whole_game_if_that_is_quick() -> None:
    game, larger, more = rules("common", 6), rules("common", 6, (5, 5)), rules("common", 3, (1, 1, 1))
    bot = policy("resolving")
    bot.check(game)
    assert exploitability(game, bot).exploitability < 0.001
    assert isinstance(bot.strategy(game), type(solved(game).strategy()))
    for elsewhere in (larger, more):
        assert isinstance(bot.strategy(elsewhere), Resolver)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_game_of_two_dice_each_is_solved_before_play(preset: str) -> None:
    assert is_solvable(rules(preset, 6, (2, 2)))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_its_regret_is_below_a_hundredth_with_two_dice_each(preset: str) -> None:
    game = rules(preset, 6, (2, 2))
    assert isinstance(policy("resolving").strategy(game), type(solved(game).strategy()))
    assert max(solved(game).best.judgement.regrets) < 0.01


def test_its_specification_sets_the_seconds_or_is_refused() -> None:
    for name, seconds in (("resolving", 1.0), ("resolving:0.2", 0.2)):
        bot = policy(name)
        assert isinstance(bot, Resolving)
        assert (bot.name, bot.seconds) == (name, seconds)
    for name in (
        "resolving:",
        "resolving:1:",
        "resolving:0",
        "resolving:-1",
        "resolving:nan",
        "resolving:fast",
        "resolving:inf",
    ):
        with pytest.raises(UsageError, match="in seconds"):
            policy(name)


@pytest.mark.slow
@posix
def test_ctrl_c_ends_a_decision_and_the_game() -> None:
    process = start("play", "resolving:60", "--rules", "ones-low", "--dice", "4,4", "--seed", 1)
    wait_for(lambda: seconds_used(process.pid) > 2.5, 60)  # starting takes one of them
    ended = end_by(process, "SIGINT")
    assert ended.code == 130
    assert "Traceback" not in ended.err

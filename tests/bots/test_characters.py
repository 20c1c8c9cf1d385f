"""The bots with habits behave as described."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.bots.characters import Bluffer, Copier, Learner, Moody, Trusting
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.playing import tournament

GAME = rules("common", 6, (3, 3, 3))


def said(bot: Policy, roll: tuple[int, ...], *bids: str, game: Rules = GAME) -> dict[str, float]:
    view = View(game, roll, BettingState.parse(game, bids).history)
    shares = bot.distribution(view)
    return {game.action_name(action): share for action, share in zip(view.actions, shares.tolist(), strict=True) if share}


def test_the_bluffer_bids_the_face_it_has_fewest_of_in_a_third_of_its_turns() -> None:
    assert said(Bluffer(), (5, 5, 6), "2x4") == pytest.approx({"2x5": 2 / 3, "3x1": 1 / 3})
    assert said(Bluffer(), (5, 5, 6), "6x4") == said(Honest(), (5, 5, 6), "6x4")


def test_the_copier_stays_on_the_face() -> None:
    assert said(Copier(), (2, 2, 4)) == {"2x2": 1.0}
    assert said(Copier(), (2, 2, 4), "2x2") == {"3x2": 1.0}
    assert said(Copier(), (2, 2, 4), "3x2") == {"call": 1.0}


def test_moody_calls_more_often_with_every_bid() -> None:
    assert said(Moody(), (2, 2, 4)) == {"2x2": 1.0}
    assert said(Moody(), (2, 2, 4), "1x3") == pytest.approx({"call": 1 / 7, "2x2": 6 / 7})
    assert said(Moody(), (2, 2, 4), "1x3", "1x4", "1x5")["call"] == pytest.approx(1 / 3)


def test_the_trusting_bot_believes_the_bids_of_others() -> None:
    assert said(Trusting(), (1, 6, 6), "3x6", "4x6") == {"5x6": 1.0}  # 2 own dice, 1 expected from fair dice, 2 for the bids
    assert said(Trusting(), (1, 2, 3), "3x6") == {"call": 1.0}


def test_the_learner_stops_calling_at_a_table_of_high_bids() -> None:
    def heard(*rounds: tuple[str, ...]) -> list[object]:
        one, generator = Learner(), np.random.default_rng(0)
        return [one.act(View(GAME, (1, 2, 3), BettingState.parse(GAME, bids).history), generator) for bids in rounds]

    bold, fresh = heard(*[("5x6",)] * 6, ("3x6",)), heard(("3x6",))
    assert fresh == ["call"]
    assert bold[-1] != "call"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bot", [Bluffer(), Copier(), Moody(), Trusting()], ids=repr)
def test_every_character_plays_every_preset(bot: Policy, preset: str) -> None:
    game = rules(preset, 6, (2, 1))
    last = len(game.bids) - 1
    for history in ((), (game.bidding.openings[0],), (last,)):
        view = View(game, game.rolls(len(history) % 2)[0][0], history)
        assert bot.distribution(view).sum() == pytest.approx(1)
        assert len(bot.distribution(view)) == len(view.actions)


@pytest.mark.slow
def test_the_learner_plays_in_the_arena() -> None:
    result = tournament(GAME.with_dice((1, 1)), ["liarsdice_cli.bots.characters:Learner", "random"], rounds=100, seed=1)
    assert not result.standings()[0].failures

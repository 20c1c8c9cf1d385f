"""Tables of matching dice against the rules, roll by roll and die by die."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.matching import matching_by_face, matching_table, standing_table
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules


@pytest.mark.parametrize("preset", PRESETS)
def test_every_entry_agrees_with_the_rules(preset: str) -> None:
    game = rules(preset, 3, (2, 1))
    for player in (0, 1):
        table = matching_table(game, player)
        assert table.tolist() == [[game.matching(roll, bid.face) for roll, _ in game.rolls(player)] for bid in game.bids]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("ending", [CALL, SPOT_ON])
def test_the_table_of_standing_bids_agrees_with_the_rules(preset: str, ending: int) -> None:
    game = rules(preset, 3, (2, 1))
    table = standing_table(game, ending)
    for number, bid in enumerate(game.bids):
        held = [[game.holds(bid, (own, other), ending) for other, _ in game.rolls(1)] for own, _ in game.rolls(0)]
        assert table[number].tolist() == held


def test_the_order_of_the_dice_does_not_matter() -> None:
    game = rules("dudo", 6, (3, 2))
    assert np.array_equal(matching_by_face(game, np.array([[6, 1, 3]])), matching_by_face(game, np.array([[1, 3, 6]])))

"""Small games with house rules, for tests of every part that plays, solves, evaluates or shows a game."""

from __future__ import annotations

import pytest

from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from tests.support.properties import mostly_slow

DICE_BY_DICE = sorted(name for name, preset in PRESETS.items() if not preset.stairs)
"""The presets that zero intelligence plays: those in which dice count one by one."""

HOUSE = [
    rules("perudo", 3, (1, 1), payoffs="zero-sum"),
    rules("ones-low", 3, (1, 1), wild_opening=False, payoffs="zero-sum"),
    rules("top-wild", 2, (2, 1), wild_opening=False),
    rules("face-first", 3, (1, 2), wild_opening=False, max_quantity=2),
    rules("joker", 3, (1, 2), stairs=True, max_quantity=4),
    rules("common", 3, (1, 2), payoffs="zero-sum", fixed_face=True),
    rules("joker", 2, (2, 1), stairs=True),
    rules("ones-low", 3, (1, 1), fixed_face=True, wild_opening=False, max_quantity=3),
    rules("perudo", 2, (1, 3)).palifico(),
    rules("dudo", 3, (2, 1), fixed_face=True),
    rules("snyd", 3, (1, 1), payoffs="zero-sum"),
    rules("common", 3, (1, 1), spot_on=True, payoffs="zero-sum"),
    rules("perudo", 2, (2, 1), spot_on=True),
    rules("dudo", 3, (1, 2), spot_on=True, fixed_face=True),
]
"""Games of two players. Quick tests use every sixth (0, 6, 12), and each of these has a different house rule."""
HOUSE_OF_MORE = [
    rules("ones-low", 2, (1, 1, 1), wild_opening=False),
    rules("joker", 2, (1, 2, 1), stairs=True),
    rules("dudo", 2, (1, 2, 1), order="halving"),
    rules("common", 2, (1, 2, 1), fixed_face=True),
    rules("ones-low", 2, (1, 1, 1), spot_on=True),
]
each_house = pytest.mark.parametrize("game", mostly_slow(HOUSE, 6), ids=str)
each_house_of_any = pytest.mark.parametrize("game", mostly_slow([*HOUSE, *HOUSE_OF_MORE], 6), ids=str)


def is_reached(game: Rules, history: tuple[int, ...]) -> bool:
    """Return whether bids make a history, by the plain wording of the rules."""
    bids = [game.bids[number] for number in history]
    if game.fixed_face and len({bid.face for bid in bids}) > 1:
        return False
    return not bids or game.wild_opening or bids[0].face != game.wild

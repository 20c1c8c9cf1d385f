"""Small games of house rules, over which every part of the program that plays, solves, judges or shows a game is tested."""

from __future__ import annotations

import pytest

from liarsdice_cli.games.liarsdice.rules import Rules, rules

HOUSE = [
    rules("dudo", 3, (1, 1), order="halving", wild_opening=False, payoffs="zero-sum"),
    rules("ones-low", 3, (1, 1), wild_opening=False, payoffs="zero-sum"),
    rules("top-wild", 2, (2, 1), wild_opening=False),
    rules("face-first", 3, (1, 2), wild_opening=False, max_quantity=2),
]
"""Of two players."""
HOUSE_OF_MORE = [rules("ones-low", 2, (1, 1, 1), wild_opening=False), rules("dudo", 2, (1, 2, 1), order="halving")]
each_house = pytest.mark.parametrize("game", HOUSE, ids=str)
each_house_of_any = pytest.mark.parametrize("game", [*HOUSE, *HOUSE_OF_MORE], ids=str)


def is_reached(game: Rules, history: tuple[int, ...]) -> bool:
    """Whether bids make a history, as a person at the table would say."""
    bids = [game.bids[number] for number in history]
    return not bids or game.wild_opening or bids[0].face != game.wild

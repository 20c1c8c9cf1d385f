"""Tables of the dice that match each bid: `Rules.matching` for all rolls at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Ints
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Rules, rolls_of


def matching_by_face(rules: Rules, dice: Ints) -> Ints:
    """Return the number of dice of each throw of one player that match the faces 1..S in turn; shape (S, throws).

    dice : the faces thrown in any order, shape (throws, dice)

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> matching_by_face(rules("joker", 3), np.array([[1, 2], [3, 3]])).tolist()
    [[1, 0], [2, 0], [1, 2]]
    """
    return np.stack([_matching(rules, dice, face) for face in range(1, rules.sides + 1)])


def _matching(rules: Rules, dice: Ints, face: int) -> Ints:
    counts = np.array([rules.counts(die, face) for die in range(1, rules.sides + 1)])
    found: Ints = counts[dice - 1].sum(axis=1)
    if rules.stairs:
        found[(np.sort(dice, axis=1) == np.arange(1, dice.shape[1] + 1)).all(axis=1)] = dice.shape[1] + 1
    return found


def matching_by_bid(rules: Rules, dice: Ints) -> Ints:
    """Return the number of dice of each throw that match each bid; shape (bids, throws). See `matching_by_face`."""
    face: Ints = np.array([bid.face for bid in rules.bids])
    found: Ints = matching_by_face(rules, dice)[face - 1]
    return found


@lru_cache(64)
def matching_table(rules: Rules, player: int) -> Ints:
    """Return the number of dice of each roll of a player, from 0, that match each bid; shape (bids, rolls), as `Rules` lists
    both. The array is shared and cannot be written to.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> matching_table(rules("common", 2, (2, 1)), 0).tolist()
    [[2, 1, 0], [0, 1, 2], [2, 1, 0], [0, 1, 2], [2, 1, 0], [0, 1, 2]]
    """
    return matching_by_bid(rules, roll_table(rules.sides, rules.dice[player]))


def matching_row(rules: Rules, player: int, bid: int) -> Ints:
    """Return the row of one bid in the `matching_table` of a player.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> matching_row(rules("common", 2, (2, 1)), 0, 1).tolist()
    [0, 1, 2]
    """
    return _matching(rules, roll_table(rules.sides, rules.dice[player]), rules.bids[bid].face)


@lru_cache(16)
def roll_table(sides: int, dice: int) -> Ints:
    """Return the rolls of a number of dice; shape (rolls, dice). The array is shared and cannot be written to."""
    found = np.array(rolls_of(sides, dice), np.int64)
    found.flags.writeable = False
    return found


def standing_table(rules: Rules, ending: int = CALL) -> Bools:
    """Return whether each bid stands against a final action (see `Rules.stands`), by the rolls of two players.

    Shape (bids, rolls of player 1, rolls of player 2).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> standing_table(rules("common", 2))[1].tolist()
    [[False, True], [True, True]]
    """
    first, second = (matching_table(rules, player) for player in (0, 1))
    quantity = np.array([bid.quantity for bid in rules.bids])[:, None, None]
    found: Bools = rules.stands(first[:, :, None] + second[:, None, :] - quantity, ending)
    return found

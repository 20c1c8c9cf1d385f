"""Liar's Dice as a public-tree solver sees it."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, counted
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.public_game import PublicGame

MOST_ROLLS = 100_000
"""The most rolls of a player that are listed; with so many no array of a public tree fits anywhere."""


def public_game(rules: Rules) -> PublicGame:
    """The betting, the rolls and the showdowns of rules for two players.

    Raises LiarsDiceError for another number of players, and for more than `MOST_ROLLS`. Cost: bids times rolls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = public_game(rules("joker", 2, (2, 1)))
    >>> game.bids, game.rolls[0].tolist(), game.matching[0].tolist(), game.quantity.tolist()
    (3, [0.25, 0.5, 0.25], [[2, 2, 2], [2, 2, 2], [2, 2, 2]], [1, 2, 3])
    """
    if rules.players != 2:
        raise LiarsDiceError("the public tree is solved for two players, and ", Argument("dice"), f" names {rules.players}")
    most = max(rules.roll_count(player) for player in range(2))
    if most > MOST_ROLLS:
        raise LiarsDiceError(
            f"a player has {counted(most)} rolls, above the {MOST_ROLLS:,} that are solved for: lower ",
            Argument("sides"),
            " or ",
            Argument("dice"),
        )
    first, second = (
        np.array([float(probability) for _, probability in rules.rolls(player)], np.float64) for player in range(2)
    )
    quantity = np.array([bid.quantity for bid in rules.bids], np.int64)
    wins, loses = rules.payoffs_when_losing(1), rules.payoffs_when_losing(0)
    return PublicGame(
        name=str(rules),
        bids=rules.bid_count,
        rolls=(first, second),
        matching=(matching_table(rules, 0), matching_table(rules, 1)),
        quantity=quantity,
        payoffs=(wins[0], loses[0]),
        total=wins[0] + wins[1],
    )

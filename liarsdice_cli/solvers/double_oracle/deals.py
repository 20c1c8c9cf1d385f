"""The rolls of both players and who wins a call, in integers, so that all that is added up of them stays exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules

_MOST = 1 << 28
"""The most bids times pairs of rolls, a byte each."""
BITS = 62
"""Bits of a sum of weights that NumPy's integers hold."""


class Deals:
    """What chance deals two players, and which bids then stand (see `Rules.stands`).

    A bid is true if both players' matching dice are enough, so for a roll of one player a sum over the other's rolls is
    the weight with which the other has at least so many dice of a kind: see `at_least`. That it is spot-on has the weight of
    as many, less that of more.

    bids, rolls : how many there are; rolls of each player
    bidding     : which bids may be made when
    weights     : for each player, integers (rolls): of how many ordered throws a roll is the sorted one; Python's integers
                  where `total` has more than `BITS` bits
    total       : of all pairs of throws
    stands      : for each way to end the round, (bids, rolls of player 1, rolls of player 2)

    Raises LiarsDiceError where these would be more than `_MOST`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> deals = Deals(rules("common", 2, (2, 1)))
    >>> deals.weights[0].tolist(), deals.total, deals.stands[0][0].tolist()
    ([1, 2, 1], 8, [[True, True], [True, True], [True, False]])
    """

    def __init__(self, rules: Rules) -> None:
        if rules.bid_count * rules.roll_count(0) * rules.roll_count(1) > _MOST:
            raise LiarsDiceError("there are too many pairs of rolls to solve for exactly: lower ", Argument("dice"))
        self.rules, self.bids, self.bidding = rules, rules.bid_count, rules.bidding
        matching = [matching_table(rules, player) for player in (0, 1)]
        quantity = np.array([bid.quantity for bid in rules.bids])
        throws = [rules.sides**dice for dice in rules.dice]
        self.total = throws[0] * throws[1]
        kind: Any = np.int64 if self.total.bit_length() <= BITS else object
        self.weights: list[Any] = [
            np.array([int(chance * throws[player]) for _, chance in rules.rolls(player)], kind) for player in (0, 1)
        ]
        self.rolls = [len(one) for one in self.weights]
        surplus = matching[0][:, :, None] + matching[1][:, None, :] - quantity[:, None, None]
        self.stands: list[Bools] = [rules.stands(surplus, ending) for ending in self.bidding.ends]
        _, kind = np.unique(np.hstack(matching), axis=0, return_inverse=True)
        first = np.unique(kind, return_index=True)[1]
        self._has, self._needs = [], []
        for player, other in ((0, 1), (1, 0)):
            most = int(matching[player].max())
            counts = np.arange(most + 2)
            has = matching[player][first][:, None, :] >= counts[:, None]
            self._has.append(has.reshape(-1, self.rolls[player]).T.astype(np.int64))
            missing = quantity[:, None] - matching[other] + np.array([0, 1])[:, None, None]
            self._needs.append(kind.reshape(-1)[:, None] * len(counts) + np.clip(missing, 0, most + 1))

    def at_least(self, player: int, reach: Numbers) -> Numbers:
        """The weight with which a player has at least so many dice of a kind.

        reach : (histories, rolls), chance included; the result has as many rows, and columns that `standing` knows, of which
                the first is the weight of all
        """
        found: Numbers = reach @ self._has[player].astype(reach.dtype)
        return found

    def standing(self, player: int, chances: Numbers, bids: Ints, ending: int) -> Numbers:
        """The weight with which a bid in each row stands against an ending, for each roll of the other player.

        chances : `at_least` of the player, a row a bid
        """
        enough, more = (np.take_along_axis(chances, needs[bids], axis=1) for needs in self._needs[player])
        found: Numbers = chances[:, :1] - enough + more if ending else enough
        return found

    def payoff(self, player: int, wins: Fraction) -> Fraction:
        """The payoff of a player who wins with this probability."""
        win, lose = (self.rules.payoffs_when_losing(loser)[player] for loser in (1 - player, player))
        return lose + (win - lose) * wins

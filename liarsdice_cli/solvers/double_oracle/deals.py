"""The rolls of both players and who wins a call, in integers, so that all that is added up of them stays exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import refuse_spot_on

_MOST = 1 << 28
"""The most bids times pairs of rolls, a byte each."""


class Deals:
    """What chance deals two players, and which bids are then true.

    A bid is true if both players' matching dice are enough, so for a roll of one player a sum over the other's rolls is
    the weight with which the other has at least so many dice of a kind: see `at_least`.

    bids, rolls : how many there are; rolls of each player
    bidding     : which bids may be made when
    weights     : for each player, integers (rolls): of how many ordered throws a roll is the sorted one
    total       : of all pairs of throws
    true        : (bids, rolls of player 1, rolls of player 2)

    Raises LiarsDiceError where these would be more than `_MOST`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> deals = Deals(rules("common", 2, (2, 1)))
    >>> deals.weights[0].tolist(), deals.total, deals.true[0].tolist()
    ([1, 2, 1], 8, [[True, True], [True, True], [True, False]])
    """

    def __init__(self, rules: Rules) -> None:
        refuse_spot_on(rules)
        if rules.bid_count * rules.roll_count(0) * rules.roll_count(1) > _MOST:
            raise LiarsDiceError("there are too many pairs of rolls to solve for exactly: lower ", Argument("dice"))
        self.rules, self.bids, self.bidding = rules, rules.bid_count, rules.bidding
        matching = [matching_table(rules, player) for player in (0, 1)]
        quantity = np.array([bid.quantity for bid in rules.bids])
        throws = [rules.sides**dice for dice in rules.dice]
        self.weights = [
            np.array([int(chance * throws[player]) for _, chance in rules.rolls(player)], np.int64) for player in (0, 1)
        ]
        self.rolls = [len(one) for one in self.weights]
        self.total = throws[0] * throws[1]
        self.true: Bools = matching[0][:, :, None] + matching[1][:, None, :] >= quantity[:, None, None]
        _, kind = np.unique(np.hstack(matching), axis=0, return_inverse=True)
        first = np.unique(kind, return_index=True)[1]
        self._has, self._needs = [], []
        for player, other in ((0, 1), (1, 0)):
            most = int(matching[player].max())
            counts = np.arange(most + 2)
            has = matching[player][first][:, None, :] >= counts[:, None]
            self._has.append(has.reshape(-1, self.rolls[player]).T.astype(np.int64))
            missing = np.clip(quantity[:, None] - matching[other], 0, most + 1)
            self._needs.append(kind.reshape(-1)[:, None] * len(counts) + missing)

    def at_least(self, player: int, reach: Numbers) -> Numbers:
        """The weight with which a player has at least so many dice of a kind.

        reach : (histories, rolls), chance included; the result has as many rows, and columns that `needed` names, of which
                the first is the weight of all
        """
        found: Numbers = reach @ self._has[player].astype(reach.dtype)
        return found

    def needed(self, player: int, bids: Ints) -> Ints:
        """The columns of `at_least` of a player that say how likely bids are true for each roll of the other player."""
        found: Ints = self._needs[player][bids]
        return found

    def payoff(self, player: int, wins: Fraction) -> Fraction:
        """The payoff of a player who wins with this probability."""
        win, lose = (self.rules.payoffs_when_losing(loser)[player] for loser in (1 - player, player))
        return lose + (win - lose) * wins

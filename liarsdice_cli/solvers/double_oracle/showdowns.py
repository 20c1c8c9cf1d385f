"""The rolls of both players and the winner of each showdown, in integers, so that all sums are exact."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Bools, Ints, Numbers
from liarsdice_cli.games.liarsdice.matching import matching_table, standing_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.public_game import bid_groups

_MOST = 1 << 28
"""Most bids times pairs of rolls, a byte each."""
BITS = 62
"""Largest number of bits of a sum of weights in NumPy's integers."""


class ShowdownWeights:
    """The deals of two players as integer weights, and the bids that stand in each (see `Rules.stands`).

    A bid is true if the matching dice of both players are enough. So, for a roll of one player, the sum over the other's rolls
    is the weight with which the other has at least a certain number of matching dice (`at_least`). The weight of a spot-on bid
    is the weight of at least as many, minus that of more.

    bids    : number of bids
    rolls   : number of rolls of each player
    bidding : which bids may be made when
    weights : for each player, integers (rolls): number of ordered throws with this roll; Python's integers if `total` has more
              than `BITS` bits
    total   : number of pairs of throws
    stands  : for each action that ends the round, bools (bids, rolls of player 1, rolls of player 2)

    Raises LiarsDiceError if the arrays would need more than `_MOST` bytes.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> showdowns = ShowdownWeights(rules("common", 2, (2, 1)))
    >>> showdowns.weights[0].tolist(), showdowns.total, showdowns.stands[0][0].tolist()
    ([1, 2, 1], 8, [[True, True], [True, True], [True, False]])
    """

    def __init__(self, rules: Rules) -> None:
        if rules.bid_count * rules.roll_count(0) * rules.roll_count(1) > _MOST:
            raise LiarsDiceError("there are too many pairs of rolls for an exact solution: lower ", Argument("dice"))
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
        self.stands: list[Bools] = [standing_table(rules, ending) for ending in self.bidding.final_actions]
        parts, group = bid_groups(matching)
        self._has, self._needs = [], []
        for player, other in ((0, 1), (1, 0)):
            most = int(matching[player].max())
            counts = np.arange(most + 2)
            has = parts[player][:, None, :] >= counts[:, None]
            self._has.append(has.reshape(-1, self.rolls[player]).T.astype(np.int64))
            needed = quantity[:, None] - matching[other] + np.array([0, 1])[:, None, None]
            self._needs.append(group[:, None] * len(counts) + np.clip(needed, 0, most + 1))

    def at_least(self, player: int, reach: Numbers) -> Numbers:
        """Return the weight with which a player has at least a number of matching dice of a kind.

        reach : (histories, rolls), chance included

        The result has a row for each history. Its columns are those that `standing` reads; the first is the whole weight.
        """
        found: Numbers = reach @ self._has[player].astype(reach.dtype)
        return found

    def standing(self, player: int, chances: Numbers, bids: Ints, ending: int) -> Numbers:
        """Return the weight with which a bid in each row stands against an ending, for each roll of the other player.

        chances : `at_least` of the player, a row for each bid
        """
        enough, more = (np.take_along_axis(chances, needs[bids], axis=1) for needs in self._needs[player])
        found: Numbers = chances[:, :1] - enough + more if ending else enough
        return found

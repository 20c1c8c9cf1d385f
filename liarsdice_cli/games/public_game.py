"""A game with public actions and private rolls, as solvers see it. Solvers use no other information about the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import Bidding

_Number = TypeVar("_Number", float, Fraction, Number)

MOST_BIDS = 1000
"""The most bids of a game that solvers accept; they store several numbers for every pair of bids."""


@dataclass(frozen=True, eq=False)
class PublicGame:
    """Two or more players with private rolls. They bid in turn, each bid above the last, until a call ends the round.

    One player loses; a player's payoff depends only on whether that player loses. A call needs a bid before it. If the bidding
    has a second final action, the player to move may also claim that the last bid is spot-on.

    name     : one line that names everything a value depends on
    bidding  : the legal bids after each bid
    rolls    : the probabilities of each player's rolls, which are independent; float64, with sum 1
    matching : for each player, integers (bids, rolls), 0 or more: the number of dice of a roll that match a bid
    quantity : integers (bids): a bid is true if all players' matching dice add up to at least this, spot-on if exactly
    payoffs  : for each player, the payoff if another player loses and if this player loses. The bidder loses if a false bid
               is called, and if a spot-on claim is right. Otherwise the player who ended the round loses
    total    : the sum of all players' payoffs
    first    : the first player to move, from 0
    last     : the bid that the player before has already made, -1 if there is none
    """

    name: str
    bidding: Bidding
    rolls: tuple[Floats, ...]
    matching: tuple[Ints, ...]
    quantity: Ints
    payoffs: tuple[tuple[Fraction, Fraction], ...]
    total: Fraction
    first: int = 0
    last: int = -1

    @property
    def bids(self) -> int:
        """The number N of bids."""
        return self.bidding.bids

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.rolls)

    @property
    def range(self) -> float:
        """The widest range of a player's payoffs."""
        return max(float(abs(win - lose)) for win, lose in self.payoffs)

    @property
    def rounding_error(self) -> float:
        """A bound on the rounding error of an expected payoff that is summed up the tree in float64.

        All terms are positive. Each of the at most N + 1 levels adds a relative error below (actions + rolls + 4) 2^-53. A
        showdown multiplies and adds the probabilities of the other players' matching dice: (matching + 2) more for every player
        beyond two.
        """
        rolls = max(map(len, self.rolls))
        showdown = (self.players - 2) * (sum(int(one.max()) for one in self.matching) + 2)
        return (self.bids + 1) * (self.bids + rolls + 4 + showdown) * 2.0**-53 * self.range

    @cached_property
    def settled(self) -> Bools:
        """For each bid, whether a call is best after it and after all bids that follow it, whatever the rolls and the beliefs.

        For two players. It is so if no later bid can be true together with it, and all of them are settled. They are then
        called, and a bid that is called wins only with rolls with which a call wins too. A spot-on claim wins together with the
        bid, so with such claims no bid is settled.
        """
        found = np.zeros(self.bids, np.bool_)
        if self.players != 2 or self.bidding.final_action_count > 1:
            return found
        for bid in reversed(range(self.bids)):
            found[bid] = all(found[later] and not self._both_true(bid, later) for later in self.bidding.following(bid))
        return found

    def _both_true(self, bid: int, later: int) -> bool:
        """Return whether some rolls of two players make two bids true."""
        first, second = (np.unique(one[[bid, later]], axis=1) for one in self.matching)
        both = first[:, :, None] + second[:, None, :] >= self.quantity[[bid, later], None, None]
        return bool(both.all(axis=0).any())

    def check_bids(self) -> None:
        """Raise LiarsDiceError for more than `MOST_BIDS`."""
        if self.bids > MOST_BIDS:
            raise LiarsDiceError(
                f"{self.bids:,} bids are more than the {MOST_BIDS:,} that can be solved: lower ",
                *(Argument("sides"), " or ", Argument("dice")),
            )

    def payoff(self, player: int, wins: _Number) -> _Number:
        """Return the expected payoff of a player, from 0, whose probability of not losing is `wins`."""
        win, lose = self.payoffs[player]
        return lose + (win - lose) * wins

    def payoff_against(self, player: int, wins: _Number) -> _Number:
        """Return the expected payoff of a player of two against one whose probability of not losing is `wins`."""
        return self.total - self.payoff(1 - player, wins)


def bid_groups(matching: Sequence[Ints]) -> tuple[list[Ints], Ints]:
    """Return groups of bids that all rolls match with the same numbers of dice; only their quantities differ.

    matching : as in `PublicGame`

    It returns these numbers for each player, integers (groups, rolls), and the group of each bid, integers (bids).

    >>> parts, group = bid_groups([np.array([[1, 0], [0, 1], [1, 0]]), np.array([[1, 0], [0, 1], [1, 0]])])
    >>> [part.tolist() for part in parts], group.tolist()
    ([[[0, 1], [1, 0]], [[0, 1], [1, 0]]], [1, 0, 1])
    """
    rows, group = np.unique(np.concatenate(matching, axis=1), axis=0, return_inverse=True)
    return np.split(rows, np.cumsum([one.shape[1] for one in matching])[:-1], axis=1), group.reshape(-1)

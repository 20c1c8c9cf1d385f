"""What a solver sees of a game with public actions and private rolls: the only thing it sees, so it knows no rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import Bidding

MOST_BIDS = 1000
"""The most bids of a game that solvers begin with: they keep some numbers for every pair of bids."""


@dataclass(frozen=True, eq=False)
class PublicGame:
    """Two or more players with private rolls who bid in turn, each bid above the last, until one calls and one player loses.

    The first may not call, unless a bid has been made already. A player's payoff depends only on whether the player is the
    one who loses. Where the bidding has a second ending, who moves may also say that the bid is spot-on.

    name     : one line that names everything a value depends on
    bidding  : which bids may be made when
    rolls    : the probabilities of each player's rolls, which are independent; float64, add up to 1
    matching : for each player, integers (bids, rolls) from 0: how much a roll does for the truth of a bid
    quantity : integers (bids): the bid is true if all players' matching adds up to this much, and spot-on if to no more
    payoffs  : of each player when another loses, and when the player does: the bidder loses by a false bid that is called,
               and by one that is rightly said to be spot-on, else who ended the round
    total    : what all players' payoffs add up to
    first    : who moves first, from 0
    last     : the bid that the one before has made already, -1 where there is none
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
        """What rounding can do to an expected payoff that is summed up the tree in float64.

        All terms are positive, so each of the at most N + 1 levels adds a relative error below (actions + rolls + 4) 2^-53,
        and a showdown, which multiplies and adds the chances of what each of the other players has, (matching + 2) more for
        every player beyond two.
        """
        rolls = max(map(len, self.rolls))
        showdown = (self.players - 2) * (sum(int(one.max()) for one in self.matching) + 2)
        return (self.bids + 1) * (self.bids + rolls + 4 + showdown) * 2.0**-53 * self.range

    def payoff(self, player: int, wins: float) -> float:
        """The payoff of a player, from 0, who with this probability is not the one who loses."""
        win, lose = self.payoffs[player]
        return float(lose) + float(win - lose) * wins

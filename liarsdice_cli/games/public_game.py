"""What a solver sees of a game with public actions and private rolls: the only thing it sees, so it knows no rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarsdice_cli.extensive.tree import Floats, Ints


@dataclass(frozen=True, eq=False)
class PublicGame:
    """Two players with private rolls who bid in turn, each bid above the last, until one calls; the first may not call.

    name     : one line that names everything a value depends on
    bids     : the number N of bids; every rising sequence of them can be made
    rolls    : the probabilities of each player's rolls, which chance deals independently; float64, add up to 1
    matching : for each player, integers (bids, rolls) from 0: how much a roll does for the truth of a bid
    quantity : integers (bids): the bid is true if both players' matching adds up to this much
    payoffs  : of player 1 on winning and on losing: the bidder wins a true bid that is called, else the caller wins.
               The payoffs of player 2 are `total` less these.
    total    : what both players' payoffs add up to
    """

    name: str
    bids: int
    rolls: tuple[Floats, Floats]
    matching: tuple[Ints, Ints]
    quantity: Ints
    payoffs: tuple[Fraction, Fraction]
    total: Fraction

    @property
    def rounding_error(self) -> float:
        """What rounding can do to an expected payoff that is summed up the tree in float64.

        All terms are positive, so each of the at most N + 1 levels adds a relative error below (actions + rolls + 4) 2^-53.
        """
        win, lose = self.payoffs
        most = max(map(len, self.rolls))
        return (self.bids + 1) * (self.bids + most + 4) * 2.0**-53 * float(abs(win - lose))

    def payoff(self, wins: float) -> float:
        """The payoff of player 1, who wins with this probability."""
        win, lose = self.payoffs
        return float(lose) + float(win - lose) * wins

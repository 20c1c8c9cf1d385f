"""A match at a real table, as one of its players sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from liarsdice_cli.bots.protocol import View
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.rules import Roll
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.text import numbered, quoted

OVER = "the bidding of this round is over: enter the loser, or start a new round"


@dataclass(frozen=True)
class RealTable(Table):
    """A table as the player in one seat sees it: with the names of all players, and with that player's own dice.

    names  : the names of the players, by seat
    me     : the seat of the player who sees it
    own    : the roll of this player in this round; None if it is not known yet
    losers : the seats that lost the rounds before this one; None for a round that no player lost

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> table = RealTable.start(rules("common", 6, (1, 2)), names=("Ann", "me"), me=1)
    >>> table = table.act(8).with_own([4, 3])
    >>> table.who(table.turn), table.view.roll, str(table.view.last)
    ('me', (3, 4), '2x3')
    >>> table = table.act(CALL).shown([3])
    >>> table.who(table.loser), table.next_round().dice
    ('me', (1, 1))
    """

    names: tuple[str, ...] = ()
    me: int = 0
    own: Roll | None = None
    losers: tuple[int | None, ...] = ()

    @property
    def number(self) -> int:
        """The number of this round, from 1."""
        return len(self.losers) + 1

    @property
    def mine(self) -> bool:
        """Whether the player `me` is to move."""
        return self.turn == self.me

    @property
    def view(self) -> View:
        """The view of the player to move. The roll is empty if this player is not `me`, or if `own` is not known."""
        return View(self.rules, self.own or () if self.mine else (), self.bids)

    @property
    def is_over(self) -> bool:
        """Whether the match is over for `me`: this player or all others have no dice left."""
        return super().is_over or not self.dice_left[self.me]

    def who(self, seat: int | None) -> str:
        """Return the name of the player in a seat."""
        return "nobody" if seat is None else self.names[seat]

    def seat(self, name: str) -> int:
        """Return the seat of a player from the name or its beginning; UsageError unless it fits one player of this round."""
        asked = name.strip().casefold()
        known = {self.names[seat].casefold(): seat for seat in self.seats}
        meant = [known[asked]] if asked in known else [seat for one, seat in known.items() if asked and one.startswith(asked)]
        if len(meant) != 1:
            playing = ", ".join(self.names[seat] for seat in self.seats)
            raise UsageError(f"{quoted(name, 40)} is not one of the players: {playing}")
        return meant[0]

    def with_own(self, faces: Sequence[int]) -> Self:
        """Return the table with the dice of `me`, in any order; UsageError for a wrong number of dice or a wrong face."""
        held = self.dice[self.me]
        self._check(faces)
        if len(faces) != held:
            raise UsageError(f"you have {numbered(held, 'dice')} in this round, not {len(faces)}: give the face of each")
        return replace(self, own=tuple(sorted(faces)))

    def act(self, action: int) -> Self:
        """Return the table after an action of the player to move; UsageError if the bidding is over."""
        if self.turn is None:
            raise UsageError(OVER)
        return super().act(action)

    def claim(self, seat: int) -> Self:
        """Return the table after a seat claimed spot-on, perhaps out of turn; UsageError if it may not."""
        if not self.rules.spot_on:
            raise UsageError("spot-on is not played at this table")
        if self.turn is None or not self.history:
            raise UsageError(OVER if self.history else "there is no bid yet to claim spot-on")
        if seat == self.turn:
            return self.act(SPOT_ON)
        if not self.match_rules.by_any:
            raise UsageError(f"only the next player, {self.who(self.turn)}, may say spot-on at this table")
        if seat == self.bidder:
            raise UsageError(f"{self.who(seat)} made the bid, and cannot say that it is spot-on")
        return super().claim(seat)

    def lose(self, seat: int, forfeit: bool = False) -> Self:
        """Return the table after a seat lost this round; UsageError if, after a call, it is neither bidder nor caller.

        If a right claim wins back a die, the bidder "loses" to it, but no player loses a die.
        """
        if self.called and seat not in (self.bidder, self.caller):
            bidder, caller, named = ("you" if one == self.me else self.names[one] for one in (self.bidder, self.caller, seat))
            did = "called" if self.ending == CALL else "said spot-on after"
            raise UsageError(f"{caller} {did} {bidder}, so {bidder} or {caller} lost, not {named}")
        if self.match_rules.spot_on_gains and self.ending == SPOT_ON and seat == self.bidder:
            return self.gain(self.caller)
        return super().lose(seat, forfeit)

    def shown(self, faces: Sequence[int]) -> Self:
        """Return the table after the dice are shown, which decide the loser; UsageError for a wrong number of dice.

        faces : the dice of the other players, or of all players, in the order of play from the opener. The order matters only
                if stairs count.
        """
        if not self.called:
            raise UsageError("dice are shown after a call: type call first, or dice for your own")
        self._check(faces)
        everybody, unseen = sum(self.rules.dice), sum(self.rules.dice) - self.dice[self.me]
        before = sum(self.dice[seat] for seat in self.seats[: self.seats.index(self.me)])
        if len(faces) == unseen and self.own is not None:
            faces = [*faces[:before], *self.own, *faces[before:]]
        if len(faces) != everybody:
            given = f"{numbered(len(faces), 'dice')} is the wrong number: "
            if self.own is None:
                raise UsageError(f"{given}your own are not known, so give all {everybody}, or a name")
            raise UsageError(f"{given}give the {unseen} of the other players, all {everybody}, or a name")
        shown = iter(faces)
        return self.showdown([tuple(islice(shown, self.dice[seat])) for seat in self.seats])

    def next_round(self, opener: int | None = None) -> Self:
        """Return the next round, or this one if no player lost it; UsageError if the match is over or the opener is out."""
        if self.is_over:
            raise UsageError("the match is over: type undo to take back the last entry, or quit")
        if opener is not None and not self.dice_left[opener]:
            raise UsageError(f"{self.who(opener)} has no dice left, and cannot open")
        if not self.is_settled:
            return replace(self.redeal(opener), own=None)
        return replace(super().next_round(opener), own=None, losers=(*self.losers, self.loser))

    def _check(self, faces: Sequence[int]) -> None:
        wrong = next((face for face in faces if not 1 <= face <= self.game.sides), None)
        if wrong is not None:
            raise UsageError(f"there is no face {wrong} on a die: faces are 1 to {self.game.sides}")

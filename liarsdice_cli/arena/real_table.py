"""A match at a real table, as one who sits there sees and hears it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from liarsdice_cli.arena.matches import Matches
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.text import quoted

OVER = "nobody bids any more in this round: say who lost it, or begin a new one"


@dataclass(frozen=True)
class Table:
    """A moment of a match; everything that happens makes the next one.

    game    : the rules, with the dice that every seat had in the beginning
    names   : who sits there, in the order of play
    me      : the seat, from 0, of the one who sees it
    dice    : how many every seat has left
    opener  : the seat that opens the round
    number  : of the round, from 1
    own     : the dice of `me` in it, sorted; None before they are known
    history : the numbers of the bids made, in the rules `rules` of the round
    ended   : what was said of the last of them, CALL or SPOT_ON; None while bids are made
    loser   : the seat that lost the round; None before that is known
    losers  : of the rounds before
    palifico : whether who comes down to one die opens a palifico round
    last    : whether this is one

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> table = Table.of(rules("common", 6, (1, 2)), ["Ann", "me"], 1)
    >>> table = table.act(8).with_own([4, 3])
    >>> table.who(table.turn), table.view.roll, str(table.view.last)
    ('me', (3, 4), '2x3')
    >>> table = table.act(CALL).shown([3])
    >>> table.who(table.loser), table.next().dice
    ('me', (1, 1))
    """

    game: Rules
    names: tuple[str, ...]
    me: int
    dice: tuple[int, ...]
    opener: int = 0
    number: int = 1
    own: Roll | None = None
    history: tuple[int, ...] = ()
    ended: int | None = None
    loser: int | None = None
    losers: tuple[int, ...] = ()
    palifico: bool = False
    last: bool = False

    @classmethod
    def of(cls, rules: Rules, names: Sequence[str], me: int, opener: int = 0, palifico: bool = False) -> Table:
        """The first round."""
        return cls(rules, tuple(names), me, rules.dice, opener, palifico=palifico)

    @property
    def seats(self) -> list[int]:
        """Who plays the round, from the one who opens."""
        count = len(self.dice)
        return [seat for seat in ((self.opener + place) % count for place in range(count)) if self.dice[seat]]

    @cached_property
    def rules(self) -> Rules:
        """Those of the round."""
        found = self.game.with_dice([self.dice[seat] for seat in self.seats])
        return found.palifico() if self.palifico and self.last else found

    @property
    def called(self) -> bool:
        """Whether the last bid was called, or said to be spot-on, so that dice are shown."""
        return self.ended is not None

    @property
    def turn(self) -> int | None:
        """The seat that moves; None where the round is over, or has only to be shown."""
        if self.called or self.loser is not None:
            return None
        return self.seats[len(self.history) % len(self.seats)]

    @property
    def mine(self) -> bool:
        """Whether it is the turn of the one who sees it."""
        return self.turn == self.me

    @property
    def view(self) -> View:
        """What whoever moves sees: the own dice are those of `me`, or none before they are known."""
        return View(self.rules, self.own or () if self.mine else (), self.history)

    @property
    def bidder(self) -> int:
        """The seat that made the last bid."""
        return self.seats[(len(self.history) - 1) % len(self.seats)]

    @property
    def caller(self) -> int:
        """The seat after it, which has called or may."""
        return self.seats[len(self.history) % len(self.seats)]

    @property
    def left(self) -> tuple[int, ...]:
        """The dice of every seat after the round, which may not be over."""
        return tuple(dice - (seat == self.loser) for seat, dice in enumerate(self.dice))

    @property
    def is_over(self) -> bool:
        """Whether the match is: one has dice, or `me` has none."""
        return not self.left[self.me] or sum(dice > 0 for dice in self.left) < 2

    def who(self, seat: int | None) -> str:
        """The name of a seat."""
        return "nobody" if seat is None else self.names[seat]

    def seat(self, name: str) -> int:
        """The seat of somebody who plays the round, by the name or its beginning; UsageError for nobody's, and for two."""
        asked = name.strip().casefold()
        known = {self.names[seat].casefold(): seat for seat in self.seats}
        meant = [known[asked]] if asked in known else [seat for one, seat in known.items() if asked and one.startswith(asked)]
        if len(meant) != 1:
            playing = ", ".join(self.names[seat] for seat in self.seats)
            raise UsageError(f"{quoted(name, 40)} is not one of those who play: {playing}")
        return meant[0]

    def with_own(self, faces: Sequence[int]) -> Table:
        """With these dice of `me`, in any order; UsageError where they are not as many, or have no such faces."""
        held = self.dice[self.me]
        self._check(faces)
        if len(faces) != held:
            raise UsageError(f"you have {_dice(held)} in this round, and these are {len(faces)}: give the face of each")
        return replace(self, own=tuple(sorted(faces)))

    def act(self, action: int) -> Table:
        """After what ends the bidding, or a bid by its number, of whoever moves; UsageError where nobody does."""
        if self.turn is None:
            raise UsageError(OVER)
        if action < 0:
            return replace(self, ended=action)
        return replace(self, history=(*self.history, action))

    def lost(self, seat: int) -> Table:
        """Where a seat lost the round; UsageError where, after a call, it is not one of both that can have."""
        if self.called and seat not in (self.bidder, self.caller):
            bidder, caller, named = ("you" if one == self.me else self.names[one] for one in (self.bidder, self.caller, seat))
            did = "called" if self.ended == CALL else "said spot-on after"
            raise UsageError(f"{caller} {did} {bidder}, so {bidder} or {caller} lost, not {named}")
        return replace(self, loser=seat)

    def shown(self, faces: Sequence[int]) -> Table:
        """Where the others' dice turn out to be these, or all dice: who lost follows. UsageError for another number of them.

        faces : player after player from the one who opened, which matters where stairs count
        """
        if self.ended is None:
            raise UsageError("dice are shown after a call: say call first, or dice for your own")
        self._check(faces)
        everybody, unseen = sum(self.rules.dice), sum(self.rules.dice) - self.dice[self.me]
        before = sum(self.dice[seat] for seat in self.seats[: self.seats.index(self.me)])
        if len(faces) == unseen and self.own is not None:
            faces = [*faces[:before], *self.own, *faces[before:]]
        if len(faces) != everybody:
            raise UsageError(f"{_dice(len(faces))} cannot be all: give the {unseen} of the others, all {everybody}, or a name")
        shown = iter(faces)
        rolls = [tuple(islice(shown, self.dice[seat])) for seat in self.seats]
        bid = self.rules.bids[self.history[-1]]
        return self.lost(self.rules.loser(self.bidder, self.caller, self.rules.holds(bid, rolls, self.ended)))

    def next(self, opener: int | None = None) -> Table:
        """The next round: the loser has a die less and opens; without one, the same round again, all dice rolled anew.

        opener : the seat that opens, where the table does otherwise

        Raises UsageError where the match is over, or who is to open has no dice.
        """
        if self.is_over:
            raise UsageError("the match is over: undo takes the last thing back, quit ends")
        dice, opens, losers, last = self.dice, self.opener, self.losers, self.last
        if self.loser is not None:
            match = Matches.begin(self.dice)
            match.lose(np.array([0]), np.array([self.loser]), np.array([False]))
            dice, opens = tuple(match.dice[0].tolist()), int(match.opener[0])
            losers, last = (*losers, self.loser), bool(match.last[0])
        if opener is not None:
            opens = opener
        if not dice[opens]:
            raise UsageError(f"{self.who(opens)} has no dice left, and cannot open")
        begun = replace(self, own=None, history=(), ended=None, loser=None)
        return replace(begun, dice=dice, opener=opens, number=len(losers) + 1, losers=losers, last=last)

    def _check(self, faces: Sequence[int]) -> None:
        wrong = next((face for face in faces if not 1 <= face <= self.game.sides), None)
        if wrong is not None:
            raise UsageError(f"there is no face {wrong} on a die: faces are 1 to {self.game.sides}")


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"

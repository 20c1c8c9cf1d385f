"""The table: seats, dice left, who opens, and the bidding of the current round. All matches are played on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Self

from liarsdice_cli.games.bidding import SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState


@dataclass(frozen=True)
class Table:
    """A moment of a match. A table does not change: each action and each round returns a new one, so keep the old one to undo.

    The loser of a round gives up a die and opens the next round. If the loser has no dice left, the next seat with dice opens.
    With `MatchRules.spot_on_gains`, nobody loses after a right spot-on claim: the claimer wins back a die, if one is missing,
    and opens.

    game        : the rules, with the dice of every seat at the start of the match
    dice        : the dice of every seat in this round, 0 for a seat that is out
    opener      : the seat that opens this round, from 0
    match_rules : the rules of the match beyond those of its rounds
    is_palifico : whether this round is a palifico round
    history     : the actions of this round, as in `BettingState`
    loser       : the seat that lost this round; None if that is not known yet
    forfeited   : whether the loser gives up all dice instead of one
    gainer      : the seat whose claim was right and wins back a die; None otherwise
    claimer     : the seat that claimed spot-on without being next; None otherwise

    >>> from liarsdice_cli.games.bidding import CALL
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> table = Table.start(rules("common", 6, (2, 1, 1))).act(0).act(CALL)
    >>> table.bidder, table.caller, table.showdown([(2, 3), (4,), (5,)]).loser
    (0, 1, 0)
    >>> following = table.lose(1).next_round()
    >>> following.dice, following.seats, following.rules.dice
    ((2, 0, 1), [2, 0], (1, 2))
    """

    game: Rules
    dice: tuple[int, ...]
    opener: int = 0
    match_rules: MatchRules = PLAIN
    is_palifico: bool = False
    history: tuple[int, ...] = ()
    loser: int | None = None
    forfeited: bool = False
    gainer: int | None = None
    claimer: int | None = None

    @classmethod
    def start(cls, game: Rules, match_rules: MatchRules = PLAIN, opener: int = 0, **fields: Any) -> Self:
        """Return the first round of a match, before the first bid; `fields` are those of a derived class."""
        return cls(game, game.dice, opener, match_rules, **fields)

    @property
    def seats(self) -> list[int]:
        """The seats with dice in this round, in the order of play from the opener."""
        count = len(self.dice)
        return [seat for seat in ((self.opener + turn) % count for turn in range(count)) if self.dice[seat]]

    @cached_property
    def rules(self) -> Rules:
        """The rules of this round, with the dice of `seats`."""
        return _round_rules(self.game, tuple(self.dice[seat] for seat in self.seats), self.is_palifico)

    @property
    def state(self) -> BettingState:
        """The bidding of this round, in which the opener is player 0."""
        return BettingState(self.rules, self.history)

    @property
    def bids(self) -> tuple[int, ...]:
        """The numbers of the bids of this round, without the action that ended it."""
        return self.history[:-1] if self.called else self.history

    @property
    def called(self) -> bool:
        """Whether a call or a spot-on claim has ended the bidding."""
        return self.state.is_terminal

    @property
    def ending(self) -> int | None:
        """CALL or SPOT_ON if one of them has ended the bidding; otherwise None."""
        return self.history[-1] if self.called else None

    @property
    def turn(self) -> int | None:
        """The seat to move; None if the bidding has ended."""
        if self.called or self.is_settled:
            return None
        return self._seat_after(len(self.history))

    @property
    def bidder(self) -> int:
        """The seat that made the last bid."""
        return self._seat_after(len(self.bids) - 1)

    @property
    def caller(self) -> int:
        """The seat that has called or claimed spot-on, or can call: the one after the last bidder, or the `claimer`."""
        return self._seat_after(len(self.bids)) if self.claimer is None else self.claimer

    @property
    def is_settled(self) -> bool:
        """Whether it is known who lost this round, or that nobody did."""
        return self.loser is not None or self.gainer is not None

    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice of every seat after this round; those of this round if it is not settled."""
        lost = self.dice if self.forfeited else (1,) * len(self.dice)
        won = [seat == self.gainer and held < self.game.dice[seat] for seat, held in enumerate(self.dice)]
        return tuple(held + won[seat] - lost[seat] * (seat == self.loser) for seat, held in enumerate(self.dice))

    @property
    def is_over(self) -> bool:
        """Whether the match is over: fewer than two seats have dice left."""
        return sum(map(bool, self.dice_left)) < 2

    def act(self, action: int) -> Self:
        """Return the table after a legal action: a bid, CALL or SPOT_ON."""
        return replace(self, history=(*self.history, action))

    def claim(self, seat: int) -> Self:
        """Return the table after a seat that is not to move claims that the last bid is spot-on."""
        return replace(self.act(SPOT_ON), claimer=seat)

    def showdown(self, rolls: Sequence[Roll]) -> Self:
        """Return the table after a call or a spot-on claim is decided by the rolls, which are in the order of `seats`."""
        assert self.ending is not None, "a call or a spot-on claim comes before the showdown"
        stands = self.rules.holds(self.rules.bids[self.bids[-1]], rolls, self.ending)
        if self.match_rules.spot_on_gains and self.ending == SPOT_ON and not stands:
            return self.gain(self.caller)
        return self.lose(self.rules.loser(self.bidder, self.caller, stands))

    def gain(self, seat: int) -> Self:
        """Return the table after a seat was right to claim spot-on, so that nobody lost this round."""
        return replace(self, gainer=seat)

    def lose(self, seat: int, forfeit: bool = False) -> Self:
        """Return the table after a seat lost this round; a seat that forfeits gives up all dice. ValueError if it has none."""
        if not self.dice[seat]:
            raise ValueError(f"seat {seat} has no dice to lose")
        return replace(self, loser=seat, forfeited=forfeit)

    def next_round(self, opener: int | None = None) -> Self:
        """Return the next round of a match, for a round that is settled; `opener` is another seat that opens it."""
        first, dice = self.gainer if self.loser is None else self.loser, self.dice_left
        assert first is not None, "a round ends when its loser is known, or that it has none"
        opens = next_with_dice(dice, first) if opener is None else opener
        is_palifico = self.match_rules.palifico and self.loser is not None and dice[first] == 1
        return self._before_bidding(dice=dice, opener=opens, is_palifico=is_palifico)

    def redeal(self, opener: int | None = None) -> Self:
        """Return this round before its first bid, with the same dice of every seat; `opener` is another seat that opens it."""
        return self._before_bidding(opener=self.opener if opener is None else opener)

    def _before_bidding(self, **changes: Any) -> Self:
        nothing: dict[str, Any] = {"history": (), "loser": None, "forfeited": False, "gainer": None, "claimer": None}
        begun: Self = replace(self, **nothing, **changes)
        return begun

    def _seat_after(self, actions: int) -> int:
        """Return the seat to move after a number of actions."""
        seats = self.seats
        return seats[actions % len(seats)]


def next_with_dice(dice: Sequence[int], seat: int) -> int:
    """Return the seat itself if it has dice; otherwise the next seat in the order of play that has some.

    >>> next_with_dice((2, 0, 1), 1), next_with_dice((2, 0, 1), 0)
    (2, 0)
    """
    count = len(dice)
    return next(one for one in ((seat + step) % count for step in range(count)) if dice[one])


def rounds_of(start: Table, whole: bool = False) -> list[Table]:
    """Return every number of dice up to those of the start with every opener; if `whole`, only those with all players in.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [(one.dice, one.opener) for one in rounds_of(Table.start(rules("joker", 2, (1, 1, 1))), whole=True)]
    [((1, 1, 1), 0), ((1, 1, 1), 1), ((1, 1, 1), 2)]
    """
    found = []
    least = 1 if whole else 0
    for dice in product(*(range(least, held + 1) for held in start.dice)):
        for opener in [seat for seat, held in enumerate(dice) if held]:
            if sum(map(bool, dice)) > 1:
                is_palifico = start.match_rules.palifico and dice[opener] == 1 and dice != start.dice
                found.append(Table(start.game, dice, opener, start.match_rules, is_palifico))
    return sorted(found, key=lambda one: (sum(one.dice), one.dice, one.opener))


@lru_cache(4_096)
def _round_rules(game: Rules, dice: tuple[int, ...], is_palifico: bool) -> Rules:
    """Cached: the arena reads the same few rules for every group of games, and making rules checks them."""
    found = game.with_dice(dice)
    return found.palifico() if is_palifico else found

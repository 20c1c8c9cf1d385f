"""One game at one table, round after round, for somebody who sits there or watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from liarsdice_cli.arena import one_by_one
from liarsdice_cli.arena.matches import Matches
from liarsdice_cli.arena.one_by_one import RoundEnd
from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.games.liarsdice.rules import Roll, Rules


@dataclass(frozen=True, eq=False)
class Round:
    """A round that is dealt.

    number : of the round, from 1
    rules  : of the round, with the dice of those who play it
    seats  : who plays it, from the one who opens
    rolls  : of each of them
    """

    number: int
    rules: Rules
    seats: list[int]
    rolls: list[Roll]


@dataclass(eq=False)
class Session:
    """A number of rounds, opened by every seat in turn; or a match, which the first seat plays to its end.

    rules     : with the dice of every seat at the start
    bots      : of every seat
    rounds    : how many; None for a match, which ends where one has dice, and where the first seat has none
    dealer    : from which the dice follow
    generator : from which the bots do
    palifico  : whether who comes down to one die in a match opens a palifico round
    losers    : the seats that lost the rounds played

    >>> from liarsdice_cli.bots.simple import Honest
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> dealer, generator = np.random.default_rng(1), np.random.default_rng(2)
    >>> session = Session(rules("common", 6, (2, 1)), [Honest(), Honest()], None, dealer, generator)
    >>> while (dealt := session.deal()) is not None:
    ...     end = session.play(dealt)
    >>> min(session.dice), len(session.losers) >= 1
    (0, True)
    """

    rules: Rules
    bots: Sequence[Bot]
    rounds: int | None
    dealer: np.random.Generator
    generator: np.random.Generator
    palifico: bool = False
    losers: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._match = Matches.begin(self.rules.dice)

    @property
    def dice(self) -> list[int]:
        """How many dice every seat has."""
        dice: list[int] = self._match.dice[0].tolist()
        return dice

    @property
    def is_over(self) -> bool:
        """Whether no round is left."""
        if self.rounds is not None:
            return len(self.losers) == self.rounds
        return self.dice[0] == 0 or not len(self._match.going(np.array([0])))

    def deal(self) -> Round | None:
        """The next round; None where none is left."""
        if self.is_over:
            return None
        players = len(self.dice)
        opener = int(self._match.opener[0]) if self.rounds is None else len(self.losers) % players
        seats = [seat for seat in ((opener + place) % players for place in range(players)) if self.dice[seat]]
        rules = self.rules.with_dice([self.dice[seat] for seat in seats])
        if self.palifico and self._match.last[0]:
            rules = rules.palifico()
        rolls = [tuple(sorted(self.dealer.integers(1, rules.sides + 1, self.dice[seat]).tolist())) for seat in seats]
        return Round(len(self.losers) + 1, rules, seats, rolls)

    def play(
        self,
        dealt: Round,
        told: Callable[[View, int], None] = lambda view, action: None,
        history: tuple[int, ...] = (),
    ) -> RoundEnd:
        """Play a round, from these bids on, and in a match take the loser's dice; see `one_by_one.play`."""
        bots = [self.bots[seat] for seat in dealt.seats]
        end = one_by_one.play(dealt.rules, bots, dealt.rolls, self.generator, told, history)
        loser = dealt.seats[end.loser]
        self.losers.append(loser)
        if self.rounds is None:
            self._match.lose(np.array([0]), np.array([loser]), np.array([end.failure is not None]))
        return end

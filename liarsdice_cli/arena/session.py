"""A match or a number of rounds at one table, round after round: for a person at the table, or a spectator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from liarsdice_cli.arena import one_by_one
from liarsdice_cli.arena.one_by_one import RoundEnd
from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.table import Table


@dataclass(frozen=True, eq=False)
class Round:
    """A round after the dice are rolled.

    number : the number of the round, from 1
    table  : the table before the first bid
    rolls  : the roll of every seat of `table.seats`, in that order
    """

    number: int
    table: Table
    rolls: list[Roll]


@dataclass(eq=False)
class Session:
    """A number of rounds that every seat opens in turn, or a match that ends when the first seat has won or lost it.

    rules     : the rules, with the dice of every seat at the start
    bots      : the bot of every seat
    rounds    : the number of rounds; None for a match
    dealer    : the generator of the dice
    generator : the generator of the bots' random choices
    match_rules : those of a match, or of single rounds, as `MatchRules.of` returns them
    losers    : the seats that lost the rounds played; None for a round that no player lost
    table     : the table of the next round; after a match, the table of its last round

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
    match_rules: MatchRules = PLAIN
    losers: list[int | None] = field(default_factory=list)
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table = Table.start(self.rules, self.match_rules)

    @property
    def dice(self) -> list[int]:
        """The dice of every seat."""
        return list(self.table.dice_left)

    @property
    def is_over(self) -> bool:
        """Whether no round is left to play."""
        if self.rounds is not None:
            return len(self.losers) == self.rounds
        return self.table.is_over or self.dice[0] == 0

    def deal(self) -> Round | None:
        """Roll the dice of the next round and return it; None if no round is left."""
        if self.is_over:
            return None
        table = self.table
        rolls = [tuple(sorted(self.dealer.integers(1, self.rules.sides + 1, dice).tolist())) for dice in table.rules.dice]
        return Round(len(self.losers) + 1, table, rolls)

    def play(
        self,
        dealt: Round,
        on_move: Callable[[View, int], None] = lambda view, action: None,
        history: tuple[int, ...] = (),
    ) -> RoundEnd:
        """Play a round from a history, and in a match take a die from the loser; see `one_by_one.play`."""
        bots = [self.bots[seat] for seat in dealt.table.seats]
        end = one_by_one.play(replace(dealt.table, history=history), bots, dealt.rolls, self.generator, on_move)
        self.losers.append(end.loser)
        self.table = self._following(end.table)
        return end

    def _following(self, ended: Table) -> Table:
        """Return the table of the next round, or the same table if the match is over."""
        if self.rounds is not None:
            return ended.redeal((ended.opener + 1) % len(ended.dice))
        return ended if ended.is_over else ended.next_round()

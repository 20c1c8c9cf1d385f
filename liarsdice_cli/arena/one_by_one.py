"""Rounds played one after the other, one move at a time: for bots that are not policies, and that can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.bots.user import BotFailedError, UserBot
from liarsdice_cli.games.liarsdice.rules import Roll
from liarsdice_cli.games.liarsdice.table import Table


@contextmanager
def ready(bots: Sequence[Bot], seeds: Sequence[np.random.SeedSequence]) -> Iterator[None]:
    """Start the processes of the user's own bots, each with its seed and nothing learned before, and end them afterwards."""
    own = [(bot, seed) for bot, seed in zip(bots, seeds, strict=True) if isinstance(bot, UserBot)]
    try:
        for bot, seed in own:
            bot.begin(seed.generate_state(4).tolist())
        yield
    finally:
        for bot, _ in own:
            bot.close()


class RoundEnd(NamedTuple):
    """The end of a round.

    table   : the table with the actions and the loser of the round
    failure : the error of the losing bot if it forfeits; None if the dice decided
    """

    table: Table
    failure: BotFailedError | None = None

    @property
    def loser(self) -> int | None:
        """The seat that lost the round; None if a right claim of spot-on won back a die."""
        return self.table.loser


def play(
    table: Table,
    bots: Sequence[Bot],
    rolls: Sequence[Roll],
    generator: np.random.Generator,
    on_move: Callable[[View, int], None] = lambda view, action: None,
) -> RoundEnd:
    """Play the rest of a round. A bot that fails forfeits.

    bots, rolls : for every seat of `table.seats`, in that order
    on_move     : called after every move with the view of its player and the action

    >>> from liarsdice_cli.bots.simple import Honest
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> table = Table.start(rules("common", 6))
    >>> end = play(table, [Honest(), Honest()], [(3,), (5,)], np.random.default_rng(0))
    >>> end.loser, end.table.history
    (0, (2, 4, -1))
    """
    state, seats = table.state, table.seats
    while not state.is_terminal:
        player = state.mover
        view = View(state.rules, rolls[player], state.history)
        try:
            action = bots[player].act(view, generator)
        except BotFailedError as error:
            return RoundEnd(replace(table, history=state.history).lose(seats[player], forfeit=True), error)
        on_move(view, action)
        state = state.child(action)
    return RoundEnd(replace(table, history=state.history).showdown(rolls))

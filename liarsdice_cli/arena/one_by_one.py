"""Rounds played one after the other, one move at a time: for bots that are not policies, and that can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from liarsdice_cli.bots.protocol import Bot, IllegalActionError, View, action_of, claims
from liarsdice_cli.bots.user import BotFailedError, UserBot
from liarsdice_cli.games.bidding import SPOT_ON
from liarsdice_cli.games.liarsdice.rules import Roll
from liarsdice_cli.games.liarsdice.state import BettingState
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
    on_move     : called after every move and every claim out of turn with the view of its player and the action

    With `MatchRules.by_any`, after each bid the players who are neither its bidder nor next are asked whether they claim
    spot-on, in the order of play. The next player is asked last, for a move. The last bid of `table.history` has had its
    questions.

    >>> from liarsdice_cli.bots.simple import Honest
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> table = Table.start(rules("common", 6))
    >>> end = play(table, [Honest(), Honest()], [(3,), (5,)], np.random.default_rng(0))
    >>> end.loser, end.table.history
    (0, (2, 4, -1))
    """
    state, seats, claimer = table.state, table.seats, None
    while not state.is_terminal:
        for player in _asked(state, table.match_rules.by_any and len(state.history) > len(table.history)):
            view = View(state.rules, rolls[player], state.history, None if player == state.mover else player)
            try:
                action = _answer(bots[player], view, generator)
            except BotFailedError as error:
                return RoundEnd(replace(table, history=state.history).lose(seats[player], forfeit=True), error)
            if action is not None:
                on_move(view, action)
                state, claimer = state.child(action), None if view.claimer is None else seats[player]
                break
    return RoundEnd(replace(table, history=state.history, claimer=claimer).showdown(rolls))


def _asked(state: BettingState, by_any: bool) -> Iterator[int]:
    """Yield the players to ask: those who may claim spot-on out of turn, if there are any, and the player to move."""
    players = state.rules.players
    if by_any:
        yield from ((state.mover + step) % players for step in range(1, players - 1))
    yield state.mover


def _answer(bot: Bot, view: View, generator: np.random.Generator) -> int | None:
    """Return a bot's action; None if it does not claim spot-on out of turn. BotFailedError for an illegal action."""
    if view.claimer is None:
        try:
            return action_of(view, bot.act(view, generator))
        except IllegalActionError as error:
            raise BotFailedError(str(error)) from error
    return SPOT_ON if claims(bot, view) else None

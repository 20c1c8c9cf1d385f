"""One round after another, one move after another: for bots that can only be asked, and that may fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.bots.user import BotFailedError, UserBot
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState


@contextmanager
def ready(bots: Sequence[Bot], seeds: Sequence[np.random.SeedSequence]) -> Iterator[None]:
    """Make the person's own bots anew, each with its seed, so that nothing learned elsewhere counts; end them after."""
    own = [(bot, seed) for bot, seed in zip(bots, seeds, strict=True) if isinstance(bot, UserBot)]
    try:
        for bot, seed in own:
            bot.begin(seed.generate_state(4).tolist())
        yield
    finally:
        for bot, _ in own:
            bot.close()


class RoundEnd(NamedTuple):
    """How a round ended.

    loser   : the place of who lost, from 0 for the one who opened
    history : the bids that were made; of the last it was said that it is false, or spot-on
    failure : what the bot at `loser` did wrong, so that it lost; None where dice decided
    ending  : CALL or SPOT_ON
    """

    loser: int
    history: tuple[int, ...]
    failure: BotFailedError | None = None
    ending: int = CALL


def play(
    rules: Rules,
    bots: Sequence[Bot],
    rolls: Sequence[Roll],
    generator: np.random.Generator,
    told: Callable[[View, int], None] = lambda view, action: None,
    history: tuple[int, ...] = (),
) -> RoundEnd:
    """Play one round; a bot that fails loses it.

    bots, rolls : of every place at the table, the one who opens first
    told        : called after every move with what its player saw and did
    history     : the bids made already

    >>> from liarsdice_cli.bots.simple import Honest
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6)
    >>> play(game, [Honest(), Honest()], [(3,), (5,)], np.random.default_rng(0))
    RoundEnd(loser=0, history=(2, 4), failure=None, ending=-1)
    """
    while True:
        player = BettingState(rules, history).mover
        view = View(rules, rolls[player], history)
        try:
            action = bots[player].act(view, generator)
        except BotFailedError as error:
            return RoundEnd(player, history, error)
        told(view, action)
        if action < 0:
            stands = rules.holds(rules.bids[history[-1]], rolls, action)
            return RoundEnd(rules.loser((player - 1) % rules.players, player, stands), history, ending=action)
        history = (*history, action)

"""Liar's Dice as a public-tree solver sees it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.payoffs import total_payoff
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.text import counted

MOST_ROLLS = 100_000
"""The most rolls of a player that are listed; with more, not even one history of a public tree fits in memory."""


def public_game(rules: Rules, start: Subgame | None = None) -> PublicGame:
    """Return the bidding, the rolls and the showdowns of rules.

    start : a subgame of them, for that subgame; None for the whole game

    Raises LiarsDiceError for more than `MOST_ROLLS`. Cost: bids times rolls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = public_game(rules("joker", 2, (2, 1)))
    >>> game.bids, game.rolls[0].tolist(), game.matching[0].tolist(), game.quantity.tolist()
    (3, [0.25, 0.5, 0.25], [[2, 2, 2], [2, 2, 2], [2, 2, 2]], [1, 2, 3])
    """
    if start is not None:
        return public_subgame(start)
    players = range(rules.players)
    most = max(rules.roll_count(player) for player in players)
    if most > MOST_ROLLS:
        raise LiarsDiceError(
            f"a player has {counted(most)} rolls, more than the {MOST_ROLLS:,} that can be solved: lower ",
            Argument("sides"),
            " or ",
            Argument("dice"),
        )
    lost, won = rules.payoffs_when_losing(0)[:2]
    return PublicGame(
        name=str(rules),
        bidding=rules.bidding,
        rolls=tuple(np.array([float(probability) for _, probability in rules.rolls(player)], np.float64) for player in players),
        matching=tuple(matching_table(rules, player) for player in players),
        quantity=np.array([bid.quantity for bid in rules.bids], np.int64),
        payoffs=((won, lost),) * rules.players,
        total=total_payoff(rules),
    )


def public_subgame(subgame: Subgame) -> PublicGame:
    """Return the public game of a subgame, in which only the subgame's bids have numbers.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.subgame import subgame
    >>> game = public_subgame(subgame(rules("common", 2), "1x2"))
    >>> game.bids, game.first, game.last, game.quantity.tolist()
    (3, 1, 0, [1, 2, 2])
    """
    whole, known = public_game(subgame.rules), list(subgame.numbered_bids)
    return replace(
        whole,
        name=f"{whole.name}, after {subgame.history_text or 'nothing'}, beliefs {subgame.digest}",
        bidding=subgame.bidding,
        rolls=subgame.beliefs,
        matching=tuple(one[known] for one in whole.matching),
        quantity=whole.quantity[known],
        first=subgame.mover,
        last=0 if subgame.history else -1,
    )

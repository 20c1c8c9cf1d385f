"""The value of every action after a history under kept strategies, from the rows below it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.responses import FIRST, PLAIN, look_ups, one_subtree

Rows = Callable[[int, int, int], Any]
"""The weights of a player (0 or 1), from a row up to another: 2-D, (rows, rolls)."""


class Weighted(Strategy, Protocol):
    """A strategy that acts in proportion to weights, which can be had for some rows alone."""

    def weights(self, player: int, start: int, stop: int) -> Any:
        """See `Rows`."""


def after(strategy: Weighted, history: Sequence[int]) -> RollsAfter:
    """What holds after the bids with these rising numbers, as `beliefs.after` says, but for games of any size.

    Cost: a pass over the rows below the history, compiled and without asking the strategy history by history.
    """
    here = beliefs.after(strategy, history, most=0)
    reach = here.reaches[1 - here.mover]
    if reach.sum() == 0:
        return here
    wins = action_wins(public_game(strategy.rules), history, reach, strategy.weights) / reach.sum()
    win, lose = (float(strategy.rules.payoffs_when_losing(loser)[here.mover]) for loser in (1 - here.mover, here.mover))
    return replace(here, values=lose + (win - lose) * wins)


def action_wins(game: PublicGame, history: Sequence[int], reach: Floats, weights: Rows) -> Floats:
    """For every action (rows) and roll (columns) of who moves, the chance that they win, weighed by the other's reach.

    reach   : for every roll of the other, its probability times that of the other's own bids so far
    weights : where the strategies are read from; only the rows below the history are asked for

    Divided by the sum of the reach these are probabilities of winning. Cost: a pass over the rows below the history.
    """
    layout, player = Layout(game.bids), len(history) % 2
    other, last = 1 - player, history[-1] if history else -1
    wins = [_called(game, last, player, reach, by_learner=True)] if history else []
    for bid in range(last + 1, game.bids):
        if bid == game.bids - 1:
            wins.append(_called(game, bid, player, reach, by_learner=False))
            continue
        starts, (movers, others) = layout.first_rows([*history, bid]), layout.rows_below(bid)
        none = np.zeros((0, 0))
        learner = weights(player, starts[player], starts[player] + others)
        rows = w.Weights(learner, weights(other, starts[other], starts[other] + movers), none, none, none)
        here = one_subtree(bid, (0, 0), False, reach, len(game.rolls[player]))
        w.walk(w.EVALUATE, w.WHOLE, here, FIRST, look_ups(game, player), 0, here, rows, PLAIN)
        wins.append(here.value[0])
    return np.array(wins)


def _called(game: PublicGame, bid: int, learner: int, reach: Floats, by_learner: bool) -> Floats:
    """What the learner wins with each roll when the bid is called."""
    true = np.add.outer(game.matching[learner][bid], game.matching[1 - learner][bid]) >= game.quantity[bid]
    won: Floats = (~true if by_learner else true) @ reach
    return won

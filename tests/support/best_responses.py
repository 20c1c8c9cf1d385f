"""A best response computed history by history: slow, recursive, and without any code of the solvers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy


class HistoryByHistory:
    """The best response of all others to the strategy of a player.

    seat      : the player's seat, from 0
    opponent_max_bids : number of bids after which a responder must call
    number    : arithmetic: converts a probability to a float or a Fraction
    value     : the responders' probability of winning
    choices   : for every history at which the responders move: the row of the first best action for each of their rolls
    positions : number of histories that the strategy reaches
    """

    def __init__(
        self, strategy: Strategy, seat: int, opponent_max_bids: int | None = None, number: Callable[[Any], Any] = float
    ) -> None:
        self.strategy, self.seat, self.game, self.number = strategy, seat, strategy.rules, number
        others = [self.game.rolls(player) for player in range(self.game.players) if player != seat]
        self.rolls = [([roll for roll, _ in dealt], prod(chance for _, chance in dealt)) for dealt in product(*others)]
        self.choices: dict[tuple[int, ...], list[int]] = {}
        self.positions = 0
        values = self.values((), [number(chance) for _, chance in self.game.rolls(seat)], opponent_max_bids)
        self.value = sum(number(chance) * one for (_, chance), one in zip(self.rolls, values, strict=True))

    def values(self, history: tuple[int, ...], weights: list[Any], bids_left: int | None) -> list[Any]:
        """Return the responders' gain with each of their rolls; `weights` are those of the strategy's rolls."""
        self.positions += 1
        legal = BettingState(self.game, history).actions
        if BettingState(self.game, history).mover == self.seat:
            total = [self.number(0)] * len(self.rolls)
            for action, shares in zip(legal, self.strategy.at(history).tolist(), strict=True):
                rest = [weight * self.number(share) for weight, share in zip(weights, shares, strict=True)]
                if any(rest):
                    total = [one + won for one, won in zip(total, self.after(history, action, rest, bids_left), strict=True)]
            return total
        if bids_left is not None:
            legal = [action for action in legal if action <= CALL or bids_left]
            bids_left -= 1
        rows = [self.after(history, action, weights, bids_left) for action in legal]
        columns = list(zip(*rows, strict=True)) if rows else [(self.number(0),)] * len(self.rolls)
        tie = 1e-12 if self.number is float else 0
        self.choices[history] = [[one >= max(column) - tie for one in column].index(True) for column in columns]
        return [max(column) for column in columns]

    def after(self, history: tuple[int, ...], action: int, weights: list[Any], bids_left: int | None) -> list[Any]:
        """Return the responders' gain with each of their rolls after an action."""
        if action > CALL:
            return self.values((*history, action), weights, bids_left)
        caller, bidder = BettingState(self.game, history).mover, BettingState(self.game, history[:-1]).mover
        if self.seat not in (caller, bidder):
            return [self.number(0)] * len(self.rolls)
        own = list(zip(self.game.rolls(self.seat), weights, strict=True))
        bid, wanted = self.game.bids[history[-1]], caller == self.seat
        return [
            sum(weight for (roll, _), weight in own if self.game.holds(bid, (*dealt, roll), action) == wanted)
            for dealt, _ in self.rolls
        ]

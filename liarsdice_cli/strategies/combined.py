"""Strategies made of others: by seat, from a history on, in a game with more bids, or chosen at random before the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform


class LastBidOnly:
    """A strategy that depends only on the mover, the roll and the last bid, so that it is asked once for each last bid."""

    def __init__(self, strategy: Strategy) -> None:
        self.rules, self.strategy = strategy.rules, strategy
        self._known: dict[tuple[int, int], Floats] = {}

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        state = BettingState(self.rules, history)
        key = state.mover, state.last_bid
        if key not in self._known:
            self._known[key] = self.strategy.at(history)
        return self._known[key]

    def at_batch(self, histories: Histories) -> Floats:
        """Return the probabilities after many histories; see `histories.Batched`."""
        one = self.at(next(iter(histories)))
        answers: Floats = np.broadcast_to(one, (len(histories), *one.shape))
        return answers


@dataclass(frozen=True, eq=False)
class WithImpossibleBids:
    """A strategy of `rules.without_impossible_bids()` in the whole game: it never makes such a bid, and calls it.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> whole = rules("classic", 3)
    >>> strategy = WithImpossibleBids(whole, Uniform(whole.without_impossible_bids()))
    >>> strategy.at([4])[:, 0].tolist(), strategy.at([7])[:, 0].tolist()
    ([0.5, 0.5, 0.0, 0.0, 0.0], [1.0, 0.0])
    """

    rules: Rules
    of: Strategy

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        most, bids, state = self.of.rules.max_quantity, self.rules.bids, BettingState(self.rules, history)
        if history and bids[state.last_bid].quantity > most:
            return state.pure(CALL)
        possible = [number for number, bid in enumerate(bids) if bid.quantity <= most]
        known = [possible.index(bid) for bid in history if bid in possible]
        if len(known) < len(history):  # an impossible bid was not called, which the strategy knows nothing about
            return Uniform(self.rules).at(history)
        answer = np.zeros(state.shape)
        answer[[row for row, action in enumerate(state.actions) if action <= CALL or action in possible]] = self.of.at(known)
        return answer


def in_whole_game(rules: Rules, strategy: Strategy) -> Strategy:
    """Return a strategy of the rules, or of `rules.without_impossible_bids()`, as one of the rules."""
    return strategy if strategy.rules.bids == rules.bids else WithImpossibleBids(rules, strategy)


@dataclass(frozen=True, eq=False)
class BySeat:
    """A profile: for every seat the strategy that plays it."""

    rules: Rules
    seats: tuple[Strategy, ...]

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        return self.seats[BettingState(self.rules, history).mover].at(history)


@dataclass(frozen=True, eq=False)
class Spliced:
    """A strategy that follows another one from a history on, for some players (from 0).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> two = rules("common", 2)
    >>> spliced = Spliced(two, Uniform(two), WithImpossibleBids(two, Uniform(two)), (1,), (0, 1))
    >>> spliced.at([0]).shape, spliced.at([1, 2]).tolist()
    ((4, 2), [[0.5, 0.5], [0.5, 0.5]])
    """

    rules: Rules
    of: Strategy
    later: Strategy
    history: tuple[int, ...]
    players: tuple[int, ...]

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        begun = tuple(history[: len(self.history)]) == self.history
        follows = begun and BettingState(self.rules, history).mover in self.players
        return (self.later if follows else self.of).at(history)

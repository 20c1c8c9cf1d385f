"""Strategies made of others: by seat, from a history on, in a game with more bids, or drawn before the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform, actions, mover


class LastBidOnly:
    """A strategy that minds nothing but the roll and the last bid, asked once for each last bid and player."""

    def __init__(self, strategy: Strategy) -> None:
        self.rules, self.strategy = strategy.rules, strategy
        self._said: dict[tuple[int, int], Floats] = {}

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        key = mover(self.rules, history), history[-1] if history else CALL
        if key not in self._said:
            self._said[key] = self.strategy.at(history)
        return self._said[key]

    def many(self, histories: Histories) -> Floats:
        """See `histories.Batched`."""
        one = self.at(next(iter(histories)))
        answers: Floats = np.broadcast_to(one, (len(histories), *one.shape))
        return answers


@dataclass(frozen=True, eq=False)
class WithImpossibleBids:
    """A strategy of `rules.without_impossible_bids()` in the whole game: nobody makes such a bid, and who faces one calls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> whole = rules("classic", 3)
    >>> lifted = WithImpossibleBids(whole, Uniform(whole.without_impossible_bids()))
    >>> lifted.at([4])[:, 0].tolist(), lifted.at([7])[:, 0].tolist()
    ([0.5, 0.5, 0.0, 0.0, 0.0], [1.0, 0.0])
    """

    rules: Rules
    of: Strategy

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        most = self.of.rules.max_quantity
        answer = np.zeros((len(actions(self.rules, history)), self.rules.roll_count(mover(self.rules, history))))
        if history and self.rules.bids[history[-1]].quantity > most:
            answer[0] = 1
            return answer
        kept = [place for place, bid in enumerate(self.rules.bids) if bid.quantity <= most]
        known = [kept.index(bid) for bid in history if bid in kept]
        if len(known) < len(history):  # somebody made a bid that is left out, and was not called
            return Uniform(self.rules).at(history)
        places = [place for place, action in enumerate(actions(self.rules, history)) if action <= CALL or action in kept]
        answer[places] = self.of.at(known)
        return answer


def in_whole_game(rules: Rules, strategy: Strategy) -> Strategy:
    """Return a strategy of the rules, or of `rules.without_impossible_bids()`, as one of the rules."""
    return strategy if strategy.rules.bids == rules.bids else WithImpossibleBids(rules, strategy)


@dataclass(frozen=True, eq=False)
class BySeat:
    """In every seat what the strategy for that seat does."""

    rules: Rules
    seats: tuple[Strategy, ...]

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.seats[mover(self.rules, history)].at(history)


@dataclass(frozen=True, eq=False)
class Spliced:
    """What one strategy does, but from a history on what another does, for some players (from 0).

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
        """See `Strategy`."""
        begun = tuple(history[: len(self.history)]) == self.history
        return (self.later if begun and mover(self.rules, history) in self.players else self.of).at(history)


@dataclass(frozen=True, eq=False)
class Drawn:
    """One strategy, or with probability `share` another: drawn before the round, unseen. As behaviour (Kuhn 1953).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> two = rules("common", 2)
    >>> Drawn(two, Uniform(two), WithImpossibleBids(two, Uniform(two)), 0.5).at([1, 2]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """

    rules: Rules
    one: Strategy
    other: Strategy
    share: float

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`; where neither leads, what the first one does."""
        first, second = (1 - self.share) * self._comes(self.one, history), self.share * self._comes(self.other, history)
        weight = np.where(first + second > 0, second / np.where(first + second > 0, first + second, 1), 0)
        answer: Floats = (1 - weight) * self.one.at(history) + weight * self.other.at(history)
        return answer

    def _comes(self, strategy: Strategy, history: Sequence[int]) -> Floats:
        """How probable the mover's own bids before are, for each roll."""
        player = mover(self.rules, history)
        comes: Floats = np.ones(self.rules.roll_count(player))
        for length in range(player, len(history), self.rules.players):
            before = history[:length]
            comes = comes * strategy.at(before)[actions(self.rules, before).index(history[length])]
        return comes

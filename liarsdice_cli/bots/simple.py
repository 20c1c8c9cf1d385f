"""Two simple bots: random and honest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lcm

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.extensive.stream import NONE, Floats, Ints
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.matching import matching_by_bid, matching_table
from liarsdice_cli.games.liarsdice.player_view import expected_of_others
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform

_FINEST = 10**6
"""The largest denominator of an expected number."""
_LARGEST = 10**12
"""The largest common denominator; with a larger one, 64-bit integers might overflow, so numbers are rounded down."""


class Random(Policy):
    """Takes every action with the same probability."""

    name = "random"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """Return equal probabilities."""
        count = len(view.actions)
        return np.full(count, 1 / count)

    def strategy(self, rules: Rules) -> Strategy:
        """Return the uniform strategy."""
        return Uniform(rules)


class Honest(Policy):
    """Bids what its own dice make true, and calls bids above its expectation.

    It makes the highest bid that its own dice alone make true. If there is none, it compares the quantity of the last bid with
    its own matching dice plus the expected number among the others, rounded down. It calls a bid above that. Otherwise it
    makes the bid that exceeds own and expected dice least, the lowest of several. It never claims spot-on.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6, (2, 2))
    >>> [str(game.bids[Honest().choice(View(game, (3, 3), history))]) for history in ((), (2,), (8,))]
    ['2x3', '2x3', '3x3']
    """

    name = "honest"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """Return 1 for the bot's choice and 0 for other actions."""
        return view.pure(self.choice(view))

    def choice(self, view: View) -> int:
        """Return the action of the bot."""
        own = matching_by_bid(view.rules, np.array([view.roll])).T
        return int(_choices(view.rules, own, view.player, view.state.last_bid)[0])

    def strategy(self, rules: Rules) -> _OfHonest:
        """Return the bot's strategy, which computes all rolls at once."""
        return _OfHonest(rules)


@dataclass(frozen=True)
class _OfHonest:
    """The honest bot as a strategy, with all rolls at once."""

    rules: Rules

    def at(self, history: Sequence[int]) -> Floats:
        """Return 1 for the choice of each roll and 0 for other actions."""
        state = BettingState(self.rules, history)
        chosen = _choices(self.rules, _own(self.rules, state.mover), state.mover, state.last_bid)
        return state.pure(chosen)


@lru_cache(64)
def _own(rules: Rules, player: int) -> Ints:
    return matching_table(rules, player).T


@lru_cache(64)
def _expected(rules: Rules, player: int) -> tuple[Ints, int]:
    """Return the expected number of the others' dice that count for each bid, as numerators, and their denominator."""
    means = {face: expected_of_others(rules, player, face).limit_denominator(_FINEST) for face in rules.faces}
    parts = lcm(*(mean.denominator for mean in means.values()))
    if parts > _LARGEST:
        parts = _FINEST
    return np.array([int(means[bid.face] * parts) for bid in rules.bids]), parts


def _choices(rules: Rules, own: Ints, player: int, last: int) -> Ints:
    """Return the action with each roll after a last bid (NONE in the opening); `own` has the matching dice of the rolls."""
    quantity = np.array([bid.quantity for bid in rules.bids])
    expected, parts = _expected(rules, player)
    following = np.array(rules.bidding.following(last), np.int64)
    if not len(following):
        return np.full(len(own), CALL)
    held = (own >= quantity)[:, following]
    short = ((quantity - own) * parts - expected)[:, following]
    highest, nearest = len(following) - 1 - held[:, ::-1].argmax(axis=1), short.argmin(axis=1)
    bid: Ints = following[np.where(held.any(axis=1), highest, nearest)]
    if last == NONE:
        return bid
    doubted = quantity[last] > own[:, last] + expected[last] // parts
    chosen: Ints = np.where(doubted & ~held.any(axis=1), CALL, bid)
    return chosen

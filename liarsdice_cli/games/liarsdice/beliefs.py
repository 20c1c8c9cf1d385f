"""Reach probabilities, beliefs and action values of a strategy after a betting history.

A player's dice carry no information about another's, so all rolls stay independent after any bids. The past therefore matters
only through the *reach* of every player's rolls: the probability of the roll times that of the player's own bids with it. The
beliefs about a player are the reach scaled to 1 (Bayes' rule). The probability of the history is the product of the sums.

`RollsAfter` describes one history, and `continuations.Continuations` all that can follow one, in arrays by rolls. For any game
with a tree, `extensive.after_history` describes a profile after a history by information sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints, Numbers
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.matching import matching_row
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

MAX_TABLE_SIZE = 2_000_000
"""The most numbers (following histories times rolls) over which values are computed by default."""


@dataclass(frozen=True, eq=False)
class RollsAfter:
    """Every player's rolls after a history, at which one player is to move; numbers are floats or fractions.

    rules         : the rules of the game
    history       : the numbers of the bids made, rising
    reaches       : for each player, the probability of every roll times that of the player's own bids with it
    probabilities : of the actions (rows, as `BettingState.actions` lists them) with every roll of the mover (columns)
    values        : in the same shape, the mover's expected payoff for the action; None if it is not known, because another
                    player never reaches the history or too many histories follow
    mistaken      : in fractions, players who reach it only by mistake; their reaches are proportional to the posterior
    """

    rules: Rules
    history: tuple[int, ...]
    reaches: tuple[Floats, ...]
    probabilities: Floats
    values: Floats | None
    mistaken: tuple[int, ...] = ()

    @property
    def state(self) -> BettingState:
        """The history with its rules."""
        return BettingState(self.rules, self.history)

    @property
    def mover(self) -> int:
        """The player to move, from 0."""
        return self.state.mover

    @property
    def reach(self) -> float:
        """The probability that play reaches the history, from 0 to 1."""
        return 0.0 if self.mistaken else prod(float(reach.sum()) for reach in self.reaches)

    @property
    def others(self) -> tuple[int, ...]:
        """The players who do not move, in the order of their turns."""
        players = self.rules.players
        return tuple((self.mover + turn) % players for turn in range(1, players))

    def beliefs(self, player: int) -> Floats | None:
        """Return the posterior of every roll of the player; None if the player reaches the history with no roll."""
        total = self.reaches[player].sum()
        return self.reaches[player] / total if total else None

    @property
    def value(self) -> Floats | None:
        """The mover's expected payoff with every roll; None if `values` is."""
        if self.values is None:
            return None
        value: Floats = (self.probabilities * self.values).sum(axis=0)
        return value

    @property
    def last_bid_true(self) -> Floats | None:
        """The probability that the last bid is true, for every roll of the mover; None in the opening and without beliefs."""
        beliefs = [self.beliefs(player) for player in self.others]
        if not self.history or any(belief is None for belief in beliefs):
            return None
        total = prod(self.reaches[player].sum() for player in self.others)
        found: Floats = standing_probabilities(self.rules, self.history[-1], self.mover, self.reaches) / total
        return found


def standing_probabilities(rules: Rules, bid: int, player: int, reaches: Sequence[Floats], ending: int = CALL) -> Floats:
    """Return, for every roll of a player, the probability that a bid stands against a final action, times the others' reach.

    A bid stands against a call if it is true; see `Rules.stands`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> half = np.array([0.5, 0.5])
    >>> standing_probabilities(rules("common", 2, (1, 1, 1)), 2, 0, [half, half, half]).tolist()
    [0.75, 0.25]
    """
    chances = np.ones(1, np.int64)
    for other, reach in enumerate(reaches):
        if other != player:
            chances = np.convolve(chances, _by_count(matching_row(rules, other, bid), reach))
    surplus = matching_row(rules, player, bid)[:, None] + np.arange(len(chances)) - rules.bids[bid].quantity
    found: Floats = rules.stands(surplus, ending) @ chances
    return found


def _by_count(matching: Ints, reach: Numbers) -> Numbers:
    """Return the reach of all rolls with 0, 1, 2, ... matching dice, in the same type of numbers."""
    if reach.dtype != object:
        return np.bincount(matching, reach)
    return np.array([reach[matching == count].sum() for count in range(matching.max() + 1)], object)


def priors(rules: Rules, dtype: type = np.float64) -> list[Numbers]:
    """Return the probabilities of every player's rolls with fair dice; dtype `object` for fractions."""
    return [np.array([prior for _, prior in rules.rolls(player)], dtype) for player in range(rules.players)]


def reaches_after(
    strategy: Strategy, history: Sequence[int], before: int = 0, reaches: Sequence[Floats] | None = None
) -> list[Floats]:
    """Return the reach of every player's rolls after a history.

    before, reaches : how many bids were made when these were the reaches; in the opening they are the `priors`
    """
    begun = priors(strategy.rules) if reaches is None else reaches
    return [reach_of(strategy, history, player, before, reach) for player, reach in enumerate(begun)]


def reach_of(strategy: Strategy, history: Sequence[int], player: int, before: int = 0, reach: Floats | None = None) -> Floats:
    """Return the reach of one player's rolls after a history. The strategy is asked only for this player.

    before, reach : as for `reaches_after`

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> reach_of(Uniform(rules("common", 2)), [0, 1], 0).tolist()
    [0.125, 0.125]
    """
    rules = strategy.rules
    found = priors(rules)[player] if reach is None else reach
    for length in range(before + (player - before) % rules.players, len(history), rules.players):
        earlier = history[:length]
        found = found * strategy.at(earlier)[BettingState(rules, earlier).index(history[length])]
    return found


def table_size(rules: Rules, history: Sequence[int]) -> int:
    """Return the size of one table over all histories that can follow: the histories times the rolls."""
    last = BettingState(rules, history).last_bid
    return (1 << rules.bidding.stop(last) - last - 1) * most_rolls(rules)


def most_rolls(rules: Rules) -> int:
    """Return the largest number of rolls of a player."""
    return max(rules.roll_count(player) for player in range(rules.players))

"""Beliefs and action values of a strategy after every history that can follow one, in floats or in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import convolved
from liarsdice_cli.extensive.stream import Bools, Floats, Ints, Numbers
from liarsdice_cli.games.liarsdice.beliefs import MAX_TABLE_SIZE, RollsAfter, most_rolls, priors, reaches_after, table_size
from liarsdice_cli.games.liarsdice.exact_strategy import ExactStrategy
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress


def after(strategy: Strategy, history: Sequence[int], most: int = MAX_TABLE_SIZE) -> RollsAfter:
    """Return the reaches, beliefs and action values after the bids with these rising numbers.

    Values are computed if the histories that can follow, times the rolls, are at most `most`. Cost: one call of `Strategy.at`
    for each of those histories.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> reading = after(Uniform(rules("common", 2)), [1, 2])
    >>> reading.mover, reading.reach, reading.last_bid_true.tolist(), reading.values.round(3).tolist()
    (0, 0.08333333333333333, [0.5, 0.0], [[0.5, 1.0], [0.0, 0.5]])
    """
    rules, reaches = strategy.rules, reaches_after(strategy, history)
    if table_size(rules, history) <= most:
        return Continuations(strategy, history, reaches).after(())
    return RollsAfter(rules, tuple(history), tuple(reaches), strategy.at(history), None)


class Continuations:
    """A history and all that can follow it, evaluated in one pass; every array has a row per history and a column per roll.

    The histories are bit masks over the remaining bids, as in `betting`. The histories that end in bid k are the rows from 2^k
    up to 2^(k+1), and each follows the one 2^k rows before it. So a pass down or up the tree is one vector step per bid.
    Players may have different numbers of rolls; missing columns hold zeros. So do the rows of sets of bids that are not
    histories.

    Numbers are fractions for an `ExactStrategy`, otherwise floats. Both use the same code; only fractions represent mistakes.

    length     : the number of bids in every history
    endings    : for each final action (`Bidding.final_actions`), the probability that the mover takes it
    bids       : the probability that the last bidder makes the last bid
    reaches    : for each player, as in `RollsAfter`
    by_mistake : whether the last bid is a mistake with every roll that its player can have there; False in floats
    ending_values, bid_values : the expected payoff of the mover who ends the round, and of the last bidder; nan (None in
                 fractions) if another player never reaches the history
    """

    def __init__(
        self,
        strategy: Strategy,
        history: Sequence[int] = (),
        reaches: Sequence[Floats] | None = None,
        progress: Progress = SILENT,
    ) -> None:
        """Evaluate the strategy after the history.

        reaches  : the players' reaches at the history; optional in the opening
        progress : counts the histories at which the strategy is asked

        Cost: one call of `Strategy.at` per history, 2^N of them for N remaining bids; then 3 N vector steps. In fractions about
        7 s for 100,000 histories times rolls.
        """
        self.rules, self.history, self.strategy = strategy.rules, tuple(history), strategy
        self.exact = isinstance(strategy, ExactStrategy)
        self.dtype: type = object if self.exact else np.float64
        self.players = range(self.rules.players)
        last = BettingState(self.rules, history).last_bid
        self.first = last + 1
        self.left = self.rules.bidding.stop(last) - self.first
        self.rolls = most_rolls(self.rules)
        masks = np.arange(1 << self.left)
        self.length: Ints = np.bitwise_count(masks).astype(np.int64) + len(self.history)
        self.endings: Numbers = np.zeros((self.rules.bidding.final_action_count, len(masks), self.rolls), self.dtype)
        self.bids: Numbers = np.zeros((len(masks), self.rolls), self.dtype)
        self._ask(strategy, progress)
        self.reaches: Numbers = np.zeros((len(self.players), len(masks), self.rolls), self.dtype)
        for player, reach in enumerate(reaches or priors(self.rules, self.dtype)):
            self.reaches[player, 0, : len(reach)] = reach
        self.by_mistake: Bools = np.zeros(len(masks), bool)
        self._carry_reaches_down()
        self.ending_values, self.bid_values = (
            np.full_like(one, None if self.exact else np.nan) for one in (self.endings, self.bids)
        )
        self._carry_values_up()

    def bids_of(self, mask: int) -> tuple[int, ...]:
        """Return the numbers of the bids made up to the history in a row."""
        return (*self.history, *(self.first + place for place in range(self.left) if mask >> place & 1))

    def mask_of(self, later: Sequence[int]) -> int:
        """Return the row of the history that these later bids lead to."""
        return sum(1 << bid - self.first for bid in later)

    def after(self, later: Sequence[int]) -> RollsAfter:
        """Return the reaches, beliefs and action values after these further bids, each given by its number."""
        mask = self.mask_of(later)
        history = (*self.history, *later)
        own = slice(BettingState(self.rules, history).roll_count)
        following = self._following(mask)
        probabilities, values = self.bids[following, own], self.bid_values[following, own]
        if history:
            probabilities = np.vstack([self.endings[:, mask, own], probabilities])
            values = np.vstack([self.ending_values[:, mask, own], values])
        reaches = tuple(self.reaches[player, mask, : self.rules.roll_count(player)] for player in self.players)
        known = values if _all_known(values) else None
        return RollsAfter(self.rules, history, reaches, probabilities, known, self._mistaken(later))

    def _ask(self, strategy: Strategy, progress: Progress) -> None:
        """Fill in the strategy's probabilities at every history."""
        for mask in range(1 << self.left):
            progress.advance()
            history = self.bids_of(mask)
            if not self.rules.bidding.allows(history):
                continue
            said = strategy.at(history)
            own = slice(said.shape[1])
            if history:
                count = len(self.endings)
                self.endings[:, mask, own], said = said[:count], said[count:]
            self.bids[self._following(mask), own] = said

    def _following(self, mask: int) -> list[int]:
        """Return the rows of the histories one bid later."""
        last = BettingState(self.rules, self.bids_of(mask)).last_bid
        return [mask + (1 << bid - self.first) for bid in self.rules.bidding.following(last)]

    def _movers(self, rows: slice, player: int) -> Ints:
        """Return the rows of the slice in which the player moves."""
        found: Ints = rows.start + np.flatnonzero(self.length[rows] % len(self.players) == player)
        return found

    def _carry_reaches_down(self) -> None:
        """Multiply the bidder's reach by the probability of every bid."""
        for place in range(self.left):
            step = 1 << place
            self.reaches[:, step : 2 * step] = self.reaches[:, :step]
            for player in self.players:
                later = self._movers(slice(0, step), player) + step
                self.reaches[player, later] *= self.bids[later]
                if self.exact:
                    self._replace_mistaken_reaches(player, later)

    def _carry_values_up(self) -> None:
        """Compute the values of all final actions, then of all bids, the highest first.

        `weighed` holds, for each player and history, the value times the others' reach. For the mover, the value of a history
        is the mean over the mover's actions. For the other players it is the sum, because the mover's reach includes the
        probabilities.
        """
        weighed = sum(map(self._weighed_values_of, range(len(self.endings))), np.zeros_like(self.reaches))
        for place in reversed(range(self.left)):
            step = 1 << place
            for bidder in self.players:
                rows = self._movers(slice(0, step), bidder)
                later = rows + step
                self.bid_values[later] = self._means(weighed[bidder, later], rows, bidder)
                weighed[bidder, rows] += self.bids[later] * weighed[bidder, later]
                for other in self._others(bidder):
                    weighed[other, rows] += self._without_mistakes(weighed[other, later], later)

    def _weighed_values_of(self, ending: int) -> Floats:
        """Return every player's part of the value of each history that the final action at that history contributes, times
        reach.
        """
        weighed = np.zeros_like(self.reaches)
        for bid, block in self._blocks():
            for caller in self.players:
                rows = self._movers(block, caller)
                if not len(rows):
                    continue
                reaches = self.reaches[:, rows]
                value = self._at_showdown(bid, ending, caller, caller, reaches)
                self.ending_values[ending, rows] = self._means(value, rows, caller)
                weighed[caller, rows] += self.endings[ending, rows] * value
                reaches[caller] *= self.endings[ending, rows]
                for other in self._others(caller):
                    weighed[other, rows] += self._at_showdown(bid, ending, caller, other, reaches)
        return weighed

    def _blocks(self) -> list[tuple[int, slice]]:
        """Return every bid that can be called, with the rows of the histories that end in it."""
        before = [(self.history[-1], slice(0, 1))] if self.history else []
        return before + [(self.first + place, slice(1 << place, 2 << place)) for place in range(self.left)]

    def _at_showdown(self, bid: int, ending: int, caller: int, player: int, reaches: Floats) -> Floats:
        """Return a player's expected payoff with every roll when the caller ends the round, times the others' reach.

        ending  : the index of the final action
        reaches : shape (players, histories, rolls); includes the caller's final action if the caller is another player

        The others matter only through the sum of their matching dice.
        """
        chances: Numbers = np.ones((reaches.shape[1], 1), self.dtype)
        for other in self._others(player):
            chances = convolved(chances, reaches[other] @ self._counted(bid, other))
        surplus = np.arange(chances.shape[1])[:, None] + matching_table(self.rules, player)[bid] - self.rules.bids[bid].quantity
        stands = chances @ self.rules.stands(surplus, self.rules.bidding.final_actions[ending]).astype(self.dtype)
        bidder = (caller - 1) % len(self.players)
        losers = (self.rules.loser(bidder, caller, it_does) for it_does in (True, False))
        if_so, if_not = np.array([self.rules.payoffs_when_losing(loser)[player] for loser in losers], self.dtype)
        found: Numbers = np.zeros(reaches.shape[1:], self.dtype)
        found[:, : stands.shape[1]] = if_so * stands + if_not * (chances.sum(axis=1, keepdims=True) - stands)
        return found

    def _counted(self, bid: int, player: int) -> Floats:
        """Return 1 if a roll of the player (row) has a number of dice (column) that match the bid, otherwise 0."""
        matching = matching_table(self.rules, player)[bid]
        counted: Numbers = np.zeros((self.rolls, int(matching.max()) + 1), self.dtype)
        counted[np.arange(len(matching)), matching] = 1
        return counted

    def _others(self, player: int) -> list[int]:
        return [other for other in self.players if other != player]

    def _means(self, weighed: Numbers, rows: Ints, player: int) -> Numbers:
        """Return a player's values divided by the others' reach; nan or None if another player never reaches the rows."""
        weight = self.reaches[self._others(player)][:, rows].sum(axis=2).prod(axis=0)[:, None]
        return _ratios(weighed, weight)

    def _replace_mistaken_reaches(self, player: int, later: Ints) -> None:
        """Replace the reach of a player whose bid to these rows is a mistake by numbers proportional to the posterior."""
        assert isinstance(self.strategy, ExactStrategy), "floats have no limits of mistakes"
        for mask in later[~(self.reaches[player, later] != 0).any(axis=1)].tolist():
            history = self.bids_of(mask)
            likely = self.strategy.posterior_of_mistake(history) if self.rules.bidding.allows(history) else None
            if likely is not None:
                self.reaches[player, mask, : len(likely)] = likely
                self.by_mistake[mask] = True

    def _without_mistakes(self, weighed: Numbers, later: Ints) -> Numbers:
        """Return the weighed values of rows, 0 if a mistake leads to them; in floats, mistakes have a tiny reach instead."""
        return np.where(self.by_mistake[later][:, None], 0, weighed) if self.exact else weighed

    def _mistaken(self, later: Sequence[int]) -> tuple[int, ...]:
        """Return the players who make one of these bids by mistake."""
        if not self.exact:
            return ()
        lengths = [length for length in range(len(later)) if self.by_mistake[self.mask_of(later[: length + 1])]]
        return tuple(sorted({(len(self.history) + length) % self.rules.players for length in lengths}))


def _all_known(values: Numbers) -> bool:
    return all(value is not None for value in values.flat) if values.dtype == object else not np.isnan(values).any()


def _ratios(weighed: Numbers, weight: Numbers) -> Numbers:
    """Return sums divided by their weights; nan (None in fractions) for a weight of 0."""
    if weighed.dtype == object:
        found: Numbers = np.frompyfunc(lambda one, other: Fraction(one) / other if other else None, 2, 1)(weighed, weight)
        return found
    with np.errstate(invalid="ignore"):
        return np.where(weight > 0, weighed / np.where(weight > 0, weight, 1), np.nan)


def all_continuations(strategy: Strategy, progress: Progress = SILENT) -> Continuations:
    """Return the evaluation of the opening and all that can follow; `progress` as for `Continuations`.

    Raises LiarsDiceError for a game of more than `MAX_TABLE_SIZE` histories times rolls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> everything = all_continuations(Uniform(rules("common", 2)))
    >>> everything.after([1, 2]).values.round(3).tolist(), everything.after([]).value.round(3).tolist()
    ([[0.5, 1.0], [0.0, 0.5]], [0.5, 0.5])
    """
    size = table_size(strategy.rules, ())
    if size > MAX_TABLE_SIZE:
        raise LiarsDiceError(
            f"{size:,} betting histories times rolls are more than the {MAX_TABLE_SIZE:,} that can be evaluated"
        )
    return Continuations(strategy, progress=progress)

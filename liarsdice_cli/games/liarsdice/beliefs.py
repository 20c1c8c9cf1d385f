"""What can be read off a strategy after a betting history: who holds what, and the value of each action.

A player's dice tell nothing about another's, so all rolls stay independent whatever is bid: all there is to keep of the past
is, for every player and each roll of theirs, the probability of the roll times that of the player's own bids with it (the
player's *reach*). The beliefs about a player are the reach scaled to 1 (Bayes' rule), and the probability of the history is
the product of all their sums.

`RollsAfter` is one history, `Continuations` all that can follow one; both are arrays by rolls, in floats. For any game in a
tree, and exactly, `extensive.after_history` says by information sets what a profile does after a history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import Floats, Ints, Numbers
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

MAX_TABLE_SIZE = 2_000_000
"""The most numbers (following histories times rolls) over which values are computed, unless asked otherwise."""


@dataclass(frozen=True, eq=False)
class RollsAfter(Renderable):
    """Every roll of all players after a history, at which one of them decides.

    rules         : the rules of the game
    history       : the numbers of the bids made, rising
    reaches       : for each player, the probability of every roll times that of the player's own bids with it
    probabilities : of the actions (rows, as `strategy.actions` lists them) with every roll of who moves (columns)
    values        : in the same shape, the expected payoff of who moves with the action; None where it is not known:
                    another player never comes here with any roll, or too much follows to be looked through
    """

    rules: Rules
    history: tuple[int, ...]
    reaches: tuple[Floats, ...]
    probabilities: Floats
    values: Floats | None

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
        """The probability that play comes here, from 0 to 1."""
        return prod(float(reach.sum()) for reach in self.reaches)

    @property
    def others(self) -> tuple[int, ...]:
        """The players who do not move, in the order of their turns."""
        players = self.rules.players
        return tuple((self.mover + turn) % players for turn in range(1, players))

    def beliefs(self, player: int) -> Floats | None:
        """The probability of every roll of the player once the history is known; None where no roll of theirs comes to it."""
        total = self.reaches[player].sum()
        return self.reaches[player] / total if total else None

    @property
    def value(self) -> Floats | None:
        """The expected payoff of who moves with every roll; None where `values` is."""
        if self.values is None:
            return None
        value: Floats = (self.probabilities * self.values).sum(axis=0)
        return value

    @property
    def ev_losses(self) -> Floats | None:
        """What every action loses against the best one with the same roll, at least 0; None where `values` is."""
        return None if self.values is None else self.values.max(axis=0) - self.values

    @property
    def last_bid_true(self) -> Floats | None:
        """For every roll of who moves, the probability that the last bid is; None in the opening and without beliefs."""
        beliefs = [self.beliefs(player) for player in self.others]
        if not self.history or any(belief is None for belief in beliefs):
            return None
        total = prod(self.reaches[player].sum() for player in self.others)
        found: Floats = standing_probabilities(self.rules, self.history[-1], self.mover, self.reaches) / total
        return found


def standing_probabilities(rules: Rules, bid: int, player: int, reaches: Sequence[Floats], ending: int = CALL) -> Floats:
    """For every roll of a player the chance that a bid stands against an ending, weighed by the product of the others' reaches.

    Against a call a bid stands that is true, see `Rules.stands`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> half = np.array([0.5, 0.5])
    >>> standing_probabilities(rules("common", 2, (1, 1, 1)), 2, 0, [half, half, half]).tolist()
    [0.75, 0.25]
    """
    chances = np.ones(1, np.int64)
    for other, reach in enumerate(reaches):
        if other != player:
            chances = np.convolve(chances, _by_count(matching_table(rules, other)[bid], reach))
    surplus = matching_table(rules, player)[bid][:, None] + np.arange(len(chances)) - rules.bids[bid].quantity
    found: Floats = rules.stands(surplus, ending) @ chances
    return found


def _by_count(matching: Ints, reach: Numbers) -> Numbers:
    """Return the reach of all rolls with 0, 1, 2, ... matching dice, in the same type of numbers."""
    if reach.dtype != object:
        return np.bincount(matching, reach)
    return np.array([reach[matching == count].sum() for count in range(matching.max() + 1)], object)


def after(strategy: Strategy, history: Sequence[int], most: int = MAX_TABLE_SIZE) -> RollsAfter:
    """What holds after the bids with these rising numbers.

    Values are computed if the histories that can follow, times the rolls, are at most `most`; cost: one call of
    `Strategy.at` for each of those histories.

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


def priors(rules: Rules) -> list[Floats]:
    """For every player and roll its probability by fair dice."""
    return [_prior(rules, player) for player in range(rules.players)]


def reaches_after(
    strategy: Strategy, history: Sequence[int], before: int = 0, reaches: Sequence[Floats] | None = None
) -> list[Floats]:
    """For every player and roll its probability times that of the player's own bids in a history.

    before, reaches : how many bids were made when these were the reaches; in the opening they are the `priors`
    """
    rules = strategy.rules
    reaches = priors(rules) if reaches is None else list(reaches)
    for length, bid in enumerate(history[before:], before):
        player, earlier = length % rules.players, history[:length]
        reaches[player] = reaches[player] * strategy.at(earlier)[BettingState(rules, earlier).index(bid)]
    return reaches


def table_size(rules: Rules, history: Sequence[int]) -> int:
    """How many numbers one table over all histories that can follow takes: the histories times the rolls."""
    last = BettingState(rules, history).last_bid
    return (1 << rules.bidding.stop(last) - last - 1) * most_rolls(rules)


def most_rolls(rules: Rules) -> int:
    """The rolls of the player who has the most."""
    return max(rules.roll_count(player) for player in range(rules.players))


class Continuations:
    """A history and all that can follow it, looked through once; every array has a row a history, a column a roll.

    The histories are bit masks over the bids that are left, as in `betting`. In this order the histories that end in bid k
    are the rows from 2^k up to 2^(k+1), and each of them follows the one 2^k rows before it: so a pass down or up the tree
    is one step of whole columns for every bid. Where the players have different numbers of rolls, the columns that one
    lacks hold zeros; so do rows of sets of bids that are no history, since the first cannot open.

    length  : the number of bids in every history
    endings : for each way to end the bidding (`Bidding.ends`), the probability that who moves takes it
    bids    : the probability that who moved before makes the last bid
    reaches : for each player, as in `RollsAfter`
    ending_values, bid_values : the expected payoff of who ends it so, and of who makes the last bid; `unknown` where
              another player never comes there
    """

    kind: type = np.float64
    unknown: object = np.nan

    def __init__(
        self,
        strategy: Strategy,
        history: Sequence[int] = (),
        reaches: Sequence[Floats] | None = None,
        advance: Callable[[int], object] = int,
    ) -> None:
        """Look through all that follows the history.

        reaches : the players' reaches at the history; may be left out in the opening
        advance : told how many more histories are done, again and again, for a progress bar

        Cost: one call of `Strategy.at` a history, 2^N of them where N bids are left; then 3 N steps of whole columns.
        """
        self.rules, self.history = strategy.rules, tuple(history)
        self.players = range(self.rules.players)
        last = BettingState(self.rules, history).last_bid
        self.first = last + 1
        self.left = self.rules.bidding.stop(last) - self.first
        self.rolls = most_rolls(self.rules)
        masks = np.arange(1 << self.left)
        self.length: Ints = np.bitwise_count(masks).astype(np.int64) + len(self.history)
        self.endings: Numbers = np.zeros((self.rules.bidding.final_action_count, len(masks), self.rolls), self.kind)
        self.bids: Numbers = np.zeros((len(masks), self.rolls), self.kind)
        self._ask(strategy, advance)
        self.reaches: Numbers = np.zeros((len(self.players), len(masks), self.rolls), self.kind)
        for player, reach in enumerate(reaches or self._priors()):
            self.reaches[player, 0, : len(reach)] = reach
        self._carry_reaches_down()
        self.ending_values, self.bid_values = (np.full_like(one, self.unknown) for one in (self.endings, self.bids))
        self._carry_values_up()

    def bids_of(self, mask: int) -> tuple[int, ...]:
        """The numbers of the bids made up to the history in a row."""
        return (*self.history, *(self.first + place for place in range(self.left) if mask >> place & 1))

    def mask_of(self, later: Sequence[int]) -> int:
        """Return the row of the history that these later bids lead to."""
        return sum(1 << bid - self.first for bid in later)

    def after(self, later: Sequence[int]) -> RollsAfter:
        """The reading after these more bids, each given by its number."""
        mask = self.mask_of(later)
        history = (*self.history, *later)
        own = slice(BettingState(self.rules, history).roll_count)
        following = self._following(mask)
        probabilities, values = self.bids[following, own], self.bid_values[following, own]
        if history:
            probabilities = np.vstack([self.endings[:, mask, own], probabilities])
            values = np.vstack([self.ending_values[:, mask, own], values])
        reaches = tuple(self.reaches[player, mask, : self.rules.roll_count(player)] for player in self.players)
        return RollsAfter(self.rules, history, reaches, probabilities, values if self._are_known(values) else None)

    def _ask(self, strategy: Strategy, advance: Callable[[int], object]) -> None:
        """Fill in what the strategy does at every history."""
        for mask in range(1 << self.left):
            advance(1)
            history = self.bids_of(mask)
            if not self.rules.bidding.allows(history):
                continue
            said = self._said(strategy, history)
            own = slice(said.shape[1])
            if history:
                count = len(self.endings)
                self.endings[:, mask, own], said = said[:count], said[count:]
            self.bids[self._following(mask), own] = said

    def _following(self, mask: int) -> list[int]:
        """The rows of the histories that one more bid leads to."""
        last = BettingState(self.rules, self.bids_of(mask)).last_bid
        return [mask + (1 << bid - self.first) for bid in self.rules.bidding.following(last)]

    def _movers(self, rows: slice, player: int) -> Ints:
        """The rows of the slice in which the player moves."""
        found: Ints = rows.start + np.flatnonzero(self.length[rows] % len(self.players) == player)
        return found

    def _carry_reaches_down(self) -> None:
        """Every bid multiplies the reach of who makes it."""
        for place in range(self.left):
            step = 1 << place
            self.reaches[:, step : 2 * step] = self.reaches[:, :step]
            for player in self.players:
                later = self._movers(slice(0, step), player) + step
                self.reaches[player, later] *= self.bids[later]
                self._count_mistakes(player, later)

    def _carry_values_up(self) -> None:
        """The values of all endings, then of all bids, the highest first.

        `weighed` holds for each player and history the value times the others' reach. So weighed, the value of a history is
        to who moves there the mean over the own actions, and to the others the sum: the mover's reach holds the probabilities.
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
                    weighed[other, rows] += self._on_purpose(weighed[other, later], later)

    def _weighed_values_of(self, ending: int) -> Floats:
        """The part of every history's value to each player that comes from ending it so there, weighed as above."""
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
        """Every bid that can be called, with the rows of the histories that end in it."""
        before = [(self.history[-1], slice(0, 1))] if self.history else []
        return before + [(self.first + place, slice(1 << place, 2 << place)) for place in range(self.left)]

    def _at_showdown(self, bid: int, ending: int, caller: int, player: int, reaches: Floats) -> Floats:
        """What a player can expect with every roll when the caller ends the bidding so, weighed by the others' reaches.

        ending  : its place among the endings
        reaches : shape (players, histories, rolls), the caller's ending included where it is another's

        Whether the bid stands depends on the others only through the sum of their matching dice.
        """
        chances: Numbers = np.ones((reaches.shape[1], 1), self.kind)
        for other in self._others(player):
            chances = _sums(chances, reaches[other] @ self._counted(bid, other))
        surplus = np.arange(chances.shape[1])[:, None] + matching_table(self.rules, player)[bid] - self.rules.bids[bid].quantity
        stands = chances @ self.rules.stands(surplus, self.rules.bidding.final_actions[ending]).astype(self.kind)
        bidder = (caller - 1) % len(self.players)
        losers = (self.rules.loser(bidder, caller, it_does) for it_does in (True, False))
        if_so, if_not = np.array([self.rules.payoffs_when_losing(loser)[player] for loser in losers], self.kind)
        found: Numbers = np.zeros(reaches.shape[1:], self.kind)
        found[:, : stands.shape[1]] = if_so * stands + if_not * (chances.sum(axis=1, keepdims=True) - stands)
        return found

    def _counted(self, bid: int, player: int) -> Floats:
        """1 where a roll of the player (row) has so many dice (column) that match the bid."""
        matching = matching_table(self.rules, player)[bid]
        counted: Numbers = np.zeros((self.rolls, int(matching.max()) + 1), self.kind)
        counted[np.arange(len(matching)), matching] = 1
        return counted

    def _others(self, player: int) -> list[int]:
        return [other for other in self.players if other != player]

    def _means(self, weighed: Numbers, rows: Ints, player: int) -> Numbers:
        """Return a player's values divided by the others' reach; `unknown` where another player never reaches the rows."""
        weight = self.reaches[self._others(player)][:, rows].sum(axis=2).prod(axis=0)[:, None]
        return self._ratios(weighed, weight)

    # Arithmetic in floats; `exact_beliefs` overrides it

    def _said(self, strategy: Strategy, history: Sequence[int]) -> Numbers:
        return strategy.at(history)

    def _priors(self) -> list[Numbers]:
        return [_prior(self.rules, player) for player in self.players]

    def _are_known(self, values: Numbers) -> bool:
        return not np.isnan(values).any()

    def _ratios(self, weighed: Numbers, weight: Numbers) -> Numbers:
        """Return sums divided by their weights; `unknown` for a weight of 0."""
        with np.errstate(invalid="ignore"):
            return np.where(weight > 0, weighed / np.where(weight > 0, weight, 1), np.nan)

    def _count_mistakes(self, player: int, later: Ints) -> None:
        """Replace the reach of a player whose bid to these rows was a mistake; in floats the reach already holds mistakes."""

    def _on_purpose(self, weighed: Numbers, later: Ints) -> Numbers:
        """What the others may expect of a bid that led to these rows, without that of mistakes; in floats it is too small."""
        return weighed


def _sums(one: Floats, other: Floats) -> Floats:
    """The distributions of sums from those of both parts: convolutions, one a row."""
    found = np.zeros((len(one), one.shape[1] + other.shape[1] - 1), one.dtype)
    for count in range(other.shape[1]):
        found[:, count : count + one.shape[1]] += one * other[:, count : count + 1]
    return found


def all_continuations(strategy: Strategy, most: int = MAX_TABLE_SIZE, advance: Callable[[int], object] = int) -> Continuations:
    """The opening and all that can follow.

    Raises LiarsDiceError for a game of more than `most` histories times rolls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> everything = all_continuations(Uniform(rules("common", 2)))
    >>> everything.after([1, 2]).values.round(3).tolist(), everything.after([]).value.round(3).tolist()
    ([[0.5, 1.0], [0.0, 0.5]], [0.5, 0.5])
    """
    size = table_size(strategy.rules, ())
    if size > most:
        raise LiarsDiceError(f"{size:,} betting histories times rolls are more than the {most:,} that can be looked through")
    return Continuations(strategy, advance=advance)


def _prior(rules: Rules, player: int) -> Floats:
    return np.array([float(probability) for _, probability in rules.rolls(player)])

"""The best response to a strategy of Liar's Dice, of the other player or of all others, by a search of the betting tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, counted
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import CALL, OPENING
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import LastBidOnly, Strategy, actions, mover

MOST_HISTORIES = 500_000
"""The most betting histories that a search visits; some seconds."""
_FINEST = 10**10
"""The largest denominator of a value that floats are trusted to tell from its neighbours."""
_TIE = 1e-13
"""Values that differ by less are taken for equal: rounding alone makes them differ, on each processor in another way."""
_DEEPEST = 300
"""The most bids that may follow each other in a walk."""
_MOST_TRUTHS = 30_000_000
"""The most combinations of a bid and the rolls of both players."""


class BeyondReachError(LiarsDiceError):
    """The game is too large for a search."""


@dataclass(frozen=True, eq=False)
class Response:
    """What a player gets at best against the strategy of the other.

    rules  : of the game, with two players
    player : who responds, from 0
    value  : the probability of winning with the best answer, in float64
    best   : for every history that the other lets come, the place of the best action among `strategy.actions`, one a roll;
             of several as good the first
    """

    rules: Rules
    player: int
    value: float
    best: dict[tuple[int, ...], Ints]

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`, for the histories at which the responder moves; where the other never comes, a call."""
        answer = np.zeros((len(actions(self.rules, history)), self.rules.roll_count(self.player)))
        place = self.best.get(tuple(history), np.zeros(answer.shape[1], np.int64))
        answer[place, np.arange(answer.shape[1])] = 1
        return answer


@dataclass(frozen=True)
class BestValue:
    """What a player gets at best against the strategy of the other, without the response.

    value     : the probability of winning; a Fraction where it is exact, else float64
    positions : how many were visited
    """

    value: Number
    positions: int


def respond(strategy: Strategy, player: int, looks_back: bool = True) -> Response:
    """The best response of a player, from 0, to the other's part of a strategy.

    looks_back : False where the strategy minds only the last bid, which saves asking it again

    Depth first over the histories to which the strategy comes with some roll, with the weight of each of its rolls there.
    Exact up to the rounding of floats. Raises LiarsDiceError for other than two players, and BeyondReachError for games with
    more than `MOST_HISTORIES` histories to look at. Cost: some 20 microseconds a history.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Equal
    >>> [round(respond(Equal(rules("common", 2)), player).value, 6) for player in (0, 1)]
    [0.822917, 0.729167]
    """
    check(strategy.rules)
    search = _Search(strategy if looks_back else LastBidOnly(strategy), 1 - player, MOST_HISTORIES)
    return Response(strategy.rules, player, search.value(), search.best)


def best_value(strategy: Strategy, player: int, looks_back: bool = True, most: int | None = None) -> BestValue:
    """The value of `respond`, in games that are far larger where the strategy minds only the last bid.

    most : positions to visit; `MOST_HISTORIES` if nothing is said

    Such a strategy goes on alike after all histories with one last bid and one mover, if its rolls have the same weights there;
    these are one position. A strategy that takes every action for certain has a value in multiples of the probability
    of two ordered rolls, so that the nearest one is exact. Raises as `respond`. Cost: some 20 microseconds a position where
    there are few rolls, 80 with 252 each.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Equal
    >>> found = best_value(Equal(rules("common", 2)), 0, looks_back=False)
    >>> round(found.value, 6), found.positions
    (0.822917, 15)
    """
    check(strategy.rules)
    return _best(strategy, 1 - player, looks_back, MOST_HISTORIES if most is None else most)


def best_of_all_others(strategy: Strategy, seat: int, looks_back: bool = True, most: int = MOST_HISTORIES) -> BestValue:
    """How often a player loses, at most, against all others if they know its strategy and share what they roll.

    seat : of the player, from 0, in a game of any number of players

    They are one player who holds the dice of all of them and moves in all their turns, to which it is all the same who of them
    loses. With two players this is `best_value` of the other. Raises and costs as that; BeyondReachError where the others
    together have too many rolls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Equal
    >>> [round(best_of_all_others(Equal(rules("common", 2, (1, 1, 1))), seat).value, 4) for seat in range(3)]
    [0.7865, 0.8438, 0.8438]
    """
    if strategy.rules.stairs and strategy.rules.players > 2:
        raise LiarsDiceError("with stairs it matters whose dice they are, so others cannot be taken for one player")
    _check_size(_together(strategy.rules, seat))
    return _best(strategy, seat, looks_back, most)


def _best(strategy: Strategy, seat: int, looks_back: bool, most: int) -> BestValue:
    search = _Search(strategy, seat, most) if looks_back else _Merging(LastBidOnly(strategy), seat, most)
    value = search.value()
    exact = exact_value(search.pair, value) if search.pure else None
    return BestValue(value if exact is None else exact, search.visited)


def _together(rules: Rules, seat: int) -> Rules:
    """The same bids between the others, as one player with all their dice, and the player in a seat."""
    return replace(rules, dice=(sum(rules.dice) - rules.dice[seat], rules.dice[seat]))


def check(rules: Rules) -> None:
    """Refuse games in which no search is begun, with a LiarsDiceError."""
    if rules.players != 2:
        raise LiarsDiceError(
            f"a best response is found in games of two players, not of {rules.players}: give ", Argument("dice", (1, 1))
        )
    _check_size(rules)


def _check_size(rules: Rules) -> None:
    truths = rules.bid_count * rules.roll_count(0) * rules.roll_count(1)
    if rules.bid_count > _DEEPEST or truths > _MOST_TRUTHS:
        raise too_large(rules, MOST_HISTORIES)


def exact_value(rules: Rules, value: float) -> Fraction | None:
    """The sum of probabilities of deals that a float is nearest to."""
    one, other = (lcm(*(probability.denominator for _, probability in rules.rolls(player))) for player in range(2))
    return Fraction(round(value * one * other), one * other) if one * other <= _FINEST else None


def chances(rules: Rules, player: int) -> Floats:
    """The probability of each of a player's rolls."""
    return np.array([float(probability) for _, probability in rules.rolls(player)])


def stand(rules: Rules, player: int, ending: int = CALL) -> Floats:
    """Whether each bid `Rules.stands`, by the player's rolls and the other's: 1 or 0, shape (bids, rolls, rolls)."""
    own, other = matching_table(rules, player), matching_table(rules, 1 - player)
    quantity = np.array([bid.quantity for bid in rules.bids])[:, None, None]
    stands: Floats = rules.stands(own[:, :, None] + other[:, None, :] - quantity, ending).astype(np.float64)
    return stands


@dataclass(eq=False)
class _Search:
    """The walk of `respond`.

    seat : who plays the strategy, from 0; all others respond together
    """

    strategy: Strategy
    seat: int
    most: int
    pure: bool = True
    best: dict[tuple[int, ...], Ints] = field(default_factory=dict)
    visited: int = 0

    def value(self) -> float:
        """What the responder wins, over all rolls."""
        return float(chances(self.pair, 0) @ self.values((), chances(self.pair, 1)))

    def values(self, history: tuple[int, ...], weights: Floats) -> Floats:
        """What the responders win from here with each roll of theirs, those of the strategy weighing so much."""
        self._count()
        rules = self.strategy.rules
        if mover(rules, history) == self.seat:
            return self._answered(history, weights)
        values = [
            self._ended(action, history, weights) if action <= CALL else self.values((*history, action), weights)
            for action in actions(rules, history)
        ]
        columns = np.array(values)
        found: Floats = columns.max(axis=0)
        self.best[history] = (columns >= found - _TIE).argmax(axis=0)
        return found

    def _ended(self, ending: int, history: tuple[int, ...], weights: Floats) -> Floats:
        """The same where a responder ends the round: a bid of the strategy's has to fall; of two of their own one loses."""
        stands = self.stand[ending][history[-1]]
        if mover(self.strategy.rules, history[:-1]) != self.seat:
            return np.zeros(len(stands))
        won: Floats = weights.sum() - stands @ weights
        return won

    def _answered(self, history: tuple[int, ...], weights: Floats) -> Floats:
        """The same where the strategy moves."""
        won = np.zeros(self.pair.roll_count(0))
        said = self.strategy.at(history)
        self.pure = self.pure and not np.any((said != 0) & (said != 1))
        for action, share in zip(actions(self.strategy.rules, history), said * weights, strict=True):
            if share.any():
                ends = action <= CALL
                won += self.stand[action][history[-1]] @ share if ends else self.values((*history, action), share)
        return won

    @cached_property
    def pair(self) -> Rules:
        """See `_together`."""
        return _together(self.strategy.rules, self.seat)

    @cached_property
    def stand(self) -> dict[int, Floats]:
        """For each ending, see `stand`."""
        return {ending: stand(self.pair, 0, ending) for ending in self.pair.bidding.ends}

    def _count(self) -> None:
        self.visited += 1
        if self.visited > self.most:
            raise too_large(self.pair, self.most)


@dataclass(eq=False)
class _Merging(_Search):
    """The walk of `best_value` for strategies that mind only the last bid: each position once."""

    known: dict[tuple[int, int, bytes, bytes], Floats] = field(default_factory=dict)

    def values(self, history: tuple[int, ...], weights: Floats) -> Floats:
        """See `_Search`."""
        held = weights != 0
        turn = len(history) % self.strategy.rules.players
        key = history[-1] if history else OPENING, turn, np.packbits(held).tobytes(), weights[held].tobytes()
        if key not in self.known:
            self.known[key] = super().values(history, weights)
        return self.known[key]


def too_large(rules: Rules, most: int) -> BeyondReachError:
    """What says that a search of so many histories was not enough."""
    histories, rolls = counted(rules.bidding.history_count), counted(rules.roll_count(0) * rules.roll_count(1))
    return BeyondReachError(
        f"a best response in {rules} is beyond reach: {histories} betting histories, of which {most:,} are looked "
        f"at, and {rolls} pairs of rolls; give fewer sides or dice, or rules with fewer bids, such as ",
        Argument("preset", "common"),
    )

"""The zero-intelligence player as a strategy, for any number of players and dice: a fixed level, or one drawn each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.bots.zero_intelligence import continuous, randomised
from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, Raise, as_level, omega
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import NONE, Bools, Floats, Ints
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.player_view import PlayerView, match_probability, probability_true
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import roll_index
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, binomial
from liarsdice_cli.strategies.mixture import Mixture

BY_LEVEL, BY_PAYOFF = "level", "payoff"
_STEPS = 50
"""The number of steps of the levels to draw from."""


class _Plan(NamedTuple):
    """The actions of one player: rows are the player's rolls, columns are bids.

    calls : whether the player calls the bid, shape (rolls, bids)
    best  : in column m the number of the best bid from bid m to the last legal one, shape (rolls, bids)
    opens : the number of the best opening, shape (rolls)
    """

    calls: Bools
    best: Ints
    opens: Ints


class _BidValues(NamedTuple):
    """The values of a player's bids, shape (bids, rolls): integers in the order of the exact numbers.

    rank    : `Raise.rank` of making the bid
    omega   : the payoff of making the bid
    call    : the payoff of calling the bid, on the scale of `omega`
    doubted : whether the bid is true with a probability below the level
    """

    rank: Ints
    omega: Ints
    call: Ints
    doubted: Bools


@dataclass(frozen=True)
class ZeroIntelligence:
    """The player of the page: it calls a bid whose probability is below the level, and otherwise makes the best raise.

    rules  : any number of players; the dice of all others are unknown, and B is the next player
    level  : lambda, above 0 and at most 1, as `payoff.as_level` reads it; it assumes the same level for B
    call   : 'level' as on the page, or 'payoff': call if that costs less than the best raise
    tails  : the tail probabilities to use, `tails.binomial` (exact) or `tails.normal`

    It is a pure `Strategy` that depends on the last bid only. It calls if only impossible bids are left. It never claims
    spot-on, which the page does not have.

    Cost: the first use of a player takes 3 ms with 21 rolls and 24 bids, 50 ms with 252 rolls and 180 bids, and no time if
    another player has the same dice. After it, `action` takes a microsecond, and `at` the time to fill an array.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player = ZeroIntelligence(rules("common", 6, (1, 1)), level=1 / 6)
    >>> player.at([7]).shape, player.action([7], (2,)), player.action([8], (2,))
    ((5, 6), 8, -1)
    """

    rules: Rules
    level: Number = LEVEL
    call: str = BY_LEVEL
    tails: TailProbabilities = binomial

    def __post_init__(self) -> None:
        as_level(self.level)
        if self.call not in (BY_LEVEL, BY_PAYOFF):
            raise UsageError(f"calls by {self.call}: choose from {BY_LEVEL}, {BY_PAYOFF}")

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities of all rolls: every column has a single 1."""
        state = BettingState(self.rules, history)
        return state.pure(self._choices(state.mover, history))

    def action(self, history: Sequence[int], roll: Roll) -> int:
        """Return the action with a sorted roll: CALL or the number of a bid."""
        player = BettingState(self.rules, history).mover
        plan, row = self._plans[player], roll_index(self.rules, player, roll)
        if not history:
            return int(plan.opens[row])
        return CALL if plan.calls[row, history[-1]] else int(plan.best[row, history[-1] + 1])

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """Return the positive probabilities of actions (CALL, or numbers of bids) with a sorted roll."""
        return {self.action(history, roll): 1.0}

    def _choices(self, player: int, history: Sequence[int]) -> Ints:
        """Return the action of every roll."""
        plan = self._plans[player]
        if not history:
            return plan.opens
        raised = plan.best[:, min(history[-1] + 1, self.rules.bid_count - 1)]
        return np.where(plan.calls[:, history[-1]], CALL, raised)

    @cached_property
    def _plans(self) -> _Plans:
        return _Plans(self)


class _Plans(dict[int, _Plan]):
    """The plans of the players, each computed when it is first needed."""

    def __init__(self, player: ZeroIntelligence) -> None:
        self.of, self.level, self.tails = player, as_level(player.level), player.tails

    def __missing__(self, player: int) -> _Plan:
        alike = next((one for one in self if self._sees(one) == self._sees(player)), None)
        self[player] = self._plan(player) if alike is None else self[alike]
        return self[player]

    def _sees(self, player: int) -> tuple[int, int]:
        """Return the only difference between seats: the player's own dice, and those of the next player."""
        dice = self.of.rules.dice
        return dice[player], dice[(player + 1) % len(dice)]

    def _plan(self, player: int) -> _Plan:
        """Go down from the highest bid and keep the best bid so far for every roll, so that the lowest of equal bids stays."""
        rules, values, bidding = self.of.rules, self._bid_values(player), self.of.rules.bidding
        bids, rolls = values.rank.shape
        plan = _Plan(np.zeros((rolls, bids), bool), np.zeros((rolls, bids), np.int64), np.zeros(rolls, np.int64))
        are_there = np.array([bid.quantity <= sum(rules.dice) for bid in rules.bids])
        best, opening, each = np.full(rolls, NONE), np.full(rolls, NONE), np.arange(rolls)
        for number in range(bids - 1, -1, -1):
            if not bidding.following(number):
                best = np.full(rolls, NONE)
            pays = values.doubted[number] if self.of.call == BY_LEVEL else values.call[number] > values.omega[best, each]
            plan.calls[:, number] = pays | (best == NONE) | ~are_there[best]
            best = np.where((best == NONE) | (values.rank[number] >= values.rank[best, each]), number, best)
            plan.best[:, number] = best
            if bidding.can_open[number]:
                opening = np.where((opening == NONE) | (values.rank[number] >= values.rank[opening, each]), number, opening)
        plan.opens[:] = opening
        return plan

    def _bid_values(self, player: int) -> _BidValues:
        """Compute each distinct value once: it depends on the quantity, the player's matching dice, the match probability."""
        rules, matching = self.of.rules, matching_table(self.of.rules, player)
        player_views = [PlayerView.of_player(rules, player, roll) for roll, _ in rules.rolls(player)]
        known: dict[tuple[int, int, Fraction], tuple[int, Raise, Number]] = {}
        places = np.zeros_like(matching)
        for number, bid in enumerate(rules.bids):
            counts, first, column = np.unique(matching[number], return_index=True, return_inverse=True)
            found = []
            for count, row in zip(counts.tolist(), first.tolist(), strict=True):
                key = bid.quantity, count, match_probability(rules, bid.face)
                if key not in known:
                    known[key] = (len(known), *self._raise(player_views[row], bid))
                found.append(known[key][0])
            places[number] = np.array(found)[column]
        raises, true = [one for _, one, _ in known.values()], [share for *_, share in known.values()]
        payoffs = _in_order([*(one.omega for one in raises), *(-share for share in true)])
        doubted = np.array([share < self.level for share in true])
        rank, calls = _in_order([one.rank for one in raises]), payoffs[len(raises) :]
        return _BidValues(rank[places], payoffs[places], calls[places], doubted[places])

    def _raise(self, seen: PlayerView, bid: Bid) -> tuple[Raise, Number]:
        """Return a bid as a raise, and its probability of being true."""
        true = probability_true(seen, bid, self.tails)
        return Raise(bid, 1 - true, omega(seen, bid, self.level, self.tails)), true


def _in_order(values: Sequence[Any]) -> Ints:
    """Return the rank of every value among all of them, from the lowest: integers in the order of the values."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return np.array([places[value] for value in values])


@dataclass(frozen=True)
class LevelMixture(Mixture):
    """A zero-intelligence player whose level is a random variable, drawn before each round: section "Randomize strategy".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6, (1, 1))
    >>> mixture = LevelMixture.of_levels(game, {0.1: 0.25, 0.5: 0.75})
    >>> mixture.probabilities([5], (1,))
    {-1: 0.75, 6: 0.25}
    """

    @classmethod
    def of_levels(cls, rules: Rules, weights: Mapping[Number, float], tails: TailProbabilities = binomial) -> LevelMixture:
        """Return the player whose level is drawn with these weights; see `ZeroIntelligence`."""
        players = tuple(ZeroIntelligence(rules, level, tails=tails) for level in weights)
        return cls(players, tuple(weights.values()))

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """Return the positive probabilities of actions (CALL, or numbers of bids) with a sorted roll."""
        state = BettingState(self.rules, history)
        column = self.at(history)[:, roll_index(self.rules, state.mover, roll)].tolist()
        return {action: chance for action, chance in zip(state.actions, column, strict=True) if chance}


def variance(rules: Rules, player: int = 0) -> float:
    """Return sigma^2 of the continuous model for a player: the dice of all others divided by the player's own.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> variance(rules("dudo", 6, (5, 5, 5, 5)))
    3.0
    """
    return (sum(rules.dice) - rules.dice[player]) / rules.dice[player]


def robust_level(rules: Rules, player: int = 0) -> float:
    """Return the fixed level, as a probability, with the best worst case in the normal model; see `continuous.best_level`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> round(robust_level(rules("dudo", 6, (5, 5, 5, 5))), 4)
    0.2651
    """
    return continuous.probability_level(continuous.best_level(variance(rules, player)))


def robust_levels(rules: Rules, player: int = 0) -> dict[Number, float]:
    """Return the best levels to draw from in the normal model, with their probabilities; see `randomised.best_levels`.

    Cost: half a second for about 20 levels; fewer of them differ with dice. Results are cached.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> len(robust_levels(rules("common", 6, (1, 1)))) > 1
    True
    """
    levels = _best_levels(variance(rules, player))
    return dict(zip(levels.probability.tolist(), levels.weight.tolist(), strict=True))


@cache
def _best_levels(sigma2: float) -> randomised.Levels:
    return randomised.best_levels(sigma2, _STEPS).levels

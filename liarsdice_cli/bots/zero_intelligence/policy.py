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
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, binomial
from liarsdice_cli.strategies.mixture import Mixture

BY_LEVEL, BY_PAYOFF = "level", "payoff"


class _Plan(NamedTuple):
    """What one player does: rows are the player's rolls, columns bids; in `best`, column m is for raises from bid m on.

    calls : whether the player calls the bid, shape (rolls, bids)
    best  : the number of the best bid from bid m to the last of its run, shape (rolls, bids)
    opens : the number of the best opening, shape (rolls)
    """

    calls: Bools
    best: Ints
    opens: Ints


class _BidValues(NamedTuple):
    """What a player's bids are worth, shape (bids, rolls): integers that compare as the exact numbers do.

    rank    : of making the bid, as `Raise.rank` says
    omega   : the payoff of making it
    call    : that of calling it, to be compared with `omega`
    doubted : whether it is true with a probability below the level
    """

    rank: Ints
    omega: Ints
    call: Ints
    doubted: Bools


@dataclass(frozen=True)
class ZeroIntelligence:
    """The page's player: calls what is true with a probability below the level, else makes the raise with the best payoff.

    rules  : any number of players; the dice of all others are unknown, and B is who moves next
    level  : lambda, above 0 and at most 1, as `payoff.as_level` reads it
    belief : the level that it believes B to have; its own where None
    call   : 'level' as the page has it, or 'payoff': call where that costs less than the best raise
    tails  : by which it reckons, `tails.binomial` (exact) or `tails.normal`

    It is a `Strategy`: pure, and deaf to all bids but the last. Who has no raise left but of more dice than there are
    calls. The page knows no spot-on, and neither does the player.

    Cost: the first use of a player takes 3 ms for 21 rolls and 24 bids and 50 ms for 252 rolls and 180 bids, and nothing for
    one who sees as many dice as another; `action` a microsecond, `at` about as long as filling its array.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player = ZeroIntelligence(rules("common", 6, (1, 1)), level=1 / 6)
    >>> player.at([7]).shape, player.action([7], (2,)), player.action([8], (2,))
    ((5, 6), 8, -1)
    """

    rules: Rules
    level: Number = LEVEL
    belief: Number | None = None
    call: str = BY_LEVEL
    tails: TailProbabilities = binomial

    def __post_init__(self) -> None:
        as_level(self.level)
        if self.belief is not None:
            as_level(self.belief)
        if self.call not in (BY_LEVEL, BY_PAYOFF):
            raise UsageError(f"calls by {self.call}: choose from {BY_LEVEL}, {BY_PAYOFF}")

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`: every column has a single 1."""
        state = BettingState(self.rules, history)
        return state.pure(self._choices(state.mover, history))

    def action(self, history: Sequence[int], roll: Roll) -> int:
        """What it does with a sorted roll: CALL or the number of a bid."""
        player = BettingState(self.rules, history).mover
        plan, row = self._plans[player], self._rows[player][roll]
        if not history:
            return int(plan.opens[row])
        return CALL if plan.calls[row, history[-1]] else int(plan.best[row, history[-1] + 1])

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """The probabilities of its actions (CALL, or numbers of bids) with a sorted roll; those of 0 are left out."""
        return {self.action(history, roll): 1.0}

    def _choices(self, player: int, history: Sequence[int]) -> Ints:
        """The action of every roll."""
        plan = self._plans[player]
        if not history:
            return plan.opens
        raised = plan.best[:, min(history[-1] + 1, self.rules.bid_count - 1)]
        return np.where(plan.calls[:, history[-1]], CALL, raised)

    @cached_property
    def _rows(self) -> list[dict[Roll, int]]:
        return [{roll: row for row, (roll, _) in enumerate(self.rules.rolls(player))} for player in range(self.rules.players)]

    @cached_property
    def _plans(self) -> _Plans:
        return _Plans(self)


class _Plans(dict[int, _Plan]):
    """The plans of the players, made when they are asked for."""

    def __init__(self, player: ZeroIntelligence) -> None:
        self.of, self.level, self.tails = player, as_level(player.level), player.tails
        self.belief = self.level if player.belief is None else as_level(player.belief)

    def __missing__(self, player: int) -> _Plan:
        alike = next((one for one in self if self._sees(one) == self._sees(player)), None)
        self[player] = self._plan(player) if alike is None else self[alike]
        return self[player]

    def _sees(self, player: int) -> tuple[int, int]:
        """All in which seats differ: the own dice, and those of who moves next."""
        dice = self.of.rules.dice
        return dice[player], dice[(player + 1) % len(dice)]

    def _plan(self, player: int) -> _Plan:
        """For all rolls go down from the highest bid, keeping the best so far of its run; so among equals the lowest stays."""
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
        """Reckon once for every quantity, matching dice of one's own, and chance of a die to match: all that it depends on."""
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
        """A bid, and how likely it is true."""
        true = probability_true(seen, bid, self.tails)
        return Raise(bid, 1 - true, omega(seen, bid, self.belief, self.tails)), true


def _in_order(values: Sequence[Any]) -> Ints:
    """The place of every value among all of them, the lowest first: integers that compare as the values do."""
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
    def of_levels(
        cls,
        rules: Rules,
        weights: Mapping[Number, float],
        belief: Number | None = None,
        call: str = BY_LEVEL,
        tails: TailProbabilities = binomial,
    ) -> LevelMixture:
        """Return the player whose level is drawn with these weights; see `ZeroIntelligence`."""
        players = tuple(ZeroIntelligence(rules, level, belief, call, tails) for level in weights)
        return cls(players, tuple(weights.values()))

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """Return the positive probabilities of actions (CALL, or numbers of bids) with a sorted roll."""
        state = BettingState(self.rules, history)
        rolls = [own for own, _ in self.rules.rolls(state.mover)]
        column = self.at(history)[:, rolls.index(roll)].tolist()
        return {action: chance for action, chance in zip(state.actions, column, strict=True) if chance}


@dataclass(frozen=True)
class ByPlayer:
    """A strategy for every player of the rules, each asked where its player moves."""

    strategies: tuple[ZeroIntelligence | LevelMixture, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the game that it plays."""
        return self.strategies[0].rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.strategies[BettingState(self.rules, history).mover].at(history)

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """See `ZeroIntelligence.probabilities`."""
        return self.strategies[BettingState(self.rules, history).mover].probabilities(history, roll)


def variance(rules: Rules, player: int = 0) -> float:
    """The sigma^2 of the continuous model for a player: the dice of all others over the player's own.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> variance(rules("dudo", 6, (5, 5, 5, 5)))
    3.0
    """
    return (sum(rules.dice) - rules.dice[player]) / rules.dice[player]


def robust_level(rules: Rules, player: int = 0) -> float:
    """The fixed level, as a probability, that the normal model finds best in the worst case; see `continuous.best_level`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> round(robust_level(rules("dudo", 6, (5, 5, 5, 5))), 4)
    0.2651
    """
    return continuous.probability_level(continuous.best_level(variance(rules, player)))


def robust_levels(rules: Rules, player: int = 0, steps: int = 50) -> dict[Number, float]:
    """The levels, with their probabilities, from which the normal model finds it best to draw; see `randomised.best_levels`.

    Cost: half a second for 50 steps, which give some 20 levels; dice tell fewer of them apart. The same again is free.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> len(robust_levels(rules("common", 6, (1, 1)), steps=5)) > 1
    True
    """
    levels = _best_levels(variance(rules, player), steps)
    return dict(zip(levels.probability.tolist(), levels.weight.tolist(), strict=True))


@cache
def _best_levels(sigma2: float, steps: int) -> randomised.Levels:
    return randomised.best_levels(sigma2, steps).levels

"""The zero-intelligence player as a strategy, for any number of players and dice: a fixed level, or one drawn each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from liarsdice_cli.bots.zero_intelligence import continuous, randomised
from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, Raise, as_level, call_pays, omega, probability_bad
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.sight import Sight
from liarsdice_cli.games.liarsdice.strategy import Strategy, actions, mover, taking
from liarsdice_cli.games.liarsdice.tails import Tails, binomial

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

    Cost: the first use of a player takes 3 ms for 21 rolls and 24 bids and 0.2 s for 252 rolls and 180 bids; `action` a
    microsecond, `at` about as long as filling its array.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> player = ZeroIntelligence(rules("common", 6, (1, 1)), level=1 / 6)
    >>> player.at([7]).shape, player.action([7], (2,)), player.action([8], (2,))
    ((5, 6), 8, -1)
    """

    rules: Rules
    level: Number = LEVEL
    belief: Number | None = None
    call: str = BY_LEVEL
    tails: Tails = binomial

    def __post_init__(self) -> None:
        as_level(self.level)
        if self.belief is not None:
            as_level(self.belief)
        if self.call not in (BY_LEVEL, BY_PAYOFF):
            raise UsageError(f"calls by {self.call}: choose from {BY_LEVEL}, {BY_PAYOFF}")

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`: every column has a single 1."""
        return taking(self.rules, history, self._choices(mover(self.rules, history), history))

    def action(self, history: Sequence[int], roll: Roll) -> int:
        """What it does with a sorted roll: CALL or the number of a bid."""
        player = mover(self.rules, history)
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
        rules, rolls = self.of.rules, self.of.rules.rolls(player)
        shape = len(rolls), rules.bid_count
        plan = _Plan(np.zeros(shape, bool), np.zeros(shape, np.int64), np.zeros(shape[0], np.int64))
        known: dict[tuple[int, int], Raise] = {}
        for row, (roll, _) in enumerate(rolls):
            self._fill(plan, row, Sight.of_player(rules, player, roll), known)
        self[player] = plan
        return plan

    def _fill(self, plan: _Plan, row: int, seen: Sight, known: dict[tuple[int, int], Raise]) -> None:
        """Go down from the highest bid, keeping the best so far of its run; so among equals the lowest stays.

        What a bid is worth depends on the roll through the number of matching dice only: `known` keeps it by both.
        """
        best: Raise | None = None
        opening: Raise | None = None
        bidding, chosen = self.of.rules.bidding, self.of.rules.bid_count - 1
        matching = {face: self.of.rules.matching(seen.own, face) for face in self.of.rules.faces}
        for number in range(chosen, -1, -1):
            key = number, matching[self.of.rules.bids[number].face]
            if key not in known:
                known[key] = self._raise(seen, number)
            one = known[key]
            best = None if not bidding.following(number) else best
            plan.calls[row, number] = self._calls(seen, one, best)
            if best is None or one.rank >= best.rank:
                best, chosen = one, number
            plan.best[row, number] = chosen
            if bidding.opens[number] and (opening is None or one.rank >= opening.rank):
                opening, plan.opens[row] = one, number

    def _raise(self, seen: Sight, number: int) -> Raise:
        bid = self.of.rules.bids[number]
        return Raise(bid, probability_bad(seen, bid, self.tails), omega(seen, bid, self.belief, self.tails))

    def _calls(self, seen: Sight, last: Raise, raised: Raise | None) -> bool:
        if raised is None or raised.bid.quantity > seen.total:
            return True
        if self.of.call == BY_PAYOFF:
            return call_pays(seen, last.bid, raised, self.tails)
        return 1 - last.bad < self.level


@dataclass(frozen=True)
class Mixture:
    """A strategy drawn at the start of each round and kept to its end, such as a level that is a random variable.

    Section "Randomize strategy". What it does after a history is the average of the strategies, each with its weight times the
    probability that it would have made the mover's earlier bids with the roll (Kuhn's theorem); where none would, the weights.

    strategies : of the same rules
    weights    : 0 or more, with the sum 1

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6, (1, 1))
    >>> mixture = Mixture.of_levels(game, {0.1: 0.25, 0.5: 0.75})
    >>> mixture.probabilities([5], (1,))
    {-1: 0.75, 6: 0.25}
    """

    strategies: tuple[Strategy, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.strategies) != len(self.weights) or min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-9:
            raise UsageError("a mixture has a weight of 0 or more for each strategy, and the weights add up to 1")

    @classmethod
    def of_levels(
        cls,
        rules: Rules,
        weights: Mapping[Number, float],
        belief: Number | None = None,
        call: str = BY_LEVEL,
        tails: Tails = binomial,
    ) -> Mixture:
        """The zero-intelligence player whose level is drawn with these weights; see `ZeroIntelligence`."""
        players = tuple(ZeroIntelligence(rules, level, belief, call, tails) for level in weights)
        return cls(players, tuple(weights.values()))

    @property
    def rules(self) -> Rules:
        """The rules of the game that it plays."""
        return self.strategies[0].rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`. Cost: that of every strategy after each of the mover's turns so far."""
        said = np.stack([strategy.at(history) for strategy in self.strategies])
        answer: Floats = np.einsum("sr,sar->ar", self.posterior(history), said)
        return answer

    def posterior(self, history: Sequence[int]) -> Floats:
        """The probability of each strategy given the roll and the mover's earlier bids, shape (strategies, rolls)."""
        weights = np.array(self.weights)
        likely = np.repeat(weights[:, None], self.rules.roll_count(mover(self.rules, history)), axis=1)
        for turn in range(len(history) - self.rules.players, -1, -self.rules.players):
            row = actions(self.rules, history[:turn]).index(history[turn])
            likely = likely * np.stack([strategy.at(history[:turn])[row] for strategy in self.strategies])
        whole = likely.sum(axis=0)
        return np.where(whole > 0, likely / np.where(whole > 0, whole, 1), weights[:, None])

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """The probabilities of its actions (CALL, or numbers of bids) with a sorted roll; those of 0 are left out."""
        rolls = [own for own, _ in self.rules.rolls(mover(self.rules, history))]
        column = self.at(history)[:, rolls.index(roll)].tolist()
        return {action: chance for action, chance in zip(actions(self.rules, history), column, strict=True) if chance}


@dataclass(frozen=True)
class ByPlayer:
    """A strategy for every player of the rules, each asked where its player moves."""

    strategies: tuple[ZeroIntelligence | Mixture, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the game that it plays."""
        return self.strategies[0].rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.strategies[mover(self.rules, history)].at(history)

    def probabilities(self, history: Sequence[int], roll: Roll) -> dict[int, float]:
        """See `ZeroIntelligence.probabilities`."""
        return self.strategies[mover(self.rules, history)].probabilities(history, roll)


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
    >>> len(robust_levels(rules("common", 6, (1, 1)), steps=20)) > 1
    True
    """
    levels = _best_levels(variance(rules, player), steps)
    return dict(zip(levels.probability.tolist(), levels.weight.tolist(), strict=True))


@cache
def _best_levels(sigma2: float, steps: int) -> randomised.Levels:
    return randomised.best_levels(sigma2, steps).levels

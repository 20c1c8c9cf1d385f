"""Best responses to a strategy of Liar's Dice, of the other player or of a coalition of all others.

One batched search (`betting_search`) finds them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.betting_search import MAX_POSITIONS, BettingSearch, check_size, with_coalition
from liarsdice_cli.strategies.combined import LastBidOnly

_MAX_DENOMINATOR = 10**10
"""Largest denominator of a value that a float identifies reliably."""


@dataclass(frozen=True, eq=False)
class BestResponse:
    """A pure strategy of one player that is a best response to the other's strategy.

    rules   : rules of the game, for two players
    player  : responder, from 0
    value   : probability of winning, in float64
    choices : for every history of the responder that the other's strategy reaches: the row of the best action in
              `BettingState.actions` for each roll; the first of equally good ones
    """

    rules: Rules
    player: int
    value: float
    choices: dict[tuple[int, ...], Ints]

    def at(self, history: Sequence[int]) -> Floats:
        """Return `Strategy.at` for the responder's histories; it calls (or opens lowest) where the other never arrives."""
        answer = np.zeros((len(BettingState(self.rules, history).actions), self.rules.roll_count(self.player)))
        rows = self.choices.get(tuple(history), np.zeros(answer.shape[1], np.int64))
        answer[rows, np.arange(answer.shape[1])] = 1
        return answer


@dataclass(frozen=True)
class BestResponseValue:
    """The value of a best response, without the response.

    value     : probability of winning; a Fraction if it is exact, otherwise float64
    positions : number of positions visited: histories, or merged ones
    """

    value: Number
    positions: int


def best_response(strategy: Strategy, player: int, looks_back: bool = True) -> BestResponse:
    """Return the best response of a player, from 0, to the other player's part of a strategy.

    looks_back : False if the strategy depends only on the roll and the last bid; it is then asked once for each last bid

    Exact up to the rounding of floats. Raises LiarsDiceError unless there are two players, and BeyondReachError if the strategy
    reaches more than `MAX_POSITIONS` histories. Cost: as `best_response_value`, and 2 microseconds a history.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> [round(best_response(Uniform(rules("common", 2)), player).value, 6) for player in (0, 1)]
    [0.822917, 0.729167]
    """
    _check(strategy.rules)
    choices: dict[tuple[int, ...], Ints] = {}
    search = BettingSearch(strategy if looks_back else LastBidOnly(strategy), 1 - player, MAX_POSITIONS, choices=choices)
    return BestResponse(strategy.rules, player, search.value(), choices)


def best_response_value(
    strategy: Strategy,
    player: int,
    looks_back: bool = True,
    *,
    max_positions: int = MAX_POSITIONS,
    opponent_max_bids: int | None = None,
    progress: Progress = SILENT,
) -> BestResponseValue:
    """Return the value of `best_response`, which is found in larger games too.

    looks_back    : False if the strategy depends only on the roll and the last bid; equal positions are then merged
    max_positions : limit of the positions to visit
    opponent_max_bids : number of bids after which the responder must call; None for a best response. A limited responder
                    wins no more. Positions are then not merged
    progress      : counts the histories, unreached ones included, unless positions are merged

    If the strategy is pure, the value is a multiple of the probability of two ordered rolls, so the nearest multiple is exact.
    Raises as `best_response`. Cost: a tenth of a microsecond a history in large batches with 21 rolls, 10 microseconds in small
    ones, and the strategy's own time; up to 25 microseconds for a merged position.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> two = Uniform(rules("common", 2))
    >>> found = best_response_value(two, 0)
    >>> round(found.value, 6), found.positions, best_response_value(two, 0, looks_back=False).positions
    (0.822917, 16, 15)
    >>> round(best_response_value(two, 0, opponent_max_bids=1).value, 6)
    0.791667
    """
    _check(strategy.rules)
    merge = not looks_back and opponent_max_bids is None
    return _value(BettingSearch(strategy, 1 - player, max_positions, merge, opponent_max_bids, progress))


def coalition_value(
    strategy: Strategy, seat: int, looks_back: bool = True, max_positions: int = MAX_POSITIONS
) -> BestResponseValue:
    """Return the largest probability with which a coalition of all other players makes a player lose.

    seat : the player's seat, from 0, in a game with any number of players

    The coalition knows the strategy and all dice of its members, and moves in all their turns. Any member may lose in the
    player's place. With two players this is `best_response_value` of the other player. Raises LiarsDiceError for stairs with
    more than two players, and BeyondReachError if the coalition has too many rolls, or as `best_response`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> [round(coalition_value(Uniform(rules("common", 2, (1, 1, 1))), seat).value, 4) for seat in range(3)]
    [0.7865, 0.8438, 0.8438]
    """
    if strategy.rules.stairs and strategy.rules.players > 2:
        raise LiarsDiceError("with stairs it matters whose dice they are, so the other players cannot be treated as one")
    check_size(with_coalition(strategy.rules, seat))
    return _value(BettingSearch(strategy, seat, max_positions, merge=not looks_back))


def _check(rules: Rules) -> None:
    """Raise LiarsDiceError if no search for a best response can start in this game."""
    if rules.players != 2:
        raise LiarsDiceError(
            f"a best response is computed only for two players, not for {rules.players}: give ", Argument("dice", (1, 1))
        )
    check_size(rules)


def _value(search: BettingSearch) -> BestResponseValue:
    """Run a search; return the value as a fraction if the strategy turned out to be pure."""
    value = search.value()
    exact = _nearest(search.pair, value) if search.pure else None
    return BestResponseValue(value if exact is None else exact, search.visited)


def _nearest(rules: Rules, value: float) -> Fraction | None:
    """Return the nearest sum of probabilities of deals to a float; None if floats cannot tell them apart."""
    first, second = (lcm(*(probability.denominator for _, probability in rules.rolls(player))) for player in range(2))
    return Fraction(round(value * first * second), first * second) if first * second <= _MAX_DENOMINATOR else None

"""How bad the worst case of a bot is in a game of two players, beside what nobody can be kept from: the value of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from liarsdice_cli.bots import equilibrium
from liarsdice_cli.bots.equilibrium import is_exact
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.histories import Batched
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.best_response import BestValue, BeyondReachError, best_value
from liarsdice_cli.solvers.in_blocks import MOST as MOST_IN_BLOCKS
from liarsdice_cli.solvers.in_blocks import best_value_in_blocks
from liarsdice_cli.solvers.public_tree.backends import backend_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.regret.convergence import Sample
from liarsdice_cli.solvers.solution import Request
from liarsdice_cli.strategies.combined import LastBidOnly
from liarsdice_cli.strategies.stored import Stored, stored_in
from liarsdice_cli.studies.valuation import REFUSED, Valuation, value

SEARCHED = 1 << 18
"""Positions to which a bot may come before it is asked after many histories at once instead."""
MOST = 1 << 20
"""Positions that are visited for a seat where there are too many histories to go through; two minutes."""
QUICK = 18
"""Bids up to which the value is found where nobody says how well."""
_NOTHING: Callable[[int], None] = lambda histories: None  # noqa: E731


@dataclass(frozen=True)
class WorstCase:
    """The least that a bot is sure of: what is left to it where the other player knows it and answers best.

    payoffs        : expected payoffs of the bot as player 1 and as player 2; Fractions where they are exact, else float64
    total          : what the payoffs of both players always add up to
    rounding_error : what rounding can do to a float
    positions      : how many (`best_response.best_value`), or betting histories, were visited for both seats together
    most_bids      : how often the opponent could bid; where it is not None, the opponent was limited, and a best response
                     may leave the bot less: the payoffs are bounds from above, the exploitability is one from below
    """

    payoffs: tuple[Number, Number]
    total: Fraction
    rounding_error: float
    positions: int
    most_bids: int | None = None

    @property
    def mean(self) -> Number:
        """The mean over the seats; an equilibrium has half the total, whatever the value of the game."""
        return (self.payoffs[0] + self.payoffs[1]) / 2

    @property
    def exploitability(self) -> Number:
        """(regret of 1 + regret of 2) / 2 where the bot plays both seats: half the total less the mean."""
        return self.total / 2 - self.mean


def worst_case(
    bot: Policy,
    rules: Rules,
    advance: Callable[[int], None] = _NOTHING,
    threads: int | None = None,
    most_bids: int | None = None,
) -> WorstCase:
    """The worst case of a bot, by a best response in either seat.

    most_bids : how often the opponent may bid, after which it calls; None for a best response
    advance   : called with the number of histories done, 2^N for each seat, where the bot is asked after many at once
    threads   : that walk a strategy file; None for one a processor

    What has grown is walked as it is. The positions to which other bots come are searched; where they are many, and for bots
    that answer many histories at once, blocks of them are (`solvers.in_blocks`). Raises LiarsDiceError for other than two
    players, for a game that the bot does not play, and for one that is beyond all.

    >>> from liarsdice_cli.bots.specs import policy
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = worst_case(policy("zero-intelligence:0.25"), rules("ones-low", 6, (1, 1)))
    >>> [str(number) for number in (*found.payoffs, found.mean, found.exploitability)]
    ['1/9', '1/9', '1/9', '7/18']
    """
    if rules.players != 2:
        raise LiarsDiceError(
            f"a worst case is found in games of two players, not of {rules.players}: give ", Argument("dice", (1, 1))
        )
    bot.check(rules)
    try:
        return _found(bot.strategy(rules), rules, bot.looks_back, advance, threads, most_bids)
    except BeyondReachError as error:
        raise BeyondReachError(*error.parts, ", or a bound by ", Argument("most_bids", 2)) from error


def _found(
    strategy: Strategy,
    rules: Rules,
    looks_back: bool,
    advance: Callable[[int], None],
    threads: int | None,
    most_bids: int | None,
) -> WorstCase:
    """See `worst_case`, in the way that suits the strategy, whose own rules may pay otherwise, as a file's do."""
    known = stored_in(strategy)
    if known is not None and most_bids is None:
        return _walked(known, rules, threads)
    few = strategy.rules.bidding.history_count <= MOST_IN_BLOCKS
    if most_bids is None and not isinstance(strategy, Batched):
        try:
            return _searched(strategy, rules, looks_back, SEARCHED if few else MOST)
        except BeyondReachError:
            if not few:
                raise
    return _in_blocks(strategy if looks_back else LastBidOnly(strategy), rules, advance, most_bids)


def _searched(strategy: Strategy, rules: Rules, looks_back: bool, most: int) -> WorstCase:
    """By the positions to which the bot comes."""
    first, second = (best_value(strategy, 1 - seat, looks_back, most) for seat in range(2))
    return _of(rules, first, second)


def _in_blocks(strategy: Strategy, rules: Rules, advance: Callable[[int], None], most_bids: int | None) -> WorstCase:
    """By blocks of histories after which the bot is asked at once."""
    first, second = (best_value_in_blocks(strategy, 1 - seat, most_bids, advance) for seat in range(2))
    return replace(_of(rules, first, second), most_bids=most_bids)


def _of(rules: Rules, first: BestValue, second: BestValue) -> WorstCase:
    """What best responses in the second and in the first seat leave to a bot in the other."""
    game = public_game(rules)
    payoffs = _left(game, first.value, 0), _left(game, second.value, 1)
    return WorstCase(payoffs, game.total, game.rounding_error, first.positions + second.positions)


def _walked(strategy: Stored, rules: Rules, threads: int | None) -> WorstCase:
    """By a walk of what has grown."""
    game = public_game(replace(strategy.rules, payoffs=rules.payoffs))
    responses = Responses(game, strategy.tree, strategy.name, backend_of(strategy.tree, threads))
    payoffs = _left(game, responses.wins(1), 0), _left(game, responses.wins(0), 1)
    return WorstCase(payoffs, game.total, game.rounding_error, responses.traverser.visited)


def _left(game: PublicGame, wins: Number, seat: int) -> Number:
    """The payoff of a seat, from 0, against who wins so often."""
    win, lose = game.payoffs[1 - seat]
    return game.total - (lose + (win - lose) * wins)


def value_of(
    rules: Rules, target: float | None = None, on_sample: Callable[[Sample], None] = lambda sample: None
) -> Valuation | None:
    """The value of the game for two players: exact where that is quick, else between bounds that a minimiser proves.

    target    : half the distance of the bounds; if nothing is said `TARGET`, and None is the answer where it would take minutes
    on_sample : called with every new pair of bounds

    Raises LiarsDiceError for a game that is too large, KeyboardInterrupt on Ctrl-C.
    """
    game = public_game(rules.without_impossible_bids())
    if target is None and not is_exact(rules) and game.bids > QUICK:
        return None
    found = value(rules, Request(target=target, exact_nodes=equilibrium.SOLVABLE), on_sample)
    if found.method == REFUSED:
        raise LiarsDiceError(f"{found.note}; leave ", Argument("target"), " out to do without the value of the game")
    return found

"""The worst case of a bot in a game of two players, and the value of the game beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from liarsdice_cli.bots import equilibrium
from liarsdice_cli.bots.equilibrium import is_exact
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.safe_resolver import SafeResolver
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.histories import Batched
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.best_response import BestResponseValue, best_response_value
from liarsdice_cli.solvers.betting_search import BeyondReachError
from liarsdice_cli.solvers.public_tree.backends import backend_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.strategies.combined import LastBidOnly, WithImpossibleBids
from liarsdice_cli.strategies.stored import Stored, stored_in
from liarsdice_cli.studies.valuation import REFUSED, Valuation, value

MAX_MERGED = 1 << 18
"""Merged positions to try before the search goes through all histories, in games with at most `MAX_HISTORIES` of them."""
MAX_POSITIONS = 1 << 20
"""Positions for a seat in larger games, if the bot answers for one at a time; two minutes."""
MAX_HISTORIES = 1 << 25
"""Histories for a seat if all can be searched: as many as there are with 25 bids."""
QUICK = 18
"""Most bids with which the value of the game is computed without a target."""


@dataclass(frozen=True)
class WorstCase(Renderable):
    """A bot's payoffs against a best response.

    payoffs        : expected payoffs of the bot as player 1 and as player 2; Fractions if exact, otherwise float64
    total          : constant sum of both players' payoffs
    rounding_error : largest error of a float
    positions      : positions (`best_response_value`) or betting histories visited, for both seats together
    opponent_max_bids : number of bids after which the opponent had to call, or None. Against such an opponent the payoffs
                     are upper bounds, and the exploitability is a lower bound
    """

    payoffs: tuple[Number, Number]
    total: Fraction
    rounding_error: float
    positions: int
    opponent_max_bids: int | None = None

    def __repr__(self) -> str:
        first, second = map(shown, self.payoffs)
        bound = "at least " if self.opponent_max_bids is not None else ""
        return f"WorstCase(exploitability {bound}{shown(self.exploitability)}; payoffs {first} and {second} in the two seats)"

    @property
    def mean(self) -> Number:
        """The mean over the seats; an equilibrium has half the total, whatever the value of the game."""
        return (self.payoffs[0] + self.payoffs[1]) / 2

    @property
    def exploitability(self) -> Number:
        """Half the total minus the mean: (regret of 1 + regret of 2) / 2 if the bot plays both seats."""
        return self.total / 2 - self.mean


def worst_case(
    bot: Policy,
    rules: Rules,
    progress: Progress = SILENT,
    threads: int | None = None,
    opponent_max_bids: int | None = None,
) -> WorstCase:
    """Return the worst case of a bot, by a best response in either seat.

    opponent_max_bids : number of bids after which the opponent must call; None for a best response
    progress  : counts the histories, 2^N for each seat, unless positions are merged
    threads   : threads that traverse a strategy file; None for one a processor

    A traversal evaluates strategies with expanded histories. All others take one batched search (`solvers.best_response`),
    first with merged positions if the bot depends only on its roll and the last bid. Raises LiarsDiceError unless there are two
    players, for a game that the bot does not play, and for one that is too large.

    >>> from liarsdice_cli.bots.specs import policy
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = worst_case(policy("zero-intelligence:0.25"), rules("ones-low", 6, (1, 1)))
    >>> [str(number) for number in (*found.payoffs, found.mean, found.exploitability)]
    ['1/9', '1/9', '1/9', '7/18']
    """
    if rules.players != 2:
        raise LiarsDiceError(
            f"a worst case is computed only for two players, not for {rules.players}: give ", Argument("dice", (1, 1))
        )
    progress.begin(f"evaluating {bot.name}")
    bot.check(rules)  # which may solve the game
    strategy = fixed_strategy(bot, rules)
    expanded = stored_in(strategy)
    if expanded is not None and opponent_max_bids is None:
        return _traversed(expanded, rules, threads)
    try:
        return _searched(bot, strategy, rules, progress, opponent_max_bids)
    except BeyondReachError as error:
        raise BeyondReachError(*error.parts, ", or a bound by ", Argument("opponent_max_bids", 2)) from error


def fixed_strategy(bot: Policy, rules: Rules) -> Strategy:
    """Return the strategy of a bot; LiarsDiceError for a bot that solves parts of the game as it plays."""
    strategy = bot.strategy(rules)
    if isinstance(strategy.of if isinstance(strategy, WithImpossibleBids) else strategy, SafeResolver):
        raise LiarsDiceError(
            f"{bot.name} plays the kept solution of {rules} and re-solves it as it plays, so it has no fixed strategy: name "
            "equilibrium, which only plays the solution; re-solving is safe, so no opponent gains more from it"
        )
    return strategy


def _searched(bot: Policy, strategy: Strategy, rules: Rules, progress: Progress, opponent_max_bids: int | None) -> WorstCase:
    """Return the worst case by search. The strategy's rules may differ from `rules` in the payoffs."""
    all_fit = strategy.rules.bidding.history_count <= MAX_HISTORIES
    if not bot.looks_back and opponent_max_bids is None:
        limit = MAX_MERGED if all_fit else MAX_POSITIONS
        try:
            return _of(rules, *(best_response_value(strategy, player, False, max_positions=limit) for player in (1, 0)))
        except BeyondReachError:
            if not all_fit:
                raise
    quick = all_fit or opponent_max_bids is not None or isinstance(strategy, Batched)
    limit = MAX_HISTORIES if quick else MAX_POSITIONS
    asked = strategy if bot.looks_back else LastBidOnly(strategy)
    progress.begin(f"evaluating {bot.name}", 2 * strategy.rules.bidding.history_count, "histories")
    found = (
        best_response_value(asked, player, max_positions=limit, opponent_max_bids=opponent_max_bids, progress=progress)
        for player in (1, 0)
    )
    return replace(_of(rules, *found), opponent_max_bids=opponent_max_bids)


def _of(rules: Rules, second: BestResponseValue, first: BestResponseValue) -> WorstCase:
    """Return what best responses in the second and in the first seat leave to a bot in the other."""
    game = public_game(rules)
    payoffs = game.payoff_against(0, second.value), game.payoff_against(1, first.value)
    return WorstCase(payoffs, game.total, game.rounding_error, second.positions + first.positions)


def _traversed(strategy: Stored, rules: Rules, threads: int | None) -> WorstCase:
    """Return the worst case by a traversal of the expanded histories."""
    game = public_game(replace(strategy.rules, payoffs=rules.payoffs))
    responses = Responses(game, strategy.store, backend_of(strategy.store, threads))
    payoffs = game.payoff_against(0, responses.wins(1)), game.payoff_against(1, responses.wins(0))
    return WorstCase(payoffs, game.total, game.rounding_error, responses.traverser.visited)


def value_of(rules: Rules, target: float | None = None, progress: Progress = SILENT) -> Valuation | None:
    """Return the value of a game of two players: exact if that is quick, otherwise bounds that a regret minimiser proves.

    target   : half the distance of the bounds; if None, `TARGET`, and the function returns None if that would take minutes
    progress : receives a sample at every computation of bounds

    Raises LiarsDiceError for a game that is too large, KeyboardInterrupt on Ctrl-C.
    """
    game = public_game(rules.without_impossible_bids())
    if target is None and not is_exact(rules) and game.bids > QUICK:
        return None
    progress.begin("the value of the game")
    found = value(rules, Request(target=target, exact_max_nodes=equilibrium.SOLVABLE), progress)
    if found.method == REFUSED:
        raise LiarsDiceError(f"{found.note}; leave ", Argument("target"), " out to skip the value of the game")
    return found

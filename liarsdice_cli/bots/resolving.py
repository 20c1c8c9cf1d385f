"""A bot that takes all players for rational: it plays an equilibrium of the whole game, or else of a subgame.

In larger games it re-solves a subgame, the rest of the round, at every decision (`games.liarsdice.subgame`). Its beliefs about
the other players' dice come from the strategies that it computed last, by Bayes' rule; no roll is ever excluded. The others'
beliefs about its own dice come from its strategies too. The public tree solves the subgame with bounds, until the time limit
or a small exploitability.

If many bids are left, the subgame keeps only the bids whose probability of being true is nearest to one half.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from liarsdice_cli.bots.equilibrium import Equilibrium, is_known, kept_solution
from liarsdice_cli.bots.opponents import DOUBT, SLIP
from liarsdice_cli.bots.protocol import OfStrategy
from liarsdice_cli.bots.safe_resolver import SafeResolver
from liarsdice_cli.bots.solved_subgame import SolvedSubgame, solved_in_time
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform
from liarsdice_cli.games.liarsdice.subgame import GIVEN, Subgame, possible_bids
from liarsdice_cli.strategies.combined import in_whole_game
from liarsdice_cli.strategies.stored import stored_in

SECONDS = 1.0
"""The default time limit for a decision."""
PREPARED = 10
"""The opening is solved before play for this many time limits."""
MOST_BIDS, OF_MANY = 30, 16
"""The number of bids in a subgame with two or three players, and with more; measured in docs/strength.md."""
_KEPT = 1 << 28
"""The memory for solved subgames, in bytes."""


class Resolving(OfStrategy):
    """Plays an equilibrium of the whole game of two players if it is kept or quick to solve; otherwise re-solves.

    Nobody can win more from an equilibrium of the whole game than its regret allows, see `equilibrium.ITERATIONS`. After bids
    that a kept solution lacks, it re-solves safely (`safe_resolver`).

    name       : the specification, `resolving` or `resolving:SECONDS`
    seconds    : the time limit for a decision, with the beliefs it needs; the opening has `PREPARED` times as long before play
    iterations : the number of iterations of a decision, instead of a time limit; the result then does not depend on the clock
    most       : the number of bids in a subgame; None for a default that depends on the number of players

    Source: Brown et al. 2020 for beliefs and subgames, see `games.liarsdice.subgame`; this bot learns nothing before play.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bot, game = Resolving("resolving", iterations=50), rules("common", 2, (1, 1, 1))
    >>> [str(game.bids[bid]) for bid in bot.resolver(game).subgame((3,)).bids], bot.strategy(game).at((3,)).shape
    (['3x1', '3x2'], (3, 2))
    """

    def __init__(self, name: str, seconds: float = SECONDS, iterations: int | None = None, most: int | None = None) -> None:
        self.name, self.seconds, self.iterations, self.most = name, seconds, iterations, most
        self._equilibrium = Equilibrium()
        self._resolvers: OrderedDict[Rules, Resolver] = OrderedDict()
        self._safe: dict[Rules, SafeResolver | None] = {}

    def check(self, rules: Rules) -> None:
        """Solve the whole game or the opening before play, or load what solves subgames of a kept solution."""
        if self.resolves_every_decision(rules):
            self.resolver(rules).prepare()
            return
        self._equilibrium.check(rules)
        safe = self.safe_resolver(rules)
        if safe is not None:
            safe.prepare()

    def strategy(self, rules: Rules) -> Strategy:
        """Return the equilibrium strategy, or the resolver of a game, which solves when it is asked."""
        if self.resolves_every_decision(rules):
            return self.resolver(rules)
        safe = self.safe_resolver(rules)
        return self._equilibrium.strategy(rules) if safe is None else in_whole_game(rules, safe)

    def resolves_every_decision(self, rules: Rules) -> bool:
        """Return whether it re-solves at every decision, because the whole game takes too long or has more than two players."""
        return rules.players > 2 or not is_known(rules)

    def safe_resolver(self, rules: Rules) -> SafeResolver | None:
        """Return the kept solution of a game with what re-solves it safely; None for a game that is solved before play."""
        if rules not in self._safe:
            kept = None if kept_solution(rules) is None else stored_in(self._equilibrium.strategy(rules))
            self._safe[rules] = None if kept is None else SafeResolver(kept, self.seconds, self.iterations)
        return self._safe[rules]

    def resolver(self, rules: Rules) -> Resolver:
        """Return what re-solves the game at every decision."""
        if rules not in self._resolvers:
            most = self.most or (MOST_BIDS if rules.players < 4 else OF_MANY)
            self._resolvers[rules] = Resolver(rules, self.seconds, self.iterations, most)
            if len(self._resolvers) > 8:
                self._resolvers.popitem(last=False)
        return self._resolvers[rules]


class Resolver:
    """The strategy of `Resolving` in one game. Every decision is solved once.

    At a history where another player moves, `at` returns what the bot would do in that seat.
    """

    def __init__(self, rules: Rules, seconds: float, iterations: int | None, most: int) -> None:
        self.rules, self.seconds, self.iterations, self.most = rules, seconds, iterations, most
        self._said: dict[tuple[int, ...], Any] = {}  # in float32, there may be thousands
        self._solved: OrderedDict[tuple[int, ...], SolvedSubgame] = OrderedDict()
        self._until: float | None = None

    def at(self, history: Sequence[int]) -> Floats:
        """Return the action probabilities of all rolls.

        Cost: one time limit, which all decisions in the history that are not solved yet share; each has at least a quarter.
        """
        here = tuple(history)
        if here not in self._said:
            if not self.has_choice(here):
                return BettingState(self.rules, here).pure(CALL)
            self._said[here] = self.solved(here).strategy.at(here).astype(np.float32)
        said = self._said[here].astype(np.float64)
        answer: Floats = said / said.sum(axis=0)
        return answer

    def has_choice(self, history: Sequence[int]) -> bool:
        """Return whether another action than a call is considered."""
        return bool(self._possible(tuple(history))) or (bool(history) and self.rules.spot_on)

    def solved(self, history: Sequence[int]) -> SolvedSubgame:
        """Return the solved subgame at a history, with the beliefs of its mover."""
        here = tuple(history)
        if here not in self._solved:
            self._keep(here, self._in_time(here))
        self._solved.move_to_end(here)
        return self._solved[here]

    def prepare(self) -> None:
        """Solve the opening with a longer limit, before play: every round starts there, and beliefs about an opener use it."""
        if self.iterations is None and () not in self._solved:
            self._keep((), self._solve(self.subgame(()), PREPARED * self.seconds))

    def _in_time(self, here: tuple[int, ...]) -> SolvedSubgame:
        """Solve the subgame within the time limit of a decision, which covers earlier decisions that it needs."""
        begun, outermost = time.monotonic(), self._until is None
        if self._until is None:
            self._until = begun + self.seconds
        try:
            subgame = self.subgame(here)
            left = max(self._until - time.monotonic(), self.seconds / 4)
            return self._solve(subgame, left if outermost else left / 2)
        finally:
            if outermost:
                self._until = None

    def _keep(self, here: tuple[int, ...], found: SolvedSubgame) -> None:
        self._solved[here] = found
        while len(self._solved) > 2 and sum(one.bytes for one in self._solved.values()) > _KEPT:
            self._solved.pop(next(one for one in self._solved if one))  # the opening is needed in every round

    def subgame(self, history: tuple[int, ...]) -> Subgame:
        """Return the subgame at a history, with the mover's beliefs, and the other players' beliefs about the mover."""
        beliefs = []
        for player, fair in enumerate(priors(self.rules)):
            reach = fair * self._likelihood(player, history)
            total = reach.sum()
            beliefs.append((1 - DOUBT) * reach / total + DOUBT * fair if total > 0 else fair)
        return Subgame(self.rules, history, tuple(beliefs), tuple(self._possible(history)), GIVEN)

    def _likelihood(self, player: int, history: tuple[int, ...]) -> Floats:
        """Return the probability of a player's bids in a history for every roll, as the mover sees it."""
        viewer, players = BettingState(self.rules, history).mover, self.rules.players
        turns = [history[:turn] for turn in range(player, len(history), players)]
        if player == viewer:
            own: Floats = np.ones(self.rules.roll_count(player))
            for before in turns:
                own = own * self._row(self.at(before), before, history)
            return own
        replies, likely = _Replies(self, viewer), np.ones(1)
        for before in turns:
            slip = SLIP / BettingState(self.rules, before).shape[0]
            likely = likely * ((1 - SLIP) * self._row(replies.at(before), before, history) + slip)
        return likely

    def _row(self, said: Floats, before: tuple[int, ...], history: tuple[int, ...]) -> Floats:
        """Return the row of the bid that follows `before` in the history."""
        row: Floats = said[BettingState(self.rules, before).index(history[len(before)])]
        return row

    def _possible(self, history: tuple[int, ...]) -> list[int]:
        """Return the bids that are considered after a history."""
        left = possible_bids(self.rules, history)
        if not history and self.rules.bidding.group_size < self.rules.bid_count:
            return left  # an opening limits the bids that follow
        return sorted(sorted(left, key=lambda bid: abs(self._chances[bid] - 0.5))[: self.most])

    @cached_property
    def _chances(self) -> Floats:
        """The probability that each bid is true if no die is known."""
        found = np.zeros(self.rules.bid_count)
        fair, tables = priors(self.rules), [matching_table(self.rules, player) for player in range(self.rules.players)]
        for number, bid in enumerate(self.rules.bids):
            chances = np.ones(1)
            for prior, table in zip(fair, tables, strict=True):
                chances = np.convolve(chances, np.bincount(table[number], prior))
            found[number] = chances[bid.quantity :].sum()
        return found

    def _solve(self, subgame: Subgame, seconds: float) -> SolvedSubgame:
        from liarsdice_cli.games.liarsdice.public import public_subgame
        from liarsdice_cli.solvers.public_tree.solver import PublicTree  # imports numba
        from liarsdice_cli.solvers.regret.minimisers import DEFAULT, FOR_MORE, minimiser

        game = public_subgame(subgame)
        solver = PublicTree(game, minimiser(DEFAULT if game.players == 2 else FOR_MORE), threads=1)
        return solved_in_time(solver, subgame, self.rules, self.iterations, seconds)


@dataclass(frozen=True, eq=False)
class _Replies:
    """The model of players that follow the viewer's latest solution before their move; the opening's if there is none."""

    resolver: Resolver
    viewer: int

    @property
    def rules(self) -> Rules:
        """The rules of the round."""
        return self.resolver.rules

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities of the solution; uniform if the subgame left out a bid of the history."""
        from liarsdice_cli.errors import LiarsDiceError

        players = self.rules.players
        lengths = range(self.viewer, len(history), players)
        asked = tuple(history[: lengths[-1]]) if lengths else ()
        try:
            return self.resolver.solved(asked).strategy.at(history)
        except LiarsDiceError:
            return Uniform(self.rules).at(history)

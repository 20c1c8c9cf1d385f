"""A bot that solves the rest of the round at every decision, from what the bids so far tell of everybody's dice.

What others hold is inferred from how they may bid: each is one of several *models*, drawn before the round and kept to its end
(statistical players at several levels, an honest one, and one who plays what was computed last). Every bid is an
observation, by Bayes' rule, of a player's model and roll together; no roll is ever excluded. What others believe of the bot's
own dice comes from its own strategies. With these beliefs the rest is a game of its own (`games.liarsdice.subgame`), which the
public tree solves between bounds, to the end of the time or until it hardly gets better.

Where very many bids are left, most of them far from what the dice can be expected to hold, only some nearest to
that are considered, for everybody.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from liarsdice_cli.bots.protocol import OfStrategy
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.bots.zero_intelligence.policy import ZeroIntelligence
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform
from liarsdice_cli.games.liarsdice.subgame import GIVEN, Subgame, possible_bids

if TYPE_CHECKING:
    from liarsdice_cli.strategies.stored import StoredStrategy

SECONDS = 1.0
"""For a decision, unless asked otherwise."""
PREPARED = 10
"""So many times as long is the opening worked on before play."""
GOOD = 5e-4
"""The exploitability of the rest at which a decision is not worked on any longer, as a part of the payoffs' range."""
MOST_BIDS, OF_MANY = 30, 16
"""The bids of a rest that are considered, of two or three players and of more; measured in docs/resolving.md."""
LEVELS = (0.1, 0.25, 0.4)
"""Of the statistical players that others may be."""
RATIONAL = 0.5
"""How likely others play what was computed last; the rest is for the other models alike."""
SLIP = 0.02
"""How likely a player of any model makes any bid at all."""
DOUBT = 1e-3
"""The part of fair dice in all beliefs, so that no roll is ever excluded."""
_KEPT = 1 << 28
"""Bytes of strategies that are kept to read replies off them."""


class Resolving(OfStrategy):
    """Solves the rest of the round whenever it is its turn, in so many seconds.

    name       : the specification, `resolving` or `resolving:SECONDS`
    seconds    : for a decision, what has to be known for it included; the opening has `PREPARED` times as many before play
    iterations : ends a decision instead, if it is given: then what it does does not depend on the clock
    rational   : how likely others play what was computed last, from 0 to 1; the other models share the rest
    most       : the bids that are considered in a rest; None for as many as are best for the number of players

    Source: Brown et al. 2020 for beliefs and rests, see `games.liarsdice.subgame`; nothing is learned beforehand here.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bot, game = Resolving("resolving", iterations=50), rules("common", 6)
    >>> [str(game.bids[bid]) for bid in bot.strategy(game).rest((8,)).bids], bot.strategy(game).at((8,)).shape
    (['2x4', '2x5', '2x6'], (4, 6))
    """

    def __init__(
        self,
        name: str,
        seconds: float = SECONDS,
        iterations: int | None = None,
        rational: float = RATIONAL,
        most: int | None = None,
    ) -> None:
        self.name, self.seconds, self.iterations = name, seconds, iterations
        self.rational, self.most = rational, most
        self._resolvers: OrderedDict[Rules, Resolver] = OrderedDict()

    @property
    def decisions(self) -> int:
        """How many have been worked on, in the rounds of the last rules."""
        return sum(one.decisions for one in self._resolvers.values())

    def check(self, rules: Rules) -> None:
        """See `Policy`; works on the opening."""
        self.strategy(rules).prepare()

    def strategy(self, rules: Rules) -> Resolver:
        """See `Policy`."""
        if rules not in self._resolvers:
            most = self.most or (MOST_BIDS if rules.players < 4 else OF_MANY)
            self._resolvers[rules] = Resolver(rules, self.seconds, self.iterations, self.rational, most)
            if len(self._resolvers) > 8:
                self._resolvers.popitem(last=False)
        return self._resolvers[rules]


@dataclass(frozen=True, eq=False)
class SolvedSubgame:
    """The rest of a round at a decision: what is believed there, and what everybody then does.

    exploitability : of that, between the beliefs' own bounds; the largest regret for three and more players
    iterations     : after which it was left
    """

    rest: Subgame
    strategy: StoredStrategy
    exploitability: float
    iterations: int

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.strategy.tree.bytes_used


class Resolver:
    """What the bot does in a round of some rules, with every roll; decisions are solved once. See `Resolving`.

    decisions : how many have been

    `at` is asked for decisions of the bot; what it says after another's history is what the bot would do in that seat.
    """

    def __init__(self, rules: Rules, seconds: float, iterations: int | None, rational: float, most: int) -> None:
        self.rules, self.seconds, self.iterations, self.rational, self.most = rules, seconds, iterations, rational, most
        self._said: dict[tuple[int, ...], Any] = {}  # in float32, there may be thousands
        self._solved: OrderedDict[tuple[int, ...], SolvedSubgame] = OrderedDict()
        self.decisions = 0
        self._until: float | None = None

    @cached_property
    def models(self) -> tuple[Strategy, ...]:
        """How others may bid, beside what was computed last; none where stairs count, of which these players know nothing."""
        if self.rules.stairs:
            return ()
        return (Honest().strategy(self.rules), *(ZeroIntelligence(self.rules, level) for level in LEVELS))

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`. Cost: the seconds of a decision for each of the bot's in the history that is not known yet."""
        here = tuple(history)
        if here not in self._said:
            if not self.has_choice(here):
                return BettingState(self.rules, here).pure(CALL)
            self._said[here] = self.solved(here).strategy.at(here).astype(np.float32)
        said = self._said[here].astype(np.float64)
        answer: Floats = said / said.sum(axis=0)
        return answer

    def has_choice(self, history: Sequence[int]) -> bool:
        """Whether there is more to do than to call."""
        return bool(self._possible(tuple(history))) or (bool(history) and self.rules.spot_on)

    def solved(self, history: Sequence[int]) -> SolvedSubgame:
        """The rest of the round as who moves there sees it."""
        here = tuple(history)
        if here not in self._solved:
            self._keep(here, self._in_time(here))
        self._solved.move_to_end(here)
        return self._solved[here]

    def prepare(self) -> None:
        """Work on the opening for longer, before play: by it others are judged who open, and it comes in every round."""
        if self.iterations is None and () not in self._solved:
            self._keep((), self._solve(self.rest(()), PREPARED * self.seconds))

    def _in_time(self, here: tuple[int, ...]) -> SolvedSubgame:
        """The rest solved within the seconds of a decision, what has to be known for that included."""
        begun, outermost = time.monotonic(), self._until is None
        if self._until is None:
            self._until = begun + self.seconds
        try:
            rest = self.rest(here)
            left = max(self._until - time.monotonic(), self.seconds / 4)
            return self._solve(rest, left if outermost else left / 2)
        finally:
            if outermost:
                self._until = None

    def _keep(self, here: tuple[int, ...], found: SolvedSubgame) -> None:
        self.decisions += 1
        self._solved[here] = found
        while len(self._solved) > 2 and sum(one.bytes for one in self._solved.values()) > _KEPT:
            self._solved.pop(next(one for one in self._solved if one))  # but not the opening

    def hear(self, history: Sequence[int]) -> None:
        """Ask the models about the last bid of a history when it is made, so that the next decision need not wait for them."""
        for model in self.models:
            model.at(history[:-1])

    def rest(self, history: tuple[int, ...]) -> Subgame:
        """The rest of the round with the beliefs of who moves, and of the others about them."""
        beliefs = []
        for player, fair in enumerate(priors(self.rules)):
            reach = fair * self._likelihood(player, history)
            total = reach.sum()
            beliefs.append((1 - DOUBT) * reach / total + DOUBT * fair if total > 0 else fair)
        return Subgame(self.rules, history, tuple(beliefs), tuple(self._possible(history)), GIVEN)

    def _likelihood(self, player: int, history: tuple[int, ...]) -> Floats:
        """How likely a player's bids in the history are with every roll, as who moves there sees it."""
        viewer, players = BettingState(self.rules, history).mover, self.rules.players
        turns = [history[:turn] for turn in range(player, len(history), players)]
        if player == viewer:
            own: Floats = np.ones(self.rules.roll_count(player))
            for before in turns:
                own = own * self._row(self.at(before), before, history)
            return own
        rational = self.rational if self.models else 1.0
        likely: Floats = rational * self._product(turns, history, _Replies(self, viewer))
        for model in self.models:
            likely = likely + (1 - rational) / len(self.models) * self._product(turns, history, model)
        return likely

    def _product(self, turns: Sequence[tuple[int, ...]], history: tuple[int, ...], model: Strategy) -> Floats:
        likely: Floats = np.ones(1)
        for before in turns:
            slip = SLIP / BettingState(self.rules, before).shape[0]
            likely = likely * ((1 - SLIP) * self._row(model.at(before), before, history) + slip)
        return likely

    def _row(self, said: Floats, before: tuple[int, ...], history: tuple[int, ...]) -> Floats:
        """The row of the bid that was made after some others."""
        row: Floats = said[BettingState(self.rules, before).index(history[len(before)])]
        return row

    def _possible(self, history: tuple[int, ...]) -> list[int]:
        """The bids that are considered after a history."""
        left = possible_bids(self.rules, history)
        if not history and self.rules.bidding.group_size < self.rules.bid_count:
            return left  # after it only the bids of its run are
        return sorted(sorted(left, key=lambda bid: abs(self._chances[bid] - 0.5))[: self.most])

    @cached_property
    def _chances(self) -> Floats:
        """How likely every bid is true, of dice that nobody has seen."""
        found = np.zeros(self.rules.bid_count)
        fair, tables = priors(self.rules), [matching_table(self.rules, player) for player in range(self.rules.players)]
        for number, bid in enumerate(self.rules.bids):
            chances = np.ones(1)
            for prior, table in zip(fair, tables, strict=True):
                chances = np.convolve(chances, np.bincount(table[number], prior))
            found[number] = chances[bid.quantity :].sum()
        return found

    def _solve(self, rest: Subgame, seconds: float) -> SolvedSubgame:
        from liarsdice_cli.games.liarsdice.public import public_subgame
        from liarsdice_cli.solvers.public_tree.solver import PublicTree  # imports numba
        from liarsdice_cli.solvers.regret.convergence import Limits, run
        from liarsdice_cli.solvers.regret.minimisers import DEFAULT, FOR_MORE, minimiser
        from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, StoredStrategy

        game = public_subgame(rest)
        solver = PublicTree(game, minimiser(DEFAULT if game.players == 2 else FOR_MORE), threads=1)
        solver.compile()
        limit = None if self.iterations is not None else seconds
        history = run(solver, Limits(GOOD * game.range, self.iterations, limit))
        if history.ended == "interrupt":
            raise KeyboardInterrupt
        last = history.last
        for _, shard in solver.tree.all_shards:
            shard.arrays = {AVERAGE_STRATEGY: shard.arrays[AVERAGE_STRATEGY]}
        strategy = StoredStrategy(self.rules, solver.tree, AVERAGE_STRATEGY, start=rest)
        return SolvedSubgame(rest, strategy, last.bounds.exploitability, last.iteration)


@dataclass(frozen=True, eq=False)
class _Replies:
    """What others do by what the viewer computed last, before they moved: in the opening, by what is computed there."""

    resolver: Resolver
    viewer: int

    @property
    def rules(self) -> Rules:
        """See `Strategy`."""
        return self.resolver.rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`; every action alike where a bid was not considered."""
        from liarsdice_cli.errors import LiarsDiceError

        players = self.rules.players
        lengths = range(self.viewer, len(history), players)
        asked = tuple(history[: lengths[-1]]) if lengths else ()
        try:
            return self.resolver.solved(asked).strategy.at(history)
        except LiarsDiceError:
            return Uniform(self.rules).at(history)

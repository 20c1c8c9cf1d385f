"""Restricted Nash responses on the public tree, between bounds: what is won against one strategy, and left against any.

A coin that nobody sees decides whether the opponent is bound to the strategy. To the other that is one more private roll: the
opponent has every roll twice, and with the second of each does what the strategy does. So the game with the coin is a public
game with a lock, and any minimiser solves it.

Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from liarsdice_cli.games.liarsdice.locks import LockedHistory, bound_to
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import LOCK, PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, StoredStrategy

MOST = 1 << 18
"""Histories to which a strategy may come."""


@dataclass(frozen=True, eq=False)
class Compromise:
    """A strategy that is good against one opponent and against any.

    bound    : the probability with which the opponent was bound when it was found
    against  : its payoff against the known strategy, but for rounding
    worst    : what it gets at least against anybody, rounding taken off
    most     : what nobody exceeds in the mean `bound` * against + (1 - `bound`) * worst, rounding added
    strategy : what it does; what it says of the other player means nothing
    """

    bound: float
    against: float
    worst: float
    most: float
    strategy: Strategy


class Compromises:
    """Those of one player, from 0, against a strategy of Liar's Dice; raises as `bound_to` where that comes to too much.

    threads    : that walk the public tree; None for one a processor
    """

    def __init__(self, strategy: Strategy, player: int, minimiser: Minimiser, threads: int | None = None) -> None:
        self.rules, self.player, self.minimiser, self.threads = strategy.rules, player, minimiser, threads
        self.strategy, self.game = strategy, public_game(strategy.rules)

    @cached_property
    def _lock(self) -> Sequence[LockedHistory]:
        """What the opponent does with the second half of the rolls."""
        found = bound_to(self.strategy, 1 - self.player, MOST)
        return [
            LockedHistory(
                history,
                np.concatenate([np.zeros(len(rolls), bool), rolls]),
                np.concatenate([np.zeros_like(probabilities), probabilities], axis=1),
            )
            for history, rolls, probabilities in found
        ]

    def _with_coin(self, bound: float) -> PublicGame:
        """The game in which the opponent has every roll twice, and with this probability one of the second half."""
        other = 1 - self.player
        rolls, matching = list(self.game.rolls), list(self.game.matching)
        rolls[other] = np.concatenate([rolls[other] * (1 - bound), rolls[other] * bound])
        matching[other] = np.concatenate([matching[other], matching[other]], axis=1)
        return replace(self.game, rolls=tuple(rolls), matching=tuple(matching))

    def best(self, bound: float, limits: Limits) -> Compromise:
        """The strategy that is best where the opponent is bound with this probability, found until a limit is met."""
        solver = PublicTree(self._with_coin(bound), self.minimiser, self.threads, lock=self._lock)
        solver.compile()
        proved = run(solver, limits).last.proved
        assert isinstance(proved, Bounds), "of two players"
        safely = Responses(self._with_coin(0.0), solver.tree, AVERAGE_STRATEGY, solver.backend)
        met = Responses(self._with_coin(1.0), solver.tree, AVERAGE_STRATEGY, solver.backend, LOCK)
        against, safe = met.wins(self.player, best=False), safely.wins(1 - self.player)
        for _, shard in solver.tree.all_shards:
            shard.arrays = {AVERAGE_STRATEGY: shard.arrays[AVERAGE_STRATEGY]}  # saves memory over a curve
        total, error = float(self.game.total), solver.game.rounding_error
        return Compromise(
            bound,
            self.game.payoff(self.player, against),
            total - self.game.payoff(1 - self.player, safe) - error,
            proved.upper if self.player == 0 else total - proved.lower,
            StoredStrategy(self.rules, solver.tree, AVERAGE_STRATEGY),
        )

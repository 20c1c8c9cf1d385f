"""Restricted Nash responses by regret minimisation on the public tree, with proved bounds.

An unseen coin decides whether the opponent is locked to the known strategy. To the responding player it is part of the
opponent's private roll. So the opponent has every roll twice, and with the second copy of each plays the known strategy. The
restricted Nash game is thus a public game with a lock, which any minimiser solves.

Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.locks import PublicLock, strategy_lock
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.frontier import Response
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import LOCK, PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, run
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.mixture import Mixture
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, StoredStrategy

MAX_HISTORIES = 1 << 18
"""The most histories at which a strategy is locked."""
_END = 1 / 32
"""The smaller of the two weights at the ends of the frontier."""


class ApproximateResponses:
    """The approximate backend of `frontier`, for a player, from 0, against a strategy of Liar's Dice.

    limits : when a minimiser stops; twice its target is the tolerance
    value  : bounds on the value of the game for the player

    Rounding errors are taken off the worst cases and added to the ceilings. A strategy of a response has no meaning for the
    opponent. Raises LiarsDiceError if the known strategy reaches more than `MAX_HISTORIES`.
    """

    depth: int | None = 3
    ends: tuple[Number, Number] = (_END, 1 - _END)

    def __init__(
        self,
        strategy: Strategy,
        player: int,
        minimiser: Minimiser,
        limits: Limits,
        value: tuple[Number, Number] = (0.0, 1.0),
    ) -> None:
        self.strategy, self.player, self.minimiser = strategy, player, minimiser
        self.limits, self.value = limits, value
        self.tolerance: Number = 2 * (limits.target or 0.0)
        self.rules, self.game = strategy.rules, public_game(strategy.rules)

    @cached_property
    def _lock(self) -> PublicLock:
        """The lock of the opponent with the second half of the rolls."""
        found = strategy_lock(self.strategy, 1 - self.player, MAX_HISTORIES)
        return {history: np.concatenate([np.full_like(one, np.nan), one], axis=1) for history, one in found.items()}

    def _with_coin(self, weight: float) -> PublicGame:
        """Return the game in which the opponent has every roll twice, and one of the second half with probability `weight`."""
        other = 1 - self.player
        rolls, matching = list(self.game.rolls), list(self.game.matching)
        rolls[other] = np.concatenate([rolls[other] * (1 - weight), rolls[other] * weight])
        matching[other] = np.concatenate([matching[other], matching[other]], axis=1)
        return replace(self.game, rolls=tuple(rolls), matching=tuple(matching))

    def respond(self, weight: Number) -> Response[Strategy]:
        """See `Backend`."""
        weight = float(weight)
        solver = PublicTree(self._with_coin(weight), self.minimiser, lock=self._lock)
        solver.compile()
        proved = run(solver, self.limits).completed().last.proved
        assert isinstance(proved, Bounds), "a game of two players"
        unlocked = Responses(self._with_coin(0.0), solver.store, solver.backend)
        locked = Responses(self._with_coin(1.0), solver.store, solver.backend, LOCK)
        gain, opponent = locked.wins(self.player, best=False), unlocked.wins(1 - self.player)
        solver.store.keep_only(AVERAGE_STRATEGY)  # a frontier keeps many strategies, and none needs its regrets
        total, error = float(self.game.total), solver.game.rounding_error
        return Response(
            weight,
            self.game.payoff(self.player, gain),
            self.game.payoff_against(self.player, opponent) - error,
            proved.upper if self.player == 0 else total - proved.lower,
            StoredStrategy(self.rules, solver.store),
        )

    def mix(self, one: Strategy, other: Strategy, share: Number) -> Strategy:
        """See `Backend`."""
        return Mixture((one, other), (1 - float(share), float(share)))

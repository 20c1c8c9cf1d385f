"""A solution of the whole game that is re-solved safely after bids that it lacks.

On the public tree a solution calls at every unexpanded history, whatever the roll. A bid that leads there may be one that the
solution has not looked at for long enough. The bot then solves the subgame in the gadget game (`solvers.public_tree.gadget`).
The opponent may leave it for the value of its best action before the bid, if both players follow the solution. So no bid gives
the opponent more than the solution does, whatever its roll. If a subgame is not solved well enough to prove this, the bot
calls. If play leaves the solved subgame, the bot does the same again, with the subgame's strategy as the solution.

Source: Brown and Sandholm (2017), "Safe and nested subgame solving for imperfect-information games", NeurIPS 30: gifts at the
opponent's last decision only (section 5), and nested solving (section 6).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.bots.solved_subgame import SolvedSubgame, solved_in_time
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.beliefs import priors, reach_of
from liarsdice_cli.games.liarsdice.public import public_game, public_subgame
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.subgame import BAYES, Subgame, possible_bids
from liarsdice_cli.strategies.stored import Stored, is_expanded

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.values import Values

FAIR = 1e-6
"""The weight of fair dice in the beliefs about the bot, so that a subgame is solved for every roll."""
_KEPT = 1 << 28
"""The memory for solved subgames, in bytes."""


class SafeResolver:
    """The strategy of both players: the solution, and safely solved subgames at histories that it lacks.

    solution   : of the whole game, for two players
    seconds    : the time limit for a decision
    iterations : the number of iterations for a subgame, instead of a time limit

    A subgame is solved for the first player to move in it, and only once.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.solvers.ladder import solve
    >>> from liarsdice_cli.solvers.request import Request
    >>> game = rules("common", 3)
    >>> rough = solve(game, Request("dcfr+", iterations=1, form="public tree")).best.stored
    >>> safe = SafeResolver(rough, 1, iterations=50)
    >>> rough.at((0, 2))[0].tolist(), (safe.at((0, 2))[0] < 0.5).tolist()
    ([1.0, 1.0, 1.0], [False, False, True])
    """

    def __init__(self, solution: Stored, seconds: float, iterations: int | None = None) -> None:
        self.solution, self.rules, self.seconds, self.iterations = solution, solution.rules, seconds, iterations
        self._settled = public_game(self.rules).settled
        self._solved: OrderedDict[tuple[int, ...], SolvedSubgame | None] = OrderedDict()

    def __repr__(self) -> str:
        return f"SafeResolver({self.rules})"

    def prepare(self) -> None:
        """Load and compile what solves subgames, small and large ones, before play."""
        from liarsdice_cli.solvers.public_tree.solver import PublicTree  # imports numba
        from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

        unsettled = np.flatnonzero(~self._settled)
        for bid in unsettled[[0, -1]].tolist():
            PublicTree(public_subgame(self._subgame((bid,))), minimiser(DEFAULT), 1).compile()
        self._values.action_wins((), priors(self.rules))

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`.

        Cost: one time limit, which all subgames in the history that are not solved yet share; each has at least a quarter.
        """
        found = self.subgame(history)
        return (self.solution if found is None else found.strategy).at(history)

    def subgame(self, history: Sequence[int]) -> SolvedSubgame | None:
        """Return the solved subgame whose strategy the mover plays after a history; None for the solution."""
        here, until = tuple(history), time.monotonic() + self.seconds
        found: SolvedSubgame | None = None
        if any(self.rules.bids[bid].quantity > self.rules.most_matching for bid in here):
            return None  # no subgame has an impossible bid, and the solution calls it
        for length in range(len(here) % 2, len(here) + 1, 2):
            before, within = here[:length], self.solution if found is None else found.strategy
            if self._may_bid(before) and not is_expanded(within, before):
                left = until - time.monotonic()
                found = self._solve_once(within, before, left if before == here else left / 2) or found
        return found

    def _may_bid(self, history: tuple[int, ...]) -> bool:
        """Return whether another action than a call can be best."""
        is_settled = bool(history) and self._settled[history[-1]]
        return not is_settled and (bool(possible_bids(self.rules, history)) or self.rules.spot_on)

    def _solve_once(self, within: Stored, here: tuple[int, ...], seconds: float) -> SolvedSubgame | None:
        if here not in self._solved:
            self._solved[here] = self._solve(within, here, max(seconds, self.seconds / 4))
            while len(self._solved) > 1 and sum(one.bytes for one in self._solved.values() if one is not None) > _KEPT:
                self._solved.popitem(last=False)
        self._solved.move_to_end(here)
        return self._solved[here]

    def _solve(self, within: Stored, here: tuple[int, ...], seconds: float) -> SolvedSubgame | None:
        """Return the solved subgame after a history that a strategy lacks; None if it is not proved to be safe."""
        from liarsdice_cli.solvers.public_tree.gadget import gadget  # imports numba
        from liarsdice_cli.solvers.public_tree.values import Values
        from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser

        subgame = self._subgame(here)
        values = self._values if within is self.solution else Values(within)
        best = values.action_wins(here[:-1], subgame.beliefs).max(axis=0)
        solver, _ = gadget(within, subgame, subgame.mover, minimiser(DEFAULT), 1, best)
        found = solved_in_time(solver, subgame, self.rules, self.iterations, seconds)
        return found if solver.is_safe else None

    def _subgame(self, history: tuple[int, ...]) -> Subgame:
        """Return the subgame after a history, with fair dice of the opponent, who may come there with any roll."""
        beliefs, mover = list(priors(self.rules)), BettingState(self.rules, history).mover
        reach = reach_of(self, history, mover)
        if reach.sum() > 0:
            beliefs[mover] = (1 - FAIR) * reach / reach.sum() + FAIR * beliefs[mover]
        return Subgame(self.rules, history, tuple(beliefs), tuple(possible_bids(self.rules, history)), BAYES)

    @cached_property
    def _values(self) -> Values:
        """The values of the solution."""
        from liarsdice_cli.solvers.public_tree.values import Values

        return Values(self.solution)

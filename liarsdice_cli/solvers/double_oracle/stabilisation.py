"""Stabilisation of the double oracle: a profile near an equilibrium, from which plans depart no further than necessary.

In most restricted games many plans are optimal, because most mistakes of the other player lose against many answers. So the
profile, the stability centre, becomes the default strategy of the restricted game. Actions are allowed only at histories that
both players reach with actions that they use. All other answers are the centre's, until an oracle finds that the mistake before
would pay. That leaves a hundredth of the choices.

The plans of a restricted game are arbitrary at histories without allowed actions, and actions that improve on such plans are
seldom needed in the end. So the oracles respond to a point between the centre and the plans, as in-out separation cuts off a
point between an interior one and the optimum. Actions that improve on this point are nearly best against good play, and very
good against the plans. The first centre is the average strategy of a regret minimiser; a point that proves a better bound
replaces it.

Source: Ben-Ameur and Neto (2007), "Acceleration of cutting-plane and column generation algorithms: applications to network
design", Networks 49.
"""

from __future__ import annotations

import time

import numpy as np

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.extensive.stream import NONE, Bools, Floats
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.solvers.double_oracle.oracle import ReachPlan
from liarsdice_cli.solvers.double_oracle.restricted import CALL_ROW, ActionTriples, RestrictedGame
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import numbered

_STEP = 0.6
"""Weight of the plans in the point between the centre and the plans."""
_USED, _NONE = 1e-2, 1e-3
"""Probabilities above which actions are allowed from the start, and below which they count as noise of early iterations."""


_Place = tuple[tuple[int, ...], int, list[Floats], list[Bools]]
"""A history, its number and, for each player, the reach probabilities of its rolls and whether only used actions led here."""


class StabilityCentre:
    """Plans of both players nearest to an equilibrium so far, at every history of a restricted game.

    All histories with an answer other than a call become histories of the restricted game. Actions are allowed that are used at
    histories which both players reach with used actions. The default strategy becomes the given one. Raises TimeLimitError at
    the deadline.

    reach_plans : the plan of each player
    proved      : payoff that each plan is known to secure its player
    """

    def __init__(self, game: RestrictedGame, strategy: StoredStrategy, deadline: float = np.inf) -> None:
        self.game, self.proved = game, [-np.inf, -np.inf]
        expansion = _Expansion(game, strategy, deadline)
        self.reach_plans = [expansion.reach_plan(player) for player in (0, 1)]
        game.allow(expansion.used())

    def towards(self, reach_plans: list[ReachPlan]) -> list[ReachPlan]:
        """Return plans between the centre and these, which have reach probabilities for all histories that there are now."""
        self.reach_plans = [_longer(self.game, player, reach_plan) for player, reach_plan in enumerate(self.reach_plans)]
        return [
            ReachPlan(*((1 - _STEP) * one + _STEP * other for one, other in zip(own, there, strict=True)))
            for own, there in zip(self.reach_plans, reach_plans, strict=True)
        ]

    def learn(self, reach_plans: list[ReachPlan], secured: tuple[float, float]) -> None:
        """Replace each plan of the centre by a plan that secures its player more."""
        for player, worth in enumerate(secured):
            if worth > self.proved[player]:
                self.reach_plans[player], self.proved[player] = reach_plans[player], worth


def _longer(game: RestrictedGame, player: int, reach_plan: ReachPlan) -> ReachPlan:
    """Return a plan extended to new histories: the player bids none of them, and calls after those of the other."""
    known, rolls = reach_plan.reach.shape
    reach = np.concatenate([reach_plan.reach, np.zeros((game.size - known, rolls))])
    ends = np.concatenate([reach_plan.ends, np.zeros((game.first, game.size - known, rolls))], axis=1)
    for new in range(known, game.size):
        if game.depth[new] % 2 == player:
            reach[new] = ends[CALL_ROW, new] = reach[game.parent[new]]
    return ReachPlan(reach, ends)


class _Expansion:
    """A strategy at every history that is bid or has an answer; these are added to the restricted game.

    reach   : reach probabilities of both players, for each history
    ends    : as `ReachPlan.ends` of the mover, for each history
    actions : used actions, for each history
    """

    def __init__(self, game: RestrictedGame, strategy: StoredStrategy, deadline: float) -> None:
        self.game, self.strategy = game, strategy
        self.reach: dict[int, list[Floats]] = {}
        self.ends: dict[int, Floats] = {}
        self.actions: list[ActionTriples] = []
        rolls = game.showdowns.rolls
        waiting: list[_Place] = [((), 0, [np.ones(count) for count in rolls], [np.ones(count, bool) for count in rolls])]
        while waiting:
            if time.monotonic() > deadline:
                raise TimeLimitError(
                    f"stopped at the time limit, with a stability centre of {numbered(game.size, 'histories')} so far"
                )
            waiting += self._below(waiting.pop())

    def _below(self, place: _Place) -> list[_Place]:
        """Record the mover's probabilities after a history; return the histories that follow."""
        history, here, reach, useful = place
        self.reach[here] = reach
        mover, last = len(history) % 2, history[-1] if history else NONE
        said = self._said(history, reach[mover])
        self.ends[here] = reach[mover] * said[: self.game.first] * (here != 0)
        self.game.default[here, :, : said.shape[1]] = said
        used = (said > _USED) & useful[mover] & useful[1 - mover].any()
        action, roll = np.nonzero(used)
        self.actions.append(ActionTriples(np.full(len(action), here), action, roll))
        found: list[_Place] = []
        for bid in self.game.showdowns.bidding.following(last):
            later = (*history, bid)
            reach_after, use = list(reach), list(useful)
            reach_after[mover], use[mover] = reach[mover] * said[self.game.first + bid], used[self.game.first + bid]
            if reach_after[mover].any() or self._answers(later, reach[1 - mover]):
                found.append((later, self.game.after(here, bid), reach_after, use))
        return found

    def _said(self, history: tuple[int, ...], reach: Floats) -> Floats:
        """Return the probabilities of each roll without small ones; a call for rolls that never arrive here."""
        said, bidding = np.zeros((self.game.actions, len(reach))), self.game.showdowns.bidding
        said[[bidding.action_index(action) for action in BettingState(self.strategy.rules, history).actions]] = (
            self.strategy.at(history)
        )
        said[said < _NONE] = 0
        said[:, reach == 0] = 0
        said[CALL_ROW, reach == 0] = 1
        said /= said.sum(axis=0)
        return said

    def _answers(self, history: tuple[int, ...], reach: Floats) -> bool:
        """Return whether the mover's own actions lead to a history and the mover does anything but call there."""
        if self.strategy.store.find(history) is None or not reach.any():
            return False
        return bool(self._said(history, reach)[CALL_ROW + 1 :].any())

    def reach_plan(self, player: int) -> ReachPlan:
        """Return a player's plan."""
        shape = self.game.size, self.game.showdowns.rolls[player]
        reach_plan = ReachPlan(np.zeros(shape), np.zeros((self.game.first, *shape)))
        for here, reach in self.reach.items():
            reach_plan.reach[here] = reach[player]
            if self.game.depth[here] % 2 == player:
                reach_plan.ends[:, here] = self.ends[here]
        return reach_plan

    def used(self) -> ActionTriples:
        """Return the used actions at histories to which used actions lead."""
        return ActionTriples(*(np.concatenate([one[column] for one in self.actions]) for column in range(3)))

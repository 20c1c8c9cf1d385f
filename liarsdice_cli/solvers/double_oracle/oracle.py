"""The oracle: best responses in the whole game to a plan in the restricted game, and the actions that they need.

Outside the restricted game its mover calls. So a bid of the responder that leads out of the restricted game is called at once,
and the value of that call, like the value of the responder's own calls, is a sum over the other's rolls. The histories of the
restricted game are therefore enough to find a best response in the whole game, which has 2^N histories. The same formulas
compute in float64 and, for proofs, in integers of any size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Floats, Ints, Numbers
from liarsdice_cli.solvers.double_oracle.restricted import CALL_ROW, ActionTriples, RestrictedGame

_TIE = 1e-9
"""Least difference, in floats and in weights of deals, that makes a later action better than an earlier one."""


class ReachPlan(NamedTuple):
    """A player's own reach probabilities: of every history, and of ending the round there.

    reach : (histories, rolls), integers over one denominator or float64
    ends  : (actions that end the round, histories, rolls), a call first; 0 if the other player moves
    """

    reach: Numbers
    ends: Numbers


class OracleResponse(NamedTuple):
    """A best response to a plan.

    wins   : weight of the deals that the responder wins, times the reach probabilities of the plan
    value  : the same at every history for each roll of the responder, weighted with the other's reach
    within : as `value`, but restricted to allowed actions, and to the default strategy if no action is allowed
    best   : at the responder's histories, the first best action of each roll
    """

    wins: float | int
    value: Numbers
    within: Numbers
    best: Ints


class _RestrictedValue:
    """The value of the best allowed action at some histories; that of the default strategy if no action is allowed.

    Integers cannot be multiplied by the default strategy's probabilities. There the default strategy's worst action counts,
    because a single default action that is not best is an improvement to make.
    """

    def __init__(self, allowed: Bools, default: Floats, everything: Numbers, exact: bool) -> None:
        self.allowed, self.default, self.exact = allowed, default, exact
        self.free = allowed.any(axis=1)
        self.best: Numbers = np.full(self.free.shape, -1, everything.dtype)
        self.mixed: Numbers = everything + 0 * self.best if exact else 0 * self.best

    def add(self, here: Ints, action: int, value: Numbers) -> None:
        """Take the value of an action at some of the histories into account."""
        self.best[here] = np.where(self.allowed[here, action], np.maximum(self.best[here], value), self.best[here])
        share = self.default[here, action]
        if self.exact:
            self.mixed[here] = np.where(share > 0, np.minimum(self.mixed[here], value), self.mixed[here])
        else:
            self.mixed[here] += share * value

    @property
    def value(self) -> Numbers:
        """The value of all actions taken into account."""
        found: Numbers = np.where(self.free, self.best, self.mixed)
        return found


class Oracle:
    """Best responses of a player to the other's plan in a restricted game, as the game is now.

    Cost: a few vector steps for each depth and bid, over all histories and rolls.
    """

    def __init__(self, game: RestrictedGame, player: int) -> None:
        self.game, self.showdowns = game, game.showdowns
        self.player, self.other = player, 1 - player

    def respond(self, reach_plan: ReachPlan) -> OracleResponse:
        """Return the best response to the other's plan; exact if the plan is in integers."""
        shape, kind = (self.game.size, self.showdowns.rolls[self.player]), reach_plan.reach.dtype
        found = OracleResponse(0, np.zeros(shape, kind), np.zeros(shape, kind), np.zeros(shape, np.int64))
        for depth, histories in reversed(list(enumerate(self.game.levels))):
            if depth % 2 == self.player:
                self._choose(histories, reach_plan, found)
            else:
                self._await(histories, reach_plan, found)
        wins = (found.value[0] * self.showdowns.weights[self.player].astype(kind)).sum()
        return found._replace(wins=wins)

    def _choose(self, histories: Ints, reach_plan: ReachPlan, found: OracleResponse) -> None:
        """Set the value of the best action, and of the best within the restricted game, at histories of the responder."""
        game, last = self.game, self.game.last[histories]
        chances = self._chances(reach_plan.reach[histories])
        everything, exact = chances[:, :1], chances.dtype == object
        tie = 0 if exact else _TIE
        best, highest = np.full(found.best[histories].shape, CALL_ROW), everything - self._standing(chances, last)
        if histories[0] == 0:
            highest = highest * 0 - 1  # there is nothing to end
        held = _RestrictedValue(game.allowed(histories, self.player), game.defaults(histories, self.player), everything, exact)
        held.add(np.arange(len(histories)), CALL_ROW, highest)

        def consider(here: Ints, action: int, value: Numbers, within: Numbers) -> None:
            better = value > highest[here] + tie
            best[here] = np.where(better, action, best[here])
            highest[here] = np.where(better, value, highest[here])
            held.add(here, action, within)

        for ending in range(1, game.first if histories[0] != 0 else 1):
            value = everything - self._standing(chances, last, ending)
            consider(np.arange(len(histories)), ending, value, value)
        for bid in range(self.showdowns.bids):
            here = np.flatnonzero(self.showdowns.bidding.can_follow[last, bid])
            child = game.child[histories[here], bid]
            expanded = child != NONE
            value = self._standing(chances[here], np.full(len(here), bid))
            within = value.copy()
            value[expanded], within[expanded] = found.value[child[expanded]], found.within[child[expanded]]
            consider(here, game.first + bid, value, within)
        found.value[histories], found.within[histories], found.best[histories] = highest, held.value, best

    def _await(self, histories: Ints, reach_plan: ReachPlan, found: OracleResponse) -> None:
        """Set the value of histories of the other player: the sum over its endings of the round and its bids."""
        game = self.game
        value = np.zeros_like(found.value[histories])
        if histories[0] != 0:
            for ending, ends in enumerate(reach_plan.ends):
                value += self._standing(self._chances(ends[histories]), game.last[histories], ending)
        within = value.copy()
        for bid in range(self.showdowns.bids):
            child = game.child[histories, bid]
            expanded = np.flatnonzero(child != NONE)
            value[expanded] += found.value[child[expanded]]
            within[expanded] += found.within[child[expanded]]
        found.value[histories], found.within[histories] = value, within

    def _chances(self, reach: Numbers) -> Numbers:
        weighed: Numbers = reach * self.showdowns.weights[self.other].astype(reach.dtype)
        return self.showdowns.at_least(self.other, weighed)

    def _standing(self, chances: Numbers, bids: Ints, ending: int = CALL_ROW) -> Numbers:
        """Return the weight with which a bid in each row of chances stands against an ending, by the responder's roll."""
        return self.showdowns.standing(self.other, chances, bids, ending)

    def improving(self, reach_plan: ReachPlan, response: OracleResponse, arriving: Ints, least: float) -> ActionTriples:
        """Return the actions that are not allowed and gain the responder more than `least`.

        arriving : `Sequences.arriving` of the responder

        At every history that a roll reaches, the best action is included if it beats all allowed ones. The same holds for the
        histories to which included actions lead.
        """
        game, rolls = self.game, self.showdowns.rolls[self.player]
        arrives = np.zeros((game.size, rolls), bool)
        found = []
        gain: Numbers = (response.value - response.within) * self.showdowns.weights[self.player].astype(response.value.dtype)
        gains = np.asarray(gain > least, bool)
        for depth, histories in enumerate(game.levels):
            if depth % 2 != self.player:
                continue
            if depth:
                arrives[histories] |= arrives[game.parent[histories]]
            here = arriving[histories] != NONE
            met = np.asarray(reach_plan.reach[histories] > 0, bool).any(axis=1, keepdims=True)
            place, roll = np.nonzero((gains[histories] & here) | (arrives[histories] & ~here & met))
            history, action = histories[place], response.best[histories[place], roll]
            self._arrive(arrives, ActionTriples(history, action, roll))
            found.append(self._new(ActionTriples(history, action, roll), here[place, roll]))
        return ActionTriples(*(np.concatenate([one[column] for one in found]) for column in range(3)))

    def _arrive(self, arrives: Bools, actions: ActionTriples) -> None:
        """Mark the histories to which actions lead."""
        bids = actions.action >= self.game.first
        child = self.game.child[actions.history[bids], actions.action[bids] - self.game.first]
        arrives[child[child != NONE], actions.roll[bids][child != NONE]] = True

    def _new(self, actions: ActionTriples, here: Bools) -> ActionTriples:
        """Return those actions that are not allowed yet; where they are the first to be allowed, the default ones as well.

        here : whether the roll reached the history before
        """
        history, action, roll = actions
        held = self.game.since[history, :, roll] > 0
        fresh = ~held[np.arange(len(action)), action]
        begun = here & ~held.any(axis=1)
        default = self._defaults(history[begun], roll[begun])
        return ActionTriples(*map(np.concatenate, zip(default, (column[fresh] for column in actions), strict=True)))

    def _defaults(self, history: Ints, roll: Ints) -> ActionTriples:
        """Return the default actions at infosets, and at the player's earlier infosets without an allowed action."""
        found = []
        while len(history):
            place, action = np.nonzero(self.game.default[history, :, roll] > 0)
            found.append(ActionTriples(history[place], action, roll[place]))
            history = np.where(history > 0, self.game.parent[self.game.parent[history]], NONE)
            begun = (history != NONE) & ~(self.game.since[history, :, roll] > 0).any(axis=1)
            history, roll = history[begun], roll[begun]
        return ActionTriples(*(np.concatenate([one[column] for one in found] or [history]) for column in range(3)))

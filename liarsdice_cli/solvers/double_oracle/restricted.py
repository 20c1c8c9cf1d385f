"""The restricted game of a double oracle: the actions that are allowed at each history and roll."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Floats, Ints
from liarsdice_cli.solvers.double_oracle.showdowns import ShowdownWeights

CALL_ROW = 0
"""The action of calling. The other endings of the round follow; bid number b is action `RestrictedGame.first` + b."""


class ActionTriples(NamedTuple):
    """Actions of players in three columns: the history, the action and the mover's roll."""

    history: Ints
    action: Ints
    roll: Ints


class RestrictedGame:
    """Histories, numbered from 0 (the opening) as they were added, and the actions that are allowed there.

    A roll that reaches a history without an allowed action follows the default strategy: it calls, unless another action is
    set. After every other history the mover calls with every roll. In the opening the lowest bid is always allowed.

    size    : number of histories
    first   : action of bid number 0, after those that end the round
    actions : number of actions
    last    : integers (room): the last bid, NONE in the opening
    parent  : integers (room): the history before it
    depth   : integers (room): number of bids made; the mover is player 1 if it is even
    child   : integers (room, bids): the history after each bid, NONE if there is none
    since   : integers (room, actions, rolls): the round in which an action was allowed to a roll of the mover; 0 for never
    default : floats (room, actions, rolls): the default strategy's probabilities, used if no action is allowed to a roll
    """

    def __init__(self, showdowns: ShowdownWeights) -> None:
        self.showdowns, self.bids, self.width = showdowns, showdowns.bids, max(showdowns.rolls)
        self.first, self.actions = showdowns.bidding.final_action_count, showdowns.bidding.final_action_count + showdowns.bids
        self.size, self.round = 1, 0
        self.last, self.parent = np.full(1, NONE), np.full(1, NONE)
        self.depth = np.zeros(1, np.int64)
        self.child = np.full((1, self.bids), NONE)
        self.since = np.zeros((1, self.actions, self.width), np.int16)
        self.default = _calls(self.since.shape)
        rolls = np.arange(showdowns.rolls[0])
        lowest = self.first + showdowns.bidding.openings[0]
        self.allow(ActionTriples(np.zeros_like(rolls), np.full_like(rolls, lowest), rolls))

    def allow(self, actions: ActionTriples) -> None:
        """Allow more actions, in a new round."""
        self.round += 1
        self.since[actions] = self.round
        bids = actions.action >= self.first
        for history, bid in np.unique(np.stack([actions.history[bids], actions.action[bids] - self.first]), axis=1).T.tolist():
            self.after(history, bid)

    def after(self, history: int, bid: int) -> int:
        """Return the history after a bid; add it if there is none."""
        if self.child[history, bid] == NONE:
            self.child[history, bid] = self._new(history, bid)
        return int(self.child[history, bid])

    def _new(self, parent: int, bid: int) -> int:
        if self.size == len(self.last):
            fresh = {"since": np.zeros_like(self.since), "default": _calls(self.default.shape)}
            for name in ("last", "parent", "depth", "child", "since", "default"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, fresh.get(name, np.full_like(old, NONE))]))
        new, self.size = self.size, self.size + 1
        self.last[new], self.parent[new], self.depth[new] = bid, parent, self.depth[parent] + 1
        return new

    @property
    def levels(self) -> list[Ints]:
        """The histories of each depth."""
        depth = self.depth[: self.size]
        return [np.flatnonzero(depth == one) for one in range(int(depth.max()) + 1)]

    def allowed(self, histories: Ints, mover: int) -> Bools:
        """Return which actions are allowed to each roll: (histories, actions, rolls)."""
        found: Bools = self.since[histories][:, :, : self.showdowns.rolls[mover]] > 0
        return found

    def defaults(self, histories: Ints, mover: int) -> Floats:
        """Return the default strategy's probabilities: (histories, actions, rolls)."""
        found: Floats = self.default[histories][:, :, : self.showdowns.rolls[mover]]
        return found


def _calls(shape: tuple[int, ...]) -> Floats:
    """Return the default strategy that calls with every roll."""
    found = np.zeros(shape, np.float32)
    found[:, CALL_ROW] = 1
    return found

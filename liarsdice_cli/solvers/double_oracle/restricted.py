"""The restricted game of a double oracle: which actions are allowed, to which rolls, after which histories."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Floats, Ints
from liarsdice_cli.solvers.double_oracle.deals import Deals

CALL = 0
"""The action of calling; then come other endings of the round, and bid number b is action `RestrictedGame.first` + b."""


class Actions(NamedTuple):
    """Actions of players, a place each in three columns: the history, the action and the mover's roll."""

    history: Ints
    action: Ints
    roll: Ints


class RestrictedGame:
    """Histories, numbered from 0 (the opening) as they were added, and the actions that are allowed there.

    Where a roll comes to a history at which nothing is allowed to it, it does what is usual there: it calls, unless something
    else is said. After any other history the mover calls, whatever was rolled. In the opening the lowest bid is always allowed.

    size   : how many histories there are
    first  : the action of bid number 0, after those that end the round; `actions` is how many there are in all
    last   : integers (room): the last bid, NONE in the opening
    parent : integers (room): the history before it
    depth  : integers (room): how many bids were made; the mover is player 1 after an even number
    child  : integers (room, bids): the history after each bid, NONE where there is none
    since  : integers (room, actions, rolls): in which round an action was allowed to a roll of the mover; 0 for never
    usual  : floats (room, actions, rolls): with which probability a roll takes an action where none is allowed to it
    """

    def __init__(self, deals: Deals) -> None:
        self.deals, self.bids, self.width = deals, deals.bids, max(deals.rolls)
        self.first, self.actions = deals.bidding.endings, deals.bidding.endings + deals.bids
        self.size, self.round = 1, 0
        self.last, self.parent = np.full(1, NONE), np.full(1, NONE)
        self.depth = np.zeros(1, np.int64)
        self.child = np.full((1, self.bids), NONE)
        self.since = np.zeros((1, self.actions, self.width), np.int16)
        self.usual = _calls(self.since.shape)
        rolls = np.arange(deals.rolls[0])
        lowest = self.first + deals.bidding.openings[0]
        self.allow(Actions(np.zeros_like(rolls), np.full_like(rolls, lowest), rolls))

    def allow(self, actions: Actions) -> None:
        """Allow more actions, in a new round."""
        self.round += 1
        self.since[actions] = self.round
        bids = actions.action >= self.first
        for history, bid in np.unique(np.stack([actions.history[bids], actions.action[bids] - self.first]), axis=1).T.tolist():
            self.after(history, bid)

    def after(self, history: int, bid: int) -> int:
        """The history after a bid, which is new if there was none."""
        if self.child[history, bid] == NONE:
            self.child[history, bid] = self._new(history, bid)
        return int(self.child[history, bid])

    def _new(self, parent: int, bid: int) -> int:
        if self.size == len(self.last):
            fresh = {"since": np.zeros_like(self.since), "usual": _calls(self.usual.shape)}
            for name in ("last", "parent", "depth", "child", "since", "usual"):
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
        """The actions that are allowed to each roll, where any are: (histories, actions, rolls)."""
        found: Bools = self.since[histories][:, :, : self.deals.rolls[mover]] > 0
        return found

    def as_usual(self, histories: Ints, mover: int) -> Floats:
        """What each roll does where nothing is allowed to it: probabilities, (histories, actions, rolls)."""
        found: Floats = self.usual[histories][:, :, : self.deals.rolls[mover]]
        return found


def _calls(shape: tuple[int, ...]) -> Floats:
    """Calls by every roll at so many histories."""
    found = np.zeros(shape, np.float32)
    found[:, CALL] = 1
    return found

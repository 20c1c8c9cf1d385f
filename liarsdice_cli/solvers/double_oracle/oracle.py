"""The oracle: best responses in the whole game to a play of the restricted one, and which actions they need.

Outside the restricted game its mover calls. So a responder who leaves it is called at once; and where the other leaves no
history for it, the responder may call, or make any higher bid, which is then called. Both are sums over the other's rolls,
so a best response in the whole game, with its 2^N histories, is found on those of the restricted game. The same formulas
compute in float64 and, where they have to prove something, in integers of any size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Floats, Ints, Numbers
from liarsdice_cli.solvers.double_oracle.restricted import CALL, Actions, RestrictedGame

_TIE = 1e-9
"""How much better an action must look in floats than those before it, in weights of deals."""


class Play(NamedTuple):
    """What a player does: the weight of the player's own actions that lead to every history, and of ending the round there.

    comes : (histories, rolls), integers of one denominator or float64
    ends  : (ways to end it, histories, rolls), a call first; 0 where the other moves
    """

    comes: Numbers
    ends: Numbers


class Response(NamedTuple):
    """A best response to a play.

    wins   : the weight of the deals that the responder wins, times the weights of the play
    value  : the same at every history for each roll of the responder, where the others' weights come there
    within : as `value`, with allowed actions only, and what is usual where there are none
    best   : at the responder's histories the best action of each roll, the first of several
    """

    wins: float | int
    value: Numbers
    within: Numbers
    best: Ints


class _Held:
    """The best that allowed actions are worth at some histories; where there are none, what is usual.

    In integers, where nothing is to be divided, that is the worst action that is usual, as any that is not best is too many.
    """

    def __init__(self, allowed: Bools, usual: Floats, everything: Numbers, exact: bool) -> None:
        self.allowed, self.usual, self.exact = allowed, usual, exact
        self.free = allowed.any(axis=1)
        self.best: Numbers = np.full(self.free.shape, -1, everything.dtype)
        self.mixed: Numbers = everything + 0 * self.best if exact else 0 * self.best

    def add(self, here: Ints, action: int, value: Numbers) -> None:
        """Note what an action is worth at some of the histories."""
        self.best[here] = np.where(self.allowed[here, action], np.maximum(self.best[here], value), self.best[here])
        share = self.usual[here, action]
        if self.exact:
            self.mixed[here] = np.where(share > 0, np.minimum(self.mixed[here], value), self.mixed[here])
        else:
            self.mixed[here] += share * value

    @property
    def value(self) -> Numbers:
        """What all noted actions come to."""
        found: Numbers = np.where(self.free, self.best, self.mixed)
        return found


class Oracle:
    """Best responses of a player to what the other does in a restricted game, as it is now.

    Cost: a few vector steps for each depth and bid, over all histories and rolls.
    """

    def __init__(self, game: RestrictedGame, player: int) -> None:
        self.game, self.deals = game, game.deals
        self.player, self.other = player, 1 - player

    def respond(self, play: Play) -> Response:
        """The best response to the other's play; exact if the play is in integers."""
        shape, kind = (self.game.size, self.deals.rolls[self.player]), play.comes.dtype
        found = Response(0, np.zeros(shape, kind), np.zeros(shape, kind), np.zeros(shape, np.int64))
        for depth, histories in reversed(list(enumerate(self.game.levels))):
            if depth % 2 == self.player:
                self._choose(histories, play, found)
            else:
                self._await(histories, play, found)
        wins = (found.value[0] * self.deals.weights[self.player].astype(kind)).sum()
        return found._replace(wins=wins)

    def _choose(self, histories: Ints, play: Play, found: Response) -> None:
        """The best of all actions at histories of the responder, and of those that are allowed, or what is usual."""
        game, last = self.game, self.game.last[histories]
        chances = self._chances(play.comes[histories])
        everything, exact = chances[:, :1], chances.dtype == object
        tie = 0 if exact else _TIE
        best, highest = np.full(found.best[histories].shape, CALL), everything - self._standing(chances, last)
        if histories[0] == 0:
            highest = highest * 0 - 1  # there is nothing to end
        held = _Held(game.allowed(histories, self.player), game.as_usual(histories, self.player), everything, exact)
        held.add(np.arange(len(histories)), CALL, highest)

        def consider(here: Ints, action: int, value: Numbers, within: Numbers) -> None:
            better = value > highest[here] + tie
            best[here] = np.where(better, action, best[here])
            highest[here] = np.where(better, value, highest[here])
            held.add(here, action, within)

        for ending in range(1, game.first if histories[0] != 0 else 1):
            value = everything - self._standing(chances, last, ending)
            consider(np.arange(len(histories)), ending, value, value)
        for bid in range(self.deals.bids):
            here = np.flatnonzero(self.deals.bidding.follows[last, bid])
            child = game.child[histories[here], bid]
            grown = child != NONE
            value = self._standing(chances[here], np.full(len(here), bid))
            within = value.copy()
            value[grown], within[grown] = found.value[child[grown]], found.within[child[grown]]
            consider(here, game.first + bid, value, within)
        found.value[histories], found.within[histories], found.best[histories] = highest, held.value, best

    def _await(self, histories: Ints, play: Play, found: Response) -> None:
        """What histories of the other are worth: where the other ends the round, and whatever the other bids."""
        game = self.game
        value = np.zeros_like(found.value[histories])
        if histories[0] != 0:
            for ending, ends in enumerate(play.ends):
                value += self._standing(self._chances(ends[histories]), game.last[histories], ending)
        within = value.copy()
        for bid in range(self.deals.bids):
            child = game.child[histories, bid]
            grown = np.flatnonzero(child != NONE)
            value[grown] += found.value[child[grown]]
            within[grown] += found.within[child[grown]]
        found.value[histories], found.within[histories] = value, within

    def _chances(self, reach: Numbers) -> Numbers:
        weighed: Numbers = reach * self.deals.weights[self.other].astype(reach.dtype)
        return self.deals.at_least(self.other, weighed)

    def _standing(self, chances: Numbers, bids: Ints, ending: int = CALL) -> Numbers:
        """The weight with which a bid in each row of chances stands against an ending, for each roll of the responder."""
        return self.deals.standing(self.other, chances, bids, ending)

    def missing(self, play: Play, response: Response, comes: Ints, least: float) -> Actions:
        """The actions that are not allowed, and with which the responder does better by more than `least`.

        comes : see `Sequences`. At every history to which a roll comes the best action is taken where it is better than all
                that are allowed, and so on along the histories to which that leads.
        """
        game, rolls = self.game, self.deals.rolls[self.player]
        arrives = np.zeros((game.size, rolls), bool)
        found = []
        gain: Numbers = (response.value - response.within) * self.deals.weights[self.player].astype(response.value.dtype)
        gains = np.asarray(gain > least, bool)
        for depth, histories in enumerate(game.levels):
            if depth % 2 != self.player:
                continue
            if depth:
                arrives[histories] |= arrives[game.parent[histories]]
            here = comes[histories] != NONE
            met = np.asarray(play.comes[histories] > 0, bool).any(axis=1, keepdims=True)
            place, roll = np.nonzero((gains[histories] & here) | (arrives[histories] & ~here & met))
            history, action = histories[place], response.best[histories[place], roll]
            self._arrive(arrives, Actions(history, action, roll))
            found.append(self._new(Actions(history, action, roll), here[place, roll]))
        return Actions(*(np.concatenate([one[column] for one in found]) for column in range(3)))

    def _arrive(self, arrives: Bools, actions: Actions) -> None:
        """Note to which histories actions lead."""
        bids = actions.action >= self.game.first
        child = self.game.child[actions.history[bids], actions.action[bids] - self.game.first]
        arrives[child[child != NONE], actions.roll[bids][child != NONE]] = True

    def _new(self, actions: Actions, here: Bools) -> Actions:
        """Those that are not allowed yet; and where nothing was allowed until now, what is usual, there and before.

        here : whether the roll came to the history before
        """
        history, action, roll = actions
        held = self.game.since[history, :, roll] > 0
        fresh = ~held[np.arange(len(action)), action]
        begun = here & ~held.any(axis=1)
        usual = self._usual(history[begun], roll[begun])
        return Actions(*map(np.concatenate, zip(usual, (column[fresh] for column in actions), strict=True)))

    def _usual(self, history: Ints, roll: Ints) -> Actions:
        """What is usual at information sets, and at those of the player before at which nothing is allowed."""
        found = []
        while len(history):
            place, action = np.nonzero(self.game.usual[history, :, roll] > 0)
            found.append(Actions(history[place], action, roll[place]))
            history = np.where(history > 0, self.game.parent[self.game.parent[history]], NONE)
            begun = (history != NONE) & ~(self.game.since[history, :, roll] > 0).any(axis=1)
            history, roll = history[begun], roll[begun]
        return Actions(*(np.concatenate([one[column] for one in found] or [history]) for column in range(3)))

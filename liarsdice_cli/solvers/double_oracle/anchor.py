"""An anchor: plays near an equilibrium, from which a restricted game departs no further than it must.

Equilibria punish every mistake of the other, but most mistakes lose so clearly that many answers do. So the anchor is what is
*usual* in the restricted game: choices are left only where both players come by what they use, and the answers to all else
are the anchor's, until an oracle finds that such a mistake would pay. That leaves a hundredth of the choices.

The plans of a restricted game can be anything where it lacks actions, and what is missed against such plans is seldom needed
in the end. So the oracles look at a point on the way from the anchor to the plans, as cutting planes are sought between a
point inside and one outside. What is missed there is nearly best against good play, and very good against the plans. The
anchor is the averages of a minimiser; for the oracles, a point that proves more takes their place.

Source: Ben-Ameur and Neto (2007), "Acceleration of cutting-plane and column generation algorithms: applications to network
design", Networks 49.
"""

from __future__ import annotations

import time

import numpy as np

from liarsdice_cli.errors import TimeLimitError
from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.solvers.double_oracle.oracle import Play
from liarsdice_cli.solvers.double_oracle.restricted import CALL, Actions, RestrictedGame
from liarsdice_cli.strategies.stored import StoredStrategy

_STEP = 0.2
"""The share of the way from the anchor to the plans."""
_USED, _NONE = 1e-2, 1e-3
"""Probabilities of actions that are allowed from the start, and of those that are taken for mistakes of early iterations."""


_Place = tuple[tuple[int, ...], int, list[Floats], list[Bools]]
"""A history, its number, and for each player the weights with which each roll comes there, and whether by actions in use."""


class Anchor:
    """The plays of both players nearest to an equilibrium that are known, after every history of a restricted game.

    All histories with an answer other than a call become histories of the restricted game. Allowed are the actions that are
    used where both players come by such; usual is what the strategy does. Raises TimeLimitError at the deadline.
    """

    def __init__(self, game: RestrictedGame, strategy: StoredStrategy, deadline: float = np.inf) -> None:
        self.game, self.proved = game, [-np.inf, -np.inf]
        planted = _Planted(game, strategy, deadline)
        self.plays = [planted.play(player) for player in (0, 1)]
        game.allow(planted.used())

    def towards(self, plays: list[Play]) -> list[Play]:
        """Plays on the way from the anchor to these, which have weights after all histories that there are now."""
        self.plays = [_longer(self.game, player, play) for player, play in enumerate(self.plays)]
        return [
            Play(*((1 - _STEP) * one + _STEP * other for one, other in zip(own, there, strict=True)))
            for own, there in zip(self.plays, plays, strict=True)
        ]

    def learn(self, plays: list[Play], secured: tuple[float, float]) -> None:
        """Put each play in the anchor's place that secures its player more than the anchor is known to."""
        for player, worth in enumerate(secured):
            if worth > self.proved[player]:
                self.plays[player], self.proved[player] = plays[player], worth


def _longer(game: RestrictedGame, player: int, play: Play) -> Play:
    """The play after new histories too: one that the player does not bid is not come to; after one of the other, it calls."""
    known, rolls = play.comes.shape
    comes = np.concatenate([play.comes, np.zeros((game.size - known, rolls))])
    ends = np.concatenate([play.ends, np.zeros((game.first, game.size - known, rolls))], axis=1)
    for new in range(known, game.size):
        if game.depth[new] % 2 == player:
            comes[new] = ends[CALL, new] = comes[game.parent[new]]
    return Play(comes, ends)


class _Planted:
    """What a grown strategy does, after every history that is bid or has an answer; these are added to the restricted game.

    comes, ends, actions : for each history, as in `Play` (of both players, and of the mover), and what is used there
    """

    def __init__(self, game: RestrictedGame, strategy: StoredStrategy, deadline: float) -> None:
        self.game, self.strategy = game, strategy
        self.comes: dict[int, list[Floats]] = {}
        self.ends: dict[int, Floats] = {}
        self.actions: list[Actions] = []
        rolls = game.deals.rolls
        waiting: list[_Place] = [((), 0, [np.ones(count) for count in rolls], [np.ones(count, bool) for count in rolls])]
        while waiting:
            if time.monotonic() > deadline:
                raise TimeLimitError(f"stopped at the time limit, with an anchor of {game.size:,} histories so far")
            waiting += self._below(waiting.pop())

    def _below(self, place: _Place) -> list[_Place]:
        """Note what the mover does after a history; returns those that follow."""
        history, here, comes, useful = place
        self.comes[here] = comes
        state = BettingState(self.strategy.rules, history)
        mover, last = state.mover, state.last_bid
        said = self._said(history, comes[mover])
        self.ends[here] = comes[mover] * said[: self.game.first] * (here != 0)
        self.game.usual[here, :, : said.shape[1]] = said
        used = (said > _USED) & useful[mover] & useful[1 - mover].any()
        action, roll = np.nonzero(used)
        self.actions.append(Actions(np.full(len(action), here), action, roll))
        found: list[_Place] = []
        for bid in self.game.deals.bidding.following(last):
            later = (*history, bid)
            reach, use = list(comes), list(useful)
            reach[mover], use[mover] = comes[mover] * said[self.game.first + bid], used[self.game.first + bid]
            if reach[mover].any() or self._answers(later, comes[1 - mover]):
                found.append((later, self.game.after(here, bid), reach, use))
        return found

    def _said(self, history: tuple[int, ...], comes: Floats) -> Floats:
        """What each roll does, small probabilities left out; a call where the player's own play does not come."""
        said, bidding = np.zeros((self.game.actions, len(comes))), self.game.deals.bidding
        actions = BettingState(self.strategy.rules, history).actions
        said[[bidding.place(action) for action in actions]] = self.strategy.at(history)
        said[said < _NONE] = 0
        said[:, comes == 0] = 0
        said[CALL, comes == 0] = 1
        said /= said.sum(axis=0)
        return said

    def _answers(self, history: tuple[int, ...], comes: Floats) -> bool:
        """Whether the mover's own play comes to a history and does something else there than to call."""
        if self.strategy.tree.find(history) is None or not comes.any():
            return False
        return bool(self._said(history, comes)[CALL + 1 :].any())

    def play(self, player: int) -> Play:
        """What a player does."""
        shape = self.game.size, self.game.deals.rolls[player]
        play = Play(np.zeros(shape), np.zeros((self.game.first, *shape)))
        for here, comes in self.comes.items():
            play.comes[here] = comes[player]
            if self.game.depth[here] % 2 == player:
                play.ends[:, here] = self.ends[here]
        return play

    def used(self) -> Actions:
        """The actions that are used at histories to which used actions lead."""
        return Actions(*(np.concatenate([one[column] for one in self.actions]) for column in range(3)))

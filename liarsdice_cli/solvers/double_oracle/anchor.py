"""An anchor: plays near an equilibrium, so that the oracles look where it matters.

The plans of a restricted game can be anything where it lacks actions, and what is missed against such plans is seldom needed
in the end. So the oracles look at a point on the way from strategies that are known to be good to the plans, as cutting planes
are sought between a point inside and one outside. What is missed there is nearly best against good play, and very good against
the plans. The strategies are the averages of a minimiser; a point that proves more takes their place.

Source: Ben-Ameur and Neto (2007), "Acceleration of cutting-plane and column generation algorithms: applications to network
design", Networks 49.
"""

from __future__ import annotations

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Floats
from liarsdice_cli.games.liarsdice.grown import GrownStrategy
from liarsdice_cli.solvers.double_oracle.oracle import Play
from liarsdice_cli.solvers.double_oracle.restricted import CALL, Actions, RestrictedGame

_STEP = 0.2
"""The share of the way from the anchor to the plans."""
_USED, _NONE = 1e-2, 1e-6
"""Probabilities of actions that are allowed from the start, and of those that are taken for mistakes of early iterations."""


_Place = tuple[tuple[int, ...], int, list[Floats], list[Bools]]
"""A history, its number, and for each player the weights with which each roll comes there, and whether by actions in use."""


class Anchor:
    """The plays of both players nearest to an equilibrium that are known, after every history of a restricted game.

    All histories that have grown become histories of the restricted game; allowed are the actions that are used.
    """

    def __init__(self, game: RestrictedGame, strategy: GrownStrategy) -> None:
        self.game, self.proved = game, [-np.inf, -np.inf]
        planted = _Planted(game, strategy)
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
    comes, calls = (np.concatenate([one, np.zeros((game.size - known, rolls))]) for one in play)
    for new in range(known, game.size):
        if game.depth[new] % 2 == player:
            comes[new] = calls[new] = comes[game.parent[new]]
    return Play(comes, calls)


class _Planted:
    """What a grown strategy does, after every history that has grown or is bid; these are added to the restricted game.

    comes, calls, actions : for each history, as in `Play` (of both players, and of the mover), and what is used there
    """

    def __init__(self, game: RestrictedGame, strategy: GrownStrategy) -> None:
        self.game, self.strategy = game, strategy
        self.comes: dict[int, list[Floats]] = {}
        self.calls: dict[int, Floats] = {}
        self.actions: list[Actions] = []
        rolls = game.deals.rolls
        waiting: list[_Place] = [((), 0, [np.ones(count) for count in rolls], [np.ones(count, bool) for count in rolls])]
        while waiting:
            waiting += self._below(waiting.pop())

    def _below(self, place: _Place) -> list[_Place]:
        """Note what the mover does after a history; returns those that follow."""
        history, here, comes, useful = place
        self.comes[here] = comes
        mover, last = len(history) % 2, history[-1] if history else NONE
        if self.strategy.tree.find(history) is None:
            self.calls[here] = comes[mover]
            return []
        said = self.strategy.at(history)
        said = np.where(said < _NONE, 0, said)
        said /= said.sum(axis=0)
        self.calls[here] = comes[mover] * (said[CALL] if history else 0)
        used = (said > _USED) & useful[mover] & useful[1 - mover].any()
        lowest = len(said) - self.game.bids
        row, roll = np.nonzero(used)
        action = np.where((row == 0) & (len(history) > 0), CALL, row - lowest + 1)
        self.actions.append(Actions(np.full(len(row), here), action, roll))
        found: list[_Place] = []
        for bid in range(last + 1, self.game.bids):
            later = (*history, bid)
            reach, use = list(comes), list(useful)
            reach[mover], use[mover] = comes[mover] * said[bid + lowest], used[bid + lowest]
            if reach[mover].any() or self.strategy.tree.find(later) is not None:
                found.append((later, self.game.after(here, bid), reach, use))
        return found

    def play(self, player: int) -> Play:
        """What a player does."""
        shape = self.game.size, self.game.deals.rolls[player]
        play = Play(np.zeros(shape), np.zeros(shape))
        for here, comes in self.comes.items():
            play.comes[here] = comes[player]
            if self.game.depth[here] % 2 == player:
                play.calls[here] = self.calls[here]
        return play

    def used(self) -> Actions:
        """The actions that are used at histories to which used actions lead."""
        return Actions(*(np.concatenate([one[column] for one in self.actions]) for column in range(3)))

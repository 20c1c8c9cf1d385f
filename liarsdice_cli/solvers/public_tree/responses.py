"""Walks over the whole public tree, shared among threads, and the exact best responses that come of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.public import PublicGame
from liarsdice_cli.solvers.convergence import Bounds
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.layout import Layout
from liarsdice_cli.tree import Ints

PLAYERS = (0, 1)
TOGETHER = 1 << 15
"""Histories up to which one thread does everything: handing out work would cost more than it saves."""
_GROUPS = 8
"""Pieces of work for each thread, so that none waits long for the last."""
PLAIN = w.Rates(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(np.finfo(np.float64).tiny))
"""For walks that learn nothing, in float64."""


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Verdict:
    """What strategies of both players are worth, in floats.

    payoffs : of both players against each other
    regrets : what a best response gains on that, at most
    bounds  : on player 1's payoff in equilibrium
    """

    payoffs: tuple[float, float]
    regrets: tuple[float, float]
    bounds: Bounds


class Responses:
    """What strategies are worth against each other and against best responses, in float64.

    A strategy is an array of weights, (rows, rolls) as `Layout` says, in proportion to which its player acts.
    """

    def __init__(self, game: PublicGame, threads: int | None = None) -> None:
        self.game = game
        self.walks = Walks(game, threads or cores(), np.float64)

    def wins(self, weights: tuple[Any, Any], player: int, best: bool = True) -> float:
        """The probability that a player wins against the other's weights, with the best response or with his own weights.

        Rounding: see `PublicGame.slack`. Cost: two passes over the rows that the other's weights reach.
        """
        none = np.zeros((0, 0))
        every = w.Weights(weights[player], weights[1 - player], none, none, none)
        return self.walks.run(w.RESPOND if best else w.EVALUATE, player, every, PLAIN)

    def bounds(self, weights: tuple[Any, Any]) -> Bounds:
        """Bounds on player 1's payoff in equilibrium, by best responses to both, moved apart by what rounding can do."""
        first, second = (self.wins(weights, player) for player in PLAYERS)
        lower, upper = sorted((self.game.payoff(1 - second), self.game.payoff(first)))
        return Bounds(lower - self.game.slack, upper + self.game.slack)

    def verdict(self, weights: tuple[Any, Any]) -> Verdict:
        """Payoffs, regrets and bounds of both players' weights."""
        bounds = self.bounds(weights)
        payoff = self.game.payoff(self.wins(weights, 0, best=False))
        regrets = max(bounds.upper - payoff, 0.0), max(payoff - bounds.lower, 0.0)
        return Verdict((payoff, float(self.game.total) - payoff), regrets, bounds)


class Walks:
    """Walks over the whole tree in one kind of float, shared among threads by cutting it into subtrees.

    visited : how many histories they came to, all together
    """

    def __init__(self, game: PublicGame, threads: int, kind: type[np.floating[Any]]) -> None:
        self.rolls = tuple(rolls.astype(kind) for rolls in game.rolls)
        self.chances = game.rolls
        self.tables = tuple(tables_of(game, learner, kind) for learner in PLAYERS)
        alone = threads == 1 or game.bids < 3 or 1 << game.bids <= TOGETHER
        self.at = 0 if alone else min(game.bids - 2, 3 + (threads - 1).bit_length())
        self.cuts = tuple(_cut(game, self.at, learner, kind) for learner in PLAYERS)
        self.pool = None if alone else ThreadPoolExecutor(threads)
        self.groups = _GROUPS * threads
        self.bids, self.visited = game.bids, 0

    def run(self, mode: int, learner: int, weights: w.Weights, rates: w.Rates) -> float:
        """Walk the whole tree; returns the probability that the learner wins."""
        root, reach = np.zeros(2, np.int64), self.rolls[1 - learner]
        value = np.empty_like(self.rolls[learner])
        tables, cut = self.tables[learner], self.cuts[learner]

        def whole(span: int) -> int:
            return int(w.walk(mode, span, -1, root, learner == 0, reach, tables, cut, weights, rates, value))

        if self.pool is None:
            visited = [whole(w.WHOLE)]
        else:
            cut.reach[:] = 0
            visited = [whole(w.DOWN)]
            below = [
                self.pool.submit(w.walk_below, mode, group, learner == 0, tables, cut, weights, rates)
                for group in self._shares(cut, rates.nothing < 0)
            ]
            visited += [int(work.result()) for work in below]
        self.visited += sum(map(abs, visited))
        if self.pool is not None:
            visited.append(whole(w.UP))
        if min(visited) < 0:
            raise LiarsDiceError(
                "a number in the arrays is no longer finite (overflow, or a damaged checkpoint), so there is no answer: "
                "start again, or use another --method"
            )
        return float(value.astype(np.float64) @ self.chances[learner])

    def _shares(self, cut: w.Cut, every: bool) -> Iterator[Ints]:
        """The subtrees that something reaches, or all, the largest first, in groups of about equal work."""
        numbers = np.flatnonzero(cut.reach.any(axis=1) | every)
        sizes = np.ldexp(1.0, -(numbers % (self.bids - 1 - self.at)))
        order = np.argsort(-sizes, kind="stable")
        done = np.cumsum(sizes[order])
        ends = np.searchsorted(done, np.linspace(0, 1, self.groups + 1)[1:-1] * (done[-1] if len(done) else 0))
        for start, stop in pairwise([0, *sorted({int(end) for end in ends} - {0}), len(order)]):
            if start < stop:
                yield numbers[order[start:stop]]


def tables_of(game: PublicGame, learner: int, kind: type[np.floating[Any]] = np.float64) -> w.Tables:
    """What walks for a learner look up."""
    counts = np.arange(game.matching[learner].max() + 1)
    short = counts[None, :, None] + game.matching[1 - learner][:, None, :] < game.quantity[:, None, None]
    return w.Tables(Layout(game.bids).before, np.stack([~short, short]).astype(kind), game.matching[learner])


def no_cut(kind: type[np.floating[Any]] = np.float64) -> w.Cut:
    """For walks to the end."""
    none = np.zeros((0, 0), kind)
    return w.Cut(0, np.zeros((0, 2), np.int64), none, none)


def _cut(game: PublicGame, at: int, learner: int, kind: type[np.floating[Any]]) -> w.Cut:
    if not at:
        return no_cut(kind)
    count = (game.bids - 1 - at) << at
    sizes = len(game.rolls[1 - learner]), len(game.rolls[learner])
    reach, value = (np.zeros((count, rolls), kind) for rolls in sizes)
    return w.Cut(at, np.zeros((count, 2), np.int64), reach, value)

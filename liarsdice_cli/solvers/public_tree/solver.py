"""Regret minimisation over the whole public tree, and best responses to its average: the state and one step of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.public import PublicGame
from liarsdice_cli.solvers.convergence import Bounds
from liarsdice_cli.solvers.minimisers import Minimiser, Step
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.layout import Layout
from liarsdice_cli.tree import Floats, Ints

PLAYERS = (0, 1)
SMALL = 1 << 26
"""Bytes up to which the arrays are kept in float64, above in float32."""
_TOGETHER = 1 << 15
"""Histories below which one thread does everything: handing out work would cost more than it saves."""
_GROUPS = 8
"""Pieces of work for each thread, so that none waits long for the last."""


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def entries(game: PublicGame) -> int:
    """Numbers in one array over both players' rows and rolls."""
    return sum(rows * len(rolls) for rows, rolls in zip(Layout(game.bids).rows, game.rolls, strict=True))


def precision(game: PublicGame, minimiser: Minimiser) -> type[np.floating[Any]]:
    """The kind of float that the arrays of a game are kept in."""
    return np.float64 if entries(game) * _arrays(minimiser) * 8 <= SMALL else np.float32


def bytes_needed(game: PublicGame, minimiser: Minimiser) -> int:
    """The memory of all arrays of `PublicTree`: regrets, averages and, of minimisers that predict, the last regrets."""
    return entries(game) * _arrays(minimiser) * np.dtype(precision(game, minimiser)).itemsize


def _arrays(minimiser: Minimiser) -> int:
    return 3 if minimiser.predicts else 2


class PublicTree:
    """A game, a minimiser and their arrays, one pair for both players of each kind, indexed (row, roll) as `Layout` says.

    regrets    : what the minimiser has of each action
    averages   : the strategies so far, weighted; divided by their sum over the actions they are the average strategy
    last       : the last regrets, empty unless the minimiser predicts
    iteration  : how many are done

    Cost of an iteration: a few passes over the rows that play under the current strategies can reach. The arrays are all
    the memory there is. Raises MemoryError if they cannot be had. What comes out does not depend on the threads.
    """

    def __init__(self, game: PublicGame, minimiser: Minimiser, threads: int | None = None) -> None:
        self.game, self.minimiser, self.layout = game, minimiser, Layout(game.bids)
        self.kind = precision(game, minimiser)
        self.threads = threads or cores()
        self.iteration = 0
        self.regrets, self.averages = self._arrays(), self._arrays()
        self.last = self._arrays() if minimiser.predicts else (self._none(), self._none())

    def _arrays(self) -> tuple[Floats, Floats]:
        first, second = (
            np.zeros((rows, len(rolls)), self.kind) for rows, rolls in zip(self.layout.rows, self.game.rolls, strict=True)
        )
        return first, second

    def _none(self) -> Floats:
        return np.zeros((0, 0), self.kind)

    def iterate(self) -> None:
        """Update player 1 and then player 2; LiarsDiceError if a number is no longer finite."""
        step = self.minimiser.step(self.iteration + 1)
        for learner in PLAYERS:
            other = 1 - learner
            weights = w.Weights(
                self.regrets[learner], self.regrets[other], self.last[learner], self.last[other], self.averages[other]
            )
            self._walks(self.kind).run(w.LEARN, learner, weights, self._rates(step, learner))
        self.iteration += 1

    def _rates(self, step: Step, learner: int) -> w.Rates:
        """The step in the arrays' kind of float; player 1 has been updated when player 2 is."""
        aheads = (step.ahead, step.ahead) if learner == 0 else (step.ahead, step.ahead_after)
        numbers = (step.keep, step.keep_negative, step.scale, step.floor, *aheads, step.weight)
        nothing = -1.0 if step.decays else w.NOTHING
        return w.Rates(*map(self.kind, (*numbers, nothing, np.finfo(self.kind).tiny)))

    def bounds(self) -> Bounds:
        """Bounds on player 1's payoff in equilibrium, by exact best responses to both average strategies.

        Computed in float64 whatever the arrays are in, and moved apart by what rounding can do: all terms are positive,
        so each of the at most `bids` + 1 levels adds a relative error below (actions + rolls + 4) 2^-53. Cost: about an
        iteration from the start, in which everything can still be reached.
        """
        best = [self.response(self.averages, learner) for learner in PLAYERS]
        most = max(map(len, self.game.rolls))
        error = (self.game.bids + 1) * (self.game.bids + most + 4) * 2.0**-53
        win, lose = self.game.payoffs
        lower, upper = sorted((self.game.payoff(1 - best[1]), self.game.payoff(best[0])))
        slack = error * float(abs(win - lose))
        return Bounds(lower - slack, upper + slack)

    def response(self, weights: tuple[Floats, Floats], learner: int, mode: int = w.RESPOND) -> float:
        """The probability that a player wins with the best response (or, if asked to EVALUATE, with his own weights).

        weights : for each player an array like `averages`, in proportion to which he acts
        """
        none = self._none()
        every = w.Weights(weights[learner], weights[1 - learner], none, none, none)
        rates = w.Rates(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(np.finfo(np.float64).tiny))
        return self._walks(np.float64).run(mode, learner, every, rates)

    def _walks(self, kind: type[np.floating[Any]]) -> _Walks:
        return self._walks32 if kind is np.float32 else self._walks64

    @cached_property
    def _walks32(self) -> _Walks:
        return _Walks(self.game, self.layout, self.threads, np.float32)

    @cached_property
    def _walks64(self) -> _Walks:
        return _Walks(self.game, self.layout, self.threads, np.float64)


class _Walks:
    """Walks over the whole tree in one kind of float, shared among threads by cutting it into subtrees."""

    def __init__(self, game: PublicGame, layout: Layout, threads: int, kind: type[np.floating[Any]]) -> None:
        self.rolls = tuple(rolls.astype(kind) for rolls in game.rolls)
        self.chances = game.rolls
        self.tables = tuple(_tables(game, layout, learner, kind) for learner in PLAYERS)
        alone = threads == 1 or game.bids < 3 or 1 << game.bids <= _TOGETHER
        self.at = 0 if alone else min(game.bids - 2, 3 + (threads - 1).bit_length())
        self.cuts = tuple(_cut(game, self.at, learner, kind) for learner in PLAYERS)
        self.pool = None if alone else ThreadPoolExecutor(threads)
        self.groups = _GROUPS * threads
        self.bids = game.bids

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


def _tables(game: PublicGame, layout: Layout, learner: int, kind: type[np.floating[Any]]) -> w.Tables:
    counts = np.arange(game.matching[learner].max() + 1)
    short = counts[None, :, None] + game.matching[1 - learner][:, None, :] < game.quantity[:, None, None]
    return w.Tables(layout.before, short.astype(kind), game.matching[learner])


def _cut(game: PublicGame, at: int, learner: int, kind: type[np.floating[Any]]) -> w.Cut:
    count = (game.bids - 1 - at) << at if at else 0
    sizes = len(game.rolls[1 - learner]), len(game.rolls[learner])
    reach, value = (np.zeros((count, rolls), kind) for rolls in sizes)
    return w.Cut(at, np.zeros((count, 2), np.int64), reach, value)

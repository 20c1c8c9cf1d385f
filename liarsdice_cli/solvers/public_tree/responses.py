"""Walks over the whole public tree, shared among threads, and the exact best responses that come of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.tree import Floats, Ints
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.regret.convergence import Bounds

PLAYERS = (0, 1)
TOGETHER = 1 << 17
"""Histories up to which one thread does everything: handing out work would cost more than it saves.

With 2^16 (common, 4 sides, dice 2,2) an iteration of `dcfr+` took 1.2 ms on one thread and 2.3 on two.
"""
_GROUPS = 8
"""Pieces of work for each thread, so that none waits long for the last."""
FIRST = np.zeros(1, np.int64)
"""Of subtrees the one in the first row."""
PLAIN = w.WalkRates(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(np.finfo(np.float64).tiny))
"""For walks that learn nothing, in float64."""


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_work(game: PublicGame, threads: int | None) -> int:
    """How many of so many threads (one a processor if nothing is said) have something to do in a game."""
    return 1 if game.bids < 3 or 1 << game.bids <= TOGETHER else threads or cores()


JUDGE = "public tree, rounding included"
"""The judge of this file, as `Judgement.judge` names it."""


class Responses:
    """The values of strategies against each other and against best responses, in float64.

    A strategy is an array of weights, (rows, rolls) as `Layout` says, in proportion to which its player acts.
    """

    def __init__(self, game: PublicGame, threads: int | None = None) -> None:
        self.game = game
        self.walks = Walks(game, threads, np.float64)

    def wins(self, weights: tuple[Any, Any], player: int, best: bool = True) -> float:
        """The probability that a player wins against the other's weights, with the best response or with their own weights.

        Rounding: see `PublicGame.rounding_error`. Cost: two passes over the rows that the other's weights reach.
        """
        none = np.zeros((0, 0))
        every = w.Weights(weights[player], weights[1 - player], none, none, none)
        return self.walks.run(w.RESPOND if best else w.EVALUATE, player, every, PLAIN)

    def bounds(self, weights: tuple[Any, Any]) -> Bounds:
        """Bounds on player 1's payoff in equilibrium, by best responses to both, moved apart by what rounding can do."""
        first, second = (self.wins(weights, player) for player in PLAYERS)
        lower, upper = sorted((self.game.payoff(1 - second), self.game.payoff(first)))
        return Bounds(lower - self.game.rounding_error, upper + self.game.rounding_error)

    def judge(self, weights: tuple[Any, Any], bounds: Bounds | None = None) -> Judgement:
        """The verdict on both players' weights; `bounds` if they have been computed for these already.

        Best responses and regrets are what they are at most, rounding included.
        """
        bounds, total = bounds or self.bounds(weights), self.game.total
        payoff = self.game.payoff(self.wins(weights, 0, best=False))
        regrets = max(bounds.upper - payoff, 0.0), max(payoff - bounds.lower, 0.0)
        responses = bounds.upper, float(total) - bounds.lower
        return Judgement((payoff, float(total) - payoff), responses, regrets, total, exact=False, judge=JUDGE)


class Walks:
    """Walks over the whole tree in one kind of float, shared among threads by cutting it into subtrees.

    visited : how many histories they came to, all together
    """

    def __init__(self, game: PublicGame, threads: int | None, kind: type[np.floating[Any]]) -> None:
        first, second = (rolls.astype(kind) for rolls in game.rolls)
        self.chances = game.rolls
        self.roots = (
            one_subtree(-1, (0, 0), True, second, len(first)),
            one_subtree(-1, (0, 0), False, first, len(second)),
        )
        self.tables = tuple(look_ups(game, learner, kind) for learner in PLAYERS)
        threads = at_work(game, threads)
        alone = threads == 1
        self.at = 0 if alone else min(game.bids - 2, 3 + (threads - 1).bit_length())
        self.below = tuple(_subtrees_below(game, self.at, learner, kind) for learner in PLAYERS)
        self.pool = None if alone else ThreadPoolExecutor(threads)
        self.groups = _GROUPS * threads
        self.bids, self.visited = game.bids, 0

    def run(self, mode: int, learner: int, weights: w.Weights, rates: w.WalkRates) -> float:
        """Walk the whole tree; returns the probability that the learner wins."""
        tables, root, below = self.tables[learner], self.roots[learner], self.below[learner]

        def walk(span: int, subtrees: w.Subtrees, chosen: Ints) -> int:
            return int(w.walk(mode, span, subtrees, chosen, tables, self.at, below, weights, rates))

        if self.pool is None:
            visited = [walk(w.WHOLE, root, FIRST)]
        else:
            below.reach[:] = 0
            visited = [walk(w.DOWN, root, FIRST)]
            shares = self._shares(below, rates.nothing < 0)
            visited += [work.result() for work in [self.pool.submit(walk, w.WHOLE, below, share) for share in shares]]
        self.visited += sum(map(abs, visited))
        if self.pool is not None:
            visited.append(walk(w.UP, root, FIRST))
        if min(visited) < 0:
            raise LiarsDiceError(
                "a number in the arrays is no longer finite (overflow, or a damaged checkpoint), so there is no answer: "
                "start again, or use another ",
                Argument("method"),
            )
        return float(root.value[0].astype(np.float64) @ self.chances[learner])

    def _shares(self, below: w.Subtrees, every: bool) -> Iterator[Ints]:
        """The subtrees that something reaches, or all, the largest first, in groups of about equal work."""
        numbers = np.flatnonzero(below.reach.any(axis=1) | every)
        work = 0.5 ** (numbers % (self.bids - 1 - self.at))  # a higher last bid leaves half the histories
        order = np.argsort(-work, kind="stable")
        before = np.cumsum(work[order]) - work[order]
        group = np.floor(before / work.sum() * self.groups)
        yield from filter(len, np.split(numbers[order], np.flatnonzero(np.diff(group)) + 1))


def look_ups(game: PublicGame, learner: int, kind: type[np.floating[Any]] = np.float64) -> w.LookUps:
    """What walks for a learner look up; own bids win where they are true when they are called, the other's where not."""
    own, others = game.matching[learner], game.matching[1 - learner]
    counts = np.arange(own.max() + 1)
    true = counts[None, :, None] + others[:, None, :] >= game.quantity[:, None, None]
    return w.LookUps(Layout(game.bids).before, np.stack([true, ~true]).astype(kind), own)


def one_subtree(last: int, rows: tuple[int, int], learners: bool, reach: Floats, learner_rolls: int) -> w.Subtrees:
    """A subtree alone, by its last bid, its first rows, whether the learner moves there, and what comes to it."""
    root = np.array([[last, *rows, learners]], np.int64)
    return w.Subtrees(root, np.array([reach]), np.empty((1, learner_rolls), reach.dtype))


def _subtrees_below(game: PublicGame, cut: int, learner: int, kind: type[np.floating[Any]]) -> w.Subtrees:
    """All subtrees below a cut, as `walk.Subtrees` orders them, none if it is at 0; a walk fills in first rows and reach."""
    width = game.bids - 1 - cut if cut else 0
    masks, places = np.divmod(np.arange(width << cut), max(width, 1))
    movers = (np.bitwise_count(masks) + 1) % 2
    unknown = np.zeros_like(masks)
    reach, value = (np.zeros((len(masks), len(game.rolls[player])), kind) for player in (1 - learner, learner))
    return w.Subtrees(np.stack([cut + places, unknown, unknown, movers == learner], axis=1), reach, value)

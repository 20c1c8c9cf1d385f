"""Walks over all shards of a grown tree, shared among threads, and the exact best responses that come of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.tree import Ints
from liarsdice_cli.games.liarsdice.grown import OWNER, GrownTree, Shard
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof, Regrets

JUDGE = "public tree, rounding included"
"""The judge of this file, as `Judgement.judge` names it."""
_OPENING = np.zeros(1, np.int64)


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_work(tree: GrownTree, threads: int | None) -> int:
    """How many of so many threads (one a processor if nothing is said) have something to do in a game."""
    return min(threads or cores(), len(tree.shards)) if tree.shards else 1


class Numbers(NamedTuple):
    """The arrays of a shard that a walk works on, by name: weights, last regrets and averages; "" for none."""

    weights: str
    last: str = ""
    averages: str = ""

    def rows(self, shard: Shard) -> arrays.Rows:
        """A shard with these arrays."""
        weights = shard.kept[self.weights]
        last, averages = (shard.kept[name] if name else weights[:0] for name in (self.last, self.averages))
        return arrays.Rows(shard.first, shard.place, shard.children, shard.used, weights, last, averages)


class Plan(NamedTuple):
    """A walk over the whole tree: what it does at the histories of which player, on which arrays, at which rates."""

    mode: int
    learner: int
    averaged: int
    numbers: Numbers
    rates: arrays.WalkRates


class Walks:
    """Walks over a grown tree in one kind of float: down to the cut, then the shards, each alone, then up again.

    visited : how many histories they came to, all together
    """

    def __init__(self, game: PublicGame, tree: GrownTree, threads: int | None, kind: Any) -> None:
        self.game, self.tree, self.kind = game, tree, kind
        self.tables, self.opening = arrays.look_ups(game, kind), arrays.whole(game, kind)
        self.below = self._below()
        threads = at_work(tree, threads)
        self.pool = None if threads == 1 else ThreadPoolExecutor(threads)
        self.stacks = threading.local()
        self.visited = 0

    def _below(self) -> arrays.Subtrees:
        width = self.opening.value.shape[1]
        return arrays.below(self.tree.roots, self.tree.subtrees, self.game.players, width, self.kind)

    def run(self, plan: Plan, done: set[int] | None = None, stop: Callable[[], bool] = lambda: False) -> float | None:
        """Walk the whole tree; returns the probability that the learner is not the one who loses.

        done : the shards that have been walked in an earlier try, of which the values are known; filled
        stop : asked before every shard but the first; where it says so the walk ends with None and can be taken up again
        """
        done = set() if done is None else done
        if self.tree.shards:
            if self.below.roots is not self.tree.roots:
                self._more_subtrees()
            self._walk(plan, self.tree.top, w.DOWN, self.opening, _OPENING)
            self.tree.settle()
            if not self._walk_shards(plan, done, stop):
                return None
        self._walk(plan, self.tree.top, w.UP if self.tree.shards else w.WHOLE, self.opening, _OPENING)
        done.clear()
        rolls = self.game.rolls[plan.learner]
        return float(self.opening.value[0, : len(rolls)].astype(np.float64) @ rolls)

    def compile(self, numbers: Numbers) -> None:
        """Compile what a walk needs, or find it where it is kept, without a step."""
        self._walk(Plan(w.LEARN, 0, w.NOBODY, numbers, plain(self.kind)), self.tree.top, w.WHOLE, self.opening, _OPENING[:0])

    def _more_subtrees(self) -> None:
        """The tree has made room for more subtrees: what is known of the others stays."""
        before, self.below = self.below, self._below()
        self.below.value[: len(before.value)] = before.value

    def _walk_shards(self, plan: Plan, done: set[int], stop: Callable[[], bool]) -> bool:
        """Walk all shards that something comes to and that are not done; False if that was stopped.

        One of them is walked in any case: else the turn would begin anew, with room that it does not have without the stop.
        """
        due = np.flatnonzero(self.below.due)
        self.below.due[:] = False
        owners = self.tree.roots[due, OWNER]
        order = np.argsort(owners, kind="stable")
        edges = np.flatnonzero(np.diff(owners[order])) + 1
        groups = [group for group in np.split(due[order], edges) if len(group)]
        waiting = [(int(self.tree.roots[group[0], OWNER]), group) for group in groups]
        waiting = [(owner, group) for owner, group in waiting if owner not in done]

        def work(owner: int, group: Ints) -> None:
            if not done or not stop():
                self._walk(plan, self.tree.shards[owner], w.WHOLE, self.below, group)
                done.add(owner)

        if self.pool is None:
            for owner, group in waiting:
                work(owner, group)
        else:
            for future in [self.pool.submit(work, owner, group) for owner, group in waiting]:
                future.result()
        return all(owner in done for owner, _ in waiting)

    def _walk(self, plan: Plan, shard: Shard, span: int, subtrees: arrays.Subtrees, chosen: Ints) -> None:
        if not hasattr(self.stacks, "stack"):
            self.stacks.stack = arrays.new_stack(self.tables)
        visited = w.walk(
            plan.mode,
            span,
            plan.learner,
            plan.averaged,
            self.tables,
            plan.numbers.rows(shard),
            subtrees,
            chosen,
            self.tree.cut,
            self.below,
            plan.rates,
            self.stacks.stack,
        )
        if visited < 0:
            raise LiarsDiceError(
                "a number in the arrays is no longer finite (overflow, or a damaged checkpoint), so there is no answer: "
                "start again, or use another ",
                Argument("method"),
            )
        if span != w.DOWN:
            self.visited += visited


def plain(kind: Any = np.float64) -> arrays.WalkRates:
    """The rates of walks that learn nothing."""
    numbers = (1, 1, 1, 0, 0, 0, 0, 0, 0, np.finfo(kind).tiny, 0, 1)
    return arrays.WalkRates(*map(kind, numbers))


class Responses:
    """The values of a strategy against best responses, in float64.

    tree, name : the numbers of a grown tree in proportion to which all players act
    """

    def __init__(self, game: PublicGame, tree: GrownTree, name: str = "averages", threads: int | None = None) -> None:
        self.game, self.tree, self.numbers = game, tree, Numbers(name)
        self.walks = Walks(game, tree, threads, np.float64)

    def wins(self, player: int, best: bool = True) -> float:
        """The probability that a player is not the one who loses, with the best response to the others or as they are.

        Exact but for rounding, see `PublicGame.rounding_error`: where a responder comes to a history that has not grown, all
        actions are looked at. Cost: a pass over the histories that the others reach.
        """
        plan = Plan(w.RESPOND if best else w.EVALUATE, player, w.NOBODY, self.numbers, plain())
        found = self.walks.run(plan)
        assert found is not None, "nobody asks it to stop"
        return found

    def payoffs(self, best: bool) -> list[float]:
        """Every player's payoff, with the best response to the others or as they are."""
        players = range(self.game.players)
        return [self.game.payoff(player, self.wins(player, best)) for player in players]

    def proof(self) -> Proof:
        """What the strategies prove, moved apart by what rounding can do: bounds for two players, else everybody's regret."""
        error, best = self.game.rounding_error, self.payoffs(best=True)
        if self.game.players == 2:
            lower, upper = sorted((float(self.game.total) - best[1], best[0]))
            return Bounds(lower - error, upper + error)
        payoffs = self.payoffs(best=False)
        return Regrets(tuple(payoffs), _regrets(payoffs, best, error))

    def judge(self, proof: Proof | None = None) -> Judgement:
        """The verdict on the strategies; `proof` if it is known already. A regret is never below 0."""
        proof = proof or self.proof()
        total = self.game.total
        if isinstance(proof, Regrets):
            best = tuple(payoff + regret for payoff, regret in zip(proof.payoffs, proof.regrets, strict=True))
            return Judgement(proof.payoffs, best, proof.regrets, total, exact=False, judge=JUDGE)
        payoff = self.game.payoff(0, self.wins(0, best=False))
        regrets = max(proof.upper - payoff, 0.0), max(payoff - proof.lower, 0.0)
        responses = proof.upper, float(total) - proof.lower
        return Judgement((payoff, float(total) - payoff), responses, regrets, total, exact=False, judge=JUDGE)


def _regrets(payoffs: Sequence[float], best: Sequence[float], error: float) -> tuple[float, ...]:
    return tuple(max(one - payoff, 0.0) + 2 * error for one, payoff in zip(best, payoffs, strict=True))

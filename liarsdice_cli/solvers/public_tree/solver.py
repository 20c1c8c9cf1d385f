"""Regret minimisation on a public tree that grows only where play goes: the state and one step of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any, TypeVar

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.locks import PublicLock, locked_rolls
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.elsewhere import Elsewhere
from liarsdice_cli.solvers.public_tree.holders import Here
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.walks import Holder, Numbers, Plan, Walks
from liarsdice_cli.solvers.regret.convergence import Proof, WorkerFacts
from liarsdice_cli.solvers.regret.minimisers import Minimiser, Step
from liarsdice_cli.strategies.expansion import expand
from liarsdice_cli.strategies.store import StrategyStore, float_type
from liarsdice_cli.strategies.stored import AVERAGES
from liarsdice_cli.system.cluster import MOST_LOSSES, Cluster, WorkerLostError

_Result = TypeVar("_Result")
GROWTH = 0.1
"""Over the iteration's number, the others' reach above which a history grows, as measured in benchmarks/growth.md."""
REGRETS, LAST, LOCK = "regrets", "last", "lock"
"""With `AVERAGES`, the names of a solver's arrays in its shards."""


def precision(game: PublicGame, lock: PublicLock) -> type[np.floating[Any]]:
    """Return the kind of float for the numbers of a game (`store.float_type`), or float64 if that does not hold its lock."""
    kind = float_type(game.bidding, [len(rolls) for rolls in game.rolls])
    held = all(np.array_equal(one, one.astype(kind), equal_nan=True) for one in lock.values())
    return kind if held else np.float64


class PublicTree:
    """A game, a minimiser, and a grown tree with their numbers: regrets, averages and, of minimisers that predict, the last.

    iteration : how many are done
    learner   : the player whose turn it is in the one that is not done
    growth    : over the number of the iteration, the other players' reach above which a history of the learner grows: early
                play goes everywhere, and what matters comes again
    memory    : the bytes that may be used, by every worker where there are some
    short     : whether histories could not grow for want of memory
    holder    : threads of this process, or the workers of a cluster that is given, if the tree is large enough to be cut
    restore   : brings the state back to some earlier one, from which all is done again where a worker is lost
    tell      : told in one line where one is
    tremble   : the probability that who moves errs and takes any action alike, where histories have grown; averages err too
    lock      : its histories are expanded before the first iteration; all iterations and the averages keep to it

    Averages divided by their sum over the actions are the average strategy. What comes out does not depend on the threads or
    the workers. Cost of an iteration: a few passes over the grown histories that play under the current strategies can reach.
    """

    def __init__(
        self,
        game: PublicGame,
        minimiser: Minimiser,
        threads: int | None = None,
        growth: float = GROWTH,
        memory: float = inf,
        cluster: Cluster | None = None,
        tell: Callable[[str], None] = lambda words: None,
        lock: PublicLock | None = None,
        tremble: float = 0.0,
    ) -> None:
        self.tremble = tremble
        self.game, self.minimiser, self.growth, self.memory, self.lock = game, minimiser, growth, memory, lock or {}
        self.kind = precision(game, self.lock)
        kept = [REGRETS, AVERAGES, *[LAST] * minimiser.predicts, *[LOCK] * bool(self.lock)]
        rolls, root = [len(rolls) for rolls in game.rolls], (game.last, game.first)
        self.tree = StrategyStore(rolls, game.bidding, kept, self.kind, root=root)
        here = Here(self.tree, threads)
        self.holder: Holder = here
        self.threads = here.threads
        if cluster is not None and self.tree.shards:
            self.holder = Elsewhere(game, self.tree, cluster, None if memory == inf else memory)
            self.holder.recover = self.recover
        self.restore: Callable[[], object] = self.begin
        self.tell = tell
        self._losses: Counter[tuple[int, int]] = Counter()
        self.iteration, self.learner, self.short = 0, 0, False
        self.done: set[int] = set()
        self._plant_lock()

    def _plant_lock(self) -> None:
        """Expand the locked histories, and put the lock into their averages too, which the play may never reach."""
        for history, behaviour in self.lock.items():
            last, mover = self.tree.state_after(history)
            if not self.game.bidding.decides(last):
                continue
            place, rolls = expand(self.tree, history), locked_rolls(behaviour)
            for name in (LOCK, AVERAGES):
                self.tree.entries(*place, last, mover, name)[:, rolls] = behaviour[:, rolls]

    def begin(self) -> None:
        """The state before the first iteration."""
        self.tree.reset()
        self.holder.begin()
        self.iteration, self.learner, self.short = 0, 0, False
        self.done = set()
        self._plant_lock()

    def iterate(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Update every player in turn; LiarsDiceError if a number is no longer finite.

        stop : asked now and then; where it says so this ends, and the next call goes on there, with the same result.
        """
        while self.update(stop) and self.learner:
            pass

    def update(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Update the player whose turn it is; False if that was stopped."""
        return self.surely(lambda: self._update(stop))

    def surely(self, action: Callable[[], _Result]) -> _Result:
        """What an action comes to in which workers may be lost: then all is recovered, and it begins anew."""
        while True:
            try:
                return action()
            except WorkerLostError:
                self.recover()

    def _update(self, stop: Callable[[], bool]) -> bool:
        if not self.done:
            self.short = not self.holder.make_room(self.memory) or self.short
        averaged = (self.learner - 1) % self.game.players
        plan = Plan(w.LEARN, self.learner, averaged, self._numbers, self._rates(self.minimiser.step(self.iteration + 1)))
        if self.walks.run(plan, self.done, stop) is None:
            return False
        self.learner = (self.learner + 1) % self.game.players
        self.iteration += self.learner == 0
        return True

    def recover(self) -> None:
        """Where a worker was lost, bring everything to the beginning of this turn, from what `restore` brings back.

        Raises LiarsDiceError where that happens again and again in the same turn.
        """
        turn = self.iteration, self.learner
        self._losses[turn] += 1
        if self._losses[turn] > MOST_LOSSES:
            raise LiarsDiceError(
                f"workers ended {MOST_LOSSES + 1} times in iteration {turn[0] + 1:,}, perhaps for want of memory: "
                "allow them less, or take fewer on each machine"
            )
        try:
            said = self.holder.mend()
            self.restore()
            self.tell(f"{said}, from iteration {self.iteration + 1:,}")
        except WorkerLostError:
            self.iteration, self.learner = turn
            self.recover()
        while (self.iteration, self.learner) < turn:
            self.update()

    @property
    def _numbers(self) -> Numbers:
        return Numbers(REGRETS, LAST if self.minimiser.predicts else "", AVERAGES, self._lock)

    @property
    def _lock(self) -> str:
        return LOCK if self.lock else ""

    def compile(self) -> None:
        """Compile what is not compiled yet: seconds, once for each kind of float, so that no limit need count them."""
        self.surely(lambda: self.holder.compile([(self.kind, self._numbers), (np.float64, Numbers(AVERAGES))]))
        self.walks.walker.compile(self._numbers, self.tree.top)
        self.responses.walks.walker.compile(Numbers(AVERAGES), self.tree.top)

    def _rates(self, step: Step) -> arrays.WalkRates:
        """The step in the numbers' kind of float; those who moved before the learner have been updated in this one."""
        predictions = (step.prediction, step.prediction if self.learner == 0 else step.prediction_after)
        numbers = (step.discount, step.discount_negative, step.regret_weight, step.floor, *predictions, step.average_weight)
        nothing = -1.0 if step.decays else w.NOTHING
        growth = max(self.growth / (self.iteration + 1), w.NOTHING)
        return arrays.WalkRates(*map(self.kind, (*numbers, nothing, growth, np.finfo(self.kind).tiny, self.tremble, 0, 1)))

    @cached_property
    def walks(self) -> Walks:
        """The walks that learn."""
        return Walks(self.game, self.tree, self.holder, self.kind)

    @cached_property
    def responses(self) -> Responses:
        """The judge of the average strategies: in the locked game where something is locked, among those who err too."""
        return Responses(self.game, self.tree, AVERAGES, self.holder, self._lock, self.tremble)

    @property
    def workers(self) -> tuple[WorkerFacts, ...]:
        """How the workers do, if there are any."""
        return self.holder.facts

    def bounds(self) -> Proof:
        """What the average strategies prove; about an iteration from the start, in which everything is still reached."""
        return self.responses.proof()

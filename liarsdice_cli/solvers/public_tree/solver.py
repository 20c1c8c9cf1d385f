"""Regret minimisation on the public tree: the state of a solver, and one iteration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any, TypeVar

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.locks import PublicLock, locked_rolls
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.progress import SILENT
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree.backends import LocalBackend
from liarsdice_cli.solvers.public_tree.remote import RemoteBackend
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.traversers import LEARN, ArrayNames, Backend, Traversal, TreeTraverser
from liarsdice_cli.solvers.regret.convergence import Proof, WorkerFacts
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.expansion import expand
from liarsdice_cli.strategies.store import StrategyStore, float_type
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY
from liarsdice_cli.system.cluster import MAX_LOSSES, Cluster, WorkerLostError
from liarsdice_cli.system.memory import SHARE, available

_Result = TypeVar("_Result")
EXPANSION_THRESHOLD, REACH_THRESHOLD = 0.008, 0.1
"""`PublicTree.expansion_threshold` for gains, and for reach. The second is also `PublicTree.rare_threshold`."""
EARLY, PERIOD = 32, 4
"""The tree grows, and rare histories are visited, in the first iterations up to this number and then in one of this many."""
REGRETS, LAST_REGRETS, LOCK = "regrets", "last", "lock"
"""With `AVERAGE_STRATEGY`, the names of a solver's arrays in its shards."""


def precision(game: PublicGame, lock: PublicLock) -> type[np.floating[Any]]:
    """Return the kind of float for the arrays of a game (see `store.float_type`); float64 if the lock needs it."""
    kind = float_type(game.bidding, [len(rolls) for rolls in game.rolls])
    held = all(np.array_equal(one, one.astype(kind), equal_nan=True) for one in lock.values())
    return kind if held else np.float64


class PublicTree:
    """A regret minimiser on a strategy store with regrets, average strategies and, if it predicts, the last regrets.

    iteration     : the number of iterations done
    update_player : the player to update next in the current iteration
    memory        : the bytes that the tree may fill, on each worker if there are workers; by default most of the free ones
    lock          : histories with fixed strategies, which are expanded before the first iteration
    tremble       : the probability with which a player at an expanded history acts uniformly at random
    kind          : the kind of float of the arrays; by default `precision`
    short         : whether the tree could not be expanded for lack of memory
    backend       : threads of this process, or workers of the cluster if the tree is large enough to be cut
    root          : the root of the tree, with the reach there and the value of the last update
    restore       : restores an earlier state, from which the solver repeats the iterations if a worker is lost
    progress      : receives a message if that happens

    expansion_threshold : divided by the number of the iteration, the gain above which a history of the update player is
                          expanded (see `gains.matters`); the bidder plays its average strategy. With trembles, which need
                          play everywhere, and on a GPU, the other players' reach is compared instead
    rare_threshold      : divided by the number of the iteration, the other players' reach up to which a history of the update
                          player is rare (see `PERIOD`); 0 with more players, trembles or decaying regrets, and on a GPU

    docs/results.md compares thresholds.

    The average strategy is the array `AVERAGE_STRATEGY`, normalised over actions; it includes trembles. Results do not depend
    on the number of threads or workers. Cost of an iteration: a few passes over the expanded histories that the current
    strategies reach, most often without the rare ones.
    """

    def __init__(
        self,
        game: PublicGame,
        minimiser: Minimiser,
        threads: int | None = None,
        memory: float | None = None,
        cluster: Cluster | None = None,
        lock: PublicLock | None = None,
        tremble: float = 0.0,
        kind: Any = None,
    ) -> None:
        self.game, self.minimiser = game, minimiser
        self.memory = int(available() * SHARE) if memory is None else memory
        self.lock, self.tremble = lock or {}, tremble
        self.kind = kind or precision(game, self.lock)
        waits = game.players == 2 and not tremble and not minimiser.step(1).decays
        self.rare_threshold = REACH_THRESHOLD if waits else 0.0
        self.expansion_threshold = REACH_THRESHOLD if tremble else EXPANSION_THRESHOLD
        names = [REGRETS, AVERAGE_STRATEGY, *[LAST_REGRETS] * minimiser.predicts, *[LOCK] * bool(self.lock)]
        rolls, root = [len(rolls) for rolls in game.rolls], (game.last, game.first)
        self.store = StrategyStore(rolls, game.bidding, names, self.kind, root=root, keeps_values=waits)
        self.store.all_bids = tremble > 0
        local = LocalBackend(self.store, threads)
        self.backend: Backend = local
        self.threads = local.threads
        if cluster is not None and self.store.shards:
            self.backend = RemoteBackend(game, self.store, cluster, memory)
            self.backend.recover = self.recover
        self.restore: Callable[[], object] = self.begin
        self.progress = SILENT
        self._losses: Counter[tuple[int, int]] = Counter()
        self.iteration, self.update_player, self.short = 0, 0, False
        self.done: set[int] = set()
        self._expand_lock()

    def _expand_lock(self) -> None:
        """Expand the locked histories and start their averages, which are then correct even at histories without reach."""
        for history, behaviour in self.lock.items():
            if not self.game.bidding.has_choice(self.store.state_after(history)[0]):
                continue
            place, rolls = expand(self.store, history), locked_rolls(behaviour)
            for name in (LOCK, AVERAGE_STRATEGY):
                self.store.set_entries(*place, name, rolls, behaviour[:, rolls])

    def begin(self) -> None:
        """Reset to the state before the first iteration."""
        self.store.reset()
        self.backend.begin()
        self.iteration, self.update_player, self.short = 0, 0, False
        self.done = set()
        self._expand_lock()

    def iterate(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Update every player in turn; LiarsDiceError if a number is no longer finite.

        stop : polled; if it returns true, the iteration ends early, and the next call continues it with the same result
        """
        while self.update(stop) and self.update_player:
            pass

    def update(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Update the next player; return False if stopped."""
        return self.retry(lambda: self._update(stop))

    def retry(self, action: Callable[[], _Result]) -> _Result:
        """Return the result of an action; if a worker is lost, recover and repeat the action."""
        while True:
            try:
                return action()
            except WorkerLostError:
                self.recover()

    def _update(self, stop: Callable[[], bool]) -> bool:
        if not self.done:
            self.short = not self.backend.reserve(self.memory) or self.short
        self.root = self._new_root()
        if not self.traverser.run_from(self.root, self._traversal, self.done, stop):
            return False
        self.update_player = (self.update_player + 1) % self.game.players
        self.iteration += self.update_player == 0
        return True

    def _new_root(self) -> arrays.Subtrees:
        """Return the root for the next update, with the others' reach there, and `_played` for the update player."""
        game, width = self.game, self.traverser.shard_traverser.width
        vectors = [self._root_reach(player) for player in range(game.players)]
        vectors[self.update_player] = self._played(self.update_player)
        return arrays.one_subtree((game.last, game.first, 0), vectors, width, self.kind)

    def _root_reach(self, player: int) -> Floats:
        """Return a player's reach at the root in this iteration: (rolls)."""
        return self.game.rolls[player]

    def _played(self, player: int) -> Floats:
        """Return the sum of a player's reach at the root in the iterations that its average strategy covers: (rolls).

        The reach is weighted as the strategies are.
        """
        averaged = self.iteration + (player == self.game.players - 1)  # the last player's strategy is averaged first
        return self.game.rolls[player] * self.minimiser.total_weight(averaged)

    def recover(self) -> None:
        """Replace lost workers, restore an earlier state and repeat the iterations up to the current turn.

        Raises LiarsDiceError if workers are lost `MAX_LOSSES` times in the same turn.
        """
        turn = self.iteration, self.update_player
        self._losses[turn] += 1
        if self._losses[turn] > MAX_LOSSES:
            raise LiarsDiceError(
                f"workers ended {MAX_LOSSES + 1} times in iteration {turn[0] + 1:,}, perhaps for lack of memory: "
                "allow each less memory, or use fewer on each machine"
            )
        try:
            words = self.backend.replace_workers()
            self.restore()
            self.progress.message(f"{words}, from iteration {self.iteration + 1:,}")
        except WorkerLostError:
            self.iteration, self.update_player = turn
            self.recover()
        while (self.iteration, self.update_player) < turn:
            self.update()

    @property
    def _names(self) -> ArrayNames:
        return ArrayNames(REGRETS, LAST_REGRETS if self.minimiser.predicts else "", AVERAGE_STRATEGY, self._lock)

    @property
    def _lock(self) -> str:
        return LOCK if self.lock else ""

    def compile(self) -> None:
        """Compile what is not in the cache: seconds, once for each mode and kind of float. Time limits start after this.

        Workers on this machine find it in the cache, since this process compiles first.
        """
        learns, judges = self._traversal, self.responses.traversal(0)
        self.traverser.shard_traverser.compile(learns, self.store.top)
        self.responses.traverser.shard_traverser.compile(judges, self.store.top)
        self.retry(lambda: self.backend.compile([(self.kind, learns), (np.float64, judges)]))

    @property
    def _traversal(self) -> Traversal:
        """The traversal that updates the next player; players before it have been updated in this iteration."""
        step, average_player = self.minimiser.step(self.iteration + 1), (self.update_player - 1) % self.game.players
        predictions = (step.prediction, step.prediction if self.update_player == 0 else step.prediction_after)
        numbers = (step.discount, step.discount_negative, step.regret_weight, step.floor, *predictions, step.average_weight)
        prune_at = -1.0 if step.decays else arrays.NEGLIGIBLE
        grows = self.iteration < EARLY or self.iteration % PERIOD == 0
        weight = 1.0 if self.tremble else self.minimiser.total_weight(self.iteration + 1)
        thresholds = (self._expand_above * weight, 0.0) if grows else (inf, self.rare_threshold / (self.iteration + 1))
        rates = *numbers, prune_at, *thresholds
        return Traversal(LEARN, self.update_player, self._names, average_player, rates, self.tremble)

    @property
    def _expand_above(self) -> float:
        """The threshold above which an iteration that expands histories does so."""
        return self.expansion_threshold / (self.iteration + 1)

    @cached_property
    def traverser(self) -> TreeTraverser:
        """The traverser of the passes that learn."""
        return TreeTraverser(self.game, self.store, self.backend, self.kind)

    @cached_property
    def responses(self) -> Responses:
        """The best responses to the average strategies, under the same constraints."""
        return Responses(self.game, self.store, self.backend, self._lock, self.tremble)

    @property
    def workers(self) -> tuple[WorkerFacts, ...]:
        """The state of every worker; empty without workers."""
        return self.backend.facts

    @property
    def at_work(self) -> tuple[str, int]:
        """The kind of helpers that traverse the tree, and their number."""
        return ("workers", len(self.workers)) if self.workers else ("threads", self.threads)

    def collect(self) -> None:
        """Bring the average strategies into this process if they are elsewhere, and are not brought when they are read."""

    def judge(self, proof: Proof) -> Judgement:
        """Return the judgement of the average strategies, which prove `proof`."""
        return self.responses.judge(proof)

    def bounds(self) -> Proof:
        """Return what the average strategies prove; costs about as much as one of the first iterations."""
        return self.responses.proof()

"""The game that a method solves: a tree, rules, or a subgame, as three classes with one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_type
from liarsdice_cli.extensive import locks
from liarsdice_cli.extensive.locks import LockedSet, TreeLock
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.locks import infoset_key, row_of
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import quoted

Game = GameTree | Rules | Subgame
"""Every type of game that a problem can be made of."""


class Problem(ABC):
    """A game to solve, with the strategies that are locked in it.

    game    : as it was asked for
    lock    : a partial strategy that is given before anything is solved
    dealing : how the tree of rules deals the dice
    nodes   : the size of the tree that is solved, known without the tree if the game comes from rules
    players : their number
    title   : of the game, with its rules
    left_out, without : the impossible bids that are left out of the game that is solved, and what to say of it, such as
                        " without the bids of 3 or more dice, which are never true"; "" if none are

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> six = Problem.of(rules("classic", 6))
    >>> six.nodes, len(six.left_out), six.players, six.constant_sum
    (294877, 24, 2, True)
    """

    game: Game
    nodes: int
    players: int
    title: str
    lock: tuple[LockedSet, ...] = ()
    dealing = "ordered"
    left_out: frozenset[str] = frozenset()
    without = ""

    @staticmethod
    def of(game: Game, dealing: str = "ordered") -> Problem:
        """Return the problem of a game; UsageError for an object of another type."""
        cure = "give rules, such as rules('classic', 3), or a tree, such as read('game.efg')"
        check_type("game", game, Game, cure)
        if isinstance(game, GameTree):
            return TreeProblem(game)
        return RulesProblem(game, dealing) if isinstance(game, Rules) else SubgameProblem(game)

    @cached_property
    def tree(self) -> GameTree:
        """The tree to solve, in which chance moves at locked sets; raises as `free_tree` and `tree_lock`."""
        return locks.locked(self.free_tree, self.tree_lock) if self.lock else self.free_tree

    @cached_property
    def tree_lock(self) -> TreeLock:
        """The lock by the rows of the tree; UsageError for a lock that does not fit the game."""
        return locks.tree_lock(self.free_tree, self.lock)

    @cached_property
    @abstractmethod
    def free_tree(self) -> GameTree:
        """The tree without the lock; LiarsDiceError if the game has none or it is too large for memory."""

    @abstractmethod
    def locked(self, lock: tuple[LockedSet, ...]) -> Problem:
        """Return the same game with this lock instead of its own."""

    def check_history(self, history: Sequence[str]) -> None:
        """Raise LiarsDiceError for a history with an impossible bid that is left out of the game that is solved."""
        for bid in history:
            if bid in self.left_out:
                raise LiarsDiceError(
                    f"{bid} is never true, so it is left out of this large game: the next player calls and wins"
                )

    def with_rules(self) -> PublicTreeProblem:
        """Return this problem if it comes from rules; UsageError for a tree, whose actions may mean anything."""
        raise UsageError("this game comes from a tree, and only a game of rules has strategies by history: use its profile")

    def refuse_lock(self, method: str) -> None:
        """Raise UsageError for a lock, in the name of a method that does not support locks."""
        if self.lock:
            raise UsageError(f"{method} does not support locks: leave ", Argument("lock"), " out, or use another method")

    @property
    @abstractmethod
    def information_sets(self) -> int:
        """The number of the players' information sets in the tree that is solved."""

    @property
    @abstractmethod
    def constant_sum(self) -> bool:
        """Whether the payoffs of every play have the same sum."""

    @property
    @abstractmethod
    def perfect_recall(self) -> bool:
        """Whether every player remembers what it knew and did."""


class TreeProblem(Problem):
    """A tree to solve."""

    def __init__(self, game: GameTree, lock: tuple[LockedSet, ...] = ()) -> None:
        self.game, self.lock, self._tree = game, lock, game
        self.nodes, self.players, self.title = game.nodes, len(game.players), game.title

    @cached_property
    def free_tree(self) -> GameTree:
        """The tree without the lock."""
        return self._tree

    def locked(self, lock: tuple[LockedSet, ...]) -> Problem:
        """Return the same tree with this lock."""
        return self if lock == self.lock else TreeProblem(self._tree, lock)

    @property
    def information_sets(self) -> int:
        """The number of the players' information sets that are not locked."""
        return int(np.count_nonzero(self.tree.infosets.player != CHANCE))

    @property
    def constant_sum(self) -> bool:
        """Whether the payoffs of every play have the same sum."""
        return self.tree.constant_sum is not None

    @cached_property
    def perfect_recall(self) -> bool:
        """Whether every player remembers what it knew and did."""
        return has_perfect_recall(self.tree)


class PublicTreeProblem(Problem):
    """A game that comes from rules, so that it has a public tree.

    rules   : as they were asked for
    reduced : the rules that are solved, which may lack impossible bids
    counts  : the size of the tree in closed form
    start   : for a subgame, the history and the beliefs with which it begins; otherwise None
    """

    rules: Rules
    reduced: Rules
    counts: Counts
    start: Subgame | None = None
    constant_sum = True
    perfect_recall = True

    def with_rules(self) -> PublicTreeProblem:
        """Return this problem."""
        return self

    @property
    def information_sets(self) -> int:
        """The number of the players' information sets, in closed form."""
        return sum(self.counts.infosets)

    @property
    def public(self) -> PublicGame:
        """The game that a solver on the public tree sees; for a subgame with its beliefs instead of fair dice."""
        return public_game(self.reduced, self.start)

    def strategy_in(self, store: StrategyStore) -> StoredStrategy:
        """Return the strategies that act in proportion to the numbers of an expanded tree."""
        return StoredStrategy(self.reduced, store, start=self.start)


class RulesProblem(PublicTreeProblem):
    """Rules to solve; the tree is built only if a method needs it. A large game is solved without impossible bids."""

    def __init__(self, game: Rules, dealing: str = "ordered", lock: tuple[LockedSet, ...] = ()) -> None:
        self.game = self.rules = game
        self.dealing, self.lock = dealing, lock
        self.reduced = reduced_game(game, dealing)
        self.left_out = frozenset(map(str, {*game.bids} - {*self.reduced.bids}))
        if self.left_out:
            self.without = f" without the bids of {self.reduced.max_quantity + 1} or more dice, which are never true"
        self.counts = Counts.of(self.reduced, dealing)
        self.nodes, self.players, self.title = self.counts.nodes, game.players, f"Liar's Dice: {game}"

    def locked(self, lock: tuple[LockedSet, ...]) -> Problem:
        """Return the same rules with this lock; a tree that was built is kept."""
        if lock == self.lock:
            return self
        problem = RulesProblem(self.rules, self.dealing, lock)
        if "free_tree" in vars(self):
            problem.free_tree = self.free_tree
        return problem

    @cached_property
    def free_tree(self) -> GameTree:
        """The tree without the lock; LiarsDiceError if it is too large for memory."""
        return build(self.reduced, self.dealing)

    @cached_property
    def tree_lock(self) -> TreeLock:
        """The lock by the rows of the tree; UsageError for a lock that does not fit the game."""
        self.check_lock()
        return locks.tree_lock(self.free_tree, self.lock, partial(row_of, self.reduced, self.free_tree))

    def check_lock(self) -> None:
        """Raise UsageError for a lock after bids that are left out of a large tree."""
        for one in self.lock:
            bids = [self.rules.bids[bid] for bid in infoset_key(self.rules, one.name).history]
            if any(bid.quantity > self.reduced.max_quantity for bid in bids):
                raise UsageError(
                    f"lock at {quoted(one.name)}: bids of {self.reduced.max_quantity + 1} or more dice are never true, and "
                    "left out of a tree of this size: lock nothing after them"
                )


class SubgameProblem(PublicTreeProblem):
    """A subgame to solve, from beliefs; it has no tree in memory and no lock."""

    start: Subgame

    def __init__(self, game: Subgame) -> None:
        self.game = self.start = game
        self.rules = self.reduced = game.rules
        self.counts = Counts.of_subgame(game)
        self.nodes, self.players = self.counts.nodes, game.rules.players
        begins = f"after {game.history_text}" if game.history_text else "from the opening"
        self.title = f"Liar's Dice: {game.rules}; {begins}"

    def locked(self, lock: tuple[LockedSet, ...]) -> Problem:
        """Raise UsageError for a lock."""
        if lock:
            raise UsageError("a subgame cannot have a lock: leave ", Argument("lock"), " out")
        return self

    @cached_property
    def free_tree(self) -> GameTree:
        """Raise LiarsDiceError."""
        raise LiarsDiceError("a subgame is solved without a tree: use a minimiser, such as dcfr+")

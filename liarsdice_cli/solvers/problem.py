"""A game to solve: a tree, or rules whose tree is unfolded only where a method needs it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_type
from liarsdice_cli.extensive import locks
from liarsdice_cli.extensive.locks import Fixed, LockedSet
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.locks import place_of, row_of
from liarsdice_cli.games.liarsdice.public import game_of, public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import quoted


class Problem:
    """What a method is given.

    rules   : as they were asked for, or None for a tree
    reduced : the rules that are solved: the same, or without impossible bids where the tree would be large
    chance  : how the tree of rules deals the dice
    lock    : what is fixed at some information sets before anything is solved
    start   : the rest of a round of the rules, where that is what is solved, else None

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> six = Problem(rules("classic", 6))
    >>> six.nodes, six.is_reduced, six.players, six.constant_sum
    (294877, True, 2, True)
    """

    def __init__(self, game: GameTree | Rules | Subgame, chance: str = "ordered", lock: tuple[LockedSet, ...] = ()) -> None:
        cure = "give rules, such as rules('classic', 3), or a tree, such as read('game.efg')"
        check_type("game", game, GameTree | Rules | Subgame, cure)
        self.start = game if isinstance(game, Subgame) else None
        self.rules = game.rules if isinstance(game, Subgame) else game if isinstance(game, Rules) else None
        self.reduced = self._reduced(chance)
        self.chance, self.lock = chance, lock
        self._given = game if isinstance(game, GameTree) else None

    def _reduced(self, chance: str) -> Rules | None:
        return self.rules if self.rules is None or self.start is not None else reduced_game(self.rules, chance)

    def locked(self, lock: tuple[LockedSet, ...]) -> Problem:
        """The same game with this lock in place of its own."""
        if lock == self.lock:
            return self
        if self.start is not None:
            raise UsageError("the rest of a round is solved without a lock: leave ", Argument("lock"), " out")
        game = self._given or self.rules
        assert game is not None, "rules or a tree"
        problem = Problem(game, self.chance, lock)
        if "free_tree" in vars(self):
            problem.free_tree = self.free_tree
        return problem

    @cached_property
    def tree(self) -> GameTree:
        """The tree that is solved, in which chance moves at locked sets; raises as `free_tree` and `fixed`."""
        return locks.locked(self.free_tree, self.fixed)

    @cached_property
    def fixed(self) -> Fixed:
        """What is fixed, by the rows of the tree; UsageError for a lock that does not fit the game."""
        return locks.fixed_at(self.free_tree, self._locked_rows())

    def _locked_rows(self) -> Iterator[tuple[int, LockedSet]]:
        if self.reduced is None:
            return locks.rows_of(self.free_tree, self.lock)
        self.check_lock()
        return ((row_of(self.reduced, self.free_tree, one.name), one) for one in self.lock)

    def check_lock(self) -> None:
        """Refuse to lock what is left out of a large tree of rules."""
        assert self.rules is not None, "asked for rules only"
        assert self.reduced is not None, "rules have some"
        for one in self.lock:
            bids = [self.rules.bids[bid] for bid in place_of(self.rules, one.name).history]
            if any(bid.quantity > self.reduced.max_quantity for bid in bids):
                raise UsageError(
                    f"lock at {quoted(one.name)}: bids of {self.reduced.max_quantity + 1} or more dice are never true, and "
                    "left out of a tree of this size: lock nothing after them"
                )

    @cached_property
    def free_tree(self) -> GameTree:
        """The tree without the lock; LiarsDiceError where rules make one that is too large for memory."""
        if self._given is not None:
            return self._given
        assert self.reduced is not None, "rules or a tree"
        if self.start is not None:
            raise LiarsDiceError("the rest of a round is solved without a tree: take a minimiser, such as dcfr+")
        return build(self.reduced, self.chance)

    @property
    def is_reduced(self) -> bool:
        """Whether impossible bids were left out of what is solved."""
        return self.reduced != self.rules

    @property
    def nodes(self) -> int:
        """The nodes of the tree that is solved, in closed form for rules."""
        return self.tree.nodes if self.reduced is None else self.counts.nodes

    @property
    def information_sets(self) -> int:
        """The number of the players' information sets in the tree that is solved, in closed form for rules."""
        if self.reduced is not None:
            return sum(self.counts.infosets)
        return int(np.count_nonzero(self.tree.infosets.player != CHANCE))

    @property
    def counts(self) -> Counts:
        """What the tree that is solved holds; asked for rules only."""
        assert self.reduced is not None, "rules"
        return Counts.of(self.reduced, self.chance) if self.start is None else Counts.of_rest(self.start)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.tree.players) if self.rules is None else self.rules.players

    @cached_property
    def constant_sum(self) -> bool:
        """Whether all payoffs of a play add up to the same."""
        return self.rules is not None or self.tree.constant_sum is not None

    @cached_property
    def perfect_recall(self) -> bool:
        """Whether no player forgets."""
        return self.rules is not None or has_perfect_recall(self.tree)

    @property
    def public(self) -> PublicGame:
        """What is solved, without a tree; asked for rules only."""
        assert self.reduced is not None, "rules"
        return public_game(self.reduced) if self.start is None else game_of(self.start)

    def stored(self, tree: StrategyStore, name: str) -> StoredStrategy:
        """Return the strategy of a store of the public game."""
        assert self.reduced is not None, "rules"
        return StoredStrategy(self.reduced, tree, name, start=self.start)

    @property
    def has_public_tree(self) -> bool:
        """Whether it can be solved without a tree: as rules."""
        return self.rules is not None

"""A game to solve: a tree, or rules whose tree is unfolded only where a method needs it."""

from __future__ import annotations

from functools import cached_property

from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game


class Problem:
    """What a method is given.

    rules   : as they were asked for, or None for a tree
    reduced : the rules that are solved: the same, or without impossible bids where the tree would be large
    chance  : how the tree of rules deals the dice

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> six = Problem(rules("classic", 6))
    >>> six.nodes, six.is_reduced, six.players, six.constant_sum
    (294877, True, 2, True)
    """

    def __init__(self, game: GameTree | Rules, chance: str = "ordered") -> None:
        self.rules = game if isinstance(game, Rules) else None
        self.reduced = None if self.rules is None else reduced_game(self.rules, chance)
        self.chance = chance
        self._given = game if isinstance(game, GameTree) else None

    @cached_property
    def tree(self) -> GameTree:
        """The tree that is solved; LiarsDiceError where rules make one that is too large for memory."""
        if self._given is not None:
            return self._given
        assert self.reduced is not None, "rules or a tree"
        return build(self.reduced, self.chance)

    @property
    def is_reduced(self) -> bool:
        """Whether impossible bids were left out of what is solved."""
        return self.reduced != self.rules

    @property
    def nodes(self) -> int:
        """The nodes of the tree that is solved, in closed form for rules."""
        return self.tree.nodes if self.reduced is None else Counts.of(self.reduced, self.chance).nodes

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
    def has_public_tree(self) -> bool:
        """Whether it can be solved without a tree: as rules."""
        return self.rules is not None

"""The strategy protocol of Liar's Dice, and the strategy of a profile.

`Strategy.at` takes a history, not a `BettingState`. A strategy has rules of its own, so a state would name the rules twice. A
strategy that wraps another (`strategies.combined`) also asks it about histories of other rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.stream import CHANCE, Floats, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, rolls_of
from liarsdice_cli.games.liarsdice.state import BettingState, first_infoset


@runtime_checkable
class Strategy(Protocol):
    """A behaviour strategy of every player, or of some players; the probabilities at the others' histories are then
    meaningless.
    """

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    def at(self, history: Sequence[int]) -> Floats:
        """Return the mover's probabilities after the bids with these rising numbers (positions in `Rules.bids`).

        Shape (actions, rolls): actions as `BettingState.actions` lists them, rolls as `Rules.rolls`; every column adds up to 1.
        """


def roll_index(rules: Rules, player: int, roll: Roll) -> int:
    """Return the position of a sorted roll in `Rules.rolls`, which is its column in `Strategy.at`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> roll_index(rules("common", 2, (2, 1)), 0, (1, 2))
    1
    """
    return rolls_of(rules.sides, rules.dice[player]).index(roll)


@dataclass(frozen=True)
class Uniform:
    """The strategy that takes every action with the same probability."""

    rules: Rules

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        shape = BettingState(self.rules, history).shape
        return np.full(shape, 1 / shape[0])


@dataclass(frozen=True, eq=False)
class ProfileStrategy:
    """The strategy of a profile of the tree that `tree.build` makes of the rules.

    rules         : of the game
    first_action  : `GameTree.first_action` from the first information set that is not chance's
    probabilities : `Profile.probabilities`, fractions or floats
    """

    rules: Rules
    first_action: Ints
    probabilities: Numbers

    def __repr__(self) -> str:
        return f"ProfileStrategy({self.rules}; in {'fractions' if self.probabilities.dtype == object else 'floats'})"

    @classmethod
    def of(cls, rules: Rules, tree: GameTree, probabilities: Numbers) -> ProfileStrategy:
        """Return the strategy of a profile of the tree of these rules.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> from liarsdice_cli.extensive.profile import from_sets
        >>> two = rules.rules("classic", 2)
        >>> game = tree.build(two)
        >>> ProfileStrategy.of(two, game, from_sets(game, {}).probabilities).at([2]).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
        """
        return cls(rules, tree.first_action[first_infoset(tree) :], probabilities)

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        return self.probabilities[self.action_rows(history)].astype(np.float64)

    def action_rows(self, history: Sequence[int]) -> Ints:
        """Return the positions in `probabilities` of the actions (rows) with every roll (columns)."""
        state = BettingState(self.rules, history)
        found: Ints = self.first_action[state.infosets] + np.arange(state.shape[0])[:, None]
        return found


def profile_of(strategy: Strategy, tree: GameTree) -> Profile:
    """Return a strategy as a profile of the tree that `tree.build` makes of its rules, in floats.

    The inverse of `ProfileStrategy.of`. Cost: `strategy.at` once a history.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> two = rules.rules("classic", 2)
    >>> [float(number) for number in profile_of(Uniform(two), tree.build(two))["P1 roll 1 after 1x1 2x1"].values()]
    [0.5, 0.5]
    """
    probabilities = np.zeros(tree.actions)
    of_chance = tree.action_player == CHANCE
    probabilities[of_chance] = tree.chance_probabilities[:-1][of_chance]
    found = ProfileStrategy.of(strategy.rules, tree, probabilities)
    for history in strategy.rules.bidding.histories():
        probabilities[found.action_rows(history)] = strategy.at(history)
    return Profile(tree, probabilities, np.full(len(tree.infosets), GIVEN))

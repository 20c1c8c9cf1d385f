"""The value of every action after a history under kept strategies, from what has grown below it alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter, chances_true
from liarsdice_cli.games.liarsdice.grown import GrownTree
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.strategy import Lifted, Strategy
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.holders import holder_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.walks import Numbers, plain


@runtime_checkable
class Grown(Strategy, Protocol):
    """A strategy that acts in proportion to the numbers of a grown tree, wherever that is kept.

    values : for each player, what subtrees are worth as `subtree_values` says, or None
    """

    @property
    def tree(self) -> GrownTree:
        """The histories."""

    @property
    def name(self) -> str:
        """The name of the numbers."""

    @property
    def values(self) -> Any:
        """See above."""


def grown_in(strategy: Strategy) -> Grown | None:
    """The strategy as one that has grown, or what it lifts to a game with bids that are never true; None for others.

    Payoffs and regrets are the same without those bids: who makes one is called, and loses.
    """
    found = strategy.of if isinstance(strategy, Lifted) else strategy
    return found if isinstance(found, Grown) else None


def subtree_values(strategy: Grown, threads: int | None = None) -> tuple[Floats, ...] | None:
    """For every player and subtree what it is worth with each of the player's rolls, weighed by the others' reach.

    None where there are no subtrees. Cost: for every player a pass over what the others reach.
    """
    if strategy.values is not None or not len(strategy.tree.shards):
        found: tuple[Floats, ...] | None = strategy.values
        return found
    responses = Responses(public_game(strategy.rules), strategy.tree, strategy.name, holder_of(strategy.tree, threads))
    values = []
    for player, rolls in enumerate(strategy.tree.rolls):
        responses.walks.below.value[:] = 0
        responses.wins(player, best=False)
        values.append(responses.walks.below.value[: strategy.tree.subtrees[0], :rolls].astype(np.float32))
    return tuple(values)


class Values:
    """What holds after histories of one strategy; what subtrees are worth is computed once, unless the strategy knows."""

    def __init__(self, strategy: Grown) -> None:
        self.strategy, self.game = strategy, public_game(strategy.rules)
        self.tables = arrays.look_ups(self.game, np.float64)

    @cached_property
    def _subtrees(self) -> tuple[Floats, ...] | None:
        return subtree_values(self.strategy)

    def after(self, history: Sequence[int]) -> RollsAfter:
        """What holds after the bids with these rising numbers, as `beliefs.after` says, for any number of players.

        Values are None where another player never comes. Cost: one shard is read and walked.
        """
        rules, reaches = self.strategy.rules, beliefs.reaches_after(self.strategy, history)
        here = RollsAfter(rules, tuple(history), tuple(reaches), self.strategy.at(history), None)
        comes = float(np.prod([reaches[player].sum() for player in here.others]))
        if comes == 0:
            return here
        win, lose = map(float, self.game.payoffs[here.mover])
        return replace(here, values=lose + (win - lose) * self.action_wins(history, reaches) / comes)

    def action_wins(self, history: Sequence[int], reaches: Sequence[Floats]) -> Floats:
        """For every action (rows) and roll (columns) of who moves, the chance not to lose, weighed by the others' reach.

        reaches : for every player and roll, its probability times that of the player's own bids so far
        """
        mover, last = len(history) % self.game.players, history[-1] if history else -1
        found = self.strategy.tree.find(history)
        if found is None:
            return self._if_all_call(last, mover, reaches)
        shard, number = found
        top = shard is self.strategy.tree.top
        root = np.array([[last, mover, number, 0]], np.int64)
        width = self.tables.matches.shape[3]
        reach = np.zeros((1, self.game.players, width))
        for player, rolls in enumerate(reaches):
            reach[0, player, : len(rolls)] = rolls
        one = arrays.Subtrees(root, np.array([1, 0], np.int64), np.ones(1, np.bool_), reach, np.zeros((1, width)))
        below = self._below(mover) if top and self.strategy.tree.shards else one
        stack = arrays.new_stack(self.tables)
        span = w.UP if top and self.strategy.tree.shards else w.WHOLE
        rows, cut = Numbers(self.strategy.name).rows(shard), self.strategy.tree.cut
        w.walk(w.EVALUATE, span, mover, w.NOBODY, self.tables, rows, one, np.zeros(1, np.int64), cut, below, plain(), stack)
        actions = self.game.bidding.actions(last)
        wins: Floats = stack.action_value[0, :actions, : len(self.game.rolls[mover])].copy()
        return wins

    def _below(self, mover: int) -> arrays.Subtrees:
        """The subtrees with what they are worth to who moves."""
        tree = self.strategy.tree
        assert self._subtrees is not None, "there are subtrees"
        below = arrays.below(tree.roots, tree.subtrees, self.game.players, self.tables.matches.shape[3], np.float64)
        below.value[: tree.subtrees[0], : len(self.game.rolls[mover])] = self._subtrees[mover]
        return below

    def _if_all_call(self, last: int, mover: int, reaches: Sequence[Floats]) -> Floats:
        """The same where nothing has grown: whatever is done, the next one calls."""
        rules, players = self.strategy.rules, self.game.players
        comes = np.prod([reaches[player].sum() for player in range(players) if player != mover])
        wins = [comes - chances_true(rules, last, mover, reaches)] if last >= 0 else []
        wins += [chances_true(rules, bid, mover, reaches) for bid in self.game.bidding.following(last)]
        return np.array(wins)


def after(strategy: Grown, history: Sequence[int]) -> RollsAfter:
    """What `Values.after` says, for one history alone."""
    return Values(strategy).after(history)

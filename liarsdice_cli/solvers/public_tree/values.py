"""Action values after a history under the strategies in a store, computed from the expanded histories below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter, standing_probabilities
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree.backends import backend_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.traversers import (
    EVALUATE,
    RESPOND,
    ArrayNames,
    Region,
    ShardTraverser,
    Traversal,
    TreeTraverser,
)
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, Stored, local_history


def subtree_values(strategy: Stored, threads: int | None = None) -> tuple[Floats, ...] | None:
    """Return, for every player, the values of all subtrees with each of the player's rolls, weighted by the others' reach.

    None for a tree without subtrees. Cost: for every player, a pass over the histories that the others reach.
    """
    if strategy.values is not None or not len(strategy.store.shards):
        found: tuple[Floats, ...] | None = strategy.values
        return found
    responses = Responses(public_game(strategy.rules, strategy.start), strategy.store, backend_of(strategy.store, threads))
    values = []
    for player, rolls in enumerate(strategy.store.rolls):
        responses.traverser.below.value[:] = 0
        responses.wins(player, best=False)
        values.append(responses.traverser.below.value[: strategy.store.subtrees[0], :rolls].astype(np.float32))
    return tuple(values)


class Values:
    """Values after histories of one strategy. The values of subtrees are computed once, unless the strategy has them."""

    def __init__(self, strategy: Stored) -> None:
        self.strategy, self.game = strategy, public_game(strategy.rules, strategy.start)
        self.traverser = ShardTraverser(self.game, np.float64)

    @cached_property
    def _subtrees(self) -> tuple[Floats, ...] | None:
        return subtree_values(self.strategy)

    def after(self, history: Sequence[int], reaches: Sequence[Floats] | None = None) -> RollsAfter:
        """Return beliefs and action values after the bids with these rising numbers, as `continuations.after` does.

        reaches : for every player and roll; by default those under the strategy

        It works for any number of players. Values are None if another player never reaches the history. In a subgame,
        probabilities count from its beginning, and a bid outside it has the value of being called. Cost: that of `action_wins`.
        """
        rules, reaches = self.strategy.rules, self._reaches(history) if reaches is None else reaches
        here = RollsAfter(rules, tuple(history), tuple(reaches), self.strategy.at(history), None)
        reached = float(np.prod([reaches[player].sum() for player in here.others]))
        if reached == 0:
            return here
        win, lose = map(float, self.game.payoffs[here.mover])
        wins = self.action_wins(history, reaches) / reached
        if self.strategy.start is not None:
            wins = self._with_outside_bids(history, reaches, wins, reached)
        return replace(here, values=lose + (win - lose) * wins)

    def _with_outside_bids(self, history: Sequence[int], reaches: Sequence[Floats], wins: Floats, reached: float) -> Floats:
        """Add the bids outside the subgame, which are called at once, to the chances of its actions."""
        rules, start = self.strategy.rules, self.strategy.start
        assert start is not None, "the strategy is of a subgame"
        spread, state = start.with_all_actions(history, wins, fill=np.nan), BettingState(rules, history)
        for place, bid in enumerate(state.actions):
            if np.isnan(spread[place]).any():
                spread[place] = standing_probabilities(rules, bid, state.mover, reaches) / reached
        return spread

    def _reaches(self, history: Sequence[int]) -> list[Floats]:
        start = self.strategy.start
        if start is None:
            return beliefs.reaches_after(self.strategy, history)
        return beliefs.reaches_after(self.strategy, history, len(start.history), start.beliefs)

    def action_wins(self, history: Sequence[int], reaches: Sequence[Floats]) -> Floats:
        """Return the mover's probability of not losing for every action (rows) and roll (columns).

        It is weighted by the other players' reach.

        reaches : for every player and roll, its probability times those of the player's own bids so far, under the strategy or
                  under others

        Cost: one shard is read and traversed. For other reaches than those under the strategy, a history above the cut costs a
        pass over all histories that they reach.
        """
        within = local_history(self.strategy, history)
        last, mover = self.strategy.store.state_after(within)
        found = self.strategy.store.find(within)
        wins = self._wins_if_called(last, mover, reaches)
        if found is None:
            return wins
        _, columns = self._traverse(EVALUATE, mover, found, history, reaches)
        wins[self.strategy.store.rows(*found)] = columns
        return wins

    def best_wins(self, history: Sequence[int], player: int, reaches: Sequence[Floats]) -> Floats:
        """Return a player's probability of not losing with a best response after a history, for every roll, weighted as above.

        reaches : as for `action_wins`. Cost: a pass over the histories that the others reach.
        """
        within = local_history(self.strategy, history)
        last, mover = self.strategy.store.state_after(within)
        found = self.strategy.store.find(within)
        if found is not None:
            return self._traverse(RESPOND, player, found, history, reaches)[0]
        if mover == player:
            best: Floats = self._wins_if_called(last, mover, reaches).max(axis=0)
            return best
        reached = float(np.prod([reach.sum() for other, reach in enumerate(reaches) if other != player]))
        bidder = (mover - 1) % self.game.players
        certain = np.full(len(reaches[player]), reached)
        return standing_probabilities(self.strategy.rules, history[-1], player, reaches) if player == bidder else certain

    def _traverse(
        self, mode: int, player: int, found: tuple[Shard, int], history: Sequence[int], reaches: Sequence[Floats]
    ) -> tuple[Floats, Floats]:
        """Return the values of an expanded history (rolls) and of its columns (columns, rolls) to a player.

        found : the history, as `StrategyStore.find` returns it
        """
        (shard, number), store = found, self.strategy.store
        state = store.state_after(local_history(self.strategy, history))
        one = arrays.one_subtree((*state, number), reaches, self.traverser.width, np.float64)
        traversal, traverser = Traversal(mode, player, ArrayNames(AVERAGE_STRATEGY)), self.traverser
        first = np.zeros(1, np.int64)
        if shard is not store.top or not store.shards:
            traverser.run(traversal, shard, one, first)
        elif mode == EVALUATE and all(map(np.array_equal, reaches, self._reaches(history))):
            traverser.run_to_cut(traversal, arrays.UP, shard, Region(one, first, store.cut, self._below(player)))
        else:  # the values of subtrees are for other reaches
            traverser = self._tree.shard_traverser
            self._tree.run_from(one, traversal, set())
        rolls, columns = len(self.game.rolls[player]), len(store.rows(*found))
        return one.value[0, :rolls], traverser.stack.action_value[0, :columns, :rolls].copy()

    @cached_property
    def _tree(self) -> TreeTraverser:
        return TreeTraverser(self.game, self.strategy.store, backend_of(self.strategy.store), np.float64)

    def _below(self, player: int) -> arrays.Subtrees:
        """Return the subtrees with their values to a player under the strategy."""
        store = self.strategy.store
        assert self._subtrees is not None, "there are subtrees"
        below = arrays.subtrees_below(store.roots, store.subtrees, self.game.players, self.traverser.width, np.float64)
        below.value[: store.subtrees[0], : len(self.game.rolls[player])] = self._subtrees[player]
        return below

    def _wins_if_called(self, last: int, mover: int, reaches: Sequence[Floats]) -> Floats:
        """Return the same as `action_wins` if the next player calls every bid, as one without a column."""
        rules, start = self.strategy.rules, self.strategy.start
        bids = range(self.game.bids) if start is None else start.numbered_bids
        reached = np.prod([reach.sum() for player, reach in enumerate(reaches) if player != mover])
        ends = self.game.bidding.final_actions if last >= 0 else ()
        wins = [reached - standing_probabilities(rules, bids[last], mover, reaches, ending) for ending in ends]
        wins += [standing_probabilities(rules, bids[bid], mover, reaches) for bid in self.game.bidding.following(last)]
        return np.array(wins)

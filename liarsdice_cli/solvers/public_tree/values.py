"""The value of every action after a history under kept strategies, from what has grown below it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter, chances_standing
from liarsdice_cli.games.liarsdice.public import game_of, public_game
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.holders import holder_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.walks import Numbers, plain
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.stored import Stored


def subtree_values(strategy: Stored, threads: int | None = None) -> tuple[Floats, ...] | None:
    """For every player and subtree what it is worth with each of the player's rolls, weighed by the others' reach.

    None where there are no subtrees. Cost: for every player a pass over what the others reach.
    """
    if strategy.values is not None or not len(strategy.tree.shards):
        found: tuple[Floats, ...] | None = strategy.values
        return found
    responses = Responses(_game(strategy), strategy.tree, strategy.name, holder_of(strategy.tree, threads))
    values = []
    for player, rolls in enumerate(strategy.tree.rolls):
        responses.walks.below.value[:] = 0
        responses.wins(player, best=False)
        values.append(responses.walks.below.value[: strategy.tree.subtrees[0], :rolls].astype(np.float32))
    return tuple(values)


def _game(strategy: Stored) -> PublicGame:
    return public_game(strategy.rules) if strategy.start is None else game_of(strategy.start)


class Values:
    """What holds after histories of one strategy; what subtrees are worth is computed once, unless the strategy knows."""

    def __init__(self, strategy: Stored) -> None:
        self.strategy, self.game = strategy, _game(strategy)
        self.tables = arrays.look_ups(self.game, np.float64)

    @cached_property
    def _subtrees(self) -> tuple[Floats, ...] | None:
        return subtree_values(self.strategy)

    def after(self, history: Sequence[int]) -> RollsAfter:
        """What holds after the bids with these rising numbers, as `beliefs.after` says, for any number of players.

        Values are None where another player never comes. In the rest of a round probabilities are those from its beginning
        on, and a bid that it leaves out is worth what it is when it is called. Cost: one shard is read and walked.
        """
        rules, reaches = self.strategy.rules, self._reaches(history)
        here = RollsAfter(rules, tuple(history), tuple(reaches), self.strategy.at(history), None)
        comes = float(np.prod([reaches[player].sum() for player in here.others]))
        if comes == 0:
            return here
        win, lose = map(float, self.game.payoffs[here.mover])
        wins = self.action_wins(history, reaches) / comes
        if self.strategy.start is not None:
            wins = self._with_others(history, reaches, wins, comes)
        return replace(here, values=lose + (win - lose) * wins)

    def _with_others(self, history: Sequence[int], reaches: Sequence[Floats], wins: Floats, comes: float) -> Floats:
        """The chances of all actions that the rules allow: those that the rest of a round leaves out are called at once."""
        rules, start = self.strategy.rules, self.strategy.start
        assert start is not None, "of the rest of a round"
        spread, state = start.spread(history, wins, fill=np.nan), BettingState(rules, history)
        for place, bid in enumerate(state.actions):
            if np.isnan(spread[place]).any():
                spread[place] = chances_standing(rules, bid, state.mover, reaches) / comes
        return spread

    def _reaches(self, history: Sequence[int]) -> list[Floats]:
        start = self.strategy.start
        if start is None:
            return beliefs.reaches_after(self.strategy, history)
        return beliefs.reaches_after(self.strategy, history, len(start.history), start.beliefs)

    def action_wins(self, history: Sequence[int], reaches: Sequence[Floats]) -> Floats:
        """For every action (rows) and roll (columns) of who moves, the chance not to lose, weighed by the others' reach.

        reaches : for every player and roll, its probability times that of the player's own bids so far
        """
        within = self._within(history)
        last, mover = self.strategy.tree.state_after(within)
        found = self.strategy.tree.find(within)
        if found is None:
            return self._if_all_call(last, mover, reaches)
        stack = arrays.new_stack(self.tables)
        self._walk(w.EVALUATE, mover, found, (last, mover), reaches, lambda: self._below(mover), stack)
        actions = self.game.bidding.actions(last)
        wins: Floats = stack.action_value[0, :actions, : len(self.game.rolls[mover])].copy()
        return wins

    def best_wins(self, history: Sequence[int], player: int, reaches: Sequence[Floats]) -> Floats:
        """For every roll of a player the chance not to lose with the best response from a history on, weighed likewise.

        reaches : those of the strategy. Cost: a pass over what the others reach.
        """
        within = self._within(history)
        last, mover = self.strategy.tree.state_after(within)
        found = self.strategy.tree.find(within)
        if found is not None:
            stack = arrays.new_stack(self.tables)
            below = partial(self._below_best, player)
            return self._walk(w.RESPOND, player, found, (last, mover), reaches, below, stack)
        if mover == player:
            best: Floats = self._if_all_call(last, mover, reaches).max(axis=0)
            return best
        comes = float(np.prod([reach.sum() for other, reach in enumerate(reaches) if other != player]))
        bidder = (mover - 1) % self.game.players
        certain = np.full(len(reaches[player]), comes)
        return chances_standing(self.strategy.rules, history[-1], player, reaches) if player == bidder else certain

    def _within(self, history: Sequence[int]) -> Sequence[int]:
        return history if self.strategy.start is None else self.strategy.start.within(history)

    def _walk(
        self,
        mode: int,
        learner: int,
        found: tuple[Shard, int],
        after: tuple[int, int],
        reaches: Sequence[Floats],
        below: Callable[[], arrays.Subtrees],
        stack: arrays.Stack,
    ) -> Floats:
        """Walk what follows a history that has grown: what it is worth to the learner with every roll."""
        (shard, number), (last, mover), width = found, after, self.tables.matches.shape[3]
        reach = np.zeros((1, self.game.players, width))
        for player, rolls in enumerate(reaches):
            reach[0, player, : len(rolls)] = rolls
        root = np.array([[last, mover, number, 0]], np.int64)
        one = arrays.Subtrees(root, np.array([1, 0], np.int64), np.ones(1, np.bool_), reach, np.zeros((1, width)))
        cuts = shard is self.strategy.tree.top and bool(self.strategy.tree.shards)
        how = (mode, w.UP if cuts else w.WHOLE, learner, w.NOBODY, self.tables)
        rows, cut = Numbers(self.strategy.name).rows(shard), self.strategy.tree.cut
        w.walk(*how, rows, one, np.zeros(1, np.int64), cut, below() if cuts else one, plain(), stack)
        return one.value[0, : len(self.game.rolls[learner])]

    def _below(self, mover: int) -> arrays.Subtrees:
        """The subtrees with what they are worth to who moves."""
        tree = self.strategy.tree
        assert self._subtrees is not None, "there are subtrees"
        below = arrays.below(tree.roots, tree.subtrees, self.game.players, self.tables.matches.shape[3], np.float64)
        below.value[: tree.subtrees[0], : len(self.game.rolls[mover])] = self._subtrees[mover]
        return below

    def _below_best(self, player: int) -> arrays.Subtrees:
        """The subtrees with what the best response is worth to a player."""
        responses = Responses(self.game, self.strategy.tree, self.strategy.name, holder_of(self.strategy.tree))
        responses.wins(player)
        return responses.walks.below

    def _if_all_call(self, last: int, mover: int, reaches: Sequence[Floats]) -> Floats:
        """The same where nothing has grown: whatever is done, the next one calls."""
        rules, start = self.strategy.rules, self.strategy.start
        bids = range(self.game.bids) if start is None else start.known
        comes = np.prod([reach.sum() for player, reach in enumerate(reaches) if player != mover])
        ends = self.game.bidding.ends if last >= 0 else ()
        wins = [comes - chances_standing(rules, bids[last], mover, reaches, ending) for ending in ends]
        wins += [chances_standing(rules, bids[bid], mover, reaches) for bid in self.game.bidding.following(last)]
        return np.array(wins)


def after(strategy: Stored, history: Sequence[int]) -> RollsAfter:
    """What `Values.after` says, for one history alone."""
    return Values(strategy).after(history)

"""The regret of the player to move at every history, also at those that play never reaches: sequential regret.

A player at a history compares the strategy with a best response from there on, given the roll and the beliefs about the other
player's roll. The beliefs follow from the strategies by Bayes' rule. After a bid that is made with no roll that is still
believed, they are a limit of Bayes' rule: every player errs, uniformly at random, with a probability that tends to 0. So
strategies and beliefs are a consistent assessment. If no regret exceeds ε, they are an ε-sequential equilibrium.

The traversal visits the expanded histories. At all histories below an unexpanded one, the largest regrets have a closed form.

Source: Kreps and Wilson (1982), "Sequential equilibria"; Myerson and Reny (2020), "Perfect conditional ε-equilibria of
multi-stage games with infinite sets of signals and actions", for ε.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import LargestRegret, SequentialJudgement
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import sequential_arrays as arrays
from liarsdice_cli.solvers.public_tree import sequential_traversal as traversal
from liarsdice_cli.solvers.public_tree.responses import JUDGE
from liarsdice_cli.solvers.public_tree.sequential_arrays import BEST, OWN
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.store import ROOT, SHARD, StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, Stored


@dataclass(frozen=True)
class SequentialEvaluation:
    """The evaluation of the strategies in a store at all histories. Numbers are payoffs, in float64; each is for both players.

    payoffs        : of the strategies
    best_responses : of best responses to the other's strategy
    regrets        : the largest regret at any history, with a bound on the rounding error added
    histories      : the bids of this history
    rolls          : the number of the roll
    """

    payoffs: tuple[float, ...]
    best_responses: tuple[float, ...]
    regrets: tuple[float, ...]
    histories: tuple[tuple[int, ...], ...]
    rolls: tuple[int, ...]


def evaluate(game: PublicGame, store: StrategyStore) -> SequentialEvaluation:
    """Return the evaluation of the strategies in a store of two players.

    Every roll of the game counts, also one that the player's own strategy never brings there. Raises LiarsDiceError for
    probabilities that are too small for the beliefs in float64. Cost: two passes over the top shard and one over the others.
    """
    tables = arrays.tables_of(game)
    stack, below, largest = arrays.new_stack(tables), arrays.new_below(store.roots, tables), arrays.new_largest(tables)
    opening = _layout(store.top, store.cut)

    def visit_top(down: bool) -> None:
        for player, rolls in enumerate(game.rolls):
            stack.weight[0, player, : len(rolls)], stack.order[0, player] = rolls, 0
            traversal.believe(tables, player, stack.weight[0, player], stack.order[0, player], stack.belief[0, player])
        traversal.visit(tables, opening, below, stack, largest, 0, 0, down)

    if len(store.shards):
        visit_top(down=True)
        largest = arrays.new_largest(tables)
        roots = store.roots[: store.subtrees[0]]
        for number in range(len(store.shards)):
            chosen = np.flatnonzero((roots[:, SHARD] == number) & (roots[:, ROOT] >= 0))
            layout = _layout(store.shards[number], game.bids)
            traversal.visit_subtrees(tables, layout, below, stack, largest, chosen)
    visit_top(down=False)
    if np.isnan(largest.regret).any():
        raise LiarsDiceError(
            f"the beliefs depend on probabilities below {traversal.TINIEST:g}, too small for floats: set them to 0"
        )
    return _evaluation(game, stack, largest)


def _layout(shard: Shard, cut: int) -> arrays.SequentialLayout:
    return arrays.SequentialLayout(
        shard.states, shard.first_column, shard.columns, shard.blocks, shard.arrays[AVERAGE_STRATEGY], cut
    )


def _evaluation(game: PublicGame, stack: arrays.SequentialStack, largest: arrays.Largest) -> SequentialEvaluation:
    """Return the evaluation that the last pass has left.

    An error of the beliefs adds to that of the values, and a regret is the difference of two values.
    """

    def payoffs(kind: int) -> tuple[float, ...]:
        wins = (float(stack.value[0, kind, player, : len(rolls)] @ rolls) for player, rolls in enumerate(game.rolls))
        return tuple(game.payoff(player, one) for player, one in enumerate(wins))

    ranges = [float(win - lose) for win, lose in game.payoffs]
    error, places = 4 * game.rounding_error, largest.place.tolist()
    return SequentialEvaluation(
        payoffs(OWN),
        payoffs(BEST),
        tuple(regret * one + error for regret, one in zip(largest.regret.tolist(), ranges, strict=True)),
        tuple(tuple(path[:length]) for path, (length, _) in zip(largest.path.tolist(), places, strict=True)),
        tuple(roll for _, roll in places),
    )


def judge(strategy: Stored) -> SequentialJudgement:
    """Return the judgement of a strategy of two players, with the largest regrets at all histories.

    Raises LiarsDiceError for more players. Cost: as for `evaluate`.
    """
    if strategy.rules.players != 2:
        raise LiarsDiceError("regrets at every history are computed for two players only")
    game = public_game(strategy.rules, strategy.start)
    found = evaluate(game, strategy.store)
    return judgement_of(strategy, game, found)


def judgement_of(strategy: Stored, game: PublicGame, found: SequentialEvaluation) -> SequentialJudgement:
    """Return the judgement of a strategy from its evaluation."""
    rules, start, error = strategy.rules, strategy.start, game.rounding_error
    made, numbers = ((), range(rules.bid_count)) if start is None else (start.history, start.numbered_bids)
    largest = []
    for player, (regret, history, roll) in enumerate(zip(found.regrets, found.histories, found.rolls, strict=True)):
        bids = tuple(str(rules.bids[bid]) for bid in (*made, *(numbers[bid] for bid in history)))
        dice = [one for one, _ in rules.rolls(player)][roll]
        largest.append(LargestRegret(regret, bids, dice))
    best = tuple(value + 2 * error for value in found.best_responses)
    regrets = tuple(max(response - payoff, 0.0) for response, payoff in zip(best, found.payoffs, strict=True))
    return SequentialJudgement(
        found.payoffs,
        best,
        regrets,
        game.total,
        exact=False,
        judge=JUDGE,
        sequential=tuple(largest),
        histories=game.bidding.history_count,
    )

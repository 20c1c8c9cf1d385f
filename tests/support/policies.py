"""One strategy in every form that a policy can have, and as a profile of the explicit tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from liarsdice_cli.extensive.evaluate import Judgement, judge
from liarsdice_cli.extensive.profile import GIVEN, Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE, Floats
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.tree import build


class Whatever:
    """A strategy of random probabilities, many of them 0, the same for the same seed."""

    def __init__(self, game: Rules, seed: int) -> None:
        self.rules, self.seed = game, seed

    def at(self, history: Sequence[int]) -> Floats:
        generator = np.random.default_rng([self.seed, *history, len(history)])
        shape = BettingState(self.rules, history).shape
        weights = generator.random(shape) * (generator.random(shape) < 0.4)
        weights[generator.integers(shape[0])] += 1e-3
        found: Floats = weights / weights.sum(axis=0)
        return found


def in_every_form(strategy: Any) -> dict[str, Any]:
    """Return the same strategy as a function, objects of each kind, and tables of each kind."""
    game: Rules = strategy.rules

    def function(history: tuple[int, ...], rolls: list[tuple[int, ...]]) -> Floats:
        assert len(rolls) == BettingState(game, history).roll_count
        found: Floats = strategy.at(history).T
        return found

    class WithEveryAction:
        def probabilities(self, history: tuple[int, ...], rolls: list[tuple[int, ...]]) -> Floats:
            said = np.zeros((len(rolls), 1 + game.bid_count))
            said[:, [1 + action for action in BettingState(game, history).actions]] = strategy.at(history).T
            return said

    class InBulk:
        def distributions(self, histories: Histories) -> Floats:
            return np.stack([strategy.at(history).T for history in histories]).astype(np.float32)

    class ByView:
        def distribution(self, view: Any) -> Floats:
            rolls = [roll for roll, _ in game.rolls(view.player)]
            found: Floats = strategy.at(view.history)[:, rolls.index(view.roll)]
            return found

    return {
        "strategy": strategy,
        "function": function,
        "with every action": WithEveryAction(),
        "in bulk": InBulk(),
        "by view": ByView(),
        "table": table(strategy),
        "table by numbers": {history: strategy.at(history).T for history in histories(game)},
        "table by last bid": table_by_last_bid(strategy),
    }


def histories(game: Rules) -> list[tuple[int, ...]]:
    return [one for length in range(game.bid_count + 1) for one in combinations(range(game.bid_count), length)]


def table(strategy: Any) -> dict[str, Floats]:
    """Return a table by history in words."""
    bids = strategy.rules.bids
    return {" ".join(str(bids[bid]) for bid in one): strategy.at(one).T for one in histories(strategy.rules)}


def table_by_last_bid(strategy: Any) -> dict[str, Floats]:
    """Return a table with one array for all histories that end in the same bid."""
    game: Rules = strategy.rules
    most = max(game.roll_count(player) for player in range(2))
    found = {"": strategy.at(()).T}
    for last, bid in enumerate(game.bids):
        found[f"* {bid}"] = np.zeros((1 << last, most, len(BettingState(game, (last,)).actions)))
    for one in histories(game)[1:]:
        said = strategy.at(one).T
        found[f"* {game.bids[one[-1]]}"][sum(1 << bid for bid in one[:-1]), : len(said)] = said
    return found


def spoken(strategy: Any, call: int) -> Any:
    """Return pairs of action and probability by the information-state strings of OpenSpiel."""
    game: Rules = strategy.rules
    found = {}
    for one in histories(game):
        bids = "".join(f" {game.bids[bid].quantity}-{game.bids[bid].face}" for bid in one)
        for place, (roll, _) in enumerate(game.rolls(BettingState(game, one).mover)):
            shares = zip(BettingState(game, one).actions, strategy.at(one)[:, place].tolist(), strict=True)
            key = "".join(map(str, roll)) + bids
            found[key] = [(call if action == CALL else action, share) for action, share in shares]
    return found


def rows_by_history(game: Rules, tree: GameTree) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield every history with the rows of its information sets in the order of the rolls, found by their labels."""
    row = {label: place for place, label in enumerate(tree.infosets.labels) if tree.infosets.player[place] != CHANCE}
    for history in histories(game):
        player = BettingState(game, history).mover
        text = "after " + " ".join(str(game.bids[bid]) for bid in history) if history else "opening"
        yield history, [row[f"P{player + 1} roll {game.roll_label(roll)} {text}"] for roll, _ in game.rolls(player)]


def profile_by_labels(tree: GameTree, game: Rules, *strategies: Any, exact: bool = False) -> Profile:
    """Return the profile of a strategy of all players, or of one strategy per player, matched by the labels of the sets.

    exact : in fractions near the floats
    """
    given: dict[int, list[float] | list[Fraction]] = {}
    for history, rows in rows_by_history(game, tree):
        said = strategies[BettingState(game, history).mover % len(strategies)].at(history)
        for row, column in zip(rows, said.T.tolist(), strict=True):
            given[row] = _in_fractions(column) if exact else column
    profile = from_sets(tree, given)
    assert np.all(profile.source == GIVEN), "a strategy has probabilities that do not add up to 1"
    return profile


def _in_fractions(column: list[float]) -> list[Fraction]:
    """Return fractions near the numbers that add up to 1."""
    shares = [Fraction(share).limit_denominator(10**9) for share in column]
    shares[shares.index(max(shares))] += 1 - sum(shares)
    return shares


def judged(game: Rules, strategy: Any) -> Judgement:
    """Return the evaluation in fractions if both players play a strategy in the explicit tree."""
    return judge(profile_by_labels(build(game, "multiset"), game, strategy, exact=True))

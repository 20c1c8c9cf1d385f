"""Exact strategies of two players that list what they do at some histories, and call everywhere else.

So the strategies of a game of 2^24 histories fit into a short list. An optimal plan reaches few histories by its own actions.
After most of the opponent's mistakes a call is good enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from liarsdice_cli.extensive.number import smallest_integers
from liarsdice_cli.extensive.stream import Bools, Floats, Numbers
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
from liarsdice_cli.strategies.stored import Stored
from liarsdice_cli.text import numbered

History = tuple[int, ...]
_WHOLE = 65535
"""The whole number for a probability of 1, when probabilities are rounded."""
Weights = dict[int, int]
"""The weight of each action that a roll may take: whole numbers from 1. Its probability is this over their sum."""


@dataclass(frozen=True, eq=False)
class ListedStrategy:
    """A strategy of both players in fractions.

    rules  : of two players
    listed : for each history, by rising bids, the rolls that may do anything but call, as positions in `Rules.rolls`; for each
             the weights of its actions. Every other roll calls; in the opening it makes the lowest bid

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> strategy = ListedStrategy(rules("common", 2), {(): {0: {0: 1}, 1: {0: 1, 1: 2}}})
    >>> [str(number) for number in strategy.fractions_at([])[:, 1]], strategy.at([1])[:, 0].tolist()
    (['1/3', '2/3', '0', '0'], [1.0, 0.0, 0.0])
    """

    rules: Rules
    listed: Mapping[History, Mapping[int, Weights]]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rules}; {numbered(len(self.listed), 'histories')})"

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history; see `Strategy.at`."""
        return self.fractions_at(history).astype(np.float64)

    def fractions_at(self, history: Sequence[int]) -> Numbers:
        """Return the probabilities as `at` does, in fractions."""
        state = BettingState(self.rules, history)
        found = np.full(state.shape, Fraction(0), object)
        rolls = self.listed.get(tuple(history), {})
        row = {action: place for place, action in enumerate(state.actions)}
        for roll in range(state.roll_count):
            weights = rolls.get(roll, {state.actions[0]: 1})
            for action, weight in weights.items():
                found[row[action], roll] = Fraction(weight, sum(weights.values()))
        return found

    def in_whole_game(self, rules: Rules) -> ListedStrategy:
        """Return this strategy of `rules.without_impossible_bids()` in the game of the rules: it calls impossible bids."""
        number = {bid: place for place, bid in enumerate(rules.bids)}
        named = {place: number[bid] for place, bid in enumerate(self.rules.bids)}
        named |= {action: action for action in rules.bidding.final_actions}
        return ListedStrategy(
            rules,
            {
                tuple(named[bid] for bid in history): {
                    roll: {named[action]: weight for action, weight in weights.items()} for roll, weights in rolls.items()
                }
                for history, rolls in self.listed.items()
            },
        )


def weights_of(probabilities: Mapping[int, Fraction]) -> Weights:
    """Return the smallest whole numbers in proportion to the probabilities that are above 0.

    >>> weights_of({-1: Fraction(1, 2), 3: Fraction(1, 3), 4: Fraction(0), 5: Fraction(1, 6)})
    {-1: 3, 3: 2, 5: 1}
    """
    used = {action: number for action, number in probabilities.items() if number}
    return dict(zip(used, smallest_integers([*used.values()]), strict=True))


def only_calls(weights: Weights) -> bool:
    """Return whether a roll only calls, which need not be listed."""
    return set(weights) == {CALL}


def listed(strategy: ProfileStrategy) -> ListedStrategy:
    """Return the strategy of a profile in fractions as a list of the information sets that a player's own actions reach.

    Cost: a step for each of their histories.
    """
    rules = strategy.rules
    reached = _reached(rules, lambda history: strategy.probabilities[strategy.action_rows(history)])
    return _without_calls(
        rules, ((history, {roll: weights_of(shares) for roll, shares in rolls.items()}) for history, rolls in reached)
    )


def rounded(strategy: Stored) -> ListedStrategy:
    """Return a stored strategy of two players as a list, with probabilities rounded to 16 bits.

    Cost: a step for each expanded history that a player's own actions reach.
    """

    def weights(history: History) -> Numbers | None:
        if history and strategy.store.find(history) is None:
            return None
        return np.rint(strategy.at(history) * _WHOLE).astype(np.int64)

    return _without_calls(strategy.rules, _reached(strategy.rules, weights))


def _without_calls(rules: Rules, reached: Iterable[tuple[History, dict[int, Weights]]]) -> ListedStrategy:
    """Return the weights at histories as a list, without the rolls that only call."""
    found = {}
    for history, rolls in reached:
        kept = {roll: weights for roll, weights in rolls.items() if not only_calls(weights)}
        if kept:
            found[history] = kept
    return ListedStrategy(rules, found)


def _reached(
    rules: Rules, weights_at: Callable[[History], Numbers | None]
) -> Iterator[tuple[History, dict[int, dict[int, Any]]]]:
    """Yield every history that one of two players reaches by its own actions, with the weights of the rolls that do.

    weights_at : returns the weight of each action (row) with each roll (column); None if every roll calls
    """
    waiting: list[tuple[History, tuple[Bools, Bools]]] = [((), (_all(rules, 0), _all(rules, 1)))]
    while waiting:
        history, reached = waiting.pop()
        weights = weights_at(history)
        if weights is None:
            continue
        mover, actions = len(history) % 2, BettingState(rules, history).actions
        found = {}
        for roll in np.flatnonzero(reached[mover]).tolist():
            used = zip(actions, weights[:, roll].tolist(), strict=True)
            found[roll] = {action: weight for action, weight in used if weight}
        yield history, found
        for place, action in enumerate(actions):
            if action > CALL:
                own = reached[mover] & (weights[place] > 0).astype(bool)
                after = (own, reached[1]) if mover == 0 else (reached[0], own)
                if after[0].any() or after[1].any():
                    waiting.append(((*history, action), after))


def _all(rules: Rules, player: int) -> Bools:
    return np.ones(rules.roll_count(player), bool)

"""Models of other players, and what bids tell about a player's model and roll.

Every model here looks at the last bid and its own roll only. So its action is one look-up, which `rollouts` makes for many
deals at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.bots.zero_intelligence.policy import ZeroIntelligence
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import CALL, OPENING
from liarsdice_cli.games.liarsdice.beliefs import priors, standing_probabilities
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

LEVELS = (0.1, 0.25, 0.4)
"""The levels of the Zero Intelligence models."""
STYLES = ((0.3, 8.0, 1.0), *((level, sharpness, 0.8) for level in (0.3, 0.45) for sharpness in (3.0, 0.5)))
"""The level, sharpness and raising of the `Logit` models: one goes by its dice, the others raise little by little."""
SLIP = 0.02
"""The probability that a player of any model acts uniformly at random."""
DOUBT = 1e-3
"""The share of fair dice and of unchanged models in all beliefs, so that nothing is ever excluded."""


class Model(Protocol):
    """A way to play that depends only on the last bid and the player's roll."""

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return the probability of an action after a last bid, for every roll of the player; the opener's may be `OPENING`."""

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions of a player in many deals, given the last bid and the player's roll in each."""


@dataclass(frozen=True, eq=False)
class Pure:
    """The model of a pure strategy that looks at the last bid only.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> model = Pure(Honest().strategy(rules("common", 2)))
    >>> model.row(1, 0, CALL).tolist(), model.act(1, np.array([0, 2]), np.array([0, 0]), np.random.default_rng(0)).tolist()
    ([0.0, 0.0], [1, -1])
    """

    strategy: Strategy
    _actions: dict[tuple[bool, int, int], Ints] = field(default_factory=dict)

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return 1 for the rolls with which the strategy takes the action, otherwise 0."""
        taken: Floats = (self._of(player)[last] == action).astype(np.float64)
        return taken

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions of the strategy."""
        found: Ints = self._of(player)[last, rolls]
        return found

    def _of(self, player: int) -> Ints:
        """Return the action after each last bid (row) with each roll (column); the opener has one more row, index -1.

        Other players with the same dice before players with the same dice act alike.
        """
        rules = self.strategy.rules
        key = player == 0, rules.dice[player], rules.dice[(player + 1) % rules.players]
        if key not in self._actions:
            histories = [(last,) * (player or rules.players) for last in range(rules.bid_count)]  # the length says who moves
            self._actions[key] = np.array([self._after(history) for history in histories + [()] * (player == 0)])
        return self._actions[key]

    def _after(self, history: tuple[int, ...]) -> Ints:
        actions: Ints = np.array(BettingState(self.strategy.rules, history).actions)
        said = self.strategy.at(history)
        if said.max(axis=0).min() < 1:
            raise UsageError("a rollout replies to bots without chance in what they do: name honest or zero-intelligence:LEVEL")
        found: Ints = actions[said.argmax(axis=0)]
        return found


@dataclass(frozen=True, eq=False)
class Logit:
    """A player who mostly does what is likely to be right, and sometimes anything else.

    level     : it calls a bid of this probability, by its own dice, as often as not
    sharpness : of two bids, the one that is likelier by 1 / sharpness is made e times as often
    raising   : of two bids that are as likely, the next higher one is made this many times as often
    width     : a bid less likely by this than the level is called with odds of e to 1

    Source: choices by logit, as in the quantal responses of McKelvey and Palfrey (1998), with a bid's probability instead
    of its payoff.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> model = Logit(rules("common", 2))
    >>> model.row(0, 2, CALL).round(2).tolist(), model.row(0, 2, 3).round(2).tolist()
    ([0.08, 0.98], [0.92, 0.02])
    """

    rules: Rules
    level: float = 0.3
    sharpness: float = 8.0
    raising: float = 1.0
    width: float = 0.08

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return the probability of an action with every roll."""
        calls, weights, _ = _logit(self, self.rules.dice.index(self.rules.dice[player]))  # all with the same dice act alike
        bidding = self.rules.bidding
        if not bidding.has_choice(last):
            return np.full(calls.shape[1], float(action == CALL))
        if action < 0:
            called: Floats = calls[last] if action == CALL else np.zeros(calls.shape[1])
            return called
        made: Floats = weights[action] / weights[list(bidding.following(last))].sum(axis=0)
        return made if last == OPENING else made * (1 - calls[last])

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions, drawn with the generator."""
        calls, _, below = _logit(self, self.rules.dice.index(self.rules.dice[player]))
        low, stop = last + 1, self.rules.bidding.stops[last]
        called = (generator.random(len(last)) < calls[last, rolls]) | (low >= stop)
        low, high = np.minimum(low, stop - 1), stop
        start = below[low, rolls]
        target = start + generator.random(len(last)) * (below[stop, rolls] - start)
        while (high - low > 1).any():  # bisection in all deals at once
            middle = (low + high) // 2
            is_above = below[middle, rolls] <= target
            low, high = np.where(is_above, middle, low), np.where(is_above, high, np.maximum(middle, low + 1))
        return np.where(called, CALL, low)


@lru_cache(128)
def _logit(model: Logit, player: int) -> tuple[Floats, Floats, Floats]:
    """Return the probability of a call and the weight of each bid (rows) with each roll, and the sums of the weights below."""
    rules = model.rules
    true = np.array([standing_probabilities(rules, bid, player, _fair(rules)) for bid in range(rules.bid_count)])
    calls = 1 / (1 + np.exp((true - model.level) / model.width))
    weights = np.exp(model.sharpness * (true - 1)) * model.raising ** np.arange(rules.bid_count)[:, None]
    return calls, weights, np.vstack([np.zeros(true.shape[1]), np.cumsum(weights, axis=0)])


@lru_cache(16)
def models(rules: Rules) -> tuple[Model, ...]:
    """Return the models that any player may follow: honest and logit play, and without stairs Zero Intelligence."""
    statistical = () if rules.stairs else tuple(Pure(ZeroIntelligence(rules, level)) for level in LEVELS)
    return (Pure(Honest().strategy(rules)), *statistical, *(Logit(rules, *style) for style in STYLES))


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The probabilities of every player's model and roll, given a history: independent, since the dice are.

    joint : for every player an array (models, rolls) with sum 1
    """

    rules: Rules
    models: tuple[Model, ...]
    joint: tuple[Floats, ...]

    @classmethod
    def after(cls, rules: Rules, history: Sequence[int], models: tuple[Model, ...]) -> Beliefs:
        """Return the beliefs by Bayes' rule. A player follows one model all round; before any bid, each is as likely.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> game = rules("common", 6)
        >>> [rolls.round(2).tolist() for rolls in Beliefs.after(game, (3,), models(game)).rolls]
        [[0.03, 0.04, 0.04, 0.8, 0.04, 0.04], [0.17, 0.17, 0.17, 0.17, 0.17, 0.17]]
        """
        joint = []
        for player, fair in enumerate(_fair(rules)):
            before = np.tile(fair / len(models), (len(models), 1))
            after = before * [_likelihood(rules, player, history, model) for model in models]
            joint.append((1 - DOUBT) * after / after.sum() + DOUBT * before)
        return cls(rules, models, tuple(joint))

    @property
    def rolls(self) -> tuple[Floats, ...]:
        """The probabilities of every player's rolls."""
        return tuple(joint.sum(axis=0) for joint in self.joint)

    def deal(self, count: int, generator: np.random.Generator) -> tuple[Ints, Ints]:
        """Return a model and a roll for every player (row) in each of many deals (columns)."""
        drawn = [_drawn(joint.ravel(), count, generator) for joint in self.joint]
        rolls = [joint.shape[1] for joint in self.joint]
        return np.array([one // each for one, each in zip(drawn, rolls, strict=True)]), np.array(
            [one % each for one, each in zip(drawn, rolls, strict=True)]
        )

    def acts(self, player: int, last: int, action: int) -> float:
        """Return the probability that a player takes an action after a last bid."""
        joint = self.joint[player]
        return float(sum(joint[place] @ model.row(player, last, action) for place, model in enumerate(self.models)))


@lru_cache(64)
def _fair(rules: Rules) -> tuple[Floats, ...]:
    return tuple(priors(rules))


def _likelihood(rules: Rules, player: int, history: Sequence[int], model: Model) -> Floats:
    """Return the probability of a player's bids in a history with every roll."""
    likely: Floats = np.ones(rules.roll_count(player))
    for turn in range(player, len(history), rules.players):
        last = history[turn - 1] if turn else OPENING
        likely = likely * ((1 - SLIP) * model.row(player, last, history[turn]) + SLIP / rules.bidding.actions(last))
    return likely


def _drawn(weights: Floats, count: int, generator: np.random.Generator) -> Ints:
    """Return positions drawn with these weights."""
    cumulative = np.cumsum(weights)
    found: Ints = np.searchsorted(cumulative[:-1], generator.random(count) * cumulative[-1], side="right")
    return found

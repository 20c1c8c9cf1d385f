"""Models of other players, and what bids tell about a player's model and roll.

Every model here looks at the last bid and its own roll only. So its action is one look-up, which `rollouts` makes for many
deals at once.

Models can be wrong in two ways that cost rounds. A bid may tell less about the dice than they say, and a bid may be called
that none of them would call. So there are models whose bids depend on no dice (`HABITS`), and all models call anything now and
then (`Rash`). The bids of all players together show which models fit (`Beliefs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Protocol

import numpy as np

from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.bots.zero_intelligence.policy import ZeroIntelligence
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import CALL, OPENING
from liarsdice_cli.games.liarsdice.beliefs import priors, standing_probabilities
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

LEVELS = (0.1, 0.25, 0.4)
"""The levels of the Zero Intelligence models."""
HABITS = tuple((level, staying) for level in (0.1, 0.4, 0.7) for staying in (0.0, 0.8))
"""The level and staying of the `Habit` models."""
SLIP = 0.02
"""The probability that a player of any model bids uniformly at random."""
RASH = 0.1
"""The probability that a player of any model calls a bid, whatever its dice."""
ALIKE = 0.25
"""For how many players each model counts in the prior of another player's model; less takes players for more alike."""
_RAISING = 0.8
"""How often a player of habit makes a bid, compared with the bid below it."""
_ROUNDS = 3
"""The number of times that the priors of the models are computed from the beliefs about the other players."""
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
            raise UsageError("a rollout can only reply to a deterministic bot: name honest or zero-intelligence:LEVEL")
        found: Ints = actions[said.argmax(axis=0)]
        return found


@dataclass(frozen=True, eq=False)
class Logit:
    """A player who mostly does what is likely to be right, and sometimes anything else.

    level     : it calls a bid of this probability, by its own dice, as often as not
    sharpness : of two bids, the one that is likelier by 1 / sharpness is made e times as often
    width     : a bid less likely by this than the level is called with odds of e to 1

    Source: choices by logit, as in the quantal responses of McKelvey and Palfrey (1998), with a bid's probability instead
    of its payoff.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> model = Logit(rules("common", 2))
    >>> model.row(0, 2, CALL).round(2).tolist(), model.row(0, 2, 3).round(2).tolist()
    ([0.08, 0.98], [0.92, 0.02])
    """

    rules: Rules
    level: ClassVar = 0.3
    sharpness: ClassVar = 8.0
    width: ClassVar = 0.08

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return the probability of an action with every roll."""
        if action < 0 or not self.rules.bidding.has_choice(last):
            return _calling(self, player, last, action)
        weights, _ = self._weights(player)
        made: Floats = weights[action] / weights[list(self.rules.bidding.following(last))].sum(axis=0)
        return made * (1 - _calling(self, player, last, CALL))

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions, drawn with the generator."""
        called = _called(self, player, last, rolls, generator)
        _, below = self._weights(player)
        low, stop = last + 1, self.rules.bidding.stops[last]
        low, high = np.minimum(low, stop - 1), stop
        start = below[low, rolls]
        target = start + generator.random(len(last)) * (below[stop, rolls] - start)
        while (high - low > 1).any():  # bisection in all deals at once
            middle = (low + high) // 2
            is_above = below[middle, rolls] <= target
            low, high = np.where(is_above, middle, low), np.where(is_above, high, np.maximum(middle, low + 1))
        return np.where(called, CALL, low)

    def _weights(self, player: int) -> tuple[Floats, Floats]:
        return _sharpened(self.rules, self.sharpness, self.rules.dice.index(self.rules.dice[player]))


@dataclass(frozen=True, eq=False)
class Habit:
    """A player whose bids do not depend on its dice: it stays on the last face, or makes one of the next bids.

    level   : it calls a bid of this probability, by its own dice, as often as not
    staying : the probability that it makes the lowest bid on the last face
    width   : as in `Logit`

    Otherwise each bid is made 0.8 times as often as the one below it.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> model = Habit(rules("common", 2), 0.3, 0.5)
    >>> model.row(0, 0, 2).round(2).tolist(), model.row(0, 0, CALL).round(2).tolist()
    ([0.64, 0.49], [0.03, 0.27])
    """

    rules: Rules
    level: float
    staying: float
    width: ClassVar = 0.2

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return the probability of an action with every roll."""
        if action < 0 or not self.rules.bidding.has_choice(last):
            return _calling(self, player, last, action)
        following = self.rules.bidding.following(last)
        weights = _RAISING ** np.arange(len(following))
        made = weights[following.index(action)] / weights.sum()
        same = _same_face(self.rules)[last]
        if same >= 0:
            made = (1 - self.staying) * made + self.staying * (action == same)
        bids: Floats = made * (1 - _calling(self, player, last, CALL))
        return bids

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions, drawn with the generator."""
        called = _called(self, player, last, rolls, generator)
        bids, same = self.rules.bidding.stops[last] - last - 1, _same_face(self.rules)[last]
        steps = np.log1p(-generator.random(len(last)) * (1 - _RAISING**bids)) / np.log(_RAISING)
        bid = last + 1 + np.minimum(steps.astype(np.int64), np.maximum(bids - 1, 0))
        stays = (same >= 0) & (generator.random(len(last)) < self.staying)
        return np.where(called, CALL, np.where(stays, same, bid))


@dataclass(frozen=True, eq=False)
class Rash:
    """A model that also calls any bid with the probability `RASH`, whatever its dice."""

    model: Model

    def row(self, player: int, last: int, action: int) -> Floats:
        """Return the probability of an action with every roll."""
        row = self.model.row(player, last, action)
        return row if last == OPENING else (1 - RASH) * row + RASH * (action == CALL)

    def act(self, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Ints:
        """Return the actions, drawn with the generator."""
        rash = generator.random(len(last)) < RASH
        return np.where(rash, CALL, self.model.act(player, last, rolls, generator))


def _calling(model: Logit | Habit, player: int, last: int, action: int) -> Floats:
    """Return the probability with every roll of an action that ends the round: spot-on is never said."""
    calls = _calls(model.rules, model.level, model.width, model.rules.dice.index(model.rules.dice[player]))
    if not model.rules.bidding.has_choice(last):
        return np.full(calls.shape[1], float(action == CALL))
    called: Floats = calls[last] if action == CALL and last != OPENING else np.zeros(calls.shape[1])
    return called


def _called(model: Logit | Habit, player: int, last: Ints, rolls: Ints, generator: np.random.Generator) -> Bools:
    """Return whether a player calls in many deals."""
    calls = _calls(model.rules, model.level, model.width, model.rules.dice.index(model.rules.dice[player]))
    called: Bools = (generator.random(len(last)) < calls[last, rolls]) | (last + 1 >= model.rules.bidding.stops[last])
    return called


@lru_cache(64)
def _calls(rules: Rules, level: float, width: float, player: int) -> Floats:
    """Return the probability of a call of each bid (row) with each roll (column): a logit choice."""
    found: Floats = 1 / (1 + np.exp((_true(rules, player) - level) / width))
    return found


@lru_cache(16)
def _sharpened(rules: Rules, sharpness: float, player: int) -> tuple[Floats, Floats]:
    """Return the weight of each bid (row) with each roll (column), and the sums of the weights below."""
    weights = np.exp(sharpness * (_true(rules, player) - 1))
    return weights, np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)])


@lru_cache(16)
def _true(rules: Rules, player: int) -> Floats:
    """Return the probability that each bid (row) is true, given each roll of the player (column)."""
    return np.array([standing_probabilities(rules, bid, player, _fair(rules)) for bid in range(rules.bid_count)])


@lru_cache(16)
def _same_face(rules: Rules) -> Ints:
    """Return the lowest bid on the same face that may follow each bid, -1 if there is none; the last row is the opening's."""
    found = [
        next((bid for bid in rules.bidding.following(last) if rules.bids[bid].face == rules.bids[last].face), -1)
        for last in range(rules.bid_count)
    ]
    return np.array([*found, -1])


@lru_cache(16)
def honest(rules: Rules) -> Pure:
    """Return the model of honest play."""
    return Pure(Honest().strategy(rules))


@lru_cache(16)
def models(rules: Rules) -> tuple[Model, ...]:
    """Return the models that any player may follow: honest and logit play, habits, and without stairs Zero Intelligence."""
    statistical = () if rules.stairs else tuple(Pure(ZeroIntelligence(rules, level)) for level in LEVELS)
    habits = tuple(Habit(rules, *habit) for habit in HABITS)
    found: tuple[Model, ...] = (honest(rules), *statistical, Logit(rules), *habits)
    return tuple(Rash(model) for model in found)


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
        """Return the beliefs of the player to move by Bayes' rule. A player follows one model all round.

        Before any bid, each model is as likely. The players of a table are taken to be somewhat alike: the prior of a player's
        models counts how often each is believed of the others who have bid. This is empirical Bayes with a Dirichlet prior
        (see `ALIKE`).

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> game = rules("common", 6)
        >>> [rolls.round(2).tolist() for rolls in Beliefs.after(game, (3,), models(game)).rolls]
        [[0.08, 0.08, 0.08, 0.62, 0.08, 0.08], [0.17, 0.17, 0.17, 0.17, 0.17, 0.17]]
        """
        players, fair = range(rules.players), _fair(rules)
        likely = [np.array([_likelihood(rules, player, history, model) for model in models]) for player in players]
        before = _model_priors([likely[player] @ fair[player] for player in players], len(history))
        joint = []
        for player in players:
            after = before[player][:, None] * fair[player] * likely[player]
            joint.append((1 - DOUBT) * after / after.sum() + DOUBT * fair[player] / len(models))
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


def _model_priors(evidence: Sequence[Floats], bids: int) -> list[Floats]:
    """Return the prior of the models of every player after some bids, from the probability of the player's bids by each model.

    It is proportional to `ALIKE` plus the sum of the beliefs about the other players, without the mover, who follows no model.
    """
    count = len(evidence[0])
    priors = [np.full(count, 1 / count) for _ in evidence]
    spoke = [player for player in range(min(bids, len(evidence))) if player != bids % len(evidence)]
    for _ in range(_ROUNDS):
        believed = {player: priors[player] * evidence[player] for player in spoke}
        counts = {player: weights / weights.sum() for player, weights in believed.items()}
        for player in range(len(evidence)):
            prior = ALIKE + sum((weights for other, weights in counts.items() if other != player), np.zeros(count))
            priors[player] = prior / prior.sum()
    return priors


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

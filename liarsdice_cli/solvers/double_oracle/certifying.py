"""Certificates: what listed plans prove, in integers, and the shortest list that proves it.

Both players' plans are reach probabilities in a restricted game that has the listed histories and no others. So the oracles
respond to them exactly, in the whole game.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm

import numpy as np

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.formats.certificate import PLACES, Certificate
from liarsdice_cli.formats.numbers import up
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.payoffs import payoff_at, total_payoff
from liarsdice_cli.solvers.double_oracle.oracle import Oracle, OracleResponse, ReachPlan
from liarsdice_cli.solvers.double_oracle.restricted import CALL_ROW, RestrictedGame
from liarsdice_cli.solvers.double_oracle.showdowns import ShowdownWeights
from liarsdice_cli.strategies.listed import History, ListedStrategy, Weights, only_calls, weights_of

JUDGE = "public tree, in fractions"
"""`Judgement.judge` of exact plans without a tree."""
_LONGEST, _WHOLE = 6_600, 1 << 512
"""The most bits of a common denominator of reach probabilities, and what takes its place: then they are rounded up, so that
best responses seem to win slightly more, and all bounds hold."""


def judge(strategy: ListedStrategy) -> Judgement:
    """Return the evaluation of listed plans in the whole game, in fractions. Cost: two best responses in integers.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> bluffs = ListedStrategy(rules("common", 2, payoffs="zero-sum"), {(): {0: {0: 1}, 1: {0: 1}}})
    >>> [str(regret) for regret in judge(bluffs).regrets]
    ['1/2', '1']
    """
    return judged(strategy)[0]


def judged(strategy: ListedStrategy) -> tuple[Judgement, tuple[Fraction, Fraction]]:
    """Return the evaluation as `judge` does, and the bounds on the value for player 1 that the plans prove, as Fractions."""
    plans = _Plans(strategy)
    payoff, best = plans.payoff, (plans.best(0), plans.best(1))
    numbers = payoff, plans.constant - payoff, *best, best[0] - payoff, best[1] - plans.constant + payoff
    one, two, *rest = numbers if plans.exact else map(up, numbers)
    judgement = Judgement((one, two), (rest[0], rest[1]), (rest[2], rest[3]), plans.constant, exact=plans.exact, judge=JUDGE)
    return judgement, plans.bounds


def certificate(strategy: ListedStrategy, method: str) -> Certificate:
    """Return a certificate of what these plans prove, bounds in decimals; it leaves out what the proof does not need.

    After a bid of the opponent, all that a plan does may become a call if the opponent then gains no more than by the best
    action instead of that bid. No best response then gains more than before.
    """
    plans = _Plans(strategy)
    needless = {history for player in (0, 1) for history in plans.needless(player)}
    listed = {history: rolls for history, rolls in strategy.listed.items() if not _within(history, needless)}
    if plans.bounds[0] == plans.bounds[1]:
        return Certificate(strategy.rules, listed, method, *plans.bounds)
    lower, upper = (bound * 10**PLACES for bound in _Plans(ListedStrategy(strategy.rules, listed)).bounds)
    return Certificate(strategy.rules, listed, method, Fraction(floor(lower), 10**PLACES), Fraction(ceil(upper), 10**PLACES))


def _within(history: History, needless: set[History]) -> bool:
    """Return whether a player's plan at a history is part of what may become a call."""
    return any(history[:length] in needless for length in range(len(history), 0, -2))


def of_reach_plans(game: RestrictedGame, reach_plans: tuple[ReachPlan, ReachPlan]) -> ListedStrategy:
    """Return the plans of a restricted game in fractions as a list."""
    histories: list[History] = [()]
    listed: dict[History, dict[int, Weights]] = {}
    for here in range(game.size):
        if here:
            histories.append((*histories[game.parent[here]], int(game.last[here])))
        reach_plan, rolls = reach_plans[game.depth[here] % 2], dict[int, Weights]()
        for roll in np.flatnonzero(reach_plan.reach[here]).tolist():
            shares = {CALL - ending: Fraction(ends[here, roll]) for ending, ends in enumerate(reach_plan.ends) if here}
            for bid in np.flatnonzero(game.child[here] != NONE).tolist():
                shares[bid] = Fraction(reach_plan.reach[game.child[here, bid], roll])
            rolls[roll] = weights_of(shares)
        kept = {roll: weights for roll, weights in rolls.items() if not only_calls(weights)}
        if kept:
            listed[histories[here]] = kept
    return ListedStrategy(game.showdowns.rules, listed)


class _Plans:
    """Listed plans as integer reach probabilities in a restricted game, and best responses to them."""

    def __init__(self, strategy: ListedStrategy) -> None:
        self.listed, self.exact = strategy.listed, True
        self.constant = total_payoff(strategy.rules)
        self.game = RestrictedGame(ShowdownWeights(strategy.rules))
        self.number: dict[History, int] = {}
        for history in sorted(self.listed, key=len):
            self.number[history] = self._numbered(history)
        for history, rolls in self.listed.items():
            for bid in {action for weights in rolls.values() for action in weights if action >= 0}:
                self.number[*history, bid] = self.game.after(self.number[history], bid)
        self.reach_plans, self.whole = zip(*map(self._scaled, (0, 1)), strict=True)
        self.responses: dict[int, OracleResponse] = {
            player: Oracle(self.game, player).respond(self.reach_plans[1 - player]) for player in (0, 1)
        }

    def _numbered(self, history: History) -> int:
        here = 0
        for bid in history:
            here = self.game.after(here, bid)
        return here

    def _scaled(self, player: int) -> tuple[ReachPlan, int]:
        """Return a player's plan in integers, and the integer that stands for 1."""
        game, rolls, whole = self.game, self.game.showdowns.rolls[player], self._denominator(player)
        reach, ends = np.full((game.size, rolls), 0, object), np.full((game.first, game.size, rolls), 0, object)
        reach[0] = whole
        by_number = {here: history for history, here in self.number.items()}
        for histories in game.levels:
            for here in histories.tolist():
                if here and game.depth[here] % 2 == player:  # the opponent made the last bid
                    reach[here] = reach[game.parent[here]]
                if game.depth[here] % 2 == player:
                    self._act(here, self.listed.get(by_number.get(here, (NONE,)), {}), reach, ends)
        return ReachPlan(reach, ends), whole

    def _denominator(self, player: int) -> int:
        """Return a common denominator of a player's reach probabilities; `_WHOLE` if it is too long, as of plans in floats."""
        reach: dict[tuple[History, int], Fraction] = {}
        found = 1
        for history in sorted((one for one in self.listed if len(one) % 2 == player), key=len):
            for roll, weights in self.listed[history].items():
                before = reach.get((history[:-1], roll), Fraction(0)) if len(history) > 1 else Fraction(1)
                for action, weight in weights.items():
                    share = reach[(*history, action), roll] = before * Fraction(weight, sum(weights.values()))
                    found = lcm(found, share.denominator)
                if found.bit_length() > _LONGEST:
                    self.exact = False
                    return _WHOLE
        return found

    def _act(self, here: int, rolls: Mapping[int, Weights], reach: Numbers, ends: Numbers) -> None:
        """Divide the reach probability of every roll among its actions, rounded up if it must be."""
        for roll in np.flatnonzero(reach[here]).tolist():
            weights = rolls.get(roll, {CALL: 1})
            total = sum(weights.values())
            for action, weight in weights.items():
                share = -(-reach[here, roll] * weight // total)
                if action < 0:
                    ends[CALL - action, here, roll] = share
                else:
                    reach[self.game.child[here, action], roll] = share

    def best(self, player: int) -> Fraction:
        """Return the best-response value of a player."""
        showdowns = self.game.showdowns
        wins = Fraction(int(self.responses[player].wins), showdowns.total * self.whole[1 - player])
        return payoff_at(showdowns.rules, wins)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The bounds on the payoff of player 1 that the plans prove."""
        return self.constant - self.best(1), self.best(0)

    @cached_property
    def payoff(self) -> Fraction:
        """The payoff of player 1 if both follow their plans."""
        showdowns, wins = self.game.showdowns, 0
        for here in range(1, self.game.size):
            mover = int(self.game.depth[here]) % 2
            for ending, stands in enumerate(showdowns.stands):
                sides = [plan.reach[here] * weights for plan, weights in zip(self.reach_plans, showdowns.weights, strict=True)]
                sides[mover] = self.reach_plans[mover].ends[ending, here] * showdowns.weights[mover]
                if any(sides[0]) and any(sides[1]):
                    won = stands[self.game.last[here]] == (mover == 1)
                    wins += sides[0] @ won.astype(object) @ sides[1]
        return payoff_at(showdowns.rules, Fraction(int(wins), showdowns.total * self.whole[0] * self.whole[1]))

    def needless(self, player: int) -> set[History]:
        """Return the histories after which a player may call instead, with every roll: see `certificate`."""
        game, showdowns, other = self.game, self.game.showdowns, 1 - player
        response, found = self.responses[other], set()
        for history in self.listed:
            here = self.number[history]
            if len(history) % 2 != player or not history:
                continue
            weighed = self.reach_plans[player].reach[[here]] * showdowns.weights[player].astype(object)
            called = showdowns.standing(player, showdowns.at_least(player, weighed), game.last[[here]], CALL_ROW)[0]
            if (called <= response.value[game.parent[here]]).all():
                found.add(history)
        return found

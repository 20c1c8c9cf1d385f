"""Recommend an action at a real table, with its reasons.

Between two players the advice is that of the bot `resolving`, from the solution of the game, re-solved safely after bids that
it lacks, or from that of a subgame. Among more it is that of the bot `rollout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.bots.advice import (
    RESOLVED,
    ROLLOUTS,
    SAFE,
    SHOWDOWN,
    Advice,
    Adviser,
    advice_or_none,
    known_in,
)
from liarsdice_cli.bots.equilibrium import Equilibrium, is_exact
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.resolving import Resolver, Resolving
from liarsdice_cli.bots.rollouts import Rollouts
from liarsdice_cli.bots.safe_resolver import SafeResolver
from liarsdice_cli.bots.solved_subgame import SolvedSubgame
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter, priors, reaches_after
from liarsdice_cli.games.liarsdice.exact_strategy import ExactStrategy
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.payoffs import payoff_range, wins_at
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

NEAR = 0.01
"""Actions whose values differ by less count as equally good: a solution or rollouts of a second are no more precise."""


@dataclass(frozen=True, eq=False)
class Hand:
    """The beliefs about the dice of another player.

    player : from 0, the player who opened
    counts : for every face that can be bid, the probabilities that 0, 1, 2, ... of the player's dice count for a bid on it
    fair   : the same before any bid
    """

    player: int
    counts: dict[int, Floats]
    fair: dict[int, Floats]

    def expected(self, face: int, fair: bool = False) -> float:
        """Return the expected number of dice that count for a bid on the face."""
        counts = (self.fair if fair else self.counts)[face]
        return float(counts @ np.arange(len(counts)))

    def likeliest(self, face: int) -> int:
        """Return the most likely number of dice that count for a bid on the face."""
        return int(self.counts[face].argmax())


@dataclass(frozen=True, eq=False)
class Recommendation:
    """The recommended action in a view, the values of the actions, and the beliefs about the other players' dice.

    view           : the information of the player
    advice         : the actions with known values; a value is the probability of not losing the round
    true           : for every action the probability, given the beliefs, that its bid is true; for a call that the last bid
                     is true, for spot-on that it is exactly right
    fair           : the probability that the last bid is true before any bid is considered; None in the opening
    called         : the probability that the next player calls the recommended bid; None for another action
    hands          : beliefs about the other players, in the order of their turns
    exploitability : of the solution, as a probability: the mean regret of two players, the largest of more; 0 if the player
                     has no choice, None for rollouts
    iterations     : the number of iterations of the minimiser; 0 for the solution of the whole game and for rollouts
    deals          : the number of deals that were played out; 0 without rollouts

    The value of a bid is unknown only if the bid is probably true and was left out of the subgame to keep it small.
    """

    view: View
    advice: Advice
    true: dict[int, float]
    fair: float | None
    called: float | None
    hands: tuple[Hand, ...]
    exploitability: float | None
    iterations: int = 0
    deals: int = 0

    @property
    def action(self) -> int:
        """The recommended action: among those within `NEAR` of the best value, the one with the highest probability.

        With `advice.SAFE` the one with the highest probability of all.
        """
        return _best(self.advice)

    def value(self, action: int) -> float | None:
        """Return the probability of not losing the round with an action; None if it is unknown."""
        known = dict(zip(self.advice.actions, self.advice.values, strict=True))
        return float(known[action]) if action in known else None

    def cost(self, action: int) -> float | None:
        """Return the loss of an action against the best one, as a probability; 0 up to `NEAR`, None if it is unknown."""
        if action not in self.advice.actions:
            return None
        cost = float(self.advice.cost(action))
        return cost if cost > NEAR else 0.0


def recommend(bot: Resolving | Rollouts, view: View) -> Recommendation:
    """Return the recommendation for a roll after some bids.

    Cost: that of a decision of the bot, and with `Resolving` the time for earlier bids that it has not processed.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6)
    >>> found = recommend(Resolving("resolving"), View(game, (4,), (8,)))
    >>> found.action == CALL, round(found.value(CALL), 6), found.true[CALL]
    (True, 1.0, 0.0)
    """
    if isinstance(bot, Rollouts):
        return by_rollouts(bot, view)
    found = None
    if not bot.resolves_every_decision(view.rules):
        safe = bot.safe_resolver(view.rules)
        found = _by_solution(view) if safe is None else _by_kept_solution(safe, view)
    return found or by_resolving(bot.resolver(view.rules), view)


def by_rollouts(bot: Rollouts, view: View) -> Recommendation:
    """Return the recommendation of rollouts."""
    found = bot.values(view)
    hands, best = _hands(view.rules, found.beliefs.rolls, view.player), found.best
    values = [found.values[action] for action in view.actions]
    advice = Advice(ROLLOUTS, view.actions, values, [float(action == best) for action in view.actions])
    called = found.beliefs.acts((view.player + 1) % view.rules.players, best, CALL) if best >= 0 else None
    return Recommendation(view, advice, *_chances(view, hands), called, hands, None, deals=found.deals)


def _by_solution(view: View) -> Recommendation | None:
    """Return the recommendation of the solution of the whole game; None after bids that it does not make."""
    advice = _ADVISER.advice(view)
    if advice.basis == SHOWDOWN:
        return None
    strategy = _EQUILIBRIUM.strategy(view.rules)
    beliefs = _beliefs(view, strategy)
    hands, best = _hands(view.rules, beliefs, view.player), _best(advice)
    called = None if best < 0 else _called(view, best, strategy, beliefs)
    return Recommendation(view, advice, *_chances(view, hands), called, hands, float(advice.regret))


def _beliefs(view: View, strategy: Strategy) -> list[Floats]:
    """Return the posterior of every player's rolls; after a mistake from the exact equilibrium, otherwise fair dice."""
    found, fair = reaches_after(strategy, view.history), priors(view.rules)
    for player in range(view.rules.players):
        if not found[player].sum():
            found[player] = _after_mistake(view, player) if is_exact(view.rules) else fair[player]
    return [reach / reach.sum() for reach in found]


def _after_mistake(view: View, player: int) -> Floats:
    """Return numbers proportional to the posterior of a player who makes one of the bids only by mistake."""
    solution, made = _ADVISER.game(view.rules), list(view.bids)
    while (len(made) - 1) % view.rules.players != player:
        made.pop()
    rules = solution.problem.with_rules().reduced
    likely = None
    if all(bid in rules.bids for bid in made):
        history = BettingState.parse(rules, [str(bid) for bid in made]).history
        likely = ExactStrategy(rules, solution.best.in_tree).posterior_of_mistake(history)
    return priors(view.rules)[player] if likely is None else likely.astype(np.float64)


def _by_kept_solution(safe: SafeResolver, view: View) -> Recommendation | None:
    """Return the recommendation of a kept solution, re-solved where the bot re-solves it; None after an impossible bid.

    After bids that it never makes, what the others hold is not known: values are those for fair dice.
    """
    if any(bid not in safe.rules.bids for bid in view.bids):
        return None
    history = BettingState.parse(safe.rules, [str(bid) for bid in view.bids]).history
    found = safe.subgame(history)
    known = _by_solution(view) if found is None else None
    if known is not None:
        return known
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    strategy, fair = safe.solution if found is None else found.strategy, priors(view.rules)
    numbers = known_in(Values(strategy).after(history, fair), view)
    advice = advice_or_none(SAFE, view, numbers, 0 if found is None else found.exploitability / payoff_range(safe.rules))
    assert advice is not None, "fair dice exclude no history"
    hands, best = _hands(view.rules, fair, view.player), _best(advice)
    called = None
    if best >= 0:
        bid = safe.rules.bids.index(view.rules.bids[best])
        called = float(strategy.at((*history, bid))[0] @ fair[1 - view.player])
    iterations = 0 if found is None else found.iterations
    return Recommendation(view, advice, *_chances(view, hands), called, hands, float(advice.regret), iterations)


_ADVISER, _EQUILIBRIUM = Adviser(), Equilibrium()


def _called(view: View, bid: int, strategy: Strategy, beliefs: Sequence[Floats]) -> float:
    """Return the probability that the next player calls a bid."""
    return float(strategy.at((*view.history, bid))[0] @ beliefs[(view.player + 1) % view.rules.players])


def by_resolving(resolver: Resolver, view: View) -> Recommendation:
    """Return the recommendation of the solved subgame."""
    if not resolver.has_choice(view.history):
        hands = _hands(view.rules, resolver.subgame(view.history).beliefs, view.player)
        true, fair = _chances(view, hands)
        values = [1 - true[action] if action == CALL else 0.0 for action in view.actions]
        calls = [float(action == CALL) for action in view.actions]
        return Recommendation(view, Advice(RESOLVED, view.actions, values, calls), true, fair, None, hands, 0.0)
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    found = resolver.solved(view.history)
    reading = Values(found.strategy).after(view.history)
    hands = _hands(view.rules, found.subgame.beliefs, view.player)
    true, fair = _chances(view, hands)
    advice = _advice(view, found, reading, true)
    best, called = _best(advice), None
    if best >= 0:
        called = _called(view, best, found.strategy, found.subgame.beliefs) if best in found.subgame.bids else 1.0
    return Recommendation(view, advice, true, fair, called, hands, float(advice.regret), found.iterations)


def _advice(view: View, found: SolvedSubgame, reading: RollsAfter, true: dict[int, float]) -> Advice:
    """Return the actions with known values. A bid outside the subgame is included if it is probably false: it is called."""
    assert reading.values is not None, "no roll is ever excluded"
    place, considered = view.roll_index, {*view.rules.bidding.final_actions, *found.subgame.bids}
    actions, values, shares = [], [], []
    for row, action in enumerate(view.actions):
        if action in considered or true[action] <= 0.5:
            actions.append(action)
            values.append(wins_at(view.rules, float(reading.values[row, place])))
            shares.append(float(reading.probabilities[row, place]))
    return Advice(RESOLVED, actions, values, shares, found.exploitability / payoff_range(view.rules))


def _best(advice: Advice) -> int:
    assert advice.probabilities is not None, "the subgame was solved"
    if advice.basis == SAFE:
        return advice.best
    rows = zip(advice.probabilities, advice.values, advice.actions, strict=True)
    return max(row for row in rows if row[1] >= max(advice.values) - NEAR)[2]


def _hands(rules: Rules, beliefs: Sequence[Floats], own: int) -> tuple[Hand, ...]:
    """Return the beliefs about all players but one, in the order of their turns after that player's."""
    others = [(own + turn) % rules.players for turn in range(1, rules.players)]
    fair = priors(rules)
    return tuple(Hand(one, _counts(rules, one, beliefs[one]), _counts(rules, one, fair[one])) for one in others)


def _counts(rules: Rules, player: int, believed: Floats) -> dict[int, Floats]:
    of_face = {bid.face: number for number, bid in enumerate(rules.bids)}
    matching = matching_table(rules, player)
    counted = (np.bincount(matching[of_face[face]], believed, rules.dice[player] + 1) for face in rules.faces)
    return {face: counts.astype(np.float64) for face, counts in zip(rules.faces, counted, strict=True)}


def _chances(view: View, hands: Sequence[Hand]) -> tuple[dict[int, float], float | None]:
    """Return `Recommendation.true` and `Recommendation.fair`."""
    return _chances_true(view, hands), _chances_true(view, hands, fair=True).get(CALL)


def _chances_true(view: View, hands: Sequence[Hand], fair: bool = False) -> dict[int, float]:
    """Return `Recommendation.true` for every action, from the beliefs, or from those before any bid if `fair`."""
    rules, unseen = view.rules, {}
    own, place = matching_table(rules, view.player), view.roll_index
    for face in rules.faces:
        unseen[face] = np.ones(1)
        for hand in hands:
            unseen[face] = np.convolve(unseen[face], (hand.fair if fair else hand.counts)[face])
    found = {}
    for action in view.actions:
        number = action if action >= 0 else view.history[-1]
        bid = rules.bids[number]
        surplus = int(own[number, place]) + np.arange(len(unseen[bid.face])) - bid.quantity
        right = ~rules.stands(surplus, SPOT_ON) if action == SPOT_ON else rules.stands(surplus)
        found[action] = float(right @ unseen[bid.face])
    return found

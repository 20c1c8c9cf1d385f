"""What to do at a real table: the rest of the round solved from what the bids tell, read off for one roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.bots.advice import RESOLVED, Advice, roll_place
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.resolving import Resolver, SolvedSubgame
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter, priors
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules

NEAR = 0.01
"""Actions whose values differ by less are as good as each other: what was solved in a second knows no better."""


@dataclass(frozen=True, eq=False)
class Hand:
    """What another player is likely to hold.

    player : from 0 for the one who opened
    counts : for every face that can be bid, how likely 0, 1, 2, ... of the player's dice count for a bid on it
    fair   : the same of dice of which nothing was heard
    """

    player: int
    counts: dict[int, Floats]
    fair: dict[int, Floats]

    def expected(self, face: int, fair: bool = False) -> float:
        """How many of the dice count for a bid on the face, on average."""
        counts = (self.fair if fair else self.counts)[face]
        return float(counts @ np.arange(len(counts)))

    def likeliest(self, face: int) -> int:
        """How many of the dice most likely count."""
        return int(self.counts[face].argmax())


@dataclass(frozen=True, eq=False)
class Recommendation:
    """What to do in a view, what every action is worth, and what the others are likely to hold.

    view           : what the player sees
    advice         : the actions whose values are known, each with its value, the probability of not losing the round
    true           : for every action how likely its bid is true, of a call the last bid, and of spot-on that it is just
                     true, by what the bids tell
    fair           : how likely the last bid is true if the others' dice are fair; None in the opening
    called         : how likely the next player calls what is recommended; None where that is no bid
    hands          : of the others, in the order of their turns
    exploitability : of what was found for the rest; 0 where there was nothing to find
    iterations     : that were done

    Unknown is only the value of a bid which is true far more likely than not, and from which on too much was left to look at.
    """

    view: View
    advice: Advice
    true: dict[int, float]
    fair: float | None
    called: float | None
    hands: tuple[Hand, ...]
    exploitability: float
    iterations: int

    @property
    def action(self) -> int:
        """What is recommended: of the actions that are worth about as much as the best, the one that is taken most often."""
        return _best(self.advice)

    def value(self, action: int) -> float | None:
        """The probability of not losing the round with an action; None where it is not known."""
        known = dict(zip(self.advice.actions, self.advice.values, strict=True))
        return float(known[action]) if action in known else None

    def cost(self, action: int) -> float | None:
        """How much less likely the player stays in with an action than with the best: 0 where that is hardly anything."""
        if action not in self.advice.actions:
            return None
        cost = float(self.advice.cost(action))
        return cost if cost > NEAR else 0.0


def recommend(resolver: Resolver, view: View) -> Recommendation:
    """What to do with a roll after some bids.

    Cost: the seconds of the resolver, and what it did not `hear` in time; a moment where only a call is left.

    >>> from liarsdice_cli.bots.resolving import Resolving
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6)
    >>> found = recommend(Resolving("resolving", iterations=50).strategy(game), View(game, (4,), (8,)))
    >>> found.action == CALL, round(found.value(CALL), 3), found.true[CALL]
    (True, 1.0, 0.0)
    """
    if not resolver.has_choice(view.history):
        rest = resolver.rest(view.history)
        hands = _hands(view.rules, rest.beliefs, view.player)
        true, fair = _chances_true(view, hands), _chances_true(view, hands, fair=True).get(CALL)
        values = [1 - true[action] if action == CALL else 0.0 for action in view.actions]
        calls = [float(action == CALL) for action in view.actions]
        return Recommendation(view, Advice(RESOLVED, view.actions, values, calls), true, fair, None, hands, 0.0, 0)
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    found = resolver.solved(view.history)
    reading = Values(found.strategy).after(view.history)
    hands = _hands(view.rules, found.rest.beliefs, view.player)
    true, fair = _chances_true(view, hands), _chances_true(view, hands, fair=True).get(CALL)
    advice = _advice(view, found, reading, true)
    best, called = _best(advice), None
    if best >= 0:
        following = (view.player + 1) % view.rules.players
        calls_it = found.strategy.at((*view.history, best))[0] if best in found.rest.bids else 1.0
        called = float((calls_it * found.rest.beliefs[following]).sum())
    return Recommendation(view, advice, true, fair, called, hands, found.exploitability, found.iterations)


def _advice(view: View, found: SolvedSubgame, reading: RollsAfter, true: dict[int, float]) -> Advice:
    """The actions whose values are known; a bid that was not considered is worth what it is when called, if it would be."""
    assert reading.values is not None, "no roll is ever excluded"
    place, considered = roll_place(view), {*view.rules.bidding.final_actions, *found.rest.bids}
    actions, values, shares = [], [], []
    for row, action in enumerate(view.actions):
        if action in considered or true[action] <= 0.5:
            actions.append(action)
            values.append(float(reading.values[row, place]))
            shares.append(float(reading.probabilities[row, place]))
    return Advice(RESOLVED, actions, values, shares, found.exploitability)


def _best(advice: Advice) -> int:
    assert advice.probabilities is not None, "the rest was solved"
    rows = zip(advice.probabilities, advice.values, advice.actions, strict=True)
    return max(row for row in rows if row[1] >= max(advice.values) - NEAR)[2]


def _hands(rules: Rules, beliefs: Sequence[Floats], own: int) -> tuple[Hand, ...]:
    """Of all but one player, in the order of the turns after that one's."""
    others = [(own + turn) % rules.players for turn in range(1, rules.players)]
    fair = priors(rules)
    return tuple(Hand(one, _counts(rules, one, beliefs[one]), _counts(rules, one, fair[one])) for one in others)


def _counts(rules: Rules, player: int, believed: Floats) -> dict[int, Floats]:
    of_face = {bid.face: number for number, bid in enumerate(rules.bids)}
    matching = matching_table(rules, player)
    counted = (np.bincount(matching[of_face[face]], believed, rules.dice[player] + 1) for face in rules.faces)
    return {face: counts.astype(np.float64) for face, counts in zip(rules.faces, counted, strict=True)}


def _chances_true(view: View, hands: Sequence[Hand], fair: bool = False) -> dict[int, float]:
    """For every action how likely its bid is true, of a call the last one, of spot-on just true; by bids, or with fair dice."""
    rules, unseen = view.rules, {}
    own, place = matching_table(rules, view.player), roll_place(view)
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

"""Regrets at every history by plain recursion over histories and rolls in fractions, to compare with `sequential.judge`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.rules import Roll
from liarsdice_cli.games.liarsdice.strategy import Strategy

TINY = Fraction(1, 10**30)
"""The probability of a tremble, used only for beliefs."""
Weights = dict[Roll, Fraction]


class Regrets:
    """The largest regret of each player at any history, and all of them by history and roll.

    Beliefs follow from strategies that tremble with probability `TINY`. Values are those of the strategies themselves.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.rules = strategy, strategy.rules
        self.found: dict[tuple[tuple[int, ...], Roll], Fraction] = {}
        priors = tuple(dict(self.rules.rolls(player)) for player in (0, 1))
        self.values = self.visit((), priors)

    def largest(self, player: int) -> Fraction:
        """Return the largest regret of a player."""
        return max(regret for (history, _), regret in self.found.items() if len(history) % 2 == player)

    def actions(self, history: Sequence[int]) -> list[int]:
        """Return the actions after a history."""
        bidding = self.rules.bidding
        endings = list(bidding.final_actions) if history else []
        return endings + list(bidding.following(history[-1] if history else -1))

    def visit(self, history: tuple[int, ...], reach: tuple[Weights, Weights]) -> tuple[list[Weights], list[Weights]]:
        """Return both players' values by roll, given the beliefs: of the strategies, and of best responses."""
        mover, actions = len(history) % 2, self.actions(history)
        other, table = 1 - mover, self.strategy.at(history)
        own, best = [Weights(), Weights()], [Weights(), Weights()]
        chances = {
            roll: [Fraction(float(row[place])) for row in table] for place, (roll, _) in enumerate(self.rules.rolls(mover))
        }
        chances = {roll: [one / sum(row) for one in row] for roll, row in chances.items()}
        total = sum(reach[mover].values())
        believed = {roll: weight / total for roll, weight in reach[mover].items()}
        own[other] = dict.fromkeys(reach[other], Fraction(0))
        best[other] = dict(own[other])
        gains: dict[Roll, list[Fraction]] = {roll: [] for roll in reach[mover]}
        for place, action in enumerate(actions):
            erring = {roll: (1 - TINY) * chances[roll][place] + TINY / len(actions) for roll in chances}
            later = {roll: weight * erring[roll] for roll, weight in reach[mover].items()}
            sides = (later, reach[1]) if mover == 0 else (reach[0], later)
            if action in (CALL, SPOT_ON):
                after = self.end(history, action, sides)
                rest = (after, after)
            else:
                rest = self.visit((*history, action), sides)
            for roll, values in gains.items():
                values.append(rest[1][mover][roll])
                own[mover][roll] = own[mover].get(roll, Fraction(0)) + chances[roll][place] * rest[0][mover][roll]
            chance = sum(believed[roll] * chances[roll][place] for roll in chances)
            for kind, values in ((0, own), (1, best)):
                for roll in values[other]:
                    values[other][roll] += chance * rest[kind][other][roll]
        best[mover] = {roll: max(values) for roll, values in gains.items()}
        for roll in reach[mover]:
            self.found[history, roll] = best[mover][roll] - own[mover][roll]
        return own, best

    def end(self, history: tuple[int, ...], action: int, reach: tuple[Weights, Weights]) -> list[Weights]:
        """Return the values of a call or spot-on: each player's expected payoff by roll."""
        rules, mover = self.rules, len(history) % 2
        bid = rules.bids[history[-1]]
        found = []
        for player in (0, 1):
            total, values = sum(reach[1 - player].values()), Weights()
            for roll in reach[player]:
                values[roll] = Fraction(0)
                for against, weight in reach[1 - player].items():
                    count = sum(rules.matching(one, bid.face) for one in (roll, against))
                    right = count == bid.quantity if action == SPOT_ON else count < bid.quantity
                    loser = 1 - mover if right else mover
                    values[roll] += weight / total * rules.payoffs_when_losing(loser)[player]
            found.append(values)
        return found

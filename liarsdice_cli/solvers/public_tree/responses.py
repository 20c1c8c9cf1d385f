"""Exact best responses to what is kept in a grown tree, and what they prove."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.holders import holder_of
from liarsdice_cli.solvers.public_tree.walks import Holder, Numbers, Plan, Walks, plain
from liarsdice_cli.solvers.regret.convergence import Bounds, PassingBounds, Proof, Regrets
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import AVERAGES

JUDGE = "public tree, rounding included"
"""The judge of this file, as `Judgement.judge` names it."""


class Responses:
    """The values of a strategy against best responses, in float64.

    tree, name : the numbers of a grown tree in proportion to which all players act
    holder     : of its shards; this process if nothing is said, unless they are elsewhere
    lock       : the name of the array of a lock that best responses keep to; "" for best responses without one
    tremble    : the probability with which a responder errs, at histories that have grown
    """

    def __init__(
        self,
        game: PublicGame,
        tree: StrategyStore,
        name: str = AVERAGES,
        holder: Holder | None = None,
        lock: str = "",
        tremble: float = 0.0,
    ) -> None:
        self.tremble = tremble
        self.game, self.tree, self.numbers = game, tree, Numbers(name, lock=lock)
        self.walks = Walks(game, tree, holder or holder_of(tree), np.float64)

    def wins(self, player: int, best: bool = True) -> float:
        """The probability that a player is not the one who loses, with the best response to the others or as they are.

        Exact but for rounding, see `PublicGame.rounding_error`: where a responder comes to a history that has not grown, all
        actions are looked at. Cost: a pass over the histories that the others reach.
        """
        plan = Plan(w.RESPOND if best else w.EVALUATE, player, w.NOBODY, self.numbers, plain(tremble=self.tremble))
        found = self.walks.run(plan)
        assert found is not None, "nobody asks it to stop"
        return found

    def payoffs(self, best: bool) -> list[float]:
        """Every player's payoff, with the best response to the others or as they are."""
        players = range(self.game.players)
        return [self.game.payoff(player, self.wins(player, best)) for player in players]

    def proof(self) -> Proof:
        """What the strategies prove, moved apart by what rounding can do: bounds for two players, else everybody's regret."""
        error, best = self.game.rounding_error, self.payoffs(best=True)
        error *= 2 if self.tremble else 1  # every level has a mean beside the best
        if self.game.players == 2:
            lower, upper = sorted((float(self.game.total) - best[1], best[0]))
            return (PassingBounds if self.tremble else Bounds)(lower - error, upper + error)
        payoffs = self.payoffs(best=False)
        return Regrets(tuple(payoffs), _regrets(payoffs, best, error))

    def judge(self, proof: Proof | None = None) -> Judgement:
        """The verdict on the strategies; `proof` if it is known already. A regret is never below 0."""
        proof = proof or self.proof()
        total = self.game.total
        if isinstance(proof, Regrets):
            best = tuple(payoff + regret for payoff, regret in zip(proof.payoffs, proof.regrets, strict=True))
            return Judgement(proof.payoffs, best, proof.regrets, total, exact=False, judge=JUDGE)
        payoff = self.game.payoff(0, self.wins(0, best=False))
        regrets = max(proof.upper - payoff, 0.0), max(payoff - proof.lower, 0.0)
        responses = proof.upper, float(total) - proof.lower
        return Judgement((payoff, float(total) - payoff), responses, regrets, total, exact=False, judge=JUDGE)


def _regrets(payoffs: Sequence[float], best: Sequence[float], error: float) -> tuple[float, ...]:
    return tuple(max(one - payoff, 0.0) + 2 * error for one, payoff in zip(best, payoffs, strict=True))

"""Best responses to the strategies in a strategy store, and the bounds or regrets that they prove."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree.backends import backend_of
from liarsdice_cli.solvers.public_tree.traversers import EVALUATE, RESPOND, ArrayNames, Backend, Traversal, TreeTraverser
from liarsdice_cli.solvers.regret.convergence import Bounds, PassingBounds, Proof, Regrets
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

JUDGE = "public tree, rounding included"
"""`Judgement.judge` of this module."""


class Responses:
    """Values of strategies and of best responses to them, in float64.

    store   : the expanded histories, with the average strategies
    backend : the processes that hold the store's shards; by default this one, or those that hold them already
    lock    : the name of the array of locked probabilities, which best responses keep; "" for none
    tremble : the probability with which a best response acts uniformly at random at an expanded history
    """

    def __init__(
        self,
        game: PublicGame,
        store: StrategyStore,
        backend: Backend | None = None,
        lock: str = "",
        tremble: float = 0.0,
    ) -> None:
        self.tremble = tremble
        self.game, self.store, self.names = game, store, ArrayNames(AVERAGE_STRATEGY, lock=lock)
        self.traverser = TreeTraverser(game, store, backend or backend_of(store), np.float64)

    def wins(self, player: int, best: bool = True) -> float:
        """Return the probability that a player does not lose, with its best response or its own strategy.

        Exact except for rounding, see `PublicGame.rounding_error`: a best response considers every action at an unexpanded
        history too. Cost: a pass over the histories that the other players reach.
        """
        found = self.traverser.run(self.traversal(player, best))
        assert found is not None, "the traversal is never stopped"
        return found

    def traversal(self, player: int, best: bool = True) -> Traversal:
        """Return the traversal that `wins` makes."""
        return Traversal(RESPOND if best else EVALUATE, player, self.names, tremble=self.tremble)

    def payoffs(self, best: bool) -> list[float]:
        """Return every player's payoff, with its best response or its own strategy."""
        players = range(self.game.players)
        return [self.game.payoff(player, self.wins(player, best)) for player in players]

    def proof(self) -> Proof:
        """Return bounds for two players, otherwise the regret of every player; rounding errors are added."""
        error, best = self.game.rounding_error, self.payoffs(best=True)
        error *= 2 if self.tremble else 1  # each level also computes a mean
        if self.game.players == 2:
            lower, upper = sorted((float(self.game.total) - best[1], best[0]))
            return (PassingBounds if self.tremble else Bounds)(lower - error, upper + error)
        payoffs = self.payoffs(best=False)
        regrets = (max(response - payoff, 0.0) + 2 * error for payoff, response in zip(payoffs, best, strict=True))
        return Regrets(tuple(payoffs), tuple(regrets))

    def judge(self, proof: Proof | None = None) -> Judgement:
        """Return the judgement of the strategies. Pass a known `proof` to save time. Regrets are never negative."""
        proof = proof or self.proof()
        total = self.game.total
        if isinstance(proof, Regrets):
            best = tuple(payoff + regret for payoff, regret in zip(proof.payoffs, proof.regrets, strict=True))
            return Judgement(proof.payoffs, best, proof.regrets, total, exact=False, judge=JUDGE)
        payoff, error = self.game.payoff(0, self.wins(0, best=False)), self.game.rounding_error
        regrets = max(proof.upper - payoff + error, 0.0), max(payoff - proof.lower + error, 0.0)
        responses = proof.upper, float(total) - proof.lower
        return Judgement((payoff, float(total) - payoff), responses, regrets, total, exact=False, judge=JUDGE)

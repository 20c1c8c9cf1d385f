"""Safe re-solving: solve a subgame for one player so that its opponent gains nothing by reaching it.

Solving a subgame from beliefs alone trusts that the opponent reaches it with the believed rolls. The *gadget game* does not:
chance deals the opponent fair dice. Before play continues, the opponent may either FOLLOW or TAKE the value of its best
response to the blueprint with that roll. In an equilibrium of this game, no roll of the opponent gets more than it does against
the blueprint. So the spliced strategy is exploited no more than the blueprint.

Source: Burch, Johanson and Bowling (2014), "Solving imperfect information games using decomposition", AAAI 28, section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.public import public_subgame
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.convergence import Bounds
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.stored import Stored, StoredStrategy

FOLLOW, TAKE = 0, 1
"""The opponent's actions at the root: play on, or take the value against the blueprint."""


class Gadget(PublicTree):
    """The public tree of the gadget game, with the regrets of the opponent's choice at the root.

    opponent    : the opponent of the player for whom the subgame is solved, from 0
    take_values : for every roll of the opponent, the probability of not losing that TAKE gives
    regrets     : of FOLLOW and TAKE, for every roll
    follows     : the weighted sum of the probabilities of FOLLOW, for the average strategy
    """

    def __init__(
        self, game: PublicGame, minimiser: Minimiser, opponent: int, take_values: Floats, threads: int | None = None
    ) -> None:
        super().__init__(game, minimiser, threads)
        self.opponent, self.take_values = opponent, take_values
        self.regrets = np.zeros((2, len(take_values)))
        self.follows, self.weight = np.zeros(len(take_values)), 0.0

    @property
    def _following(self) -> Floats:
        """The current probability of FOLLOW with every roll."""
        positive = np.maximum(self.regrets, 0)
        total = positive.sum(axis=0)
        share: Floats = np.where(total > 0, positive[FOLLOW] / np.where(total > 0, total, 1), 0.5)
        return share

    def _update(self, stop: Callable[[], bool]) -> bool:
        player, step, following = self.update_player, self.minimiser.step(self.iteration + 1), self._following
        if not super()._update(stop):
            return False
        if player == self.opponent:
            played = self.root.value[0, : len(self.take_values)].astype(np.float64)
            gained = np.stack([played, self.take_values]) - (following * played + (1 - following) * self.take_values)
            discount = np.where(self.regrets > 0, step.discount, step.discount_negative)
            self.regrets = np.maximum(self.regrets * discount + step.regret_weight * gained, step.floor)
        else:
            self.follows, self.weight = self.follows + step.average_weight * following, self.weight + step.average_weight
        return True

    def _root_reach(self, player: int) -> Floats:
        rolls = self.game.rolls[player]
        return rolls * self._following if player == self.opponent else rolls

    def _played(self, player: int) -> Floats:
        return self.game.rolls[player] * self.follows if player == self.opponent else super()._played(player)

    def _follow_values(self) -> Floats:
        """Return the opponent's probability of not losing by FOLLOW and a best response to the average strategy, by roll."""
        self.responses.traverser.run(self.responses.traversal(self.opponent))
        found: Floats = self.responses.traverser.shard_traverser.opening.value[0, : len(self.take_values)]
        return found.copy()

    @property
    def is_safe(self) -> bool:
        """Whether FOLLOW gives the opponent no more than TAKE with every roll, up to rounding. Cost: a traversal."""
        return bool((self._follow_values() <= self.take_values + self.game.rounding_error).all())

    def bounds(self) -> Bounds:
        """Return bounds on player 1's payoff in the gadget game."""
        rolls, traverser = self.game.rolls[self.opponent], self.responses.traverser
        following = self.follows / self.weight if self.weight else self._following
        most = float(rolls @ np.maximum(self._follow_values(), self.take_values))
        traverser.shard_traverser.opening.reach[0, self.opponent, : len(rolls)] = rolls * following
        played = traverser.run(self.responses.traversal(1 - self.opponent))
        assert played is not None, "the traversal is never stopped"
        least = 1 - played - float(rolls @ ((1 - following) * (1 - self.take_values)))
        total, error = float(self.game.total), self.game.rounding_error
        ends = [self.game.payoff(self.opponent, wins) for wins in (least, most)]
        lower, upper = ends if self.opponent == 0 else sorted(total - end for end in ends)
        return Bounds(lower - error, upper + error)


def gadget(
    blueprint: Stored,
    subgame: Subgame,
    player: int,
    minimiser: Minimiser,
    threads: int | None = None,
    take_values: Floats | None = None,
) -> tuple[Gadget, Callable[[], StoredStrategy]]:
    """Return the solver of the gadget game, and a function that returns the strategy in the subgame once it is solved.

    subgame     : with the beliefs of the blueprint about the player
    player      : the player for whom to solve it, from 0
    take_values : of `Gadget`; by default those of a best response to the blueprint in the subgame
    """
    opponent = 1 - player
    if take_values is None:
        take_values = Values(blueprint).best_wins(subgame.history, opponent, subgame.beliefs)
    fair = priors(subgame.rules)[opponent]
    beliefs = tuple(fair if one == opponent else belief for one, belief in enumerate(subgame.beliefs))
    solved = replace(subgame, beliefs=beliefs)
    solver = Gadget(public_subgame(solved), minimiser, opponent, take_values, threads)
    return solver, lambda: StoredStrategy(subgame.rules, solver.store, start=solved)

"""Safe re-solving: the rest of a round for one player, so that the other gains nothing by coming there.

Whoever solves the rest of a round from beliefs alone trusts that the opponent comes there with the rolls believed. The
*gadget* does not: chance deals the opponent fair dice, and before play goes on the opponent may take, in place of playing,
what the best response to the blueprint gets with that roll. What the player does in an equilibrium of this game lets no roll
of the opponent's get more than the blueprint did, so that the spliced strategy is exploited no more than the blueprint.

Source: Burch, Johanson and Bowling (2014), "Solving imperfect information games using decomposition", AAAI 28, section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.public import game_of
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.public_tree.walks import Numbers, Plan, Walks, plain
from liarsdice_cli.solvers.regret.convergence import Bounds
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.stored import AVERAGES, Stored, StoredStrategy

FOLLOW, TAKE = 0, 1
"""What the opponent does at the root: play on, or take what the blueprint gives."""


class Gadget(PublicTree):
    """The public tree of the gadget: the opponent's choice at the root is learnt beside it.

    opponent : of the player for whom the rest is solved, from 0
    takes    : for every roll of the opponent the chance not to lose that may be taken in place of playing
    regrets  : of FOLLOW and TAKE, for every roll
    follows  : the average probability of FOLLOW, not yet divided by the sum of its weights
    """

    def __init__(
        self, game: PublicGame, minimiser: Minimiser, opponent: int, takes: Floats, threads: int | None = None
    ) -> None:
        super().__init__(game, minimiser, threads)
        self.opponent, self.takes = opponent, takes
        self.regrets = np.zeros((2, len(takes)))
        self.follows, self.weight = np.zeros(len(takes)), 0.0

    @property
    def _following(self) -> Floats:
        """The present probability of FOLLOW with every roll."""
        positive = np.maximum(self.regrets, 0)
        total = positive.sum(axis=0)
        share: Floats = np.where(total > 0, positive[FOLLOW] / np.where(total > 0, total, 1), 0.5)
        return share

    def _update(self, stop: Callable[[], bool]) -> bool:
        learner, step, following = self.learner, self.minimiser.step(self.iteration + 1), self._following
        self._let_in(self.walks, following)
        if not super()._update(stop):
            return False
        if learner == self.opponent:
            played = self._worth(self.walks)
            gained = np.stack([played, self.takes]) - (following * played + (1 - following) * self.takes)
            discount = np.where(self.regrets > 0, step.discount, step.discount_negative)
            self.regrets = np.maximum(self.regrets * discount + step.regret_weight * gained, step.floor)
        else:
            self.follows, self.weight = self.follows + step.average_weight * following, self.weight + step.average_weight
        return True

    def _let_in(self, walks: Walks, following: Floats) -> None:
        """Let the opponent come to the root with these probabilities."""
        rolls = self.game.rolls[self.opponent]
        walks.walker.opening.reach[0, self.opponent, : len(rolls)] = rolls * following

    def _worth(self, walks: Walks) -> Floats:
        """What the last walk found the root worth to the opponent with every roll."""
        found: Floats = walks.walker.opening.value[0, : len(self.takes)].astype(np.float64)
        return found

    def bounds(self) -> Bounds:
        """On player 1's payoff in the gadget, in which the opponent may take what the blueprint gives."""
        rolls, walks = self.game.rolls[self.opponent], self.responses.walks
        following = self.follows / self.weight if self.weight else self._following
        walks.run(Plan(w.RESPOND, self.opponent, w.NOBODY, Numbers(AVERAGES), plain()))
        most = float(rolls @ np.maximum(self._worth(walks), self.takes))
        self._let_in(walks, following)
        played = walks.run(Plan(w.RESPOND, 1 - self.opponent, w.NOBODY, Numbers(AVERAGES), plain()))
        assert played is not None, "nobody asks it to stop"
        least = 1 - played - float(rolls @ ((1 - following) * (1 - self.takes)))
        total, error = float(self.game.total), self.game.rounding_error
        ends = [self.game.payoff(self.opponent, wins) for wins in (least, most)]
        lower, upper = ends if self.opponent == 0 else sorted(total - end for end in ends)
        return Bounds(lower - error, upper + error)


def gadget(
    blueprint: Stored, rest: Subgame, player: int, minimiser: Minimiser, threads: int | None = None
) -> tuple[Gadget, Callable[[], StoredStrategy]]:
    """The gadget of a blueprint for a player, from 0, and what gives the player's strategy in the rest once it is solved.

    rest : where it begins, with the beliefs of the blueprint
    """
    opponent, values = 1 - player, Values(blueprint)
    reaches = list(rest.beliefs)
    takes = values.best_wins(rest.history, opponent, reaches)
    fair = priors(rest.rules)[opponent]
    beliefs = tuple(fair if one == opponent else belief for one, belief in enumerate(rest.beliefs))
    solved = replace(rest, beliefs=beliefs)
    solver = Gadget(game_of(solved), minimiser, opponent, takes, threads)
    return solver, lambda: StoredStrategy(rest.rules, solver.tree, AVERAGES, start=solved)

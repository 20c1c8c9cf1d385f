"""Restricted Nash responses by exact linear programs, judged in fractions.

A response is one player's part of an equilibrium of the restricted Nash game (`extensive.restricted_nash`). The linear program
finds it, and the judge proves it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import TreeLock, marked
from liarsdice_cli.extensive.mixture import mixture
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.restricted_nash import RestrictedNashGame, restricted_nash_game
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact.reduction import Reduction, reduce
from liarsdice_cli.solvers.exact.sequence_form import require_sequence_form
from liarsdice_cli.solvers.exact.solve import ends, solve_reduced
from liarsdice_cli.solvers.frontier import Response


class ExactResponses:
    """The exact backend of `frontier`, for a player, from 0, against a lock at all sets that the opponent's play reaches.

    Raises LiarsDiceError for games that are not of two players with constant sum and perfect recall. A strategy is a profile in
    which the opponent plays the lock. Cost: for every response one to three linear programs as large as the reduced game.
    """

    tolerance: Number = Fraction(0)
    depth: int | None = None
    ends: tuple[Number, Number] = (Fraction(0), Fraction(1))

    def __init__(self, tree: GameTree, player: int, lock: TreeLock) -> None:
        require_sequence_form(tree, "a restricted Nash response")
        self.tree, self.player, self.lock = tree, player, lock

    @cached_property
    def _game(self) -> RestrictedNashGame:
        return restricted_nash_game(self.tree, self.lock)

    @cached_property
    def _reduction(self) -> Reduction:
        """The reduced restricted Nash game; it does not depend on the probability of the lock."""
        return reduce(self._game.tree, ends(self._game.tree))

    @cached_property
    def _safest(self) -> Response[Profile]:
        return self._respond(Fraction(0))

    @property
    def value(self) -> tuple[Number, Number]:
        """See `Backend`: the payoff that an equilibrium strategy secures, and the one that no strategy exceeds."""
        return self._safest.worst_case, self._safest.ceiling

    def respond(self, weight: Number) -> Response[Profile]:
        """See `Backend`."""
        return self._respond(Fraction(weight)) if weight else self._safest

    def _respond(self, weight: Fraction) -> Response[Profile]:
        found = solve_reduced(self._game.tree, self._reduction, self._game.chance(weight))
        profile = marked(self.tree, self._game.within(found.in_tree), self.lock)
        verdict, total = judge(profile), self.tree.constant_sum
        ceiling, opponent = found.judgement.best_responses[self.player], verdict.best_responses[1 - self.player]
        assert total is not None, "a constant sum was required"
        assert ceiling is not None, "perfect recall was required"
        assert opponent is not None, "perfect recall was required"
        return Response(weight, verdict.payoffs[self.player], total - opponent, ceiling, profile)

    def mix(self, one: Profile, other: Profile, share: Number) -> Profile:
        """See `Backend`."""
        return mixture(self.player, one, other, Fraction(share))

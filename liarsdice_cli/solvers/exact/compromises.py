"""Restricted Nash responses in fractions: what is won against one strategy, and left against any, proved corner by corner.

The strategy that is best for a mean of both numbers is an equilibrium's part of the game in which a coin decides whether the
opponent is bound (`extensive.restricted`), which the linear program finds and the judge proves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import Fixed, marked
from liarsdice_cli.extensive.mixture import mixture
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.restricted import Restricted, restricted
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers import trade_off
from liarsdice_cli.solvers.exact.reduction import Reduction, reduce
from liarsdice_cli.solvers.exact.sequence_form import require_sequence_form
from liarsdice_cli.solvers.exact.solve import ends, solve_reduced


@dataclass(frozen=True, eq=False)
class Compromise:
    """A strategy of the player who exploits, as the judge sees it.

    against : its payoff against the known strategy
    worst   : its least payoff against anybody
    profile : the strategy, and as the other player's the known one
    proved  : whether it is proved that nothing is better for the mean it was found for
    """

    against: Fraction
    worst: Fraction
    profile: Profile
    proved: bool


class Compromises:
    """The trade-off of one player, from 0, against what is fixed for the other at all sets to which that leads.

    Raises LiarsDiceError for games that are not of two players with constant sum and perfect recall. Cost: for every corner one
    to three linear programs as large as the reduced game.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 2))
    >>> sizes = enumerate(zip(game.infosets.player.tolist(), game.action_counts.tolist()))
    >>> equal = {row: (Fraction(1, size),) * size for row, (player, size) in sizes if player == 0}
    >>> [(str(one.worst), str(one.against)) for one in Compromises(game, 1, equal).corners()]
    [('1/2', '23/32'), ('1/4', '35/48')]
    """

    def __init__(self, tree: GameTree, player: int, fixed: Fixed, advance: Callable[[int], None] = lambda found: None) -> None:
        require_sequence_form(tree, "the trade-off")
        self.tree, self.player, self.fixed, self.advance = tree, player, fixed, advance
        self._found = 0

    @cached_property
    def _game(self) -> Restricted:
        return restricted(self.tree, self.fixed)

    @cached_property
    def _reduction(self) -> Reduction:
        """What is left of the game with the coin, however it is weighed: no winning or losing depends on that."""
        return reduce(self._game.tree, ends(self._game.tree))

    def best(self, bound: Fraction) -> Compromise:
        """The strategy that is best where the opponent is bound with this probability, from 0 to 1."""
        found = solve_reduced(self._game.tree, self._reduction, self._game.chance(bound))
        self._found += 1
        self.advance(self._found)
        profile = marked(self.tree, self._game.within(found.in_tree), self.fixed)
        return self._judged(profile, found.judgement.is_equilibrium)

    def _judged(self, profile: Profile, proved: bool) -> Compromise:
        verdict, total = judge(profile), self.tree.constant_sum
        other = verdict.best_responses[1 - self.player]
        assert total is not None, "a constant sum was required"
        assert other is not None, "perfect recall was required"
        return Compromise(Fraction(verdict.payoffs[self.player]), total - Fraction(other), profile, proved)

    @cached_property
    def ends(self) -> tuple[Compromise, Compromise]:
        """The ends: one that is safest, its `worst` being the value of the game, and a best response."""
        return self.best(Fraction(0)), self.best(Fraction(1))

    def corners(self, worst: Fraction | None = None) -> list[Compromise]:
        """All corners of the trade-off, the safest first; if `worst` is given, those around this much of it."""
        return trade_off.corners(lambda weight: self.best(Fraction(weight)), *self.ends, worst)

    def at(self, line: Sequence[Compromise], worst: Fraction) -> Compromise:
        """The strategy that wins most against the known one among those with so much in the worst case, given the corners."""
        one, other, share = trade_off.around(line, worst)
        if one is other:
            return one
        mixed = mixture(self.player, one.profile, other.profile, Fraction(share))
        return self._judged(mixed, one.proved and other.proved)

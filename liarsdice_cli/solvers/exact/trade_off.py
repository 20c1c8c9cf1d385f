"""What is won against one opponent, and what is left against any: the whole trade-off, exactly.

A strategy has a payoff against the opponent's known strategy, and a least payoff against anybody. The pairs that can be had,
and worse ones, are a convex set; its edge is a concave line with finitely many corners. The corner that is best for a mean of
both numbers is an equilibrium of the game in which a coin decides whether the opponent is bound (`extensive.restricted`). Two
corners name the mean that likes both as well: if no strategy is better for it, nothing bends between them; else what is found
is a point above their line, with which this is done again on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf

from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import Fixed, marked
from liarsdice_cli.extensive.mixture import mixture
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.restricted import Restricted, restricted
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact.reduction import Reduction, reduce
from liarsdice_cli.solvers.exact.sequence_form import require_sequence_form
from liarsdice_cli.solvers.exact.solve import ends, solve_reduced


@dataclass(frozen=True, eq=False)
class Corner:
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


class TradeOff:
    """The trade-off of one player, from 0, against what is fixed for the other at all sets to which that leads.

    Raises LiarsDiceError for games that are not of two players with constant sum and perfect recall. Cost: for every corner one
    to three linear programs as large as the reduced game.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 2))
    >>> sizes = enumerate(zip(game.infosets.player.tolist(), game.action_counts.tolist()))
    >>> equal = {row: (Fraction(1, size),) * size for row, (player, size) in sizes if player == 0}
    >>> [(str(one.worst), str(one.against)) for one in TradeOff(game, 1, equal).corners()]
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

    def best(self, bound: Fraction) -> Corner:
        """The strategy that is best where the opponent is bound with this probability, from 0 to 1."""
        found = solve_reduced(self._game.tree, self._reduction, inf, self._game.chance(bound))
        self._found += 1
        self.advance(self._found)
        profile = marked(self.tree, self._game.within(found.in_tree), self.fixed)
        return self._judged(profile, found.judgement.is_equilibrium)

    def _judged(self, profile: Profile, proved: bool) -> Corner:
        verdict, total = judge(self.tree, profile), self.tree.constant_sum
        other = verdict.best_responses[1 - self.player]
        assert total is not None, "a constant sum was required"
        assert other is not None, "perfect recall was required"
        return Corner(Fraction(verdict.payoffs[self.player]), total - Fraction(other), profile, proved)

    @cached_property
    def ends(self) -> tuple[Corner, Corner]:
        """The two ends: one that is safest, its `worst` being the value of the game, and a best response."""
        return self.best(Fraction(0)), self.best(Fraction(1))

    def corners(self, worst: Fraction | None = None) -> list[Corner]:
        """All corners, the safest first; if `worst` is given, those on either side of it, or the one that is there."""
        safest, boldest = self.ends
        found = [safest, *self._between(safest, boldest, worst), boldest]
        return _bends(found)

    def _between(self, one: Corner, other: Corner, worst: Fraction | None) -> Iterator[Corner]:
        """What lies above the line from one corner to a bolder one."""
        gained, lost = other.against - one.against, one.worst - other.worst
        if gained <= 0 or lost <= 0 or (worst is not None and not other.worst <= worst <= one.worst):
            return
        bound = lost / (gained + lost)
        found = self.best(bound)
        if _mean(found, bound) <= _mean(one, bound):
            return
        yield from self._between(one, found, worst)
        yield found
        yield from self._between(found, other, worst)

    def safe(self, most: Fraction) -> Corner:
        """The strategy with the highest payoff against the known one among those that lose at most so much against anybody."""
        least = self.ends[0].worst - most
        found = self.corners(least)
        if found[-1].worst >= least:
            return found[-1]
        before = max(place for place, one in enumerate(found) if one.worst >= least)
        one, other = found[before], found[before + 1]
        share = (one.worst - least) / (one.worst - other.worst)
        mixed = mixture(self.tree, self.player, one.profile, other.profile, share)
        return self._judged(mixed, one.proved and other.proved)


def _mean(corner: Corner, bound: Fraction) -> Fraction:
    return bound * corner.against + (1 - bound) * corner.worst


def _bends(found: list[Corner]) -> list[Corner]:
    """The corners at which the line bends, in order: no point that another is better than, or that lies between two others."""
    line: list[Corner] = []
    for one in found:
        if line and one.against <= line[-1].against:
            continue
        while line and line[-1].worst <= one.worst:
            line.pop()
        while len(line) > 1 and _rise(line[-2], line[-1]) <= _rise(line[-1], one):
            line.pop()
        line.append(one)
    return line


def _rise(one: Corner, other: Corner) -> Fraction:
    """What is won for each unit that is risked."""
    return (other.against - one.against) / (one.worst - other.worst)

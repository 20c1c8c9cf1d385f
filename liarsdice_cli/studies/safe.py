"""What can be won of a bot by who is safe: all compromises between exploiting it and not being exploited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.locks import rational
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.locks import LockedHistory, bound_to, fixed_by
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Drawn, LastBidOnly, OfProfile, Strategy
from liarsdice_cli.games.liarsdice.tree import Counts, build
from liarsdice_cli.solvers import trade_off
from liarsdice_cli.solvers.exact import compromises as exact
from liarsdice_cli.solvers.regret.convergence import Limits
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.studies.worst_case import value_of

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.restricted import Compromise

EXACT = 500_000
"""The largest tree, in nodes, in which all corners are found: some seconds each, on the way to some dozens of them."""
CHANCE = "multiset"
"""How the dice are dealt in it: the way with the fewest nodes."""
TARGET = 1e-3
"""How well a compromise is found in larger games, as an exploitability, if nobody says."""
_NEARLY = 1 / 32
"""The weight of the less weighty of both payoffs at the ends of a curve that is sampled."""
_ROUNDS = 3
"""How often the lines of such a curve are divided."""
_SAME = 1e-12


@dataclass(frozen=True)
class Point:
    """What a strategy gets against the bot and at least against anybody, and what is risked: the value less that.

    limit : what nobody exceeds against the bot who has as much in the worst case; `against` itself where the curve is exact
    """

    against: Number
    worst: Number
    risked: Number
    limit: Number


@dataclass(frozen=True)
class SafeCurve:
    """The compromises of one seat.

    player  : who exploits the bot, from 0
    value   : of the game for that player, between bounds
    points  : from the safest to the boldest; all between two of them is had by a coin that decides on either strategy
    chosen  : what wins most among what risks no more than was asked for, else None
    exact   : whether these are all corners, in fractions, with proof; else each is what one strategy gets, rounding taken off
    rounded : whether the bot's own probabilities had to be rounded, to millionths
    strategy : what was chosen does; of the other seat it means nothing
    """

    player: int
    value: tuple[Number, Number]
    points: tuple[Point, ...]
    chosen: Point | None
    exact: bool
    rounded: bool = False
    strategy: Strategy | None = None


def safe_curve(
    bot: Policy,
    rules: Rules,
    player: int,
    most: Fraction | None = None,
    target: float | None = None,
    advance: Callable[[int], None] = lambda found: None,
) -> SafeCurve:
    """The compromises against a bot: the whole curve, or what is around the one that risks no more than `most`.

    target  : the exploitability at which the game is left that finds a point, where the tree is too large; `TARGET` if not said
    advance : called with the number of compromises found so far

    Raises LiarsDiceError for other than two players, for a game that the bot does not play, and for one that is too large.

    >>> from liarsdice_cli.bots.specs import policy
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> curve = safe_curve(policy("honest"), rules("ones-low", 3), 1)
    >>> [(str(point.risked), str(point.against)) for point in curve.points]
    [('0', '7/9'), ('1/9', '8/9')]
    """
    if rules.players != 2:
        raise LiarsDiceError(f"two play it safe, not {rules.players}: give ", Argument("dice", (1, 1)))
    bot.check(rules)
    strategy = bot.strategy(rules) if bot.looks_back else LastBidOnly(bot.strategy(rules))
    if Counts.of(rules, CHANCE).nodes <= EXACT:
        return _exactly(strategy, rules, player, most, advance)
    return _sampled(strategy, rules, player, most, TARGET if target is None else target, advance)


def _exactly(strategy: Strategy, rules: Rules, player: int, most: Fraction | None, advance: Callable[[int], None]) -> SafeCurve:
    tree, lock = build(rules, CHANCE), bound_to(strategy, 1 - player, EXACT)
    fixed = fixed_by(rules, tree, lock)
    found = exact.Compromises(tree, player, fixed, advance)
    value = found.ends[0].worst
    line = found.corners(None if most is None else value - most)
    chosen = None if most is None else found.at(line, value - most)
    proved = all(one.proved for one in (*line, *([chosen] if chosen else ())))
    return SafeCurve(
        player,
        (value, value),
        tuple(_proved(one, value) for one in line),
        None if chosen is None else _proved(chosen, value),
        proved,
        rounded=_rounded(lock),
        strategy=None if chosen is None else OfProfile.of(rules, tree, chosen.profile.probabilities),
    )


def _proved(one: exact.Compromise, value: Fraction) -> Point:
    return Point(one.against, one.worst, value - one.worst, one.against)


def _rounded(lock: Sequence[LockedHistory]) -> bool:
    """Whether fractions miss the floats of a strategy."""
    return any(
        np.abs(np.array([float(number) for number in rational(column.tolist())]) - column).max() > _SAME
        for one in lock
        for column in one.probabilities.T[one.rolls]
    )


def _sampled(
    strategy: Strategy, rules: Rules, player: int, most: Fraction | None, target: float, advance: Callable[[int], None]
) -> SafeCurve:
    from liarsdice_cli.solvers.public_tree.restricted import Compromises  # imports numba

    valued = value_of(rules, target)
    assert valued is not None, "a target was given"
    game = Compromises(strategy, player, minimiser(DEFAULT))
    found: list[Compromise] = []
    bounds = valued.seen_by(player, game.game.total)
    assert bounds is not None, "refused games are errors"
    lower, upper = map(float, bounds)

    def best(weight: Number) -> Compromise:
        found.append(game.best(float(weight), Limits(target * game.game.range)))
        advance(len(found))
        return found[-1]

    least = None if most is None else upper - float(most)
    line = trade_off.corners(best, best(_NEARLY), best(1 - _NEARLY), least, 2 * target, _ROUNDS)
    points = tuple(_measured(one.against, one.worst, upper, found) for one in line)
    curve = SafeCurve(player, (lower, upper), points, None, exact=False)
    return curve if least is None else _with_choice(curve, line, least, found, target)


def _measured(against: float, worst: float, value: float, found: Sequence[Compromise]) -> Point:
    """A point with the limit that all means together prove, which nobody exceeds in any of them."""
    limit = min((one.most - (1 - one.bound) * worst) / one.bound for one in found)
    return Point(against, worst, max(value - worst, 0.0), limit)


def _with_choice(
    curve: SafeCurve, line: Sequence[Compromise], least: float, found: Sequence[Compromise], target: float
) -> SafeCurve:
    """The curve with what has so much in the worst case: of two strategies, drawn by a coin, the payoffs are the mean."""
    one, other, share = trade_off.around(line, least)
    if one.worst < least:
        raise LiarsDiceError(
            f"the safest strategy that was found risks {curve.value[1] - one.worst:.3g}: allow so much, or give a smaller ",
            Argument("target"),
            f" than {target:g}",
        )
    mean = float(share)
    against, worst = (float((1 - mean) * a + mean * b) for a, b in ((one.against, other.against), (one.worst, other.worst)))
    return replace(
        curve,
        chosen=_measured(against, worst, float(curve.value[1]), found),
        strategy=Drawn(one.strategy.rules, one.strategy, other.strategy, mean),
    )

"""What can be won of a bot by who risks little: for both seats, as a strategy to keep and as a picture."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from liarsdice_cli.bots import specs
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import ArgumentError, LiarsDiceError, check_function, check_type
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.rules import Rules, check_rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.strategies.combined import BySeat
from liarsdice_cli.studies.safe import SafeCurve, safe_curve

_FINEST = 10**9
"""The largest denominator of what may be risked, so that 0.02 is 1/50."""
_BOLDEST = 1_000_000
"""The most that may be risked, beyond all payoffs there are."""


@dataclass(frozen=True)
class Safe(Renderable):
    """The strategies that win most against a bot among those that lose at most so much against anybody.

    bot    : its name
    most   : what may be risked, in payoff below the value; None for every amount
    curves : of both seats
    """

    bot: str
    rules: Rules
    most: Fraction | None
    curves: tuple[SafeCurve, ...]

    @property
    def strategy(self) -> Strategy:
        """What was chosen for both seats; LiarsDiceError where every amount was asked for."""
        chosen = tuple(curve.strategy for curve in self.curves if curve.strategy is not None)
        if len(chosen) < len(self.curves):
            raise LiarsDiceError("there is a strategy for every amount: say how much may be risked")
        return BySeat(self.rules, chosen)

    def svg(self) -> str:
        """The curves as a picture: what is won by what is risked."""
        from liarsdice_cli.draw.trade_off import Line, picture

        lines = [
            Line(
                f"as player {curve.player + 1}",
                [(max(float(point.risked), 0.0), float(point.against)) for point in curve.points],
            )
            for curve in self.curves
        ]
        return picture(f"What is won of {self.bot} by what is risked", lines, str(self.rules))


def safe(
    bot: str | Policy,
    rules: Rules,
    most: Fraction | float | None = None,
    *,
    target: float | None = None,
    following: Callable[[str], AbstractContextManager[Callable[[int], None]]] = lambda what: nullcontext(lambda found: None),
) -> Safe:
    """How to exploit a bot without being exploited: restricted responses, of both seats (docs/exploit.md).

    most      : what may be risked, in payoff below the value of the game; None for the curve over every amount
    target    : how well large games are solved; None for what is quick
    following : called with what is being found; what it gives hears how many compromises there are

    Exact for trees of up to half a million nodes, sampled between proved limits above. Raises LiarsDiceError for other than
    two players, UsageError for a risk below 0 or beyond all payoffs.

    Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = safe("honest", rules("common", 2), 0)
    >>> [len(curve.points) > 0 for curve in found.curves], found.strategy.rules.sides
    ([True, True], 2)
    """
    check_rules(rules)
    check_type("bot", bot, str | Policy, "give the name of a bot as text, such as 'honest', or a policy")
    check_type("most", most, Real | None, "give a number, or leave it out")
    check_type("target", target, Real | None, "give a number, or leave it out")
    check_function("following", following, "give a function of a text that returns a context")
    against = specs.asked(bot) if isinstance(bot, str) else bot
    if most is not None and not 0 <= most <= _BOLDEST:
        raise ArgumentError("most", most, f"give what may be risked, from 0 to {_BOLDEST:,}")
    risk = None if most is None else Fraction(most).limit_denominator(_FINEST)
    curves = []
    for player in range(rules.players):
        with following(f"as player {player + 1}") as tell:
            curves.append(safe_curve(against, rules, player, risk, target, tell))
    return Safe(against.name, rules, risk, tuple(curves))

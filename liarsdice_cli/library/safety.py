"""Safe exploitation of a bot: the frontiers of both seats, as a strategy to keep and as a picture."""

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
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.rules import Rules, check_rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.frontier import Frontier
from liarsdice_cli.strategies.combined import BySeat
from liarsdice_cli.studies.safe import frontier_against

_FINEST = 10**9
"""The largest denominator of a risk, so that 0.02 is 1/50."""
_BOLDEST = 1_000_000
"""The largest risk that is accepted, far above all payoffs."""


@dataclass(frozen=True)
class SafeExploitation(Renderable):
    """The strategies that gain most from a bot among those with at most a given risk.

    bot       : its name
    max_risk  : in payoff below the value of the game; None for every risk
    frontiers : of both seats
    """

    bot: str
    rules: Rules
    max_risk: Fraction | None
    frontiers: tuple[Frontier[Strategy], ...]

    def __repr__(self) -> str:
        points = (found.chosen or found.points[-1] for found in self.frontiers)
        seats = "; ".join(
            f"player {seat} gains {shown(point.gain)} at risk {shown(point.risk)}" for seat, point in enumerate(points, 1)
        )
        return f"SafeExploitation({self.bot}, {self.rules}: {seats})"

    @property
    def strategy(self) -> Strategy:
        """The chosen strategies of both seats; LiarsDiceError if no risk was given."""
        chosen = tuple(found.chosen.strategy for found in self.frontiers if found.chosen is not None)
        if len(chosen) < len(self.frontiers):
            raise LiarsDiceError("there is a strategy for every amount: say how much may be risked")
        return BySeat(self.rules, chosen)

    def svg(self) -> str:
        """Return the frontiers as a picture: the gain by the risk."""
        from liarsdice_cli.draw.trade_off import Line, picture

        lines = [
            Line(f"as player {found.player + 1}", [(float(point.risk), float(point.gain)) for point in found.points])
            for found in self.frontiers
        ]
        return picture(f"What is won of {self.bot} by what is risked", lines, str(self.rules))


def safe_exploitation(
    bot: str | Policy,
    rules: Rules,
    max_risk: Fraction | float | None = None,
    *,
    target: float | None = None,
    following: Callable[[str], AbstractContextManager[Callable[[int], None]]] = lambda what: nullcontext(lambda found: None),
) -> SafeExploitation:
    """Exploit a bot safely: compute restricted Nash responses for both seats (docs/exploit.md).

    max_risk  : the largest risk, in payoff below the value of the game; None for the frontier over every risk
    target    : the exploitability at which large games are solved well enough; None for a quick default
    following : called with a text that says what is computed; its context gets the number of responses found so far

    Exact for trees of up to half a million nodes, with proved limits above. Raises LiarsDiceError for other than two players,
    UsageError for a risk below 0 or above all payoffs.

    Source: Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = safe_exploitation("honest", rules("common", 2), 0)
    >>> [len(one.points) > 0 for one in found.frontiers], found.strategy.rules.sides
    ([True, True], 2)
    """
    check_rules(rules)
    check_type("bot", bot, str | Policy, "give the name of a bot as text, such as 'honest', or a policy")
    check_type("max_risk", max_risk, Real | None, "give a number, or leave it out")
    check_type("target", target, Real | None, "give a number, or leave it out")
    check_function("following", following, "give a function of a text that returns a context")
    against = specs.asked(bot) if isinstance(bot, str) else bot
    if max_risk is not None and not 0 <= max_risk <= _BOLDEST:
        raise ArgumentError("max_risk", max_risk, f"give what may be risked, from 0 to {_BOLDEST:,}")
    risk = None if max_risk is None else Fraction(max_risk).limit_denominator(_FINEST)
    found = []
    for player in range(rules.players):
        with following(f"as player {player + 1}") as advance:
            found.append(frontier_against(against, rules, player, risk, target, advance))
    return SafeExploitation(against.name, rules, risk, tuple(found))

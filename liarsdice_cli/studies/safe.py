"""Safe exploitation of a bot: the frontier of gain and risk for one seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.locks import PublicLock, locked_rolls, on_tree, strategy_lock
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import FEWEST_NODES, Rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy
from liarsdice_cli.games.liarsdice.tree import Counts, build
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.exact.restricted_nash import ExactResponses
from liarsdice_cli.solvers.frontier import Frontier, frontier
from liarsdice_cli.solvers.regret.convergence import Limits
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.strategies.combined import BySeat, LastBidOnly
from liarsdice_cli.studies.worst_case import fixed_strategy, value_of

EXACT = 500_000
"""The largest tree, in nodes, on which the exact backend runs: a few seconds for each corner, for up to a few dozen corners."""
TARGET = 1e-3
"""The default exploitability at which the approximate backend stops."""
_SAME = 1e-12


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
        """The chosen strategies of both seats; LiarsDiceError without a largest risk."""
        chosen = tuple(found.chosen.strategy for found in self.frontiers if found.chosen is not None)
        if len(chosen) < len(self.frontiers):
            raise LiarsDiceError("the frontier has a strategy for every risk: give ", Argument("max_risk", 0.01))
        return BySeat(self.rules, chosen)


def frontier_against(
    bot: Policy,
    rules: Rules,
    player: int,
    max_risk: Fraction | None = None,
    target: float | None = None,
    progress: Progress = SILENT,
) -> Frontier[Strategy]:
    """Return the frontier of a player, from 0, against a bot: all of it, or the part around a risk.

    target   : the exploitability at which a response is good enough if the tree is too large for the exact backend
    progress : counts the responses

    Raises LiarsDiceError for other than two players, for a game that the bot does not play, and for one that is too large.

    >>> from liarsdice_cli.bots.specs import policy
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> found = frontier_against(policy("honest"), rules("ones-low", 3), 1)
    >>> [(str(point.risk), str(point.gain)) for point in found.points]
    [('0', '7/9'), ('1/9', '8/9')]
    """
    if rules.players != 2:
        raise LiarsDiceError(f"safe exploitation is for two players, not {rules.players}: give ", Argument("dice", (1, 1)))
    bot.check(rules)
    strategy = fixed_strategy(bot, rules) if bot.looks_back else LastBidOnly(bot.strategy(rules))
    if strategy.rules.payoffs != rules.payoffs:  # a strategy file; risk and gain would be in its payoffs
        raise LiarsDiceError(f"{bot.name} is for {strategy.rules}: give ", Argument("payoffs", strategy.rules.payoffs))
    if Counts.of(rules, FEWEST_NODES).nodes <= EXACT:
        return _exact(strategy, player, max_risk, progress)
    return _approximate(strategy, player, max_risk, TARGET if target is None else target, progress)


def _exact(strategy: Strategy, player: int, max_risk: Fraction | None, progress: Progress) -> Frontier[Strategy]:
    rules = strategy.rules
    tree, lock = build(rules, FEWEST_NODES), strategy_lock(strategy, 1 - player, EXACT)
    found = frontier(ExactResponses(tree, player, on_tree(rules, tree, lock)), max_risk, progress)

    def converted(profile: Profile) -> Strategy:
        return ProfileStrategy.of(rules, tree, profile.probabilities)

    return replace(found.map(converted), rounded=_is_rounded(lock))


def _is_rounded(lock: PublicLock) -> bool:
    """Return whether fractions differ from the floats of a strategy."""
    return any(
        np.abs(np.array([float(number) for number in plain_fractions(column.tolist())]) - column).max() > _SAME
        for behaviour in lock.values()
        for column in behaviour.T[locked_rolls(behaviour)]
    )


def _approximate(
    strategy: Strategy, player: int, max_risk: Fraction | None, target: float, progress: Progress
) -> Frontier[Strategy]:
    from liarsdice_cli.solvers.public_tree.restricted_nash import ApproximateResponses  # imports numba

    valued, game = value_of(strategy.rules, target), public_game(strategy.rules)
    assert valued is not None, "a target was given"
    bounds = valued.seen_by(player, game.total)
    assert bounds is not None, "refused games are errors"
    lower, upper = map(float, bounds)
    limits = Limits(target * game.range)
    found = frontier(ApproximateResponses(strategy, player, minimiser(DEFAULT), limits, (lower, upper)), max_risk, progress)
    if max_risk is not None and found.points[0].risk > max_risk:
        raise LiarsDiceError(
            f"the safest strategy that was found risks {found.points[0].risk:.3g}: allow so much, or give a smaller ",
            Argument("target"),
            f" than {target:g}",
        )
    return found

"""Safe re-solving of a subgame for one player, and the worst case of the whole strategy before and after."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from liarsdice_cli.errors import ArgumentError, LiarsDiceError, check_number, check_type
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.liarsdice.subgame import Subgame, subgame
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.public_tree.gadget import gadget
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.convergence import Limits, RunHistory, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.strategies.combined import Spliced
from liarsdice_cli.strategies.expansion import expanded, stored
from liarsdice_cli.strategies.stored import Stored

TARGET = 1e-4
"""The exploitability of the gadget at which it stops unless asked otherwise, in units of the range of payoffs."""


@dataclass(frozen=True)
class Resolved(Renderable):
    """A strategy with a re-solved subgame for one player.

    rest     : where it begins, with the beliefs of the strategy before
    player   : for whom, from 0
    run      : how it went; its bounds are those of player 1's payoff in the gadget
    before   : the player's payoff in the worst case, against the best response to the whole strategy, before
    after    : the same with the re-solved subgame; both in float64 on the public tree, as `judge` finds them
    strategy : the strategy of all players in the whole game with the re-solved subgame; the old one if `stays`
    """

    rest: Subgame
    player: int
    run: RunHistory
    before: float
    after: float
    strategy: Stored

    @property
    def stays(self) -> bool:
        """Whether the old strategy stays, because it is less exploitable."""
        return self.after < self.before

    def __repr__(self) -> str:
        return f"Resolved(player {self.player + 1}, {self.rest!r}: worst case {self.before:.6g} before, {self.after:.6g} after)"


def resolve(
    strategy: Strategy,
    history: str,
    player: int | None = None,
    *,
    target: float | None = None,
    iterations: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> Resolved:
    """Re-solve a subgame so that the whole strategy is exploited no more than before (safe re-solving).

    A gadget game that is solved roughly can give a strategy that is exploited more. Then the old strategy stays.

    The options are keyword arguments, named as those of the command `resolve`.

    strategy : of two players, such as `read_strategy` gives, or `Solution.strategy`
    history  : the bids after which the rest begins, such as "1x2 2x3"
    player   : for whom, from 1; who moves there if nothing is said
    target   : of the exploitability of the gadget, in the unit of payoffs; `TARGET` times their range without any limit
    progress : receives a sample at every computation of bounds

    Raises LiarsDiceError for other than two players, and where the player never comes there. Cost: that of solving the rest,
    and of judging the whole strategy twice. Source: `solvers.public_tree.gadget`.

    >>> from liarsdice_cli import resolve, rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> found = resolve(Uniform(rules("common", 2)), "1x2")
    >>> found.player, round(found.before, 3), round(found.after, 3)
    (1, 0.177, 0.281)
    """
    check_type("progress", progress, Progress, "give an object of a class derived from Progress, or leave it out")
    check_type("strategy", strategy, Strategy, "give a strategy, such as read_strategy('strategy.ldz')")
    check_type("target", target, Real | None, "give a number, or leave it out")
    check_number("time_limit", time_limit, 0, whole=False)
    for name, number in (("iterations", iterations), ("threads", threads)):
        check_number(name, number, 1)
    rules = strategy.rules
    if rules.players != 2:
        raise LiarsDiceError("safe re-solving is for two players: give a strategy of two, or solve the rest from beliefs")
    if player is not None and player not in (1, 2):
        raise ArgumentError("player", player, "give 1 or 2")
    progress.begin("re-solving the subgame")
    kept = stored(strategy)
    rest = subgame(kept.rules, history, kept)
    who = rest.mover if player is None else player - 1
    solver, result = gadget(kept, rest, who, minimiser(DEFAULT), threads)
    limits = Limits(target, iterations, time_limit).with_default(TARGET * solver.game.range, solver.game.rounding_error)
    solver.compile()
    history_of_run = run(solver, limits, progress)
    better = expanded(Spliced(kept.rules, kept, result(), rest.history, (who,)))
    before, after = _worst(kept, who), _worst(better, who)
    return Resolved(rest, who, history_of_run, before, after, kept if after < before else better)


def _worst(strategy: Stored, player: int) -> float:
    """A player's payoff against the best response to a whole strategy."""
    responses = Responses(Values(strategy).game, strategy.tree, strategy.name)
    return responses.game.payoff_against(player, responses.wins(1 - player))

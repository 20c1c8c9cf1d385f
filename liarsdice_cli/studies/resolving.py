"""Safe re-solving of a subgame for one player, with the worst case of the whole strategy before and after."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError, check_number, check_time_limit, check_type
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.liarsdice.subgame import Subgame, subgame
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.solvers.public_tree.gadget import gadget
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.convergence import Limits, RunHistory, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.strategies.combined import Spliced
from liarsdice_cli.strategies.expansion import expanded, stored
from liarsdice_cli.strategies.stored import Stored

TARGET = 1e-4
"""The default exploitability at which solving the gadget game stops, in units of the range of payoffs."""


@dataclass(frozen=True)
class Resolved(Renderable):
    """A strategy with a re-solved subgame for one player.

    subgame  : the subgame, with the beliefs that the old strategy gives
    player   : the player for whom it was re-solved, from 1
    run      : the run of the solver; its bounds are on player 1's payoff in the gadget game
    before   : the player's payoff against a best response to the old strategy
    after    : the player's payoff against a best response to the new strategy; both in float64 on the public tree, as `judge`
               computes them
    strategy : the new strategy of all players in the whole game; the old one if `stays`
    """

    subgame: Subgame
    player: int
    run: RunHistory
    before: float
    after: float
    strategy: Stored

    @property
    def stays(self) -> bool:
        """Whether the old strategy stays, because it is less exploitable than the new one."""
        return self.after < self.before

    def __repr__(self) -> str:
        stays = "; the old strategy stays" if self.stays else ""
        worst = f"worst case {self.before:.6g} before, {self.after:.6g} after{stays}"
        return f"Resolved(player {self.player}, {self.subgame!r}: {worst})"


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
    """Re-solve a subgame for one player so that the whole strategy is no more exploitable than before (safe re-solving).

    A rough solution of the gadget game can make the strategy more exploitable. Then the old strategy stays.

    strategy   : of two players, such as `read_strategy` or `Solution.strategy` returns
    history    : the bids after which the subgame begins, such as "1x2 2x3"
    player     : the player for whom to re-solve, from 1; by default the player to move after the history
    target     : the exploitability of the gadget game at which solving stops, in units of the payoffs; by default, without
                 another limit, 0.0001 of their range
    iterations : the iteration at which solving stops
    time_limit : seconds
    threads    : None for one per processor
    progress   : receives a sample whenever bounds are computed

    Raises LiarsDiceError unless there are two players, and if a player of the strategy never reaches the history. Cost: that of
    solving the subgame and of evaluating the whole strategy twice. Source: `solvers.public_tree.gadget`.

    >>> from liarsdice_cli import resolve, rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> found = resolve(Uniform(rules("common", 2)), "1x2")
    >>> found.player, round(found.before, 3), round(found.after, 3)
    (2, 0.177, 0.281)
    """
    check_progress(progress)
    if isinstance(strategy, Solution):
        raise UsageError(Argument("strategy"), " is a solution: give its strategy, solution.strategy()")
    check_type("strategy", strategy, Strategy, "give a strategy, such as read_strategy('strategy.ldz')")
    check_type("target", target, Real | None, "give a number, or leave it out")
    check_time_limit(time_limit)
    for name, number in (("iterations", iterations), ("threads", threads)):
        check_number(name, number, 1)
    rules = strategy.rules
    if rules.players != 2:
        raise LiarsDiceError("safe re-solving is for two players: give a strategy of two, or solve the subgame from beliefs")
    check_type("player", player, Integral | None, "give 1 or 2, or leave it out")
    if player not in (1, 2, None):
        raise ArgumentError("player", player, "give 1 or 2")
    progress.begin("re-solving the subgame")
    kept = stored(strategy)
    start = subgame(kept.rules, history, kept)
    who = start.mover if player is None else player - 1
    solver, result = gadget(kept, start, who, minimiser(DEFAULT), threads)
    limits = Limits(target, iterations, time_limit).with_default(TARGET * solver.game.range, solver.game.rounding_error)
    solver.compile()
    history_of_run = run(solver, limits, progress)
    better = expanded(Spliced(kept.rules, kept, result(), start.history, (who,)))
    before, after = _worst(kept, who), _worst(better, who)
    return Resolved(start, who + 1, history_of_run, before, after, kept if after < before else better)


def _worst(strategy: Stored, player: int) -> float:
    """Return a player's payoff, from 0, against a best response to the whole strategy."""
    responses = Responses(Values(strategy).game, strategy.store)
    return responses.game.payoff_against(player, responses.wins(1 - player))

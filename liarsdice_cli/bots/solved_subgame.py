"""A subgame that a bot has solved in the time that it has for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.strategies.stored import StoredStrategy

GOOD = 5e-4
"""The exploitability of a subgame at which solving stops, as a share of the range of the payoffs."""


@dataclass(frozen=True, eq=False)
class SolvedSubgame:
    """The subgame at a decision, and the strategies found for it.

    exploitability : of the strategies in the subgame; the largest regret for three or more players
    iterations     : the number of iterations
    """

    subgame: Subgame
    strategy: StoredStrategy
    exploitability: float
    iterations: int

    @property
    def bytes(self) -> int:
        """The memory of the strategies."""
        return self.strategy.store.bytes_used


def solved_in_time(solver: PublicTree, subgame: Subgame, rules: Rules, iterations: int | None, seconds: float) -> SolvedSubgame:
    """Run a solver of a subgame until its exploitability is `GOOD`, for at most these iterations; without them, these seconds.

    The time to compile is not counted. With iterations the bounds are computed at powers of two, so that the result does not
    depend on the clock. Raises KeyboardInterrupt on Ctrl-C.
    """
    from liarsdice_cli.solvers.regret.convergence import Limits, run
    from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, StoredStrategy

    solver.compile()
    target = GOOD * solver.game.range
    limits = Limits(target, seconds=seconds) if iterations is None else Limits(target, iterations, growth=2)
    last = run(solver, limits).completed().last
    solver.store.keep_only(AVERAGE_STRATEGY)
    strategy = StoredStrategy(rules, solver.store, start=subgame)
    return SolvedSubgame(subgame, strategy, last.bounds.exploitability, last.iteration)

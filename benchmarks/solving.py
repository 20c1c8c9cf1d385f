"""A game, its solver on the public tree, and samples of how the solver converges."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a case that measures another program must not import ours
    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.games.public_game import PublicGame
    from liarsdice_cli.solvers.public_tree.solver import PublicTree


class Game(NamedTuple):
    """A game, and the limit of processor seconds for a run."""

    preset: str
    sides: int
    dice: str
    seconds: float = inf

    @property
    def key(self) -> tuple[str, str, str]:
        """The first columns of its lines: rules, sides, dice."""
        return self.preset, str(self.sides), self.dice

    @property
    def rules(self) -> Rules:
        """Its rules, with payoffs 1 and -1."""
        from liarsdice_cli.games.liarsdice.rules import rules

        return rules(self.preset, self.sides, tuple(map(int, self.dice.split(","))), payoffs="zero-sum")

    def public(self) -> PublicGame:
        """Return the game in the form that the solver takes."""
        from liarsdice_cli.games.liarsdice.public import public_game

        return public_game(self.rules)

    def solver(self, method: str = "dcfr+", threads: int = 1) -> PublicTree:
        """Return a new solver."""
        from liarsdice_cli.solvers.public_tree.solver import PublicTree
        from liarsdice_cli.solvers.regret.minimisers import minimiser

        return PublicTree(self.public(), minimiser(method), threads)

    def __str__(self) -> str:
        return f"{self.preset}, {self.sides} sides, dice {self.dice}"


class Sample(NamedTuple):
    """One computation of bounds in a run.

    seconds        : processor seconds of all iterations so far
    bounds_seconds : processor seconds of all computations of bounds so far
    visited        : histories that an iteration since the last sample visited, on average, as a fraction of all histories
    """

    iteration: int
    seconds: float
    bounds_seconds: float
    visited: float
    exploitability: float


def samples(
    solver: PublicTree, step: float, before: Callable[[float], object] = lambda exploitability: None, first: int = 1
) -> Iterator[Sample]:
    """Iterate without end; yield a sample at iteration `first`, and whenever the iterations have grown by a factor of `step`.

    before : called before each iteration with the exploitability of the last sample, at first with 1
    """
    seconds, bounds_seconds, look, exploitability = 0.0, 0.0, float(first), 1.0
    while True:
        begun, last, before_visited = time.process_time(), solver.iteration, solver.traverser.visited
        while solver.iteration < look:
            before(exploitability)
            solver.iterate()
        iterated = time.process_time()
        visited = (solver.traverser.visited - before_visited) / (solver.iteration - last) / (1 << solver.game.bids)
        exploitability = solver.bounds().exploitability
        seconds, bounds_seconds = seconds + iterated - begun, bounds_seconds + time.process_time() - iterated
        yield Sample(solver.iteration, seconds, bounds_seconds, visited, exploitability)
        look = max(look * step, solver.iteration + 1)

"""Solving rules on the public tree, as `liarsdice solve` does where a tree would be too large or a minimiser is named."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.game import decided_by, facts_of
from liarsdice_cli.cli.options import rules_of
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables
from liarsdice_cli.cli.progress import converging
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice import strategy
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import Counts
from liarsdice_cli.solvers.minimisers import DEFAULT, MINIMISERS, minimiser

if TYPE_CHECKING:
    from liarsdice_cli.solvers.convergence import Bounds, Course, Limits, Moment
    from liarsdice_cli.solvers.public_tree.solver import PublicTree

MOST_EXACT = 10_000_000
"""Nodes up to which `auto` solves exactly: below a minute and two gigabytes."""
_EVERY = 180.0
"""Seconds between checkpoints, or longer where writing one takes long."""


@dataclass(frozen=True)
class Wish:
    """What a person asks of a minimiser; None leaves it open.

    checkpoint, resume : files in which the state is kept, and from which it is taken up
    output             : the strategy file to write
    """

    method: str
    limits: Limits
    threads: int | None
    checkpoint: str | None
    resume: str | None
    output: str | None


def takes(asked: dict[str, Any], method: str) -> str | None:
    """The minimiser that solves the game of the rule options on the public tree, or None where another method does."""
    if not asked or method not in ("auto", *MINIMISERS):
        return None
    game, chance = rules_of(asked)
    if game.players != 2:
        return None
    large = method == "auto" and Counts.of(game.believable(), chance).nodes > MOST_EXACT
    return method if method in MINIMISERS else DEFAULT if large else None


def solve_rules(
    asked: dict[str, Any], wish: Wish, automatic: bool, show: Sequence[Sequence[str]], as_json: bool, quiet: bool
) -> int:
    """Solve the game of the rules, keep the strategies, print what is proved; returns the exit code.

    show : the histories after which it is printed what each roll does
    """
    from liarsdice_cli.cli.show import pages, pages_json
    from liarsdice_cli.formats import ldz
    from liarsdice_cli.public_report import solution_json, solution_lines
    from liarsdice_cli.solvers.public_tree.averages import Averages
    from liarsdice_cli.solvers.public_tree.solution import PublicSolution

    whole, chance = rules_of(asked)
    game, lifted = decided_by(whole, chance)
    histories = [strategy.history_of(game, bids) for bids in show]
    _check(wish)
    limits = wish.limits.filled()
    with converging(f"solving by {wish.method}", limits.target, quiet) as on_moment:
        solver, course = _minimised(game, replace(wish, limits=limits), on_moment)
    solution = PublicSolution.of(solver, course)
    if wish.output is not None:
        bounds = course.last.bounds
        origin = ldz.Origin(wish.method, course.last.iteration, bounds.lower, bounds.upper)
        ldz.write(wish.output, game, solver.averages, origin)
    facts = facts_of(whole, chance)
    reason = "two players, too large for the exact method" if automatic else ""
    said = Averages(game, solver.averages)
    if as_json:
        head = {"rules": str(whole)} | facts.json() | {"lifted": lifted}
        print_json("solve", head | solution_json(solution, reason, pages_json(said, histories)))
    else:
        print_lines((*facts.lines(), *([lifted] if lifted else []), *solution_lines(solution, reason, facts.players)))
        print_tables(pages(said, histories))
    if course.ended == "interrupt":
        return 130
    return 3 if course.ended == "time" and limits.target is not None else 0


def _check(wish: Wish) -> None:
    """Refuse at once what cannot be written in the end."""
    from liarsdice_cli.formats import files, ldz

    if wish.output is not None and not wish.output.endswith(ldz.ENDING):
        raise UsageError(f"-o {wish.output}: a strategy of this size is kept in a file whose name ends in .ldz")
    if wish.checkpoint is not None:
        files.check_writable(wish.checkpoint)


def _minimised(game: Rules, wish: Wish, on_moment: Callable[[Moment], None]) -> tuple[PublicTree, Course]:
    """Solve, keeping checkpoints on the way; LiarsDiceError where memory or a checkpoint does not do."""
    from liarsdice_cli.formats import checkpoint
    from liarsdice_cli.solvers.convergence import run
    from liarsdice_cli.solvers.public_tree import memory
    from liarsdice_cli.solvers.public_tree.solver import PublicTree

    method, public = minimiser(wish.method), public_game(game)
    memory.check(public, method, lambda: _cure(game, wish.method))
    solver = PublicTree(public, method, wish.threads)
    earlier = None if wish.resume is None else checkpoint.read(wish.resume, solver)
    asked = wish.limits.iterations
    if asked is not None and solver.iteration > asked:
        raise UsageError(
            f"--iterations {asked}: the checkpoint has {solver.iteration:,} already; they are counted from the start"
        )
    keeper = _Keeper(wish.checkpoint, solver, earlier)
    course = run(solver, wish.limits, on_moment, keeper.look, earlier)
    keeper.write(course.last.proved)
    return solver, course


class _Keeper:
    """Writes a checkpoint every few minutes; where that fails, says so once and lets the work go on."""

    def __init__(self, name: str | None, solver: PublicTree, proved: Bounds | None) -> None:
        self.name, self.solver, self.earlier = name, solver, proved
        self.due = time.monotonic() + _EVERY
        self.said = ""

    def look(self, course: Course) -> None:
        """Write if it is time."""
        if time.monotonic() > self.due:
            self.write(course.moments[-1].proved if course.moments else self.earlier)

    def write(self, proved: Bounds | None) -> None:
        """Write now."""
        from liarsdice_cli.formats import checkpoint

        if self.name is None:
            return
        begun = time.monotonic()
        try:
            checkpoint.write(self.name, self.solver, proved)
        except LiarsDiceError as error:
            if str(error) != self.said:
                click.echo(f"liarsdice: no new checkpoint: {error}; solving goes on", err=True)
            self.said = str(error)
        self.due = time.monotonic() + max(_EVERY, 10 * (time.monotonic() - begun))


def _cure(game: Rules, method: str) -> str:
    """The largest game of the kind that would fit."""
    from liarsdice_cli.solvers.public_tree import memory

    for quantity in range(game.max_quantity - 1, 0, -1):
        if memory.fits(public_game(replace(game, max_quantity=quantity)), minimiser(method)):
            return f"--max-quantity {quantity} would fit (another game), as may fewer --sides or --dice"
    return "lower --sides or --dice"

"""Solving rules on the public tree, as `liarsdice solve` does where a tree would be too large or a minimiser is named."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.game import decided_by, facts_of
from liarsdice_cli.cli.options import RuleOptions
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables
from liarsdice_cli.cli.progress import Nearing, waiting
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats.ldz import is_strategy
from liarsdice_cli.games.liarsdice import strategy
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import Counts
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, MINIMISERS, minimiser

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, RunHistory, Sample

_EVERY = 180.0
"""Seconds between checkpoints, or longer where writing one takes long."""


@dataclass(frozen=True)
class State:
    """Where the state is kept and how often in seconds, and the file from which it is taken up; None for neither."""

    checkpoint: str | None
    every: float | None
    resume: str | None


@dataclass(frozen=True)
class Wish:
    """What a person asks of a minimiser; None leaves it open. `output` is the strategy file to write."""

    method: str
    limits: Limits
    threads: int | None
    state: State
    output: str | None


def takes(asked: RuleOptions, method: str, iterates: bool, output: str | None) -> tuple[str, str] | None:
    """The minimiser that solves the game of the rule options on the public tree and why, or None where it is not the place.

    iterates : whether a target or iterations are asked for, which only minimisers know
    output   : the file to write; other files than those of strategies are made from a tree, if the game is small enough
    """
    from liarsdice_cli.solvers.exact import solve as exact

    if not asked or method not in ("auto", *MINIMISERS):
        return None
    game, chance = asked.rules(), asked.dealing
    if game.players != 2:
        return None
    large = Counts.of(game.without_impossible_bids(), chance).nodes > exact.NODES
    if output is not None and not is_strategy(output) and not large:
        return None
    if method in MINIMISERS:
        return method, ""
    if iterates:
        return DEFAULT, "the minimiser to take where a target or iterations are given"
    return (DEFAULT, "two players, and too large for the exact method") if large else None


def solve_rules(asked: RuleOptions, wish: Wish, reason: str, show: Sequence[Sequence[str]], as_json: bool, quiet: bool) -> int:
    """Solve the game of the rules, keep the strategies, print what is proved; returns the exit code.

    reason : why the method was chosen, or "" where it was named
    show   : the histories after which it is printed what each roll does
    """
    from liarsdice_cli.cli.show import pages, pages_json
    from liarsdice_cli.formats import ldz
    from liarsdice_cli.games.liarsdice.weights import Averages
    from liarsdice_cli.report.public_solution import solution_json, solution_lines
    from liarsdice_cli.solvers.public_tree.solution import PublicSolution

    whole, chance = asked.rules(), asked.dealing
    game, lifted = decided_by(whole, chance)
    histories = [strategy.history_of(game, bids) for bids in show]
    _check(wish)
    limits, nearing = _filled(game, wish.limits), Nearing()
    with waiting(f"solving by {wish.method}", quiet) as say:
        solver, run_history = _minimised(game, replace(wish, limits=limits), lambda sample: say(nearing(sample, limits.target)))
    solution = PublicSolution.of(solver, run_history)
    if wish.output is not None:
        bounds = run_history.last.bounds
        origin = ldz.Origin(wish.method, run_history.last.iteration, bounds.lower, bounds.upper)
        ldz.write(wish.output, game, solver.averages, origin)
    facts = facts_of(whole, chance)
    said = Averages(game, solver.averages)
    if as_json:
        head = {"rules": str(whole)} | facts.json() | {"lifted": lifted}
        print_json("solve", head | solution_json(solution, reason, pages_json(said, histories)))
    else:
        print_lines((*facts.lines(), *([lifted] if lifted else []), *solution_lines(solution, reason, facts.players)))
        print_tables(pages(said, histories))
    if run_history.ended == "interrupt":
        return 130
    return 3 if run_history.ended == "time" else 0


def _filled(game: Rules, limits: Limits) -> Limits:
    """With the usual target, in the unit of the payoffs, where nothing is said; UsageError for one that rounding hides."""
    from liarsdice_cli.solvers.regret.convergence import TARGET, Limits

    public = public_game(game)
    win, lose = public.payoffs
    if limits == Limits():
        return Limits(target=TARGET * float(win - lose))
    if limits.target is not None and limits.target <= public.rounding_error:
        raise UsageError(
            f"--target {limits.target:.3g}: rounding hides exploitabilities below {public.rounding_error:.2g} in this game; "
            "give more, or --iterations or --time-limit alone"
        )
    return limits


def _check(wish: Wish) -> None:
    """Refuse at once what cannot be written in the end."""
    from liarsdice_cli.formats import files

    if wish.output is not None and not is_strategy(wish.output):
        raise UsageError(f"-o {wish.output}: a strategy of this size is kept in a file whose name ends in .ldz")
    if wish.state.checkpoint is not None:
        files.check_writable(wish.state.checkpoint)
    elif wish.state.every is not None:
        raise UsageError("--checkpoint-every needs a --checkpoint FILE to write to")


def _minimised(game: Rules, wish: Wish, on_sample: Callable[[Sample], None]) -> tuple[PublicTree, RunHistory]:
    """Solve, keeping checkpoints on the way; LiarsDiceError where memory or a checkpoint does not do."""
    from liarsdice_cli.solvers.public_tree import checkpoint, memory
    from liarsdice_cli.solvers.public_tree.solver import PublicTree
    from liarsdice_cli.solvers.regret.convergence import run

    method, public = minimiser(wish.method), public_game(game)
    memory.check(public, method, lambda: _cure(game, wish.method))
    solver = PublicTree(public, method, wish.threads)
    earlier = None if wish.state.resume is None else checkpoint.read(wish.state.resume, solver)
    asked = wish.limits.iterations
    if asked is not None and solver.iteration > asked:
        raise UsageError(
            f"--iterations {asked}: the checkpoint has {solver.iteration:,} already; they are counted from the start"
        )
    keeper = _Keeper(wish.state, solver, earlier)
    run_history = run(solver, wish.limits, on_sample, keeper.look, earlier)
    keeper.write(run_history.last.proved)
    return solver, run_history


class _Keeper:
    """Writes a checkpoint every few minutes; where that fails, says so once and lets the work go on."""

    def __init__(self, state: State, solver: PublicTree, proved: Bounds | None) -> None:
        self.name, self.every = state.checkpoint, state.every or _EVERY
        self.solver, self.earlier = solver, proved
        self.due = time.monotonic() + self.every
        self.said = ""

    def look(self, run_history: RunHistory) -> None:
        """Write if it is time."""
        if time.monotonic() > self.due:
            self.write(run_history.samples[-1].proved if run_history.samples else self.earlier)

    def write(self, proved: Bounds | None) -> None:
        """Write now."""
        from liarsdice_cli.solvers.public_tree import checkpoint

        if self.name is None:
            return
        begun = time.monotonic()
        try:
            checkpoint.write(self.name, self.solver, proved)
        except LiarsDiceError as error:
            if str(error) != self.said:
                click.echo(f"liarsdice: no new checkpoint: {error}; solving goes on", err=True)
            self.said = str(error)
        self.due = time.monotonic() + max(self.every, 10 * (time.monotonic() - begun))


def _cure(game: Rules, method: str) -> str:
    """The largest game of the kind that would fit."""
    from liarsdice_cli.solvers.public_tree import memory

    for quantity in range(game.max_quantity - 1, 0, -1):
        if memory.fits(public_game(replace(game, max_quantity=quantity)), minimiser(method)):
            return f"--max-quantity {quantity} would fit (another game), as may fewer --sides or --dice"
    return "lower --sides or --dice"

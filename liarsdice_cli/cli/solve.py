"""`liarsdice solve`: from a game to judged profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, RuleOptions, json_option, moves_of, part_options, quiet_option, rule_options
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables
from liarsdice_cli.cli.progress import Nearing, found, waiting

if TYPE_CHECKING:
    from liarsdice_cli.cli.game import Game
    from liarsdice_cli.solvers.solution import Solution

_MANY = 3
"""Profiles that are shown of many."""

_EXAMPLE = """
liarsdice solve game.efg
liarsdice build --sides 2 | liarsdice solve -
liarsdice solve --sides 6 --show opening --show "1x2"
liarsdice solve --sides 2 --method lp --json
liarsdice solve --rules top-wild --sides 4 --method dcfr+ --target 1e-4
liarsdice solve game.efg -o game.gbt
"""


def _list_methods(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from liarsdice_cli.solvers.registry import methods

        width = max(map(len, methods()))
        print_lines(f"{name:{width}}  {summary}" for name, summary in methods().items())
        ctx.exit()


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("game", type=FILE, required=False)
@rule_options
@click.option("--method", default="auto", show_default=True, metavar="METHOD", help="See --methods.")
@click.option("--methods", is_flag=True, is_eager=True, expose_value=False, callback=_list_methods, help="List the methods.")
@click.option("--arithmetic", type=click.Choice(("rational", "float")), help="In which to compute.  [default: the method's]")
@click.option("--form", type=click.Choice(("extensive", "strategic")), help="On which to work.  [default: the method's]")
@click.option(
    "--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop after so long (exit code 3)."
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]")
@click.option("--checkpoint", type=FILE, metavar="FILE", help="Keep the state here every few minutes (public tree).")
@click.option(
    "--checkpoint-every", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="How often.  [default: 180]"
)
@click.option("--resume", type=FILE, metavar="FILE", help="Go on from a checkpoint (public tree).")
@click.option("--stop-after", type=click.IntRange(1), metavar="N", help="Stop after N profiles.")
@click.option(
    "--max-regret",
    type=click.FloatRange(0, min_open=True),
    metavar="X",
    help="Accept so much regret, as a share of the range of payoffs.",
)
@click.option(
    "--target",
    type=float,
    metavar="X",
    help="Of minimisers: stop at this exploitability, in the unit of the payoffs.  [default: 1/1000 of their range]",
)
@click.option("--iterations", type=click.IntRange(1), metavar="N", help="Of minimisers: stop after N iterations.")
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="Keep the (first) profile: JSON, .gbt, or a strategy file .ldz."
)
@part_options
@click.option(
    "--show",
    multiple=True,
    metavar="HISTORY",
    help='Show what each roll does in the "opening" or after bids such as "1x2 2x3"; can be repeated.',
)
@click.option("--all", "show_all", is_flag=True, help="Show unreached information sets too.")
@click.option("--full", is_flag=True, help="Show long tables whole.")
@json_option
@quiet_option
def command(
    game: str | None,
    asked: RuleOptions,
    method: str,
    arithmetic: str | None,
    form: str | None,
    time_limit: float | None,
    threads: int | None,
    checkpoint: str | None,
    checkpoint_every: float | None,
    resume: str | None,
    stop_after: int | None,
    max_regret: float | None,
    target: float | None,
    iterations: int | None,
    output: str | None,
    depth: int | None,
    history: str,
    show: tuple[str, ...],
    show_all: bool,
    full: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find equilibria of GAME (a file, or - for standard input) or of the game that the rules describe.

    Every profile found is judged: its payoffs, and what each player could gain against it (regret).
    """
    from liarsdice_cli.cli import minimising
    from liarsdice_cli.cli.game import game_of
    from liarsdice_cli.cli.writing import check_part, check_strategy
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.extensive.after_history import nodes_after
    from liarsdice_cli.formats import files
    from liarsdice_cli.report.solution import Detail
    from liarsdice_cli.solvers.registry import Request, solve
    from liarsdice_cli.solvers.regret.convergence import Limits

    if as_json and output == "-":
        raise UsageError("--json and -o - would both write to standard output: name a file after -o")
    check_part(output, depth, history)
    if output is not None:
        files.check_writable(output)
    iterates = target is not None or iterations is not None
    taken = None if game is not None else minimising.takes(asked, method, iterates, output)
    if taken is not None:
        minimiser, reason = taken
        others = {"--arithmetic": arithmetic, "--form": form, "--stop-after": stop_after, "--max-regret": max_regret}
        _refuse(minimiser, others | {"--depth": depth, "--from": history or None, "--all": show_all or None})
        limits, state = Limits(target, iterations, time_limit), minimising.State(checkpoint, checkpoint_every, resume)
        wish = minimising.Wish(minimiser, limits, threads, state, output)
        return minimising.solve_rules(asked, wish, reason, [moves_of(one) for one in show], as_json, quiet)
    _refuse(
        method, {"--threads": threads, "--checkpoint": checkpoint, "--checkpoint-every": checkpoint_every, "--resume": resume}
    )
    chosen = game_of(game, asked)
    check_strategy(output, chosen.rules)
    histories = [moves_of(shown) for shown in show]
    for one in (moves_of(history), *histories):
        nodes_after(chosen.tree, one)
    request = Request(arithmetic, form, time_limit, stop_after, max_regret, target, iterations)
    nearing = Nearing()
    with waiting(f"solving by {method}", quiet) as say:
        solution = solve(
            chosen.tree, method, request, lambda count: say(found(count)), lambda sample, aim: say(nearing(sample, aim))
        )
    if output is not None:
        _keep(chosen, solution, output, depth, moves_of(history))
    if as_json:
        _print_json(chosen, solution, histories)
    else:
        _print(chosen, solution, Detail(show_all, full), histories)
    return 0 if solution.finished else 130 if solution.interrupted else 3


def _refuse(method: str, options: Mapping[str, object]) -> None:
    """Refuse options that the method does not know."""
    from liarsdice_cli.errors import UsageError

    for option, value in options.items():
        if value is not None:
            raise UsageError(f"{method} knows no {option}: leave it out, or see --methods for another method")


def _keep(game: Game, solution: Solution, output: str, depth: int | None, history: list[str]) -> None:
    from liarsdice_cli.cli.writing import is_workbook, write_strategy, write_workbook
    from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
    from liarsdice_cli.formats import files, profile_json
    from liarsdice_cli.formats.ldz import is_strategy

    if not solution.solved:
        kind = LiarsDiceError if solution.finished else TimeLimitError
        raise kind(f"no profile was found, so {output} is not written; try another --method or more time")
    first = solution.solved[0]
    if is_strategy(output):
        assert game.rules is not None, "checked before solving"
        write_strategy(game.rules, game.tree, first, solution.method, output)
        return
    if is_workbook(output):
        write_workbook(game.tree, first.profile, solution.method, output, depth, history)
        return
    content = profile_json.dumps(game.tree, first.profile, solution.method)
    with files.output(output) as out:
        out.write(content)


def _print_json(game: Game, solution: Solution, histories: list[list[str]]) -> None:
    from liarsdice_cli.report.solution import solution_json

    answer = solution_json(game.tree, solution, histories)
    print_json("solve", game.source | game.facts.json() | {"lifted": game.lifted} | answer)


def _print(game: Game, solution: Solution, view: Any, histories: list[list[str]]) -> None:
    from liarsdice_cli.report.solution import judgement_lines, page_tables, profile_tables, solution_lines

    lifted = [game.lifted] if game.lifted else []
    print_lines((*game.facts.lines(), *solution_lines(solution), *lifted))
    first = solution.solved if view.full else solution.solved[:_MANY]
    for number, one in enumerate(first, 1):
        print_lines(("", f"profile {number} of {len(solution.solved)}", *judgement_lines(game.tree, one.judgement)))
        if histories:
            for history in histories:
                print_tables(page_tables(game.tree, one.profile, history))
        else:
            print_tables(profile_tables(game.tree, one.profile, view))
    if len(first) < len(solution.solved):
        exact = sum(one.judgement.is_equilibrium for one in solution.solved)
        rest = f"... {len(solution.solved) - len(first):,} more profiles; --full shows all"
        print_lines(("", f"{rest} ({exact:,} of all are equilibria in exact fractions)"))

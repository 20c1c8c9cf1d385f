"""`liarsdice solve`: find equilibria of a game and evaluate them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, one_pipe, part_options, quiet_option, rule_options, two_files
from liarsdice_cli.cli.printing import check_file, print_message, print_report
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.requests import request_options
from liarsdice_cli.cli.types import FILE

if TYPE_CHECKING:
    from liarsdice_cli.solvers.problem import Problem
    from liarsdice_cli.solvers.request import Request
    from liarsdice_cli.solvers.solution import Solution

_EXAMPLE = """
liarsdice solve game.efg
liarsdice build --sides 2 | liarsdice solve -
liarsdice solve --sides 2 --method lp --json
liarsdice solve --rules top-wild --sides 4 --method dcfr+ --target 1e-4
liarsdice solve game.efg -o game.gbt
liarsdice solve --rules common --dice 2,2 --method double-oracle -o common.cert
liarsdice solve --rules common --dice 3,3 --target 0.01 -o bots
liarsdice solve --rules common --lock "P2 roll 3 after 1x5: call 1"
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("game", type=FILE, required=False)
@rule_options
@request_options
@option("lock")
@option("output", "JSON, .gbt, a strategy file .ldz, a certificate .cert, which others can check; or bots, to play it")
@part_options
@option("beliefs", "  [default: fair dice]")
@option("full")
@json_option
@quiet_option
def command(
    game: str | None,
    asked: RuleOptions,
    request: Request,
    locks: tuple[str, ...],
    output: str | None,
    depth: int | None,
    history: str,
    beliefs: str | None,
    full: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find equilibria of GAME (a file, or - for standard input) or of the game that the rules describe.

    With --from it solves the subgame after HISTORY alone; for a .gbt file, --from and --depth choose the part that is written.

    Every profile is evaluated: the command prints the payoff and the regret of each player.

    -o bots keeps the solution in your own folder, until you find a less exploitable one. The bots equilibrium and resolving,
    the hints and the coach then use it for this game.
    """
    from liarsdice_cli.cli.game import begins_later, problem_of, subgame_of
    from liarsdice_cli.extensive.after_history import nodes_after
    from liarsdice_cli.extensive.paths import moves
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.kept import FOR_BOTS
    from liarsdice_cli.formats.writing import check_part, write
    from liarsdice_cli.report.solution import solution_tables, solve_json
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.system.interrupts import recorded

    one_pipe(game, beliefs, *locks)
    problem = problem_of(game, asked)
    if begins_later(problem, history, beliefs, output):
        problem, history = subgame_of(problem, history, beliefs), ""
    is_for_bots = output == FOR_BOTS
    if is_for_bots:
        output = _for_bots(problem, locks)
    if output is not None:
        registry.check(output, registry.PROFILE, registry.WORKBOOK, registry.STRATEGY)
        check_file("-o", output, as_json)
        two_files(output, request.checkpoint)
    check_part(output, depth, moves(history))
    if locks:
        from liarsdice_cli.library.solving import locks as sets_in

        problem = problem.locked(tuple(one for text in locks for one in sets_in(text, problem)))
    request = _suited(problem, request, output)
    if history:
        problem.check_history(moves(history))
        nodes_after(problem.free_tree, moves(history))
    with display(quiet, f"solving by {request.method}", "profiles") as progress:
        solution = solve(problem, request, progress)
    with recorded() as came:  # what took hours to find may take a minute to write
        if is_for_bots and output is not None:
            _keep(solution, output, quiet)
        elif output is not None:
            write(solution, output, depth=depth, history=history)
    print_report(
        "solve",
        lambda: solve_json(solution, game),
        lambda: solution_tables(solution, full),
        as_json,
        output,
    )
    return 130 if came else _code(solution)


def _for_bots(problem: Problem, locks: tuple[str, ...]) -> str:
    """Return the file in which the bots look for the solution; UsageError for a lock or a game that they do not look up."""
    from liarsdice_cli.bots.equilibrium import is_exact
    from liarsdice_cli.errors import Argument, UsageError
    from liarsdice_cli.formats.kept import FOR_BOTS, place_for
    from liarsdice_cli.solvers.problem import RulesProblem

    given = Argument("output", FOR_BOTS)
    if not isinstance(problem, RulesProblem) or locks:
        raise UsageError(given, ": the bots play equilibria of whole games: give only rules, without a lock")
    if is_exact(problem.rules):
        raise UsageError(given, f": no file is needed, because the bots and the coach solve {problem.rules} in seconds")
    return place_for(problem.rules)


def _keep(solution: Solution, file: str, quiet: bool) -> None:
    """Keep a solution for the bots, unless the kept one is no more exploitable; print which is kept, unless `quiet`."""
    from liarsdice_cli.formats import kept
    from liarsdice_cli.formats.ldz import Origin
    from liarsdice_cli.formats.writing import write

    before = kept.exploitability(solution.problem.with_rules().rules)
    if solution.solved and before is not None:
        found = Origin.of(solution.method, None, solution.judgement).exploitability
        if before <= found:
            if not quiet:
                numbers = f"exploitability {before:.3g}, the new one {found:.3g}"
                print_message(f"the kept solution stays: it has {numbers}; to replace it, remove {file}")
            return
    write(solution, file)
    if not quiet:
        print_message(f"saved in {file}")


def _suited(problem: Problem, request: Request, output: str | None) -> Request:
    """Return the request, moved to the tree if the output needs a profile and the method can use the tree.

    With three or more players a minimiser uses the public tree only. Its strategy is converted to a profile when it is written.
    Raises UsageError for an output or an option that does not fit the public tree.
    """
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.formats import registry
    from liarsdice_cli.solvers.ladder import choose
    from liarsdice_cli.solvers.registry import DOUBLE_ORACLE
    from liarsdice_cli.solvers.request import EXTENSIVE, MIRROR_DESCENT
    from liarsdice_cli.solvers.solution import check_output

    check_output(output, problem)
    chosen = choose(problem, request)
    if not chosen.public_tree:
        return request
    if output is not None and not registry.holds(output, registry.STRATEGY):
        if problem.nodes > request.exact_max_nodes or chosen.method.name in (DOUBLE_ORACLE, MIRROR_DESCENT):
            raise UsageError(
                f"-o {output}: a strategy without a tree needs a file whose name ends in {registry.suffixes(registry.STRATEGY)}"
            )
        if problem.players == 2:
            return replace(request, form=EXTENSIVE)
    return request


def _code(solution: Solution) -> int:
    """Return the exit code, which is not 0 if the solution is incomplete or a checkpoint was lost."""
    if solution.interrupted:
        return 130
    if not solution.finished:
        return 3
    return 1 if solution.lost else 0

"""Writing a game or a profile to where the person wants it, in the format that the name says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from liarsdice_cli.cli.printing import check_file
from liarsdice_cli.cli.progress import progress
from liarsdice_cli.errors import LiarsDiceError, TimeLimitError, UsageError
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import TreeStream
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import files, kinds
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from liarsdice_cli.system.tasks import InOrder


def write_game(stream: TreeStream, name: str, labels: str, quiet: bool, in_order: InOrder = map) -> None:
    """Write a game in the format that the name says, sections of it made by `in_order`; with a progress bar."""
    write = kinds.writer(name, kinds.GAME)
    with files.output(name) as out, progress("writing", stream.nodes, quiet) as advance:
        write(stream, out, labels, advance, in_order)


def write_profile(profile: Profile, method: str, name: str, depth: int | None = None, history: Sequence[str] = ()) -> None:
    """Write a profile in the format that the name says: on the game, or on a part of it, where that holds the game too."""
    if kinds.holds(name, kinds.WORKBOOK):
        write_workbook(profile.tree, profile, method, name, depth, history)
        return
    content = kinds.writer(name, kinds.PROFILE)(profile, method)
    with files.output(name) as out:
        out.write(content)


def check_strategy(name: str | None, rules: Rules | None) -> None:
    """Refuse to keep a strategy file of what is no game of rules."""
    if name is not None and kinds.holds(name, kinds.STRATEGY) and rules is None:
        raise UsageError(f"-o {name}: strategy files are for rules (--sides, --dice ...); name a .json file")


def check_output(output: str | None, depth: int | None, history: str, as_json: bool) -> None:
    """Refuse at once an output that cannot be written in the end."""
    check_part(output, depth, history)
    check_file("-o", output, as_json)


def write_solution(solution: Solution, output: str, depth: int | None, history: Sequence[str]) -> None:
    """Keep the first profile of a solution in the format that the name says.

    Raises LiarsDiceError, or TimeLimitError, where there is no profile.
    """
    if not solution.solved:
        kind = LiarsDiceError if solution.finished else TimeLimitError
        raise kind(f"no profile was found, so {output} is not written; try another --method or more time")
    if kinds.holds(output, kinds.STRATEGY):
        _write_strategy(solution, output)
    else:
        write_profile(solution.best.in_tree, solution.method, output, depth, history)


def _write_strategy(solution: Solution, name: str) -> None:
    """Write what the first profile does in the game that was solved as a strategy file, where probabilities have 16 bits."""
    from liarsdice_cli.formats.ldz import Origin
    from liarsdice_cli.games.liarsdice.planting import grown_of
    from liarsdice_cli.games.liarsdice.strategy import OfProfile

    rules, best, history = solution.problem.reduced, solution.best, solution.run_history
    assert rules is not None, "checked before solving"
    if best.averages is None:
        grown = grown_of(OfProfile.of(rules, solution.problem.free_tree, best.in_tree.probabilities))
    else:
        from liarsdice_cli.solvers.public_tree.values import subtree_values

        grown = replace(best.averages, values=subtree_values(best.averages, solution.request.threads))
    iterations = None if history is None or best.averages is None else history.last.iteration
    kinds.writer(name, kinds.STRATEGY)(name, grown, Origin.of(solution.method, iterations, best.free or best.judgement))


def check_part(name: str | None, depth: int | None, history: str) -> None:
    """Refuse to cut a part out for a file that is no workbook."""
    if (depth is not None or history) and (name is None or not kinds.holds(name, kinds.WORKBOOK)):
        raise UsageError(
            "--depth and --from cut a part out for a workbook of Gambit's: "
            f"name a file that ends in {kinds.suffixes(kinds.WORKBOOK)}"
        )


def write_workbook(
    tree: GameTree, profile: Profile | None, method: str, name: str, depth: int | None = None, history: Sequence[str] = ()
) -> None:
    """Write a workbook that Gambit's interface can open, of the game or of a part of it.

    Raises LiarsDiceError where no part is small enough, and for a history after which nobody moves.
    """
    from liarsdice_cli.extensive.excerpt import Part

    content = kinds.writer(name, kinds.WORKBOOK)(Part.whole(tree, profile).after(history), method, depth)
    with files.output(name) as out:
        out.write(content)

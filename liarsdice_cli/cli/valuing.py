"""What `values` and `match` share: how much work is done for a game, and where results are kept."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from liarsdice_cli.cli.options import ABOVE_0, DECIMAL, FILE, WholeRange, cluster_option, not_both, workers_of
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.cli.progress import waiting

if TYPE_CHECKING:
    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.solvers.solution import Request
    from liarsdice_cli.studies.valuation import Valuation
    from liarsdice_cli.studies.value_table import ValueTable
    from liarsdice_cli.system.cluster import Cluster

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--target", type=DECIMAL, metavar="X", help="Exploitability that bounds must reach.  [default: 1e-3]"),
    click.option("--time-limit", type=ABOVE_0, metavar="SECONDS", help="For each game.  [default: none]"),
    click.option(
        "--exact-up-to", "exact_nodes", type=WholeRange(0), metavar="NODES", help="Largest exact.  [default: 15000000]"
    ),
    click.option("--exact", is_flag=True, help="Solve larger games exactly too, without a tree, however long that takes."),
    click.option("--threads", type=WholeRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]"),
    cluster_option("Share the games among workers"),
)


def valuation_options(function: _Function) -> _Function:
    """The options that say how much work a game is worth; the function gets what was given together as a `request`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        from liarsdice_cli.solvers.registry import DOUBLE_ORACLE
        from liarsdice_cli.solvers.solution import Request

        method = DOUBLE_ORACLE if values.pop("exact") else None
        asked = {"method": method} | {
            name: values.pop(name) for name in ("target", "time_limit", "exact_nodes", "threads", "cluster")
        }
        not_both(asked["cluster"], asked["threads"])
        return function(request=Request(**{name: value for name, value in asked.items() if value is not None}), **values)

    wrapped: Any = gathered
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    result: _Function = wrapped
    return result


csv_option = click.option("--csv", type=FILE, metavar="FILE", help="Keep results in FILE, which is whole after every game.")
resume_option = click.option(
    "--resume", type=FILE, metavar="FILE", help="Solve only games that FILE lacks, and keep them there too."
)


def opened(csv: str | None, resume: str | None) -> ValueTable:
    """What the file to resume knows, kept where `--csv` says, else in that file. UsageError for pipes."""
    from pathlib import Path

    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.studies.value_table import ValueTable, read

    if "-" in (csv, resume):
        raise UsageError("--csv and --resume name a file that is written again and again, which a pipe cannot be")
    known = read(resume) if resume is not None and Path(resume).exists() else []
    return ValueTable(known, csv or resume)


def solve_all(games: Sequence[Rules], table: ValueTable, request: Request, quiet: bool) -> None:
    """Value the games that the table lacks, in this process or a game on each worker; on a terminal with how far that is."""
    missing = [game for game in games if table.get(game) is None]
    table.expect(missing)
    place = workers_of(request.cluster)
    with closing(
        _one_by_one(missing, request, quiet) if place is None else _on_workers(missing, request, place, quiet)
    ) as solved:
        for found in solved:
            said = table.lost
            table.add(found)
            if table.lost and not said:
                print_message(f"{table.lost}; solving goes on")


def _one_by_one(games: Sequence[Rules], request: Request, quiet: bool) -> Generator[Valuation, None, None]:
    from liarsdice_cli.cli.progress import between
    from liarsdice_cli.studies.valuation import value

    for number, game in enumerate(games, 1):
        with waiting(f"game {number} of {len(games)}, {game}", quiet) as tell:
            found = value(game, request, lambda sample: tell(between(sample)))
        yield found


def _on_workers(games: Sequence[Rules], request: Request, place: Cluster, quiet: bool) -> Generator[Valuation, None, None]:
    from liarsdice_cli.studies.valuation import values

    with waiting(f"{len(games)} games", quiet) as tell, closing(values(games, request, place)) as solved:
        for number, found in enumerate(solved, 1):
            tell(f"{number} done")
            yield found


def ended(table: ValueTable) -> int:
    """The exit code: 1 where the results could not be kept."""
    return 1 if table.lost else 0

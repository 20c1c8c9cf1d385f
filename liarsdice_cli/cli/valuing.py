"""Options that `values` and `match` share: the work for each game, and the file of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from liarsdice_cli.cli.options import ABOVE_0, DECIMAL, FILE, WholeRange, cluster_option, not_both
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.cli.progress import between, waiting

if TYPE_CHECKING:
    from liarsdice_cli.library.tables import Following
    from liarsdice_cli.solvers.regret.convergence import Sample
    from liarsdice_cli.studies.value_table import ValueTable

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--target", type=DECIMAL, metavar="X", help="Exploitability that bounds must reach.  [default: 1e-3]"),
    click.option("--time-limit", type=ABOVE_0, metavar="SECONDS", help="For each game.  [default: none]"),
    click.option(
        "--exact-max-nodes", "exact_max_nodes", type=WholeRange(0), metavar="NODES", help="Largest exact.  [default: 15000000]"
    ),
    click.option("--exact", is_flag=True, help="Solve larger games exactly too, without a tree, however long that takes."),
    click.option("--threads", type=WholeRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]"),
    cluster_option("Share the games among workers"),
)


def valuation_options(function: _Function) -> _Function:
    """Add the options for the work on each game; the function gets them as one `request`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        from liarsdice_cli.solvers.registry import DOUBLE_ORACLE
        from liarsdice_cli.solvers.request import Request

        method = DOUBLE_ORACLE if values.pop("exact") else None
        asked = {"method": method} | {
            name: values.pop(name) for name in ("target", "time_limit", "exact_max_nodes", "threads", "cluster")
        }
        not_both(asked["cluster"], asked["threads"])
        return function(request=Request.of(**{name: value for name, value in asked.items() if value is not None}), **values)

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
    """Return the results in the file to resume, which go on to the file of `--csv` if given. UsageError for pipes."""
    from pathlib import Path

    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.studies.value_table import ValueTable, read

    if "-" in (csv, resume):
        raise UsageError("--csv and --resume name a file that is written again and again, which a pipe cannot be")
    known = read(resume) if resume is not None and Path(resume).exists() else []
    return ValueTable(known, csv or resume)


def following(quiet: bool) -> Following:
    """Return a progress display for tables of values, on a terminal."""

    @contextmanager
    def shown(what: str) -> Iterator[Callable[[Sample | int], None]]:
        with waiting(what, quiet) as tell:
            yield lambda news: tell(f"{news} done" if isinstance(news, int) else between(news))

    return shown


class Lost:
    """Prints one message when results can no longer be written."""

    def __init__(self) -> None:
        self._said = ""

    def __call__(self, table: ValueTable) -> None:
        """Check the table after a game."""
        if table.lost and not self._said:
            print_message(f"{table.lost}; solving goes on")
        self._said = table.lost


def ended(table: ValueTable) -> int:
    """Return the exit code: 1 if the results could not be written."""
    return 1 if table.lost else 0

"""Options that `values` and `match` share: the work for each game, and the file of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.cli.option_table import gathered, option
from liarsdice_cli.cli.outputs import check_kind
from liarsdice_cli.cli.requests import request_of
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request
    from liarsdice_cli.studies.value_table import ValueTable


def _checked_request(**values: Any) -> Request:
    from liarsdice_cli.studies.valuation import check

    request = request_of(**values)
    check(request)
    return request


valuation_options = gathered(
    "request",
    _checked_request,
    {
        "target": option("target", "  [default: 1e-3]"),
        "time_limit": option("time-limit", " Applies to each game, which then gets bounds; the exit code is 0."),
        "method": option("method", " Here: auto, exact, double-oracle, or a regret minimiser."),
        "threads": option("threads", "  [default: all cores]"),
        "cluster": option("cluster"),
    },
)
"""The options for the work on each game."""
table_option = option(
    "output", "values as CSV, written after each game; games in FILE are skipped, with --target only those solved to within X"
)


def opened(name: str | None) -> ValueTable:
    """Return the results in the file, to which new ones are added; UsageError for a pipe and for a name of another kind."""
    from pathlib import Path

    from liarsdice_cli.studies.value_table import ValueTable, read

    if name == files.PIPE:
        raise UsageError("-o needs a file, because it is written again after each game: to print values, give --json instead")
    check_kind(name, ".csv", as_json=False)
    known = read(name) if name is not None and Path(name).is_file() else []
    return ValueTable(known, name)


def ended(table: ValueTable) -> int:
    """Return the exit code: 1 if the results could not be written."""
    return 1 if table.lost else 0

"""Options that `values` and `match` share: the work for each game, and the file of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import not_both
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files

if TYPE_CHECKING:
    from liarsdice_cli.studies.value_table import ValueTable

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NAMES = ("method", "target", "time_limit", "threads", "cluster")
_OPTIONS = (
    option("target", "  [default: 1e-3]"),
    option("time-limit", " For each game."),
    option("method", " Here: auto, exact, double-oracle, or a regret minimiser."),
    option("threads", "  [default: all cores]"),
    option("cluster"),
)


def valuation_options(function: _Function) -> _Function:
    """Add the options for the work on each game; the function gets them as one `request`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        from liarsdice_cli.solvers.request import Request
        from liarsdice_cli.studies.valuation import METHODS

        asked = {name: values.pop(name) for name in _NAMES}
        not_both(asked["cluster"], asked["threads"])
        if asked["method"] not in METHODS:
            raise UsageError(f"--method {asked['method']}: choose from {', '.join(METHODS)}")
        return function(request=Request.of(**{name: value for name, value in asked.items() if value is not None}), **values)

    wrapped: Any = gathered
    for add in reversed(_OPTIONS):
        wrapped = add(wrapped)
    result: _Function = wrapped
    return result


table_option = option("output", "values as CSV, written after each game; games that FILE has to within --target are skipped")


def opened(name: str | None) -> ValueTable:
    """Return the results in the file, to which new ones are added; UsageError for a pipe."""
    from pathlib import Path

    from liarsdice_cli.studies.value_table import ValueTable, read

    if name == files.PIPE:
        raise UsageError("-o names a file that is written after each game, which a pipe cannot be: use --json to print values")
    known = read(name) if name is not None and Path(name).is_file() else []
    return ValueTable(known, name)


def ended(table: ValueTable) -> int:
    """Return the exit code: 1 if the results could not be written."""
    return 1 if table.lost else 0

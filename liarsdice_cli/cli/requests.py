"""The options that say how a game is to be solved, gathered into one `Request`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import not_both

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Checkpoints, Request

_Function = TypeVar("_Function", bound=Callable[..., Any])


_OPTIONS = {
    "method": option("method"),
    "arithmetic": option("arithmetic", "  [default: the method's]"),
    "form": option("form", "  [default: the method's]"),
    "refine": option("refine", " For two players, constant sum."),
    "tremble": option("tremble"),
    "time_limit": option("time-limit", " Exit code 3 if it is reached."),
    "threads": option("threads", "  [default: all cores]"),
    "memory": option("memory", "  [default: 4/5 of what is free]"),
    "cluster": option("cluster", " For two players also gpu: an NVIDIA GPU."),
    "checkpoint": option("checkpoint"),
    "max_profiles": option("max-profiles"),
    "target": option("target", "  [default: 1/1000 of their range]"),
    "iterations": option("iterations"),
}


def request_options(function: _Function) -> _Function:
    """All options that say how to solve; the function gets them together as `request`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        return function(request=_request(**{name: values.pop(name) for name in _OPTIONS if name in values}), **values)

    wrapped: Any = gathered
    for add in reversed(_OPTIONS.values()):
        wrapped = add(wrapped)
    result: _Function = wrapped
    return result


def _request(
    *,
    threads: int | None,
    cluster: str | None,
    checkpoint: str | None,
    **as_they_are: Any,
) -> Request:
    from liarsdice_cli.solvers.request import Request

    not_both(cluster, threads)
    return Request.of(threads=threads, cluster=cluster, checkpoints=_checkpoints(checkpoint), **as_they_are)


def _checkpoints(file: str | None) -> Checkpoints | None:
    """Return where to save the state; a file that exists is continued."""
    from pathlib import Path

    from liarsdice_cli.formats import files
    from liarsdice_cli.solvers.request import Checkpoints

    if file is None:
        return None
    files.check_writable(file)
    return Checkpoints(file, resume=file if Path(file).is_file() else None)

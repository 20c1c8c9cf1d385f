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
    "cluster": option("cluster"),
    "checkpoint": option("checkpoint"),
    "checkpoint_every": option("checkpoint-every", "  [default: 180]"),
    "max_profiles": option("max-profiles"),
    "max_regret": option("max-regret"),
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
    checkpoint_every: float | None,
    **as_they_are: Any,
) -> Request:
    from liarsdice_cli.solvers.request import Request

    not_both(cluster, threads)
    kept = _checkpoints(checkpoint, checkpoint_every)
    return Request.of(threads=threads, cluster=cluster, checkpoints=kept, **as_they_are)


def _checkpoints(file: str | None, every: float | None) -> Checkpoints | None:
    """Return where to save the state; a file that exists is continued."""
    from pathlib import Path

    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.formats import files
    from liarsdice_cli.solvers.request import Checkpoints

    if file is None and every is not None:
        raise UsageError("--checkpoint-every needs a --checkpoint FILE to write to")
    if file is None:
        return None
    files.check_writable(file)
    resume = file if Path(file).is_file() else None
    return Checkpoints(file, resume=resume) if every is None else Checkpoints(file, every, resume)

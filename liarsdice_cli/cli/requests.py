"""The options that say how a game is to be solved, gathered into one `Request`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from liarsdice_cli.cli.options import ABOVE_0, BETWEEN_0_AND_1, DECIMAL, FILE, SIZE, WholeRange, cluster_option, not_both
from liarsdice_cli.cli.printing import print_lines

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Checkpoints, Request

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _list_methods(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from liarsdice_cli.solvers.ladder import methods

        width = max(map(len, methods()))
        print_lines(f"{name:{width}}  {summary}" for name, summary in methods().items())
        ctx.exit()


_OPTIONS = {
    "method": click.option("--method", default="auto", show_default=True, metavar="METHOD", help="See --methods."),
    "methods": click.option(
        "--methods", is_flag=True, is_eager=True, expose_value=False, callback=_list_methods, help="List the methods."
    ),
    "arithmetic": click.option(
        "--arithmetic", type=click.Choice(("rational", "float")), help="In which to compute.  [default: the method's]"
    ),
    "form": click.option(
        "--form", type=click.Choice(("extensive", "strategic")), help="On which to work.  [default: the method's]"
    ),
    "refine": click.option(
        "--refine",
        type=click.Choice(("quasi-perfect",)),
        help="An equilibrium that is best after anybody's mistakes too, exactly (two players, constant sum).",
    ),
    "tremble": click.option(
        "--tremble",
        type=BETWEEN_0_AND_1,
        metavar="P",
        help="Of minimisers: everybody errs with probability P at every decision, so that every history has values.",
    ),
    "time_limit": click.option("--time-limit", type=ABOVE_0, metavar="SECONDS", help="Stop after so long (exit code 3)."),
    "threads": click.option(
        "--threads", type=WholeRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]"
    ),
    "memory": click.option(
        "--memory",
        type=SIZE,
        metavar="SIZE",
        help="The most that the public tree, or each worker, may take, such as 12GB.  [default: 4/5 of what is free]",
    ),
    "cluster": cluster_option("Hold the public tree on workers"),
    "checkpoint": click.option(
        "--checkpoint", type=FILE, metavar="FILE", help="Keep the state here every few minutes (public tree)."
    ),
    "checkpoint_every": click.option("--checkpoint-every", type=ABOVE_0, metavar="SECONDS", help="How often.  [default: 180]"),
    "resume": click.option("--resume", type=FILE, metavar="FILE", help="Go on from a checkpoint (public tree)."),
    "max_profiles": click.option("--max-profiles", type=WholeRange(1), metavar="N", help="Stop after N profiles."),
    "max_regret": click.option(
        "--max-regret",
        type=ABOVE_0,
        metavar="X",
        help="Accept so much regret, as a share of the range of payoffs.",
    ),
    "target": click.option(
        "--target",
        type=DECIMAL,
        metavar="X",
        help="Of minimisers: stop at this exploitability, in the unit of the payoffs.  [default: 1/1000 of their range]",
    ),
    "iterations": click.option("--iterations", type=WholeRange(1), metavar="N", help="Of minimisers: stop after N iterations."),
}


def request_options(function: _Function) -> _Function:
    """All options that say how to solve; the function gets them together as `request`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        return function(request=_request(**{name: values.pop(name) for name in _OPTIONS if name in values}), **values)

    wrapped: Any = gathered
    for option in reversed(_OPTIONS.values()):
        wrapped = option(wrapped)
    result: _Function = wrapped
    return result


def _request(
    *,
    threads: int | None,
    cluster: str | None,
    checkpoint: str | None,
    checkpoint_every: float | None,
    resume: str | None,
    **as_they_are: Any,
) -> Request:
    from liarsdice_cli.solvers.request import Request

    not_both(cluster, threads)
    kept = _checkpoints(checkpoint, checkpoint_every, resume)
    return Request.of(threads=threads, cluster=cluster, checkpoints=kept, **as_they_are)


def _checkpoints(file: str | None, every: float | None, resume: str | None) -> Checkpoints | None:
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.formats import files
    from liarsdice_cli.solvers.request import Checkpoints

    if file is None and every is not None:
        raise UsageError("--checkpoint-every needs a --checkpoint FILE to write to")
    if file is not None:
        files.check_writable(file)
    if file is None and resume is None:
        return None
    return Checkpoints(file, resume=resume) if every is None else Checkpoints(file, every, resume)

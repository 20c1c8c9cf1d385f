"""The options that say how a game is to be solved, gathered into one `Request`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.cli.option_table import gathered, option
from liarsdice_cli.cli.options import not_both

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Checkpoints, Request


_OPTIONS = {
    "method": option("method"),
    "arithmetic": option("arithmetic", "  [default: the method's]"),
    "form": option("form", "  [default: the method's]"),
    "refine": option("refine", "exactly, or with a bound on the regret at every history; for two players, constant sum"),
    "tremble": option("tremble"),
    "time_limit": option("time-limit", " Exit code 3 if it is reached."),
    "threads": option("threads", "  [default: all cores]"),
    "memory": option("memory", "  [default: 4/5 of what is free]"),
    "cluster": option("cluster", " For two players also gpu: an NVIDIA GPU."),
    "checkpoint": option("checkpoint"),
    "max_profiles": option("max-profiles"),
    "target": option("target", "  [default: 1/1000 of their range, 1/50 with --refine sequential]"),
    "iterations": option("iterations"),
}


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


request_options = gathered("request", _request, _OPTIONS)
"""All options that say how to solve, as one `Request`."""

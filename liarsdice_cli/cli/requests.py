"""The options for solving a game, gathered into one `Request`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarsdice_cli.cli.option_table import gathered, option
from liarsdice_cli.cli.options import not_both

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request


_OPTIONS = {
    "method": option("method"),
    "arithmetic": option("arithmetic", "  [default: the method's]"),
    "form": option("form", "  [default: the method's]"),
    "refine": option("refine", "exactly, or with a bound on the regret at every history; for two-player constant-sum games"),
    "tremble": option("tremble"),
    "time_limit": option("time-limit", " Exit code 3 if it is reached."),
    "threads": option("threads", "  [default: all cores]"),
    "memory": option("memory", "  [default: 4/5 of the free memory]"),
    "cluster": option("cluster", " For two players also gpu: an NVIDIA GPU."),
    "checkpoint": option("checkpoint"),
    "max_profiles": option("max-profiles"),
    "target": option("target", "  [default: 1/1000 of their range, 1/50 with --refine sequential]"),
    "iterations": option("iterations"),
}


def request_of(*, threads: int | None, cluster: str | None, **others: Any) -> Request:
    """Return the request that options describe; UsageError for threads and a cluster together."""
    from liarsdice_cli.solvers.request import Request

    not_both(cluster, threads)
    return Request(threads=threads, cluster=cluster, **others)


request_options = gathered("request", request_of, _OPTIONS)
"""All options for solving, as one `Request`."""

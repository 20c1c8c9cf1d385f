"""Names of clusters on the command line: processes of this machine, a Ray cluster, or the GPU of this machine."""

from __future__ import annotations

from typing import overload

from liarsdice_cli.errors import ArgumentError
from liarsdice_cli.system.cluster import Cluster
from liarsdice_cli.system.local_cluster import LocalCluster

LOCAL, AUTO, GPU = "local:", "auto", "gpu"
_MOST, _PORTS = 1024, 65535
"""The highest number of processes on one machine, and of a port."""
_WORKERS = "local:N for N processes on this machine, or auto or HOST:PORT for a running Ray cluster"


def check(text: str) -> None:
    """Raise UsageError for a text that is not the name of a cluster. The cluster need not exist.

    >>> check("local:2"), check("auto"), check("10.0.0.1:6379"), check("gpu")
    (None, None, None, None)
    """
    kind, _, number = text.rpartition(":")
    digits = number.isascii() and number.isdigit() and len(number) <= len(str(_PORTS))
    fits = kind and digits and 1 <= int(number) <= (_MOST if text.startswith(LOCAL) else _PORTS)
    if not fits and text not in (AUTO, GPU):
        raise ArgumentError("cluster", text[:80], f"give {_WORKERS}, or gpu to solve a game on this machine's GPU")


@overload
def cluster(text: str) -> Cluster: ...
@overload
def cluster(text: None) -> None: ...
def cluster(text: str | None) -> Cluster | None:
    """Return the cluster with a name: `local:N`, `auto` or `HOST:PORT`; None, for this process, without a name.

    Raises UsageError as `check` does and for `gpu`, which has no workers, and LiarsDiceError if there is no such cluster or Ray
    is not installed.

    >>> cluster("local:2").count
    2
    """
    if text is None:
        return None
    check(text)
    if text == GPU:
        raise ArgumentError("cluster", text, f"a GPU can only solve a single game: give {_WORKERS}")
    if text.startswith(LOCAL):
        return LocalCluster(int(text.removeprefix(LOCAL)))
    from liarsdice_cli.system.ray_cluster import RayCluster

    return RayCluster(text)

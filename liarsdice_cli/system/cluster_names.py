"""Names of clusters on the command line: processes of this machine, or a Ray cluster."""

from __future__ import annotations

from liarsdice_cli.errors import ArgumentError
from liarsdice_cli.system.cluster import Cluster
from liarsdice_cli.system.local_cluster import LocalCluster

LOCAL, AUTO = "local:", "auto"
_MOST, _PORTS = 1024, 65535
"""The highest number of processes on one machine, and of a port."""


def check(text: str) -> None:
    """Raise UsageError for a text that is not the name of a cluster. The cluster need not exist.

    >>> check("local:2"), check("auto"), check("10.0.0.1:6379")
    (None, None, None)
    """
    kind, _, number = text.rpartition(":")
    digits = number.isascii() and number.isdigit() and len(number) <= len(str(_PORTS))
    fits = kind and digits and 1 <= int(number) <= (_MOST if text.startswith(LOCAL) else _PORTS)
    if not fits and text != AUTO:
        cure = "give local:N for N processes on this machine, or auto or HOST:PORT for a cluster of Ray's that runs"
        raise ArgumentError("cluster", text[:80], cure)


def cluster(text: str) -> Cluster:
    """Return the cluster with a name: `local:N`, `auto` or `HOST:PORT`.

    Raises UsageError as `check` does, and LiarsDiceError if there is no such cluster or Ray is not installed.

    >>> cluster("local:2").count
    2
    """
    check(text)
    if text.startswith(LOCAL):
        return LocalCluster(int(text.removeprefix(LOCAL)))
    from liarsdice_cli.system.ray_cluster import RayCluster

    return RayCluster(text)

"""Workers on a cluster of Ray's that a person has started: the one place that knows Ray (https://docs.ray.io).

Nothing is started here but actors, one a worker and each with a processor of its own: no cluster, no dashboard, no port. What
they run is this package as it is installed on their machine. Ray trusts whoever reaches its ports, see docs/cluster.md.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from socket import create_connection
from typing import Any

from liarsdice_cli.errors import Argument, LiarsDiceError, printable
from liarsdice_cli.system.cluster import Worker, WorkerLostError, answer, opened

try:
    ray: Any = import_module("ray")
except ImportError as error:
    raise LiarsDiceError(
        "a cluster of several machines needs Ray, which is not installed: pip install 'liarsdice-cli[cluster]'; workers on "
        "this machine do without: ",
        Argument("cluster", "local:2"),
    ) from error
RayError, GetTimeoutError = ray.exceptions.RayError, ray.exceptions.GetTimeoutError

_KNOCK = 5.0
"""Seconds within which a cluster has to answer."""
_SECONDS = 60.0
"""How long a worker may take to start before there is taken to be no room for it."""


class RayCluster:
    """A cluster that runs: all of its processors are for workers.

    address : `auto` for the one that this machine belongs to, or HOST:PORT

    Raises LiarsDiceError where none can be joined.
    """

    def __init__(self, address: str) -> None:
        if not ray.is_initialized():
            try:
                _knock(address)
                ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, configure_logging=True)
            except (RuntimeError, ValueError, OverflowError, OSError, RayError) as error:
                reason = printable((str(error).strip() or type(error).__name__).splitlines()[0], 200)
                raise LiarsDiceError(
                    f"no cluster of Ray's can be joined at {address}: {reason}; start one with `ray start --head`, and run "
                    "this on one of its machines"
                ) from error
        self.count = max(1, int(ray.cluster_resources().get("CPU", 0)))

    def start(self, make: Callable[..., Any], *arguments: Any) -> RayWorker | None:
        """See `Cluster`. LiarsDiceError where another version of this program is installed there."""
        worker = RayWorker(make, arguments)
        try:
            theirs = worker.version()
        except (GetTimeoutError, WorkerLostError):
            worker.close()
            return None
        ours = version("liarsdice-cli")
        if theirs != ours:
            worker.close()
            raise LiarsDiceError(
                f"a machine of the cluster has liarsdice-cli {theirs}, this one {ours}: install the same on all of them"
            )
        return worker

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """See `Cluster`."""
        by_call = {worker.call: worker for worker in workers if isinstance(worker, RayWorker)}
        done, _ = ray.wait(list(by_call), num_returns=len(by_call), timeout=0)
        if not done:
            done, _ = ray.wait(list(by_call), timeout=seconds)
        return [by_call[one] for one in done]


def _knock(address: str) -> None:
    """OSError where nobody listens, as Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if host:
        with create_connection((host, int(port)), _KNOCK):
            pass


class _Actor:
    """A worker's object where it lives."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.target = make(*arguments)

    def version(self) -> str:
        """Of this program, there."""
        return version("liarsdice-cli")

    def answer(self, method: str, *arguments: Any) -> Any:
        """See `cluster.answer`."""
        return answer(self.target, method, arguments)


class RayWorker:
    """An object in an actor."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.actor = ray.remote(_Actor).options(num_cpus=1, max_restarts=0, max_task_retries=0).remote(make, arguments)
        self.call: Any = None

    def version(self) -> str:
        """Of this program, there; GetTimeoutError where the worker cannot be started."""
        try:
            found: str = ray.get(self.actor.version.remote(), timeout=_SECONDS)
        except GetTimeoutError:
            raise
        except RayError as error:
            raise WorkerLostError from error
        return found

    def send(self, method: str, *arguments: Any) -> None:
        """See `Worker`."""
        try:
            self.call = self.actor.answer.remote(method, *arguments)
        except RayError as error:
            raise WorkerLostError from error

    def receive(self) -> Any:
        """See `Worker`."""
        try:
            return opened(ray.get(self.call))
        except RayError as error:
            raise WorkerLostError from error
        finally:
            self.call = None

    def close(self) -> None:
        """See `Worker`."""
        if ray.is_initialized():
            ray.kill(self.actor)

"""Workers on a running Ray cluster (https://docs.ray.io). No other module uses Ray.

This module starts only actors, one for each worker and each with one processor. It starts no cluster, dashboard or port. The
actors run this package as installed on their machine. Ray trusts every process that can connect to its ports, see
docs/cluster.md.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from socket import create_connection
from typing import Any

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.system.cluster import Message, Worker, WorkerLostError, call_method, result_of
from liarsdice_cli.text import printable

_KNOCK = 5.0
"""Seconds to wait for a connection to the cluster."""
_SECONDS = 60.0
"""Seconds to wait for a worker to start. After that, the cluster counts as full."""


@cache
def _ray() -> Any:
    """Return the module `ray`; LiarsDiceError if it is not installed."""
    if (Path.home() / ".ray" / "auth_token").exists() or {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys():
        os.environ.setdefault("RAY_AUTH_MODE", "token")  # clusters ask for it, and it is read when Ray is imported
    try:
        ray = import_module("ray")
    except ImportError as error:
        raise LiarsDiceError(
            "a cluster of several machines needs Ray, which is not installed: pip install ray; workers on "
            "this machine do not need it: ",
            Argument("cluster", "local:2"),
        ) from error
    ray._private.worker._worker_logs_enabled = False  # what it says of workers that are lost would go to standard output
    return ray


class RayCluster:
    """A cluster that runs: all of its processors are for workers.

    address : `auto` for the one that this machine belongs to, or HOST:PORT

    Raises LiarsDiceError where none can be joined.
    """

    def __init__(self, address: str) -> None:
        if not _ray().is_initialized():
            try:
                _knock(address)
                _ray().init(address, log_to_driver=False, logging_level=logging.CRITICAL, configure_logging=True)
            except (RuntimeError, ValueError, OverflowError, OSError, _ray().exceptions.RayError) as error:
                reason = printable((str(error).strip() or type(error).__name__).splitlines()[0], 200)
                raise LiarsDiceError(
                    f"cannot join a Ray cluster at {address}: {reason}; start one with `ray start --head`, and run "
                    "this on one of its machines"
                ) from error
        self.count = max(1, int(_ray().cluster_resources().get("CPU", 0)))

    @property
    def workers_per_machine(self) -> int:
        """See `Cluster`."""
        return max((int(node["Resources"].get("CPU", 0)) for node in _ray().nodes() if node["Alive"]), default=0) or 1

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """See `Cluster`. LiarsDiceError if a machine has another version of this program."""
        workers = [RayWorker(make, arguments) for _ in range(count)]
        calls = {worker.actor.version.remote(): worker for worker in workers}
        done, late = _ray().wait(list(calls), num_returns=count, timeout=_SECONDS) if calls else ([], [])
        for call in late:
            calls[call].close()
        return [calls[call] for call in done if self._is_ours(call, calls[call])]

    def _is_ours(self, call: Any, worker: RayWorker) -> bool:
        """Return whether a worker has started; LiarsDiceError if it has another version of this program."""
        try:
            theirs, ours = _ray().get(call), version("liarsdice-cli")
        except _ray().exceptions.RayError:
            worker.close()
            return False
        if theirs != ours:
            raise LiarsDiceError(
                f"a machine of the cluster has liarsdice-cli {theirs}, this one {ours}: install the same version on all of them"
            )
        return True

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """See `Cluster`."""
        by_call = {worker.call: worker for worker in workers if isinstance(worker, RayWorker)}
        done, _ = _ray().wait(list(by_call), num_returns=len(by_call), timeout=0)
        if not done:
            done, _ = _ray().wait(list(by_call), timeout=seconds)
        return [by_call[one] for one in done]


def _knock(address: str) -> None:
    """Raise OSError if no process listens at an address; Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if host:
        with create_connection((host, int(port)), _KNOCK):
            pass


class _Actor:
    """The actor that holds a worker's object."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.target = make(*arguments)

    def version(self) -> str:
        """Return the version of this program on the actor's machine."""
        return version("liarsdice-cli")

    def call(self, method: str, *arguments: Any) -> Any:
        """See `cluster.call_method`."""
        return call_method(self.target, method, arguments)


class RayWorker:
    """A worker in a Ray actor."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.actor = _ray().remote(_Actor).options(num_cpus=1, max_restarts=0, max_task_retries=0).remote(make, arguments)
        self.call: Any = None

    def send(self, message: Message) -> None:
        """See `Worker`."""
        try:
            self.call = self.actor.call.remote(message.method, *message.arguments)
        except _ray().exceptions.RayError as error:
            raise WorkerLostError from error

    def receive(self) -> Any:
        """See `Worker`."""
        try:
            return result_of(_ray().get(self.call))
        except _ray().exceptions.RayError as error:
            raise WorkerLostError from error
        finally:
            self.call = None

    def close(self) -> None:
        """See `Worker`."""
        if _ray().is_initialized():
            _ray().kill(self.actor)

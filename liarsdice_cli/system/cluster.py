"""Workers: objects that live in other processes, on this machine or on several, and answer calls.

A *cluster* is where workers can be started. `local:N` is N processes of this machine, which hear nothing but the pipe to the
process that started them; anything else names a cluster of Ray's that a person has started, see `ray_cluster`. Whoever uses
workers sees no difference. A worker answers one call at a time. Where its process ends, however that comes, the next call or
answer raises `WorkerLostError`; what its object knew is gone.
"""

from __future__ import annotations

import os
import pickle
import platform
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from typing import Any, NamedTuple, Protocol

from liarsdice_cli.errors import ArgumentError, LiarsDiceError
from liarsdice_cli.system.processes import Child

LOCAL, AUTO = "local:", "auto"
_MOST, _PORTS = 1024, 65535
"""Processes on one machine, and ports."""
MOST_LOSSES = 5
"""So often may workers be lost over one and the same piece of work: after that it is taken to be what ends them."""


class WorkerLostError(Exception):
    """The process of a worker has ended."""


class Place(NamedTuple):
    """Where a worker runs: the machine, its process, and how many bytes of memory are free there."""

    machine: str
    process: int
    free: int


class Message:
    """A call of a method, which can be sent to one worker or to several: it is made ready for the way only once.

    method, arguments : of the worker's object, and what can be pickled
    """

    def __init__(self, method: str, *arguments: Any) -> None:
        self.method, self.arguments = method, arguments

    @cached_property
    def pickled(self) -> bytes:
        """As it goes to another process of this machine."""
        return pickle.dumps((self.method, self.arguments), pickle.HIGHEST_PROTOCOL)


class Worker(Protocol):
    """An object in another process."""

    def send(self, message: Message) -> None:
        """Call a method of the object; WorkerLostError."""

    def receive(self) -> Any:
        """What the call came to: returns or raises what it did; WorkerLostError."""

    def close(self) -> None:
        """End the process, whatever it does."""


class Cluster(Protocol):
    """Where workers can be started, and how many are wanted there."""

    @property
    def count(self) -> int:
        """Of workers."""

    @property
    def side_by_side(self) -> int:
        """The most workers on one machine."""

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """So many workers, or as many as there is room for, each with an object of its own, `make(*arguments)`.

        make, arguments : a function or class that can be imported, and what can be pickled
        """

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """Those of the workers whose calls have come to an end, at least one, or after so many seconds perhaps none."""


def check(text: str) -> None:
    """Refuse what names no cluster, whether there is one or not: UsageError.

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
    """The cluster of a name: `local:N`, `auto` or `HOST:PORT`; raises as `check` does.

    Raises LiarsDiceError where there is no such cluster, or what it needs is not installed.

    >>> cluster("local:2").count
    2
    """
    check(text)
    if text.startswith(LOCAL):
        return LocalCluster(int(text.removeprefix(LOCAL)))
    from liarsdice_cli.system.ray_cluster import RayCluster

    return RayCluster(text)


class Raised(NamedTuple):
    """What a call raised, on its way back."""

    error: Exception


def answer(target: Any, method: str, arguments: Sequence[Any]) -> Any:
    """What a worker sends back for a call of its object."""
    try:
        return getattr(target, method)(*arguments)
    except Exception as error:
        return Raised(_travelling(error))


def _travelling(error: Exception) -> Exception:
    """An error, or one that says the same where it would not come out of a pickle as it went in."""
    with suppress(Exception):
        there = pickle.loads(pickle.dumps(error))
        if (type(there), str(there)) == (type(error), str(error)):
            return error
    return RuntimeError(f"{type(error).__name__}: {error!s:.200}")


def opened(said: Any) -> Any:
    """What a call returned; raises what it raised."""
    if isinstance(said, Raised):
        raise said.error
    return said


class LocalCluster:
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    @property
    def side_by_side(self) -> int:
        """See `Cluster`."""
        return self.count

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """See `Cluster`."""
        workers: list[Worker] = []
        with suppress(OSError):  # no more processes or files are to be had
            workers.extend(LocalWorker(make, arguments) for _ in range(count))
        return workers

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """See `Cluster`."""
        by_connection: dict[Any, Worker] = {
            worker.child.connection: worker for worker in workers if isinstance(worker, LocalWorker)
        }
        return [by_connection[found] for found in wait(list(by_connection), seconds)]


class LocalWorker:
    """An object in a process of this machine."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.child = Child(_serve, make, arguments, daemon=False)
        self._end = Finalize(self, self.child.close, exitpriority=1)  # before it would be waited for

    def send(self, message: Message) -> None:
        """See `Worker`."""
        try:
            self.child.connection.send_bytes(message.pickled)
        except OSError as error:
            raise WorkerLostError from error

    def receive(self) -> Any:
        """See `Worker`."""
        try:
            said = self.child.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error
        return opened(said)

    def close(self) -> None:
        """See `Worker`."""
        self._end()


def _serve(connection: Connection, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """The process of a worker: makes its object, and answers calls; if that cannot be made, they all raise why."""
    try:
        target, wrong = make(*arguments), None
    except Exception as error:
        target, wrong = None, Raised(_travelling(error))
    while True:
        method, given = connection.recv()
        connection.send_bytes(_pickled(wrong or answer(target, method, given)))


def _pickled(said: Any) -> bytes:
    try:
        return pickle.dumps(said, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Raised(RuntimeError(f"{type(said).__name__} cannot be sent: {error!s:.200}")))


def no_room() -> LiarsDiceError:
    """What to say where not one worker can be started."""
    return LiarsDiceError("the cluster has no room for a worker: wait until others are done, or add machines")


def here() -> Place:
    """Where this process runs."""
    from liarsdice_cli.system.memory import available

    return Place(platform.node(), os.getpid(), available())

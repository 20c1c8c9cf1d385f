"""Workers: objects that live in other processes, on this machine or on several, and answer calls.

A *cluster* starts workers: `local_cluster` in processes of this machine, `ray_cluster` on a cluster of Ray's. Code that uses
workers sees no difference. A worker answers one call at a time. If its process ends, the next call or answer raises
`WorkerLostError`, and the state of its object is lost.
"""

from __future__ import annotations

import os
import pickle
import platform
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from liarsdice_cli.errors import LiarsDiceError

MAX_LOSSES = 5
"""The number of times that one piece of work is retried after it lost its worker. Then it counts as the cause of the losses."""


class WorkerLostError(Exception):
    """The process of a worker has ended."""


class WorkerLocation(NamedTuple):
    """The machine of a worker, its process, and the free bytes of memory there."""

    machine: str
    process: int
    free: int


class Message:
    """A call of a method of a worker's object. It is pickled only once, however many workers it is sent to.

    method, arguments : the name of the method, and arguments that can be pickled
    """

    def __init__(self, method: str, *arguments: Any) -> None:
        self.method, self.arguments = method, arguments

    @cached_property
    def pickled(self) -> bytes:
        """The bytes that another process of this machine receives."""
        return pickle.dumps((self.method, self.arguments), pickle.HIGHEST_PROTOCOL)


class Worker(Protocol):
    """An object in another process."""

    def send(self, message: Message) -> None:
        """Call a method of the object; WorkerLostError if the process has ended."""

    def receive(self) -> Any:
        """Return the result of the call, or raise its error; WorkerLostError if the process has ended."""

    def close(self) -> None:
        """End the process, even in the middle of a call."""


class Cluster(Protocol):
    """A place to start workers, and the number of workers to start there."""

    @property
    def count(self) -> int:
        """The number of workers."""

    @property
    def workers_per_machine(self) -> int:
        """The most workers on one machine."""

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """Start workers, or as many as there is room for, each with its own object `make(*arguments)`.

        make, arguments : a function or class that can be imported, and arguments that can be pickled
        """

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """Wait until at least one call has returned, or for some seconds; return the workers whose calls have."""


class Raised(NamedTuple):
    """An error that a call raised, as it is sent back."""

    error: Exception


def call_method(target: Any, method: str, arguments: Sequence[Any]) -> Any:
    """Call a method of a worker's object; return its result, or `Raised` with its error."""
    try:
        return getattr(target, method)(*arguments)
    except Exception as error:
        return Raised(picklable(error))


def picklable(error: Exception) -> Exception:
    """Return the error itself if it can be pickled, otherwise one with the same message."""
    with suppress(Exception):
        copy = pickle.loads(pickle.dumps(error))
        if (type(copy), str(copy)) == (type(error), str(error)):
            return error
    return RuntimeError(f"{type(error).__name__}: {error!s:.200}")


def result_of(reply: Any) -> Any:
    """Return the result in a worker's reply, or raise the error in it."""
    if isinstance(reply, Raised):
        raise reply.error
    return reply


def no_room() -> LiarsDiceError:
    """Return the error for a cluster on which no worker can be started."""
    return LiarsDiceError("the cluster has no room for a worker: wait until others are done, or add machines")


def location() -> WorkerLocation:
    """Return the location of this process."""
    from liarsdice_cli.system.memory import available

    return WorkerLocation(platform.node(), os.getpid(), available())

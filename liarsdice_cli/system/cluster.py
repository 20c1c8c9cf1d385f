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


class Raised(NamedTuple):
    """What a call raised, on its way back."""

    error: Exception


def answer(target: Any, method: str, arguments: Sequence[Any]) -> Any:
    """What a worker sends back for a call of its object."""
    try:
        return getattr(target, method)(*arguments)
    except Exception as error:
        return Raised(travelling(error))


def travelling(error: Exception) -> Exception:
    """Return an error as it can be sent: itself, or one with the same message if a pickle would change it."""
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


def no_room() -> LiarsDiceError:
    """What to say where not one worker can be started."""
    return LiarsDiceError("the cluster has no room for a worker: wait until others are done, or add machines")


def here() -> Place:
    """Where this process runs."""
    from liarsdice_cli.system.memory import available

    return Place(platform.node(), os.getpid(), available())

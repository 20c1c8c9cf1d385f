"""Workers: objects that live in other processes, on this machine or on several, and answer calls.

A *cluster* is where workers can be started. `local:N` is N processes of this machine, which hear nothing but the pipe to the
process that started them; anything else names a cluster of Ray's that a person has started, see `ray_cluster`. Whoever uses
workers sees no difference. A worker answers one call at a time. Where its process ends, however that comes, the next call or
answer raises `WorkerLostError`; what its object knew is gone.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from typing import Any, NamedTuple, Protocol, TypeVar

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.system.processes import Child

_Result = TypeVar("_Result")
LOCAL, AUTO = "local:", "auto"
_MOST = 1024
"""Processes on one machine."""
MOST_LOSSES = 5
"""So often may workers be lost over one and the same piece of work: after that it is taken to be what ends them."""


class WorkerLostError(Exception):
    """The process of a worker has ended."""


class Place(NamedTuple):
    """Where a worker runs: the machine, its process, and how many bytes of memory are free there."""

    machine: str
    process: int
    free: int


class Worker(Protocol):
    """An object in another process."""

    def send(self, method: str, *arguments: Any) -> None:
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
    digits = number.isascii() and number.isdigit()
    fits = digits and 1 <= int(number) <= _MOST if text.startswith(LOCAL) else text == AUTO or (kind and digits)
    if not fits:
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
        return Raised(error)


def opened(said: Any) -> Any:
    """What a call returned; raises what it raised."""
    if isinstance(said, Raised):
        raise said.error
    return said


class LocalCluster:
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """See `Cluster`."""
        return [LocalWorker(make, arguments) for _ in range(count)]

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """See `Cluster`."""
        by_connection = {worker.child.connection: worker for worker in workers if isinstance(worker, LocalWorker)}
        return [by_connection[found] for found in wait(list(by_connection), seconds) if isinstance(found, Connection)]


class LocalWorker:
    """An object in a process of this machine."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.child = Child(_serve, make, arguments, daemon=False)
        self._end = Finalize(self, self.child.close, exitpriority=1)  # before it would be waited for

    def send(self, method: str, *arguments: Any) -> None:
        """See `Worker`."""
        try:
            self.child.connection.send((method, arguments))
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
    """The process of a worker: makes its object, and answers calls."""
    target = make(*arguments)
    while True:
        method, given = connection.recv()
        said = answer(target, method, given)
        try:
            connection.send(said)
        except (TypeError, ValueError, AttributeError) as error:  # it cannot be pickled
            connection.send(Raised(RuntimeError(f"{type(said).__name__}: {said!s:.200}: {error}")))


def no_room() -> LiarsDiceError:
    """What to say where not one worker can be started."""
    return LiarsDiceError("the cluster has no room for a worker: wait until others are done, or add machines")


def here() -> Place:
    """Where this process runs."""
    from liarsdice_cli.system.memory import available

    return Place(platform.node(), os.getpid(), available())


def in_order(
    place: Cluster | None, function: Callable[[Any], _Result], tasks: Iterable[Any], ahead: int = 4
) -> Iterator[_Result]:
    """What a function returns for every task, in the order of the tasks; on the workers of a cluster, or here for None.

    function : can be pickled; each worker gets it once
    ahead    : tasks for each worker that may be done before their turn

    A worker that is lost is replaced, and its task is done again. Raises what the function raises, and LiarsDiceError where
    workers are lost over one task again and again. Workers end when the iteration does.
    """
    if place is None:
        yield from map(function, tasks)
        return
    work = _Work(place, function, tasks)
    try:
        yield from work.results(ahead)
    finally:
        work.close()


def _same(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return function


class _Work:
    """Tasks given out to workers, of which there are more as long as there are tasks for them."""

    def __init__(self, place: Cluster, function: Callable[[Any], Any], tasks: Iterable[Any]) -> None:
        self.place, self.function, self.tasks = place, function, enumerate(tasks)
        self.again: list[tuple[int, Any]] = []
        self.busy: dict[Worker, tuple[int, Any]] = {}
        self.idle: list[Worker] = []
        self.found: dict[int, Any] = {}
        self.losses = 0

    def results(self, ahead: int) -> Iterator[Any]:
        """The results in order."""
        due = 0
        while True:
            while (self.again or len(self.busy) + len(self.found) < ahead * self.place.count) and self._give_one():
                pass
            if not self.busy and not self.found:
                return
            while due in self.found:
                yield self.found.pop(due)
                due += 1
            for worker in self.place.ready(list(self.busy)) if self.busy else ():
                self._take(worker)

    def _give_one(self) -> bool:
        """Give a task to a worker; False where there is none, or no worker for it."""
        worker = self._free()
        task = None if worker is None else self.again.pop() if self.again else next(self.tasks, None)
        if worker is None or task is None:
            self.idle += [] if worker is None else [worker]
            return False
        self.busy[worker] = task
        try:
            worker.send("__call__", task[1])
        except WorkerLostError:
            self._lost(worker)
        return True

    def _free(self) -> Worker | None:
        if self.idle or len(self.busy) == self.place.count:
            return self.idle.pop() if self.idle else None
        started = self.place.start(1, _same, self.function)
        if not started and not self.busy:
            raise no_room()
        return started[0] if started else None

    def _take(self, worker: Worker) -> None:
        try:
            said = worker.receive()
        except WorkerLostError:
            self._lost(worker)
            return
        self.found[self.busy.pop(worker)[0]] = said
        self.idle.append(worker)
        self.losses = 0

    def _lost(self, worker: Worker) -> None:
        """What a worker was at is to be done again."""
        worker.close()
        self.again.append(self.busy.pop(worker))
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise LiarsDiceError(
                "worker processes end again and again, perhaps for want of memory: take fewer of them, with ",
                Argument("cluster", "local:1"),
            )

    def close(self) -> None:
        """End all workers."""
        for worker in (*self.busy, *self.idle):
            worker.close()

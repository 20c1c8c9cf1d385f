"""Work in tasks that do not depend on each other, and who does them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Protocol, TypeVar

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.system import memory
from liarsdice_cli.system.cluster import MOST_LOSSES, Cluster, Message, Worker, WorkerLostError, no_room

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class InOrder(Protocol):
    """Does tasks, here or in other processes, and gives the results in the order of the tasks; `map` is one.

    For other processes the function must be one that can be imported, or a `partial` of one, and tasks what can be pickled.
    """

    def __call__(self, function: Callable[[_Task], _Result], tasks: Iterable[_Task], /) -> Iterator[_Result]:
        """The result of the function for every task in turn."""
        ...


def in_order(
    place: Cluster | None, function: Callable[[Any], _Result], tasks: Iterable[Any], ahead: int = 4
) -> Generator[_Result, None, None]:
    """What a function returns for every task, in the order of the tasks; on the workers of a cluster, or here for None.

    function : can be pickled; each worker gets it once
    ahead    : tasks for each worker that may be done before their turn

    A worker that is lost is replaced, and its task is done again. Raises what the function raises, and LiarsDiceError where
    workers are lost over one task again and again. Workers end when the iteration does; close it where that may be early.

    >>> list(in_order(None, len, ["to", "be", "or", "not"]))
    [2, 2, 2, 3]
    """
    if place is None:
        yield from map(function, tasks)
        return
    found: dict[int, _Result] = {}
    due, most = 0, ahead * place.count
    with closing(_Work(place, function, tasks)) as work:
        for number, said in work.results(lambda: most - len(found)):
            found[number] = said
            while due in found:
                yield found.pop(due)
                due += 1


def as_done(place: Cluster, function: Callable[[Any], _Result], tasks: Iterable[Any]) -> Generator[_Result, None, None]:
    """What a function returns for every task, each as soon as it is known; else as `in_order`."""
    with closing(_Work(place, function, tasks)) as work:
        for _, said in work.results(lambda: sys.maxsize):
            yield said


class _Doer:
    """The object of a worker that does tasks, on a machine where so many do."""

    def __init__(self, function: Callable[[Any], Any], side_by_side: int) -> None:
        self.function, self.side_by_side = function, side_by_side

    def do(self, task: Any) -> Any:
        """What the function returns for a task."""
        with memory.shared_by(self.side_by_side):
            return self.function(task)


class _Work:
    """Tasks given out to workers, of which there are more as long as there are tasks for them."""

    def __init__(self, place: Cluster, function: Callable[[Any], Any], tasks: Iterable[Any]) -> None:
        self.place, self.function, self.tasks = place, function, enumerate(tasks)
        self.waiting: list[tuple[int, Any]] = []
        self.busy: dict[Worker, tuple[int, Any]] = {}
        self.idle: list[Worker] = []
        self.most = place.count
        self.losses: Counter[int] = Counter()

    def results(self, room: Callable[[], int]) -> Iterator[tuple[int, Any]]:
        """The number of every task and what it came to, as they come.

        room : how many tasks may be under way
        """
        taken: list[tuple[int, Any]] = []
        while True:
            while (self.waiting or len(self.busy) + len(taken) < room()) and self._give_one():
                pass
            if not self.busy and not taken:
                return
            yield from taken  # while workers are busy again
            ready = self.place.ready(list(self.busy)) if self.busy else ()
            taken = [result for worker in ready for result in self._taken(worker)]

    def _give_one(self) -> bool:
        """Give a task to a worker; False where there is none, or no worker for it."""
        if not self.waiting:
            self.waiting += islice(self.tasks, 1)
        worker = self._free() if self.waiting else None
        if worker is None:
            return False
        _, task = self.busy[worker] = self.waiting.pop()
        try:
            worker.send(Message("do", task))
        except WorkerLostError:
            self._lost(worker)
        return True

    def _free(self) -> Worker | None:
        """A worker that has nothing to do, if need be a new one; None where there is room for no more."""
        if self.idle or len(self.busy) >= self.most:
            return self.idle.pop() if self.idle else None
        started = self.place.start(1, _Doer, self.function, self.place.side_by_side)
        if started:
            return started[0]
        if not self.busy:
            raise no_room()
        self.most = len(self.busy)
        return None

    def _taken(self, worker: Worker) -> Iterator[tuple[int, Any]]:
        """What a worker has done, if it is still there."""
        try:
            said = worker.receive()
        except WorkerLostError:
            self._lost(worker)
            return
        self.idle.append(worker)
        yield self.busy.pop(worker)[0], said

    def _lost(self, worker: Worker) -> None:
        """What a worker was at is to be done again."""
        worker.close()
        number, task = self.busy.pop(worker)
        self.waiting.append((number, task))
        self.losses[number] += 1
        if self.losses[number] > MOST_LOSSES:
            raise LiarsDiceError(
                "worker processes end again and again, perhaps for want of memory: take fewer of them, with ",
                Argument("cluster", "local:1"),
            )

    def close(self) -> None:
        """End all workers."""
        for worker in (*self.busy, *self.idle):
            worker.close()

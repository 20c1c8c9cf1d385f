"""Run independent tasks, in this process or on the workers of a cluster."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Protocol, TypeVar

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.system import memory
from liarsdice_cli.system.cluster import MAX_LOSSES, Cluster, Message, Worker, WorkerLostError, no_room

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class InOrder(Protocol):
    """Runs tasks and yields the results in the order of the tasks, as `map` does.

    With other processes, the function must be importable or a `partial` of an importable function, and tasks picklable.
    """

    def __call__(self, function: Callable[[_Task], _Result], tasks: Iterable[_Task], /) -> Iterator[_Result]:
        """Yield the result of the function for every task in turn."""
        ...


def in_order(
    cluster: Cluster | None, function: Callable[[Any], _Result], tasks: Iterable[Any], ahead: int = 4
) -> Generator[_Result, None, None]:
    """Yield what a function returns for every task, in the order of the tasks.

    cluster  : the cluster whose workers run the tasks; None for this process
    function : must be picklable; each worker receives it once
    ahead    : the number of tasks for each worker that may be done before their turn

    A lost worker is replaced, and its task is retried. Raises the errors of the function, and LiarsDiceError if one task loses
    more than `MAX_LOSSES` workers. Workers end with the iteration; close the generator if it may end early.

    >>> list(in_order(None, len, ["to", "be", "or", "not"]))
    [2, 2, 2, 3]
    """
    if cluster is None:
        yield from map(function, tasks)
        return
    found: dict[int, _Result] = {}
    due, most = 0, ahead * cluster.count
    with closing(_Work(cluster, function, tasks)) as work:
        for number, result in work.results(lambda: most - len(found)):
            found[number] = result
            while due in found:
                yield found.pop(due)
                due += 1


def as_done(cluster: Cluster, function: Callable[[Any], _Result], tasks: Iterable[Any]) -> Generator[_Result, None, None]:
    """Yield what a function returns for every task, each as soon as it is done; otherwise as `in_order`."""
    with closing(_Work(cluster, function, tasks)) as work:
        for _, result in work.results(lambda: sys.maxsize):
            yield result


class _TaskRunner:
    """The object of a worker that runs tasks.

    workers_per_machine : the number of workers that share the memory of a machine
    """

    def __init__(self, function: Callable[[Any], Any], workers_per_machine: int) -> None:
        self.function, self.workers_per_machine = function, workers_per_machine

    def run(self, task: Any) -> Any:
        """Return what the function returns for a task."""
        with memory.shared_by(self.workers_per_machine):
            return self.function(task)


class _Work:
    """Assigns tasks to workers, and starts workers while there are tasks for them."""

    def __init__(self, cluster: Cluster, function: Callable[[Any], Any], tasks: Iterable[Any]) -> None:
        self.cluster, self.function, self.tasks = cluster, function, enumerate(tasks)
        self.waiting: list[tuple[int, Any]] = []
        self.busy: dict[Worker, tuple[int, Any]] = {}
        self.idle: list[Worker] = []
        self.most = cluster.count
        self.losses: Counter[int] = Counter()

    def results(self, room: Callable[[], int]) -> Iterator[tuple[int, Any]]:
        """Yield the number and the result of every task as it is done.

        room : returns the number of tasks that may be running or waiting to be yielded
        """
        done: list[tuple[int, Any]] = []
        while True:
            while (self.waiting or len(self.busy) + len(done) < room()) and self._assign_one():
                pass
            if not self.busy and not done:
                return
            yield from done  # after the workers have new tasks
            ready = self.cluster.ready(list(self.busy)) if self.busy else ()
            done = [result for worker in ready for result in self._receive(worker)]

    def _assign_one(self) -> bool:
        """Assign a task to a worker; return False without a task or a worker."""
        if not self.waiting:
            self.waiting += islice(self.tasks, 1)
        worker = self._idle_worker() if self.waiting else None
        if worker is None:
            return False
        _, task = self.busy[worker] = self.waiting.pop()
        try:
            worker.send(Message("run", task))
        except WorkerLostError:
            self._retry_task_of(worker)
        return True

    def _idle_worker(self) -> Worker | None:
        """Return an idle worker or a new one; None if no more can be started."""
        if self.idle or len(self.busy) >= self.most:
            return self.idle.pop() if self.idle else None
        started = self.cluster.start(1, _TaskRunner, self.function, self.cluster.workers_per_machine)
        if started:
            return started[0]
        if not self.busy:
            raise no_room()
        self.most = len(self.busy)
        return None

    def _receive(self, worker: Worker) -> Iterator[tuple[int, Any]]:
        """Yield the result of a worker's task, unless the worker is lost."""
        try:
            result = worker.receive()
        except WorkerLostError:
            self._retry_task_of(worker)
            return
        self.idle.append(worker)
        yield self.busy.pop(worker)[0], result

    def _retry_task_of(self, worker: Worker) -> None:
        """Queue the task of a lost worker again; LiarsDiceError after too many losses."""
        worker.close()
        number, task = self.busy.pop(worker)
        self.waiting.append((number, task))
        self.losses[number] += 1
        if self.losses[number] > MAX_LOSSES:
            raise LiarsDiceError(
                "worker processes keep ending, perhaps for lack of memory: use fewer of them, with ",
                Argument("cluster", "local:1"),
            )

    def close(self) -> None:
        """End all workers."""
        for worker in (*self.busy, *self.idle):
            worker.close()

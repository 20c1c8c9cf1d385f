"""Workers in processes of this machine. They listen only to the pipe from the process that started them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from typing import Any

from liarsdice_cli.system.cluster import Message, Raised, Worker, WorkerLostError, answer, opened, travelling
from liarsdice_cli.system.processes import Child


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
        target, wrong = None, Raised(travelling(error))
    while True:
        method, given = connection.recv()
        connection.send_bytes(_pickled(wrong or answer(target, method, given)))


def _pickled(said: Any) -> bytes:
    try:
        return pickle.dumps(said, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Raised(RuntimeError(f"{type(said).__name__} cannot be sent: {error!s:.200}")))

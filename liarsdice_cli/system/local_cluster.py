"""Workers in processes of this machine. They read only the pipe from the process that started them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from liarsdice_cli.system.cluster import Message, Raised, Worker, WorkerLostError, call_method, picklable, result_of
from liarsdice_cli.system.processes import Child


class LocalCluster:
    """Workers in processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    @property
    def workers_per_machine(self) -> int:
        """See `Cluster`."""
        return self.count

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        """See `Cluster`."""
        workers: list[Worker] = []
        with suppress(OSError):  # no more processes or open files
            workers.extend(LocalWorker(make, arguments) for _ in range(count))
        return workers

    def ready(self, workers: Sequence[Worker], seconds: float | None = None) -> Sequence[Worker]:
        """See `Cluster`."""
        by_connection: dict[Any, Worker] = {
            worker.child.connection: worker for worker in workers if isinstance(worker, LocalWorker)
        }
        return [by_connection[found] for found in wait(list(by_connection), seconds)]


class LocalWorker:
    """A worker in a process of this machine."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.child = Child(_serve, make, arguments, daemon=False)

    def send(self, message: Message) -> None:
        """See `Worker`."""
        try:
            self.child.connection.send_bytes(message.pickled)
        except OSError as error:
            raise WorkerLostError from error

    def receive(self) -> Any:
        """See `Worker`."""
        try:
            reply = self.child.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error
        return result_of(reply)

    def close(self) -> None:
        """See `Worker`."""
        self.child.close()


def _serve(connection: Connection, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Make a worker's object and reply to calls. If the object cannot be made, every call raises the reason."""
    try:
        target, wrong = make(*arguments), None
    except Exception as error:
        target, wrong = None, Raised(picklable(error))
    while True:
        method, given = connection.recv()
        connection.send_bytes(_pickled(wrong or call_method(target, method, given)))


def _pickled(reply: Any) -> bytes:
    try:
        return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Raised(RuntimeError(f"{type(reply).__name__} cannot be sent: {error!s:.200}")))

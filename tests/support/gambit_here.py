"""Run Gambit's methods in the test process, for tests of their results.

A child process takes most of a second to import pygambit. Child processes have their own tests in
tests/solvers/test_gambit.py. A method that must be stopped from outside still gets a child process.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection
from typing import Any

from liarsdice_cli.solvers import gambit, gambit_child
from liarsdice_cli.solvers.gambit_child import Message

RealProcess = gambit.GambitProcess
LONG = 5
"""Time limits in seconds from here on are never reached in tests."""


class _Here:
    """Sends the messages of a child process after the method has ended."""

    stopped = False

    def __init__(self, request: Mapping[str, Any], efg: bytes) -> None:
        self._sent: list[Message] = []
        try:
            gambit_child.serve(request, efg, self._sent.append)
        except Exception as error:
            self._sent.append(("error", str(error) or type(error).__name__))

    def messages(self, deadline: float) -> Iterator[Message]:
        return iter(self._sent)

    def close(self) -> None:
        """Do nothing, because there is no process to end."""


def process(request: Mapping[str, Any], efg: bytes) -> Any:
    """Replace `gambit.GambitProcess`."""
    stopped = request["time_limit"] is not None and request["time_limit"] < LONG
    return RealProcess(request, efg) if stopped or request["max_profiles"] is not None else _Here(request, efg)


def endless(connection: Connection, request: Mapping[str, Any]) -> None:
    """Replace `gambit_child.work`: send two profiles of matching pennies, and then nothing for a minute."""
    connection.recv_bytes()
    connection.send(("started", None))
    for row in ((0, 1), (0.5, 0.5)):
        connection.send(("profile", {1: row, 2: row}))
    time.sleep(60)

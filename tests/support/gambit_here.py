"""Gambit's methods in the process of the tests, for tests of what is answered.

A child process takes most of a second to import pygambit. What is special about a child has tests of its own, in
tests/solvers/test_gambit.py; and what has to be stopped from outside still gets one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from liarsdice_cli.solvers import gambit, gambit_child

RealChild = gambit._Child
LONG = 5
"""Seconds that a test does not wait for a time limit, which is then never reached."""


class _Here:
    """What answers as a child does, when the method has come to its end."""

    stopped = False

    def __init__(self, request: Mapping[str, Any], efg: bytes) -> None:
        self._said: list[str] = []
        try:
            gambit_child.serve(request, efg, lambda message: self._said.append(json.dumps(message)))
        except Exception as error:
            self._said.append(json.dumps({"error": str(error) or type(error).__name__}))

    def messages(self, deadline: float) -> Iterator[dict[str, Any]]:
        return map(json.loads, self._said)

    def close(self) -> None:
        """There is nothing to end."""


def child(request: Mapping[str, Any], efg: bytes) -> Any:
    """In place of `gambit._Child`."""
    stopped = request["time_limit"] is not None and request["time_limit"] < LONG
    return RealChild(request, efg) if stopped or request["stop_after"] is not None else _Here(request, efg)

"""Serve the explorer to a browser: the page, and single readings of games that are too large for a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

from liarsdice_cli.draw.serving import Answers, Local
from liarsdice_cli.draw.visitors import HERE, Access
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState


class Server(Local):
    """A server that answers `/after?history=1x2,2x3` with a reading as JSON, and requests for `/` with the page."""

    def __init__(
        self, port: int, page: bytes, rules: Rules, after: Callable[[Sequence[int]], RollsAfter], access: Access = HERE
    ) -> None:
        """Listen as `Local` does; `after` returns the reading after a history, and is called by one thread at a time."""
        self.rules, self.after, self.lock = rules, after, Lock()
        super().__init__(port, page, _Handler, access)


class _Handler(Answers):
    server: Server

    def get(self, path: str, query: str) -> None:
        """Answer with a reading."""
        if path != "/after":
            self.say(HTTPStatus.NOT_FOUND, "there is only / and /after")
            return
        names = parse_qs(query).get("history", [""])[0]
        try:
            history = BettingState.parse(self.server.rules, names.split(",") if names else []).history
        except LiarsDiceError as error:
            self.say(HTTPStatus.BAD_REQUEST, str(error))
            return
        try:
            with self.server.lock:
                reading = self.server.after(history)
        except LiarsDiceError as error:  # such as a damaged part of the strategy file
            self.say(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
            return
        self.answer(HTTPStatus.OK, "application/json", json.dumps(_plain(reading)).encode())


def _plain(reading: RollsAfter) -> dict[str, Any]:
    """Return a reading as the page's scripts read it; see `ServedReading` in types.d.ts."""
    return {
        "probabilities": _written(reading.probabilities),
        "values": None if reading.values is None else _written(reading.values),
        "reaches": [_written(reach) for reach in reading.reaches],
        "mistaken": reading.mistaken if reading.probabilities.dtype == object else None,
    }


def _written(numbers: Numbers) -> list[Any]:
    """Return floats unchanged, and fractions as Python writes them."""
    found: list[Any] = (numbers.astype(str) if numbers.dtype == object else numbers).tolist()
    return found

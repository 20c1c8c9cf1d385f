"""The explorer served to a browser on this machine: the page, and one reading at a time for games that no page holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from liarsdice_cli.draw.serving import Answers, Local
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState


class Server(Local):
    """Answers `/` with the page and `/after?history=1x2,2x3` with the reading as JSON; knows nothing else."""

    def __init__(self, port: int, page: bytes, rules: Rules, after: Callable[[Sequence[int]], RollsAfter]) -> None:
        """See `Local`."""
        self.rules, self.after = rules, after
        super().__init__(port, page, _Handler)


class _Handler(Answers):
    server: Server

    def get(self, path: str, query: str) -> None:
        """See `Answers`."""
        if path != "/after":
            self.say(HTTPStatus.NOT_FOUND, "there is only / and /after")
            return
        names = parse_qs(query).get("history", [""])[0]
        try:
            history = BettingState.parse(self.server.rules, names.split(",") if names else []).history
        except LiarsDiceError as error:
            self.say(HTTPStatus.BAD_REQUEST, str(error))
            return
        self.answer(HTTPStatus.OK, "application/json", json.dumps(_plain(self.server.after(history))).encode())


def _plain(reading: RollsAfter) -> dict[str, Any]:
    """What the page's scripts call a reading; see `readings.js`."""
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

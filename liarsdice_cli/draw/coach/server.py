"""The coach's page served to a browser on this machine, and what the page says at the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from liarsdice_cli.draw.serving import Answers, Local


class Server(Local):
    """Answers `/` with the page, and JSON that the page sends to `/say` with JSON."""

    def __init__(self, port: int, page: bytes, said: Callable[[Any], dict[str, Any]]) -> None:
        """See `Local`; `said` answers what the page says."""
        self.said = said
        super().__init__(port, page, _Handler)


class _Handler(Answers):
    server: Server

    def heard(self, path: str, content: Any) -> None:
        """See `Answers`."""
        if path != "/say":
            self.say(HTTPStatus.NOT_FOUND, "there is only / and /say")
            return
        self.answer(HTTPStatus.OK, "application/json", json.dumps(self.server.said(content)).encode())

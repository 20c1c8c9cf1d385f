"""Serve the coach's page to a browser on this machine, and answer its requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from liarsdice_cli.draw.serving import Answers, Local


class Server(Local):
    """A server that answers JSON that the page sends to `/say` with JSON, and requests for `/` with the page."""

    def __init__(self, port: int, page: bytes, reply: Callable[[Any], dict[str, Any]]) -> None:
        """Listen as `Local` does; `reply` returns the answer to a request of the page, and may be called by many threads."""
        self.reply = reply
        super().__init__(port, page, _Handler)


class _Handler(Answers):
    server: Server

    def post(self, path: str, content: Any) -> None:
        """Answer a request of the page."""
        if path != "/say":
            self.say(HTTPStatus.NOT_FOUND, "there is only / and /say")
            return
        self.answer(HTTPStatus.OK, "application/json", json.dumps(self.server.reply(content)).encode())

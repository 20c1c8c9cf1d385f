"""Serve the coach's page, and answer its requests: one table for all who open the page, and tables of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Protocol

from liarsdice_cli.draw.serving import Answers, Local
from liarsdice_cli.draw.visitors import HERE, Access

_OWN = re.compile(r"/own/([0-9a-z]{12,40})/(.*)", re.DOTALL)
"""The path of a table of one's own. Its name is random, so only those who have its address find it."""


class Tables(Protocol):
    """The tables behind a page, by name; the one that all share is ""."""

    def reply(self, table: str, content: Any) -> Mapping[str, Any]:
        """Return the answer to a request of the page, as JSON; may be called by many threads."""

    def version(self, table: str) -> int:
        """Return a number that changes with the table, at once even while another request is computed."""


class Server(Local):
    """A server that answers requests for `/` with the page, JSON that the page sends to `/say` with JSON, and `/version`.

    Below `/own/NAME/` it answers the same for a table of that name.
    """

    def __init__(self, port: int, page: bytes, tables: Tables, access: Access = HERE) -> None:
        """Listen as `Local` does."""
        self.tables = tables
        super().__init__(port, page, _Handler, access)


class _Handler(Answers):
    server: Server

    def within(self, path: str) -> str:
        """Return a path without the name of a table."""
        return super().within(_parted(path)[1])

    def get(self, path: str, query: str) -> None:
        """Answer whether the table has changed."""
        table, rest = _parted(path)
        if rest == "/version":
            self._json({"version": self.server.tables.version(table)})
        else:
            self.say(HTTPStatus.NOT_FOUND, "there is only /, /say and /version")

    def post(self, path: str, content: Any) -> None:
        """Answer a request of the page."""
        table, rest = _parted(path)
        if rest == "/say":
            self._json(self.server.tables.reply(table, content))
        else:
            self.say(HTTPStatus.NOT_FOUND, "there is only /, /say and /version")

    def _json(self, content: Mapping[str, Any]) -> None:
        self.answer(HTTPStatus.OK, "application/json", json.dumps(content).encode())


def _parted(path: str) -> tuple[str, str]:
    """Return the name of the table, "" for the shared one, and the path below it.

    >>> _parted("/say"), _parted("/own/0123456789ab/say"), _parted("/own/0123456789ab")
    (('', '/say'), ('0123456789ab', '/say'), ('', '/own/0123456789ab'))
    """
    own = _OWN.fullmatch(path)
    return ("", path) if own is None else (own[1], f"/{own[2]}")

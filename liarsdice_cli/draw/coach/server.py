"""Serve the coach's page and answer its requests: for one table that all visitors share, and for private tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Protocol

from liarsdice_cli.draw.serving import Answers, Local
from liarsdice_cli.draw.visitors import HERE, Access

_OWN = re.compile(r"/own/([0-9a-z]{12,40})/(.*)", re.DOTALL)
"""The path of a private table. Its name is random, so only visitors with its address can find it."""


class Tables(Protocol):
    """The tables behind a page, by name; the shared table is ""."""

    def reply(self, table: str, content: Any) -> Mapping[str, Any]:
        """Return the answer to a request of the page, as JSON. Several threads may call this at once."""

    def version(self, table: str) -> int:
        """Return a number that changes with the table, without waiting for a request that is being computed."""


class Server(Local):
    """A server that answers `/` with the page, JSON sent to `/say` with JSON, and `/version` with the version of the table.

    Below `/own/NAME/` it answers the same requests for the private table of that name.
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
        """Answer a request for the version of the table."""
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

"""The explorer served to a browser on this machine: the page, and one reading at a time for games that no page holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import history_of

ADDRESS = "127.0.0.1"
"""Nothing outside this machine can connect."""
_HTTP = 80


class Server(ThreadingHTTPServer):
    """Answers `/` with the page and `/after?history=1x2,2x3` with the reading as JSON; knows nothing else.

    Only requests that name this machine as their host are answered, so that no other site can lead a browser here under a
    name of its own (DNS rebinding).
    """

    daemon_threads = True

    def __init__(self, port: int, page: bytes, rules: Rules, after: Callable[[list[int]], RollsAfter]) -> None:
        """Listen on the port, or on a free one for 0; raises LiarsDiceError where it is taken."""
        self.page, self.rules, self.after = page, rules, after
        try:
            super().__init__((ADDRESS, port), _Handler)
        except (OSError, OverflowError) as error:
            raise LiarsDiceError(
                f"port {port} cannot be used: {error}; give another ", Argument("port"), ", or 0 for any"
            ) from error

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """What a browser on this machine calls its host; a port that is HTTP's own is left out there."""
        hosts = (ADDRESS, "localhost")
        return {f"{host}:{self.server_port}" for host in hosts} | set(hosts if self.server_port == _HTTP else ())

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away while it is answered is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        """Answer a request."""
        asked = urlsplit(self.path)
        if self.headers.get("Host") not in self.server.names:
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", b"this server answers only as 127.0.0.1\n")
        elif asked.path == "/":
            self._answer(HTTPStatus.OK, "text/html", self.server.page)
        elif asked.path == "/after":
            self._reading(asked.query)
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"there is only / and /after\n")

    def _reading(self, query: str) -> None:
        names = parse_qs(query).get("history", [""])[0]
        try:
            history = history_of(self.server.rules, names.split(",") if names else [])
        except LiarsDiceError as error:
            self._answer(HTTPStatus.BAD_REQUEST, "text/plain", f"{error}\n".encode())
            return
        self._answer(HTTPStatus.OK, "application/json", json.dumps(_plain(self.server.after(history))).encode())

    def _answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: standard error is for errors."""


def _plain(reading: RollsAfter) -> dict[str, Any]:
    """What the page's scripts call a reading; see `readings.js`."""
    return {
        "probabilities": reading.probabilities.tolist(),
        "values": None if reading.values is None else reading.values.tolist(),
        "reaches": [reach.tolist() for reach in reading.reaches],
    }

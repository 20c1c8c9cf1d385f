"""A page served to a browser on this machine, and to nobody else."""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.formats import json_text

ADDRESS = "127.0.0.1"
"""Nothing outside this machine can connect."""
_HTTP = 80
_LONGEST = 1 << 16
"""Bytes of what a page sends."""


class Local(ThreadingHTTPServer):
    """Answers `/` with the page, and what its handler knows besides.

    Only requests that name this machine as their host are answered, so that no other site can lead a browser here under a
    name of its own (DNS rebinding).
    """

    daemon_threads = True

    def __init__(self, port: int, page: bytes, handler: type[Answers]) -> None:
        """Listen on the port, or on a free one for 0; raises LiarsDiceError where it is taken."""
        self.page = page
        try:
            super().__init__((ADDRESS, port), handler)
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


class Answers(BaseHTTPRequestHandler):
    """Answers a request; `get` and `heard` are what a kind of page knows besides itself."""

    server: Local

    def get(self, path: str, query: str) -> None:
        """Answer a request for something that is not the page."""
        self.say(HTTPStatus.NOT_FOUND, "there is only /")

    def heard(self, path: str, content: Any) -> None:
        """Answer what the page sent."""
        self.say(HTTPStatus.NOT_FOUND, "nothing is heard here")

    def do_GET(self) -> None:
        """See above."""
        asked = urlsplit(self.path)
        if self.headers.get("Host") not in self.server.names:
            self.say(HTTPStatus.FORBIDDEN, "this server answers only as 127.0.0.1")
        elif asked.path == "/":
            self.answer(HTTPStatus.OK, "text/html", self.server.page)
        else:
            self.get(asked.path, asked.query)

    def do_POST(self) -> None:
        """Hear JSON of the page alone: another site's cannot be sent as such without asking first, which is not answered."""
        host, origin = self.headers.get("Host"), self.headers.get("Origin")
        if host not in self.server.names or origin not in {None, *(f"http://{name}" for name in self.server.names)}:
            self.say(HTTPStatus.FORBIDDEN, "this server answers only as 127.0.0.1")
        elif self.headers.get_content_type() != "application/json":
            self.say(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send JSON")
        elif (length := self.headers.get("Content-Length", "")).isascii() and length.isdigit() and int(length) <= _LONGEST:
            self._read(int(length))
        else:
            self.say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"send at most {_LONGEST} bytes, and say how many")

    def _read(self, length: int) -> None:
        try:
            content = json_text.loads(self.rfile.read(length))
        except ValueError:
            self.say(HTTPStatus.BAD_REQUEST, "send JSON")
            return
        self.heard(urlsplit(self.path).path, content)

    def say(self, status: HTTPStatus, words: str) -> None:
        """Answer with a line of text."""
        self.answer(status, "text/plain", f"{words}\n".encode())

    def answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        """Answer with some content."""
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: standard error is for errors."""

"""Serve a page to the browser of the user who started the server, and to no one else."""

from __future__ import annotations

import secrets
import sys
import traceback
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.formats import json_text

ADDRESS = "127.0.0.1"
"""Only this machine can connect."""
_HTTP = 80
_LONGEST = 1 << 16
"""The most bytes of a request's content."""


class Local(ThreadingHTTPServer):
    """A server that answers `/SECRET/` with a page, and other requests below `/SECRET/` with its handler.

    The secret is part of `address`, so another user of this machine who finds the port cannot use the server. Requests must
    also name this machine as their host, so that no website can reach the server under a name of its own (DNS rebinding).
    """

    daemon_threads = True

    def __init__(self, port: int, page: bytes, handler: type[Answers]) -> None:
        """Listen on the port, or on a free one for 0; raise LiarsDiceError if the port is in use."""
        self.page = page
        self.secret = secrets.token_urlsafe(16)
        try:
            super().__init__((ADDRESS, port), handler)
        except (OSError, OverflowError) as error:
            raise LiarsDiceError(
                f"port {port} cannot be used: {error}; give another ", Argument("port"), ", or 0 for any"
            ) from error

    @property
    def origin(self) -> str:
        """The address without the secret."""
        return f"http://{ADDRESS}:{self.server_port}"

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"{self.origin}/{self.secret}/"

    @property
    def names(self) -> set[str]:
        """The hosts that a request from this machine may name. Browsers leave out the port if it is HTTP's own."""
        hosts = (ADDRESS, "localhost")
        return {f"{host}:{self.server_port}" for host in hosts} | set(hosts if self.server_port == _HTTP else ())

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an unexpected exception; a browser that closes its connection early is none."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            traceback.print_exc()


class Answers(BaseHTTPRequestHandler):
    """Answers a request. A kind of page overrides `get` to send its data, and `post` to handle its requests."""

    server: Local

    def get(self, path: str, query: str) -> None:
        """Answer a request for something other than the page; `path` begins after the secret."""
        self.say(HTTPStatus.NOT_FOUND, "there is only /")

    def post(self, path: str, content: Any) -> None:
        """Answer JSON that the page sent to a path after the secret."""
        self.say(HTTPStatus.NOT_FOUND, "this page sends nothing")

    def do_GET(self) -> None:
        """Answer with the page, or as `get` does."""
        self._guarded(self._get)

    def do_POST(self) -> None:
        """Answer JSON as `post` does. Another site's page cannot send that content type without permission, and gets none."""
        self._guarded(self._post)

    def _guarded(self, answer: Callable[[str, str], None]) -> None:
        """Refuse a request from elsewhere or without the secret; report an unexpected exception and answer with status 500."""
        address = urlsplit(self.path)
        secret, _, path = address.path.removeprefix("/").partition("/")
        if self.headers.get("Host") not in self.server.names:
            self.say(HTTPStatus.FORBIDDEN, f"this server answers only as {ADDRESS}")
            return
        if not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            self.say(HTTPStatus.FORBIDDEN, "open the address that the program printed")
            return
        try:
            answer(f"/{path}", address.query)
        except ConnectionError:
            raise
        except Exception as error:
            traceback.print_exc()
            kind = type(error).__name__
            self.say(HTTPStatus.INTERNAL_SERVER_ERROR, f"internal error ({kind}): see the terminal, and please report it")

    def _get(self, path: str, query: str) -> None:
        if path == "/":
            self.answer(HTTPStatus.OK, "text/html", self.server.page)
        else:
            self.get(path, query)

    def _post(self, path: str, query: str) -> None:
        if self.headers.get("Origin") not in {None, *(f"http://{name}" for name in self.server.names)}:
            self.say(HTTPStatus.FORBIDDEN, f"this server answers only as {ADDRESS}")
        elif self.headers.get_content_type() != "application/json":
            self.say(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send JSON")
        elif (length := self.headers.get("Content-Length", "")).isascii() and length.isdigit() and int(length) <= _LONGEST:
            self._read(path, int(length))
        else:
            self.say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"send at most {_LONGEST} bytes, with their number")

    def _read(self, path: str, length: int) -> None:
        try:
            content = json_text.loads(self.rfile.read(length))
        except ValueError:
            self.say(HTTPStatus.BAD_REQUEST, "send JSON")
            return
        self.post(path, content)

    def say(self, status: HTTPStatus, words: str) -> None:
        """Answer with a line of text."""
        self.answer(status, "text/plain", f"{words}\n".encode())

    def answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        """Answer with content of a media type."""
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print no line for a request: standard error is for errors."""

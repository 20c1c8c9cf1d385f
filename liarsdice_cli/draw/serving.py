"""Serve a page to the browser of the user who started the server, or to devices of the local network that have its address."""

from __future__ import annotations

import errno
import re
import secrets
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from liarsdice_cli.draw import app
from liarsdice_cli.draw.visitors import HERE, Access, Visitors
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.formats import json_text

_HTTP = 80
_LONGEST = 1 << 16
"""The most bytes of a request's content."""
_DIGITS = re.compile("[0-9]{1,6}")
"""A Content-Length, in bytes; `int` raises an error at thousands of digits."""
_ROOM = 64
"""The most simultaneous connections; others are closed, so that no device of the network can start any number of threads."""
_SHARE = 16
"""The most simultaneous connections from one address, so that one device cannot close the page to all others."""
_IDLE = 20
"""Seconds after which a connection that sends nothing is closed."""
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg")


class Local(ThreadingHTTPServer):
    """A server that answers `/SECRET/` with a page, and other requests below `/SECRET/` with its handler.

    The secret is part of `address`, so another user of this machine or of the network who finds the port cannot use the
    server. Requests must also name the server's own address as their host, so that no website can reach it under the
    website's name (DNS rebinding). All addresses in the page are relative, so they keep the secret, and no cookie is needed.
    """

    daemon_threads = True

    def __init__(self, port: int, page: bytes, handler: type[Answers], access: Access = HERE) -> None:
        """Listen on the port, or on a free one for 0; raise LiarsDiceError if the port or the host cannot be used."""
        self.page, self.access = page, access
        self.secret = access.secret or secrets.token_urlsafe(16)
        self.visitors = Visitors(access.on_visit)
        self.address_family = access.family
        self._open: Counter[str] = Counter()
        self._counting = Lock()
        try:
            super().__init__((access.host, port), handler)
        except (OSError, OverflowError) as error:
            if getattr(error, "errno", None) in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                cure = Argument("host"), ", or leave it out"
                raise LiarsDiceError(f"{access.host} is not an address of this machine; give another ", *cure) from error
            raise LiarsDiceError(f"port {port} cannot be used{access.where}: {error}; give another ", *_CURE) from error

    @property
    def origin(self) -> str:
        """The address without the secret."""
        return f"http://{self.access.in_address}:{self.server_port}"

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"{self.origin}/{self.secret}/"

    @property
    def names(self) -> set[str]:
        """The hosts that a request may name. Browsers leave out the port if it is HTTP's own."""
        hosts = self.access.names
        return {f"{host}:{self.server_port}" for host in hosts} | set(hosts if self.server_port == _HTTP else ())

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a new thread, or close the connection if there are too many, in all or from its address."""
        with self._counting:
            fits = self._open.total() < _ROOM and self._open[client_address[0]] < _SHARE
            self._open[client_address[0]] += fits
        if fits:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room for another connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._counting:
                self._open[client_address[0]] -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an unexpected exception, but not if the connection closed early or timed out."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            traceback.print_exc()


_CURE = (Argument("port"), ", or 0 for any")


class Answers(BaseHTTPRequestHandler):
    """Answers a request. A kind of page overrides `get` to send its data, and `post` to handle its requests."""

    server: Local
    timeout = _IDLE
    server_version, sys_version = "liarsdice", ""

    def within(self, path: str) -> str:
        """Return a path, which begins after the secret, relative to the page: "" for the page itself."""
        return path.removeprefix("/")

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
        """Answer JSON as `post` does. Another site's page needs permission to send that content type, and gets none."""
        self._guarded(self._post)

    def _guarded(self, answer: Callable[[str, str], None]) -> None:
        """Refuse a request for another host or without the secret; report an exception and answer with status 500."""
        try:
            address = urlsplit(self.path)
        except ValueError:  # such as a bracket that is not closed
            self.say(HTTPStatus.BAD_REQUEST, "this is not an address")
            return
        secret, _, path = address.path.removeprefix("/").partition("/")
        if self.headers.get("Host") not in self.server.names:
            self._refuse(f"this server answers only as {self.server.access.host}")
            return
        if not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            self._refuse("open the address that the program printed")
            return
        try:
            answer(f"/{path}", address.query)
        except (ConnectionError, TimeoutError):
            raise
        except Exception as error:
            traceback.print_exc()
            kind = type(error).__name__
            self.say(HTTPStatus.INTERNAL_SERVER_ERROR, f"internal error ({kind}): see the terminal, and please report it")

    def _refuse(self, words: str) -> None:
        self.server.visitors.refused(self.client_address[0])
        self.say(HTTPStatus.FORBIDDEN, words)

    def _get(self, path: str, query: str) -> None:
        name = self.within(path)
        if name == "":
            self.server.visitors.opened(self.client_address[0], self.headers.get("User-Agent", ""))
            self.answer(HTTPStatus.OK, "text/html", self.server.page)
        elif name in app.FILES:
            self.answer(HTTPStatus.OK, *app.file(name, f"/{self.server.secret}/"))
        else:
            self.get(path, query)

    def _post(self, path: str, query: str) -> None:
        if self.headers.get("Origin") not in {None, *(f"http://{name}" for name in self.server.names)}:
            self._refuse(f"this server answers only as {self.server.access.host}")
        elif self.headers.get_content_type() != "application/json":
            self.say(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send JSON")
        elif _DIGITS.fullmatch(length := self.headers.get("Content-Length", "")) and int(length) <= _LONGEST:
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
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith(_TEXTS) else kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for a request: standard error is for errors."""

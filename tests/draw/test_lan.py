"""Test pages on the local network: refused requests, reports about visitors, and tables that several phones share."""

from __future__ import annotations

import http.client
import json
import os
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.cli.main import run
from liarsdice_cli.cli.serving import qr_lines
from liarsdice_cli.draw import serving
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.draw.visitors import Access, Visitors, on_network
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.library.coaching import Coach
from liarsdice_cli.library.coaching_page import Desk, Desks, serve
from liarsdice_cli.system.secret_files import kept_secret

OWN = "own/0123456789abc/"
PATHS = ("", "say", "version", "app.webmanifest", "icon.svg", "icon.png", OWN, f"{OWN}say", f"{OWN}version", f"{OWN}icon.png")
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
JSON = {"Content-Type": "application/json"}


def small() -> Coach:
    return ld.coach(["Ann", "me"], ld.rules("common", 4, (1, 1)), iterations=5)


@contextmanager
def running(access: Access) -> Iterator[Server]:
    with serve(small(), access=access) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def visits() -> list[str]:
    return []


@pytest.fixture(scope="module")
def server(visits: list[str]) -> Iterator[Server]:
    with running(Access(on_visit=visits.append)) as one:
        yield one


def asked(server: Server, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return the status, the headers and the content of the answer to a request for exactly this path."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    given = JSON | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


def test_the_secret_gives_access_to_the_page_its_files_and_own_tables(server: Server) -> None:
    for path in PATHS:
        method, body = ("POST", "{}") if path.endswith("say") else ("GET", None)
        assert asked(server, method, f"/{server.secret}/{path}", body)[0] == 200, path


@pytest.mark.parametrize("method", METHODS)
def test_every_request_without_the_secret_is_refused(server: Server, method: str) -> None:
    wrong = server.secret[:-1] + ("A" if server.secret[-1] != "A" else "B")
    starts = ("/", f"/{wrong}/", f"/{server.secret}x/", f"/x/{server.secret}/", f"/?{server.secret}/")
    before = server.tables.version("")
    for start in starts:
        for path in PATHS:
            status, headers, content = asked(server, method, start + path, '{"hear": "1x1"}' if method == "POST" else None)
            assert status in (403, 501), (start, path)
            assert server.secret.encode() not in content
            assert server.secret not in str(headers)
    assert server.tables.version("") == before


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "192.168.0.7:{port}", "0.0.0.0:{port}", "127.0.0.1", ""]
)
def test_any_other_host_name_is_refused(server: Server, host: str) -> None:
    host = host.format(port=server.server_port)
    for path in PATHS:
        assert asked(server, "GET", f"/{server.secret}/{path}", Host=host)[0] == 403
    assert asked(server, "POST", f"/{server.secret}/say", "{}", Host=host)[0] == 403


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "file://"])
def test_requests_from_other_origins_are_refused(server: Server, origin: str) -> None:
    for path in ("say", f"{OWN}say"):
        said = asked(server, "POST", f"/{server.secret}/{path}", "{}", Origin=origin.format(port=server.server_port))
        assert said[0] == 403
        assert not any(name.startswith("Access-Control") for name in said[1])


@pytest.mark.parametrize("path", ["/[", "http://[/x", "/%00", "/%ff/", "*", "/" + "a" * 60_000])
def test_invalid_paths_are_refused(server: Server, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as line:
        line.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
        assert line.recv(100).split()[1] in (b"400", b"403", b"414")


@pytest.mark.parametrize("name", ["x", "0123", "../../etc", "A" * 20, "a" * 41, "0123456789ab%2f"])
def test_an_own_table_with_an_invalid_name_is_not_found(server: Server, name: str) -> None:
    assert asked(server, "GET", f"/{server.secret}/own/{name}/")[0] == 404


def test_answers_do_not_reveal_the_secret(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    _, headers, page = asked(server, "GET", f"/{server.secret}/")
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert server.secret.encode() not in page
    assert b"http://" not in page.replace(b"http://www.w3.org/", b"")
    assert "Python" not in headers["Server"]
    assert server.secret not in repr(server.access)
    assert "".join(capfd.readouterr()) == ""


def test_the_web_app_manifest_starts_at_the_opened_page(server: Server) -> None:
    manifest = json.loads(asked(server, "GET", f"/{server.secret}/{OWN}app.webmanifest")[2])
    assert manifest["start_url"] == "./"
    assert manifest["scope"] == f"/{server.secret}/"
    status, headers, icon = asked(server, "GET", f"/{server.secret}/{OWN}{manifest['icons'][1]['src']}")
    assert (status, headers["Content-Type"], icon[:4]) == (200, "image/png", b"\x89PNG")


def test_a_visitor_is_reported_once(server: Server, visits: list[str]) -> None:
    visits.clear()
    for _ in range(2):
        asked(server, "GET", f"/{server.secret}/", User_Agent="Mozilla/5.0 (a \x1b[31mtelephone) x")
        asked(server, "GET", "/")
    assert [one for one in visits if "telephone" in one] == ["127.0.0.1 opened the page (a \x1b[31mtelephone)"]
    assert len([one for one in visits if "refused" in one]) <= 1


def test_at_most_100_refused_visitors_are_reported() -> None:
    said: list[str] = []
    visitors = Visitors(said.append)
    for number in range(1000):
        visitors.refused(f"10.0.{number // 250}.{number % 250}")
    assert len(said) == 100


def test_connections_above_the_limit_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_ROOM", 1)
    with running(Access()) as server:
        place = "127.0.0.1", server.server_port
        with socket.create_connection(place, timeout=60) as first:
            with socket.create_connection(place, timeout=60) as second:
                assert second.recv(1) == b""
            first.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert first.recv(100).split()[1] == b"403"
    assert serving.Answers.timeout > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has more than one address of its own")
def test_one_address_cannot_take_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_SHARE", 1)
    with running(Access()) as server:
        place = "127.0.0.1", server.server_port
        with socket.create_connection(place, timeout=60):
            with socket.create_connection(place, timeout=60) as second:
                assert second.recv(1) == b""
            with socket.create_connection(place, timeout=60, source_address=("127.0.0.2", 0)) as other:
                other.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert other.recv(100).split()[1] == b"403"


# Host, port and secret


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "224.0.0.1", "localhost", "192.168.0.7/24", "999.1.1.1", ""])
def test_a_host_must_be_one_address(host: str) -> None:
    with pytest.raises(UsageError, match="one address"):
        on_network(host)


def test_the_address_of_another_machine_is_refused() -> None:
    with pytest.raises(LiarsDiceError, match=r"203\.0\.113\.9 is not an address of this machine; give another host"):
        serve(None, access=Access("203.0.113.9"))


@pytest.mark.parametrize(
    "options",
    [["--lan"], ["--serve", "--host", "127.0.0.1"], ["--host", "127.0.0.1"], ["--serve", "--secret", "s"], ["--port", "80"]],
)
@pytest.mark.parametrize("command", [["coach", "Ann", "me"], ["explore", "--sides", "2"]])
def test_options_that_need_another_option_are_refused_alone(
    command: list[str], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, *options]) == 2
    words = "--secret keeps an address" if "--secret" in options else " is for "
    assert words in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="the permissions are those of POSIX")
def test_only_the_owner_may_read_a_kept_secret(tmp_path: Path) -> None:
    name = tmp_path / "secret"
    first = kept_secret(str(name))
    assert kept_secret(str(name)) == first
    assert len(first) >= 22
    assert stat.S_IMODE(name.stat().st_mode) == 0o600
    with serve(None, access=Access(secret=first)) as server:
        assert server.address.endswith(f"/{first}/")
    name.chmod(0o644)
    with pytest.raises(LiarsDiceError, match="chmod 600"):
        kept_secret(str(name))


def test_a_secret_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    name = tmp_path / "secret"
    monkeypatch.setattr("liarsdice_cli.system.secret_files.os.write", full)
    with pytest.raises(LiarsDiceError, match="No space left"):
        kept_secret(str(name))
    assert not name.exists()


@pytest.mark.parametrize("content", ["", "short", "a" * 30 + "/../", "\u00e9" * 30])
def test_a_file_that_holds_no_secret_is_refused(tmp_path: Path, content: str) -> None:
    name = tmp_path / "secret"
    name.write_text(content, "utf-8")
    name.chmod(0o600)
    with pytest.raises(LiarsDiceError, match=r"does not contain a secret|cannot be read"):
        kept_secret(str(name))


def test_a_qr_code_is_square_and_has_a_border() -> None:
    lines = list(qr_lines("http://192.168.0.7:8000/AAAAAAAAAAAAAAAAAAAAAA/"))
    assert {len(line) for line in lines} == {2 * len(lines) - 1}
    assert set(lines[0]) == {"\u2588"}


# Several phones


def said(desk: Desk, at: int | None = None, known: str | None = None, **what: Any) -> dict[str, Any]:
    beside = {"at": at, "id": known}
    return desk.reply(what | {name: value for name, value in beside.items() if value is not None})


def test_a_repeated_request_counts_once() -> None:
    desk = Desk(small())
    first = said(desk, 0, "one", hear="1x1")
    again = said(desk, 0, "one", hear="1x1")
    assert first["error"] is again["error"] is None
    assert again["table"]["history"] == ["1x1"]
    assert first["version"] == again["version"] == 1


def test_the_second_phone_that_enters_a_bid_gets_an_error() -> None:
    desk = Desk(small())
    assert said(desk, 0, "one", hear="1x1")["error"] is None
    other = said(desk, 0, "two", hear="1x1")
    assert "quicker" in other["error"]
    assert other["table"]["history"] == ["1x1"]
    assert said(desk, other["version"], "three", dice=[1])["error"] is None


def test_a_table_that_was_left_can_be_restored() -> None:
    desk = Desk(small(), ld.coach)
    seats = {"names": ["Bob", "me"], "dice": [1, 1], "rules": "common", "opens": "Bob"}
    said(desk, hear="1x1")
    left = said(desk, leave=True)
    assert (left["table"], left["left"]) == (None, "Ann, me: round 1")
    assert desk.reply({})["left"] == "Ann, me: round 1"
    assert said(desk, begin=seats)["table"]["opener"] == "Bob"
    assert said(desk, undo=True)["table"] is None
    back = said(desk, back=True)
    assert (back["table"]["history"], back["left"]) == (["1x1"], None)
    assert said(desk, back=True)["error"]


def test_own_tables_are_independent_and_old_ones_are_dropped() -> None:
    desks = Desks(small())
    seats = {"names": ["Bob", "me"], "dice": [1, 1], "rules": "common", "opens": "Bob"}
    assert desks.reply("a", {"begin": seats})["table"]["opener"] == "Bob"
    assert desks.reply("", {})["table"]["opener"] == "Ann"
    assert desks.reply("b", {})["table"] is None
    for number in range(20):
        desks.version(f"empty{number}")
    assert desks.reply("a", {})["table"]["opener"] == "Bob"
    for number in range(8):
        desks.reply(f"full{number}", {"begin": seats})
    assert desks.reply("a", {})["table"] is None

"""Test the servers of pages: access, concurrent requests, and reported errors."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from liarsdice_cli.draw.coach.server import Server as CoachServer
from liarsdice_cli.draw.explorer.server import Server as ExplorerServer
from liarsdice_cli.draw.serving import Local
from liarsdice_cli.draw.visitors import Access
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.continuations import after
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.coaching import coach
from liarsdice_cli.library.coaching_page import Desks
from tests.support.explorer_pages import Seeded

GAME = rules("common", 2)


class _At(ExplorerServer):
    """A server with a port and a host on which it does not listen."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.server_port, self.access = port, Access(host)


def test_host_names_include_the_port_which_may_be_left_out_if_it_is_80() -> None:
    assert _At(8000).names == {"127.0.0.1:8000", "localhost:8000"}
    assert _At(80).names == {"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}
    assert _At(8000, "192.168.0.7").names == {"192.168.0.7:8000"}
    assert _At(8000, "fd00::2").names == {"[fd00::2]:8000"}


@contextmanager
def running(server: Local) -> Iterator[Local]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    with server:
        yield server
        server.shutdown()


def explorer(reading: Callable[[Sequence[int]], RollsAfter]) -> ExplorerServer:
    return ExplorerServer(0, b"the page", GAME, reading)


def fetched(address: str, content: object = None, **headers: str) -> tuple[int, str, dict[str, str]]:
    """Return the status, the text and the headers of an answer; content is sent as JSON."""
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), dict(error.headers)


def no_reading(history: Sequence[int]) -> RollsAfter:
    raise RuntimeError("a bug")


def test_requests_without_the_secret_are_refused() -> None:
    with running(explorer(no_reading)) as server:
        assert fetched(server.address)[:2] == (200, "the page")
        wrong = server.secret[:-1] + ("A" if server.secret[-1] != "A" else "B")
        for path in ("", "/", "/after", f"/{wrong}/", f"/{server.secret}x/", "/favicon.ico", "/%C3%A9/"):
            assert fetched(server.origin + path)[0] == 403
        assert fetched(f"{server.origin}/say", {})[0] == 403


def test_every_server_has_its_own_secret() -> None:
    with explorer(no_reading) as one, explorer(no_reading) as other:
        assert one.secret != other.secret
        assert len(one.secret) >= 20


def test_the_secret_is_sent_to_no_other_site() -> None:
    with running(explorer(no_reading)) as server:
        assert fetched(server.address)[2]["Referrer-Policy"] == "no-referrer"
        assert fetched(server.origin)[2]["Referrer-Policy"] == "no-referrer"


def test_the_explorer_reports_an_unexpected_exception_and_answers(capfd: pytest.CaptureFixture[str]) -> None:
    with running(explorer(no_reading)) as server:
        status, text, _ = fetched(f"{server.address}after?history=")
    assert status == 500
    assert "RuntimeError" in text
    assert "a bug" in capfd.readouterr().err


def test_the_coach_reports_an_unexpected_exception_and_answers(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(Desks):
        def reply(self, table: str, content: Any) -> dict[str, Any]:
            raise KeyError("a bug")

    with running(CoachServer(0, b"", Broken(None))) as server:
        assert fetched(f"{server.address}say", {})[0] == 500
    assert "KeyError: 'a bug'" in capfd.readouterr().err


def test_concurrent_readings_are_computed_one_at_a_time() -> None:
    strategy, busy, most = Seeded(GAME), [0], [0]

    def reading(history: Sequence[int]) -> RollsAfter:
        busy[0] += 1
        most[0] = max(most[0], busy[0])
        time.sleep(0.005)  # so that other readings could start meanwhile
        found = after(strategy, history)
        busy[0] -= 1
        return found

    names = ["", "1x1", "1x2", "1x1,1x2"]
    with running(explorer(reading)) as server, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda name: fetched(f"{server.address}after?history={name}"), names * 8))
    assert most == [1]
    assert {status for status, *_ in answers} == {200}
    texts = [text for _, text, _ in answers]
    assert texts == texts[:4] * 8
    assert len(set(texts[:4])) == 4


def test_the_same_bid_in_concurrent_requests_counts_once() -> None:
    desks = Desks(coach(["Ann", "me"], rules("common", 4, (2, 2)), iterations=10))
    with running(CoachServer(0, b"", desks)) as server, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fetched(f"{server.address}say", {"hear": "1x1"}), range(16)))
        table = json.loads(fetched(f"{server.address}say", {})[1])["table"]
    heard = [json.loads(text) for status, text, _ in answers if status == 200]
    assert len(heard) == 16
    assert sum(one["error"] is None for one in heard) == 1
    assert table["history"] == ["1x1"]

"""The coach's page in a real browser: tapped, typed and read; and whom its server answers."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.library.coaching_page import serve
from tests.support.properties import mostly_slow

pytestmark = pytest.mark.compiled

EVIL = "</script><img src=x onerror='window.hacked=1'>"


@pytest.fixture(scope="module")
def only_tab(chromium: Any) -> Any:
    tab = chromium.new_page()
    tab.set_default_timeout(20_000)
    return tab


class Table:
    """A page of a coach that is served while the test runs."""

    def __init__(self, server: Server, tab: Any) -> None:
        self.server, self.tab = server, tab

    def tap(self, *names: str) -> None:
        """Tap the buttons of these names, one after the other, and wait for the answers."""
        for name in names:
            self.tab.get_by_role("button", name=name, exact=True).first.click()
            self.rest()

    def rest(self) -> None:
        self.tab.wait_for_selector("main[aria-busy=false]")

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)
            self.rest()

    def said(self) -> str:
        return str(self.tab.inner_text("#said"))

    def heading(self) -> str:
        return str(self.tab.inner_text("#heading"))


def served(now: ld.Coach | None) -> Server:
    server = serve(now, made=partial(ld.coach, iterations=10))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server


@pytest.fixture
def opened(only_tab: Any) -> Iterator[Any]:
    """Opens the page of a coach, which must stay free of errors and of requests to anywhere else."""
    wrong: list[str] = []
    servers: list[Server] = []
    heard = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda asked: asked.url.startswith(("http://127.0.0.1:", "about:")) or wrong.append(asked.url),
    }
    for event, listener in heard.items():
        only_tab.on(event, listener)

    def open_table(now: ld.Coach | None, width: int = 1280, scheme: str = "light") -> Table:
        servers.append(served(now))
        only_tab.set_viewport_size({"width": width, "height": 800})
        only_tab.emulate_media(color_scheme=scheme)
        only_tab.goto(servers[-1].address)
        only_tab.wait_for_selector("html[data-ready]")
        return Table(servers[-1], only_tab)

    yield open_table
    only_tab.goto("about:blank")
    for event, listener in heard.items():
        only_tab.remove_listener(event, listener)
    for server in servers:
        server.shutdown()
        server.server_close()
    assert wrong == []


def small() -> ld.Coach:
    return ld.coach(["Ann", "me"], ld.rules("common", 6, (2, 2)), iterations=10)


def test_a_round_is_tapped_from_the_seats_to_the_next_round(opened: Any) -> None:
    table = opened(None)
    assert table.heading() == "Who sits at the table?"
    table.tap("Bob leaves", "fewer dice of Ann", "fewer dice of Ann", "fewer dice of Ann")
    table.tab.select_option("#preset", "common")
    table.tap("Begin")
    assert table.heading() == "What did you roll?"
    table.tap("3", "1", "take back the 1", "1", "4", "4", "4")
    table.tap("These are my dice")
    assert table.heading() == "Ann\u2019s turn"
    table.tap("2", "more dice", "Ann bids 2x2")
    assert table.heading() == "Your turn"
    assert table.said().startswith("Your turn. Recommended: ")
    assert table.tab.inner_text("#advised").startswith(("Call 2x2", "Bid "))
    assert table.tab.get_by_role("heading", name="Likely to hold").is_visible()
    table.tap("You call 2x2")
    assert table.heading() == "Who lost?"
    table.tap("Ann")
    assert table.heading() == "Ann loses a die"
    table.tap("Next round")
    assert table.said() == "Round 2. Ann opens."
    assert table.tab.inner_text(".seats").split("\n")[:2] == ["Ann", "1 die"]


def test_it_says_what_the_coach_says(opened: Any) -> None:
    table, coach = opened(small()), small()
    table.tap("1", "3", "These are my dice")
    table.tap("2", "more dice", "Ann bids 2x2")
    coach.dice([1, 3])
    coach.hear("2x2")
    found = coach.recommendation()
    best = "call" if found.action < 0 else str(coach.table.rules.bids[found.action])
    shown = {one.split("\n")[0]: one.split("\n")[1] for one in table.tab.locator(".move").all_inner_texts()}
    assert shown[best] == f"{100 * (found.value(found.action) or 0):.1f}".removesuffix(".0") + " %"
    assert table.tab.locator(".move.guessed").inner_text().startswith(best)
    assert table.tab.locator(".beliefs li").count() == 6


def test_a_mistake_is_priced_when_it_is_made_and_can_be_taken_back(opened: Any) -> None:
    table = opened(small())
    table.tap("1", "3", "These are my dice", "1", "Ann bids 1x1")
    table.keys("6", "ArrowUp", "ArrowUp", "ArrowUp")
    table.tap("You bid 4x6")
    assert "4x6 cost " in table.tab.inner_text("#cost")
    assert table.said().startswith("That cost ")
    table.tap("Undo")
    assert table.heading() == "Your turn"
    assert table.tab.locator("#cost").count() == 0


def test_the_keyboard_is_enough_and_the_focus_stays_where_something_is_asked(opened: Any) -> None:
    table = opened(small())
    table.keys("1", "3", "b")
    assert table.heading() == "Ann\u2019s turn"
    table.keys("5", "ArrowUp", "b")
    assert table.heading() == "Your turn"
    table.tab.locator("[data-key=call]").focus()
    table.keys("Enter")
    assert table.heading() == "Who lost?"
    assert table.tab.evaluate("document.activeElement.id") == "heading"
    table.keys("Tab", "Enter", "n")
    assert table.said() == "Round 2. Ann opens."
    table.keys("u", "u", "u")
    assert table.heading() == "Your turn"


def test_what_is_refused_is_said_and_changes_nothing(opened: Any) -> None:
    table = opened(None)
    table.tab.get_by_label("Name of seat 1").fill("Bob")
    table.tap("Begin")
    assert "give everybody a name of their own" in table.tab.inner_text("#error")
    assert table.heading() == "Who sits at the table?"


def test_names_are_text(opened: Any) -> None:
    table = opened(ld.coach([EVIL, "me"], ld.rules("common", 6, (1, 1)), iterations=5))
    assert EVIL in table.tab.inner_text(".seats")
    assert table.tab.evaluate("window.hacked") is None


@pytest.mark.parametrize(("width", "scheme"), mostly_slow(product([1280, 390], ["light", "dark"]), 3))
def test_it_fits_a_screen_and_every_button_has_a_name(opened: Any, tmp_path: Any, width: int, scheme: str) -> None:
    six = ld.coach(["Ann", "Bob", "Cornelius", "Di", "Eve", "me"], ld.rules("ones-low", 6, (2,) * 6), iterations=5)
    table = opened(six, width, scheme)
    names = "Array.from(document.querySelectorAll('button')).map((b) => (b.ariaLabel || b.textContent).trim())"
    for step in (
        ["1", "4"],
        ["These are my dice"],
        *([f"{name} bids {bid}x4"] for bid, name in enumerate(six.table.names[:5], 2)),
    ):
        if "bids" in step[0]:
            table.keys("4", *["ArrowUp"] * (step[0] == "Ann bids 2x4"))
        table.tap(*step)
        assert table.tab.evaluate("document.documentElement.scrollWidth") <= width
        assert all(table.tab.evaluate(names))
    table.tab.screenshot(path=str(tmp_path / f"coach-{width}-{scheme}.png"), full_page=True)
    assert table.tab.locator(".beliefs h3").all_inner_texts() == ["Ann", "Bob", "Cornelius", "Di", "Eve"]


# Whom the server answers


def asked(server: Server, body: object = None, raw: bytes | None = None, path: str = "/say", **headers: str) -> tuple[int, str]:
    """What the server answers to a POST, or, without content, to a GET."""
    content = raw if raw is not None else None if body is None else json.dumps(body).encode()
    given = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(server.address.rstrip("/") + path, content, given)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture
def server() -> Iterator[Server]:
    now = served(small())
    yield now
    now.shutdown()
    now.server_close()


def test_only_this_machine_and_this_page_are_answered(server: Server) -> None:
    assert asked(server, path="/", Host="evil.example")[0] == 403
    assert asked(server, {}, Host="evil.example:80")[0] == 403
    assert asked(server, {}, Origin="http://evil.example")[0] == 403
    assert asked(server, {}, Content_Type="text/plain")[0] == 415
    assert asked(server, {}, Origin=server.address.rstrip("/"))[0] == 200
    assert asked(server, path="/elsewhere")[0] == asked(server, {}, path="/elsewhere")[0] == 404


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"[" * 20_000])
def test_what_is_no_json_is_refused(server: Server, raw: bytes) -> None:
    assert asked(server, raw=raw)[0] in (400, 413)


def test_too_much_is_not_read(server: Server) -> None:
    assert asked(server, raw=b"1" * (1 << 16 | 1))[0] == 413


@pytest.mark.parametrize(
    "what",
    [[], 3, {"hear": 1}, {"dice": 3}, {"dice": ["a", None]}, {"begin": {}}, {"begin": 1}, {"undo": 1, "new": None}, {"fly": 1}],
)
def test_nonsense_is_answered_and_changes_nothing(server: Server, what: object) -> None:
    before = json.loads(asked(server, {})[1])
    code, words = asked(server, what)
    after = json.loads(words)
    assert code == 200
    assert after["error"]
    assert after["table"] == before["table"]

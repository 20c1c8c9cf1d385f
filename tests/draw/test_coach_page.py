"""Test the coach's page in a real browser, and which requests its server accepts."""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.library.coaching import Coach, warm
from liarsdice_cli.library.coaching_page import serve
from liarsdice_cli.report import coach as text
from tests.support.browser import watched
from tests.support.explorer_pages import CONTRAST, LISTEN, NAMELESS, SMALL

EVIL = "</script><img src=x onerror='window.hacked=1'>{who}{0}"


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """Compile the code that a coach runs for a small table, so that no page waits for it."""
    coach = small()
    coach.dice([1, 3])
    coach.hear("1x1")
    coach.recommendation()


@pytest.fixture(scope="module")
def large_tables() -> None:
    """Compile the code that a coach runs for a large table."""
    warm()


at_a_large_table = pytest.mark.usefixtures("large_tables")


class Table:
    """The page of a coach, served while the test runs."""

    def __init__(self, server: Server, tab: Any) -> None:
        self.server, self.tab = server, tab

    def tap(self, *names: str) -> None:
        """Tap the buttons with these names in order, and wait for each answer."""
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


def served(now: Coach | None) -> Server:
    server = serve(now, made=partial(ld.coach, iterations=10))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server


@pytest.fixture
def opened(only_tab: Any) -> Iterator[Any]:
    """Yield a function that opens a coach's page. Page errors and requests to other hosts fail the test."""
    servers: list[Server] = []

    def open_table(now: Coach | None, width: int = 1280, scheme: str = "light") -> Table:
        servers.append(served(now))
        only_tab.set_viewport_size({"width": width, "height": 800})
        only_tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        only_tab.goto(servers[-1].address)
        only_tab.wait_for_selector("html[data-ready]")
        return Table(servers[-1], only_tab)

    try:
        with watched(only_tab, ["http://127.0.0.1:"]):
            yield open_table
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def small() -> Coach:
    return ld.coach(["Ann", "me"], ld.rules("common", 4, (2, 2)), iterations=10)


@at_a_large_table
@pytest.mark.slow
def test_a_round_can_be_tapped_from_the_seats_to_the_next_round(opened: Any) -> None:
    table = opened(None)
    assert table.heading() == "Who sits at the table?"
    table.tap("Bob leaves", "fewer dice of Ann", "fewer dice of Ann", "fewer dice of Ann")
    table.tab.select_option("#preset", "common")
    table.tap("Begin")
    assert table.heading() == "What did you roll?"
    table.tap("3", "1", "take back the 1", "1", "4", "4", "4")
    table.tap("These are my dice")
    assert table.heading() == "Ann\u2019s turn"
    table.tap("2 dice", "2")
    assert table.heading() == "Your turn"
    assert table.said().startswith("Ann bids 2x2. Your turn. Recommended: ")
    assert table.tab.inner_text("#advised").startswith(("Call 2x2", "Bid "))
    assert table.tab.get_by_role("heading", name="Likely to hold").is_visible()
    table.tap("You call 2x2")
    assert table.heading() == "Who lost?"
    table.tap("Ann")
    assert table.heading() == "Ann loses a die"
    table.tap("Next round")
    assert table.said() == "Round 2. Ann opens."
    assert table.tab.inner_text(".seats").split("\n")[:2] == ["Ann", "1 die"]


def test_the_page_shows_the_recommendation_of_the_coach(opened: Any) -> None:
    table, coach = opened(small()), small()
    table.tap("1", "3", "These are my dice")
    table.tap("2 dice", "2")
    coach.dice([1, 3])
    coach.hear("2x2")
    found = coach.recommendation()
    best = "call" if found.action < 0 else str(coach.table.rules.bids[found.action])
    shown = {one.split("\n")[0]: one.split("\n")[1] for one in table.tab.locator(".move").all_inner_texts()}
    assert shown[best] == f"{100 * (found.value(found.action) or 0):.1f}".removesuffix(".0") + " %"
    assert table.tab.locator(".move.guessed").inner_text().startswith(best)
    assert table.tab.locator(".beliefs li").count() == 4


SHARES = [0.0, 0.001, 0.004999, 0.005, 0.125, 0.375, 0.495, 0.625, 0.994, 0.995, 0.999, 1.0]


def test_the_page_says_what_the_terminal_says_of_a_move(opened: Any) -> None:
    coach = small()
    table = opened(coach)
    assert table.tab.evaluate("(shares) => shares.map(roughly)", SHARES) == [text.roughly(share) for share in SHARES]
    assert table.tab.evaluate("(costs) => costs.map(inHundred)", SHARES) == [text.in_hundred(cost) for cost in SHARES]
    table.tap("1", "3", "These are my dice", "1 die", "1")
    first, _, _, last_bid, *_ = text.recommended(coach.recommendation(), coach.table)
    value, _, likely = table.tab.locator("[aria-labelledby=advised] p").all_inner_texts()
    assert first == f"{table.said().removeprefix('Ann bids 1x1. Your turn. ')} {value}"
    assert likely == f"{last_bid.strip()}."
    table.tap("4 dice", "4")
    found, decision = coach.decided[-1]
    assert table.tab.inner_text("#cost") == text.priced(found, decision.action)


def test_the_page_says_what_the_terminal_says_of_the_end_of_a_round(opened: Any) -> None:
    coach = ld.coach(["Ann", "me"], ld.rules("common", 2, (1, 1), spot_on=True), iterations=5, spot_on_gains=True)
    coach.dice([1])
    coach.hear("1x2")
    table = opened(coach)
    table.tap("You say that 1x2 is spot-on")
    for answer, is_over in (("Yes: You win a die back", False), ("No: You lose a die", True)):
        assert text.question(coach.table).startswith(f"{table.heading()} yes: You win a die back;")
        table.tap(answer)
        assert text.ending(coach.table).startswith(table.said())
        assert text.question(coach.table).startswith(table.heading()) == is_over
        table.tap("Undo")


@pytest.mark.slow
def test_the_cost_of_a_mistake_is_shown_and_the_mistake_can_be_undone(opened: Any) -> None:
    table = opened(small())
    table.tap("1", "3", "These are my dice", "1 die", "1")
    table.tap("4 dice", "4")
    assert "4x4 keeps you in " in table.tab.inner_text("#cost")
    assert table.said().startswith("You bid 4x4. That cost ")
    table.tap("Undo")
    assert table.heading() == "Your turn"
    assert table.tab.locator("#cost").count() == 0


def test_a_round_can_be_entered_by_keyboard_and_a_question_has_the_focus(opened: Any) -> None:
    table = opened(small())
    table.keys("1", "3", "b")
    assert table.heading() == "Ann\u2019s turn"
    table.keys("4", "ArrowUp", "b")
    assert table.said().startswith("Ann bids 2x4.")
    table.tab.locator("[data-key=call]").focus()
    table.keys("Enter")
    assert table.heading() == "Who lost?"
    assert table.tab.evaluate("document.activeElement.id") == "heading"
    table.keys("Tab", "Enter", "n")
    assert table.said() == "Round 2. Ann opens."
    table.keys("u", "u", "u")
    assert table.heading() == "Your turn"


@pytest.mark.slow
def test_a_refused_entry_shows_an_error_and_changes_nothing(opened: Any) -> None:
    table = opened(None)
    table.tab.get_by_label("Name of seat 1").fill("Bob")
    table.tap("Begin")
    assert "give each player a different name" in table.tab.inner_text("#error")
    assert table.heading() == "Who sits at the table?"


def test_names_are_shown_as_text(opened: Any) -> None:
    table = opened(ld.coach([EVIL, "me"], ld.rules("common", 6, (1, 1)), iterations=5))
    assert EVIL in table.tab.inner_text(".seats")
    assert table.said() == f"Round 1. {EVIL} opens."
    assert table.tab.evaluate("window.hacked") is None


FOCUS = "document.activeElement.dataset.key || document.activeElement.id"
ADVISED = r"Your turn\. Recommended: (call 2x2|bid \dx\d)\."
LEVELS = "[...document.querySelectorAll('h1, h2, h3')].filter((e) => e.checkVisibility()).map((e) => Number(e.tagName[1]))"


def spoken(table: Table) -> list[str]:
    """Return what live regions have announced since the last call, without "Thinking"."""
    table.tab.evaluate("new Promise((done) => setTimeout(done))")
    return [words for words in table.tab.evaluate("spoken.splice(0)") if not words.startswith("Thinking")]


def assert_usable(table: Table) -> None:
    """Check accessible names, sizes for touch, contrast in both themes, heading levels and the width of the page."""
    assert table.tab.evaluate(NAMELESS) == []
    assert table.tab.evaluate(SMALL) == []
    for _ in ("light", "dark"):
        table.tab.evaluate("theme(document.getElementById('theme').dataset.theme === 'light' ? 'dark' : 'light')")
        assert table.tab.evaluate(CONTRAST) == []
    levels = table.tab.evaluate(LEVELS)
    assert levels[:2] == [1, 2]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert table.tab.evaluate("document.documentElement.scrollWidth") <= 360


@at_a_large_table
@pytest.mark.slow
def test_each_step_of_a_round_is_announced_once_and_sets_the_focus(opened: Any) -> None:
    """Play from the seats to the next round on a narrow screen, and press buttons with Enter as a screen reader does."""
    table = opened(None, width=360)
    table.tab.evaluate(LISTEN)

    def press(name: str, *heard: str, focus: str = "heading") -> None:
        """Press a button, and check the announcements against these patterns and the element that has the focus."""
        table.tab.get_by_role("button", name=name, exact=True).first.focus()
        table.keys("Enter")
        said = spoken(table)
        assert len(said) == len(heard), said
        assert all(re.fullmatch(pattern, words) for pattern, words in zip(heard, said, strict=True)), said
        assert table.tab.evaluate(FOCUS) == focus, name
        assert_usable(table)

    press("fewer dice of Ann", "Ann: 4 dice.", focus="dice1\u2212")
    press("more dice of Ann", "Ann: 5 dice.", focus="dice1+")
    press("Bob a seat earlier", "Bob has seat 1.", focus="up2")
    press("Bob a seat earlier", focus="up2")
    press("Ann leaves", "Ann leaves.")
    table.tab.get_by_label("Name of seat 1").fill("Bo")
    press("Add a seat", "Ann sits down.", focus="add")
    press("Ann leaves", "Ann leaves.")
    for _ in range(3):
        table.tap("fewer dice of Bo", "fewer dice of me")
    spoken(table)
    table.tab.select_option("#preset", "common")
    (rules,) = spoken(table)
    assert rules.startswith("No dice are wild.")
    assert table.tab.get_by_role("radio", name="Bo opens").is_checked() is False
    table.tab.get_by_role("radio", name="Bo opens").check()
    press("Begin", "Round 1. Bo opens.")
    press("1", "1; 1 more.", focus="face1")
    press("3", "3; that is all.", focus="rolled")
    press("take back the 1", "Without the 1: 1 more.", focus="rolled0")
    press("1", "1; that is all.", focus="rolled")
    press("These are my dice", "Your dice: 1 3. Bo to bid.")
    press("Change", focus="heading")
    press("As they were", focus="heading")
    press("2 dice", "2 dice: which face\\?", focus="quantity2")
    press("2", f"Bo bids 2x2. {ADVISED}")
    heard = table.tab.locator("body").aria_snapshot()
    for words in ('region "Round 1"', "listitem: Bo 2x2", "Your dice 1 3"):
        assert words in heard
    assert re.search(r'heading "(Call|Bid) \dx\d is recommended" \[level=2\]', heard)
    assert re.search(r"listitem: \"?2: \d\.\d of 2 ?, fair dice 0\.3", heard)
    assert "img" not in heard
    table.keys("6", "ArrowUp", "ArrowUp", "ArrowUp")
    assert spoken(table)[-1] == "4x6"
    table.keys("Backspace")
    press("6", "6: how many\\?", focus="face6")
    press("4 dice", r"You bid 4x6. That cost \d+ rounds? in a hundred. Bo can only call.")
    press("Undo", f"Taken back. Bo bids 2x2. {ADVISED}", focus="undo")
    press("You call 2x2", r"You call 2x2. (As good as any.|That cost \d+ rounds? in a hundred.) Who lost\?")
    press("Bo", "Bo loses a die.")
    press("Next round", "Round 2. Bo opens.")
    press("New table", "The table is kept until you leave another.")
    press("Back to the table", "Round 2. Bo opens.")


def test_a_refused_entry_is_announced_once(opened: Any) -> None:
    table = opened(None)
    table.tab.evaluate(LISTEN)
    table.tab.get_by_label("Name of seat 1").fill("Bob")
    table.tap("Begin")
    (words,) = spoken(table)
    assert "give each player a different name" in words
    assert table.tab.evaluate(FOCUS) == "begin"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_colours_follow_the_system_and_the_button(opened: Any, scheme: str) -> None:
    tab = opened(small(), scheme=scheme).tab
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {"light": "rgb(244, 245, 247)", "dark": "rgb(13, 17, 23)"}
    assert tab.evaluate(ground) == grounds[scheme]
    for chosen in ("Light", "Dark", "Auto"):
        tab.click("#theme")
        assert tab.get_by_role("button", name=f"Colours: {chosen}", exact=True).inner_text().endswith(chosen)
        assert tab.evaluate(ground) == grounds.get(chosen.lower(), grounds[scheme])


TEN = ["Ann", "Bob", "Cornelius", "Di", "Eve", "Flo", "Gus", "Hal", "Ida", "me"]


@at_a_large_table
@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [*product([1280, 390], ["light", "dark"])])
def test_the_page_fits_the_screen_and_every_button_has_a_name(opened: Any, tmp_path: Any, width: int, scheme: str) -> None:
    table = opened(ld.coach(TEN, ld.rules("ones-low", 6, (2,) * 10), iterations=5), width, scheme)
    names = "Array.from(document.querySelectorAll('button')).map((b) => (b.ariaLabel || b.textContent).trim())"
    for step in (
        ["1", "4"],
        ["These are my dice"],
        *([f"{quantity} dice", "4"] for quantity in range(2, 11)),
    ):
        table.tap(*step)
        assert table.tab.evaluate("document.documentElement.scrollWidth") <= width
        assert all(table.tab.evaluate(names))
    table.tab.screenshot(path=str(tmp_path / f"coach-{width}-{scheme}.png"), full_page=True)
    assert table.tab.locator(".beliefs h3").all_inner_texts() == TEN[:-1]
    assert table.tab.evaluate(CONTRAST) == []


# Requests to the server


def asked(server: Server, body: object = None, raw: bytes | None = None, path: str = "/say", **headers: str) -> tuple[int, str]:
    """Return the server's answer to a POST, or to a GET if there is no content."""
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


def test_only_requests_of_this_page_on_this_machine_are_accepted(server: Server) -> None:
    assert asked(server, path="/", Host="evil.example")[0] == 403
    assert asked(server, {}, Host="evil.example:80")[0] == 403
    assert asked(server, {}, Origin="http://evil.example")[0] == 403
    assert asked(server, {}, Content_Type="text/plain")[0] == 415
    assert asked(server, {}, Origin=server.origin)[0] == 200
    assert asked(server, path="/elsewhere")[0] == asked(server, {}, path="/elsewhere")[0] == 404


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"[" * 20_000])
def test_invalid_json_is_refused(server: Server, raw: bytes) -> None:
    assert asked(server, raw=raw)[0] in (400, 413)


def test_too_long_content_is_refused(server: Server) -> None:
    assert asked(server, raw=b"1" * (1 << 16 | 1))[0] == 413


@pytest.mark.parametrize(
    "what",
    [[], 3, {"hear": 1}, {"dice": 3}, {"dice": ["a", None]}, {"begin": {}}, {"begin": 1}, {"undo": 1, "new": None}, {"fly": 1}],
)
def test_an_invalid_request_returns_an_error_and_changes_nothing(server: Server, what: object) -> None:
    before = json.loads(asked(server, {})[1])
    code, words = asked(server, what)
    after = json.loads(words)
    assert code == 200
    assert after["error"]
    assert after["table"] == before["table"]


@at_a_large_table
@pytest.mark.slow
def test_spot_on_is_evaluated_and_can_be_tapped_or_typed(opened: Any) -> None:
    table = opened(None)
    table.tap("Bob leaves")
    for _ in range(3):
        table.tap("fewer dice of Ann", "fewer dice of me")
    table.tab.get_by_label("spot-on: the next player may claim that a bid is exact").check()
    table.tab.select_option("#preset", "common")
    table.tap("Begin", "3", "3", "These are my dice")
    table.keys("b", "b")
    recommended = [one.inner_text().split()[0] for one in table.tab.query_selector_all(".moves .move")]
    assert {"call", "spot-on"} <= set(recommended)
    assert re.search(
        r"\d+ % likely true given the bids, \d+ % with fair dice; \d+ % likely spot-on", table.tab.inner_text("main")
    )
    bid = table.tab.inner_text("button[data-key=call]").removeprefix("You call ")
    table.tap(f"You say that {bid} is spot-on")
    assert f"You say that {bid} is spot-on." in table.said()
    assert table.heading() == "Who lost?"
    table.keys("u", "s")
    assert table.heading() == "Who lost?"
    table.tap("Ann")
    assert table.heading() == "Ann loses a die"


@pytest.mark.slow
def test_the_page_does_not_mention_spot_on_in_games_without_it(opened: Any) -> None:
    table = opened(small())
    table.tap("1", "3", "These are my dice", "1 die", "1")
    assert "spot-on" not in table.tab.inner_text("main")
    table.keys("s")
    assert table.heading() == "Your turn"

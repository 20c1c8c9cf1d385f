"""Play a whole match on a phone: the coach's page is served with --lan and opened from another network namespace."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import program_here
from tests.support.command_line import command_line, environment, start
from tests.support.phone import HOST, PHONE, NoPhoneError, Phone, phone

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = 390, 844
ASK = """import sys, urllib.request, urllib.error
for address in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(address, timeout=20).status)
    except urllib.error.HTTPError as error:
        print(error.code)
"""


@pytest.fixture(scope="module")
def other(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    program = program_here(chromium.browser_type.executable_path)
    assert program is not None, "a browser is running"
    try:
        with phone(tmp_path_factory.mktemp("phone"), program) as one:
            yield one
    except NoPhoneError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def served(other: Phone) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Yield the address that the program prints, and its process."""
    names = ["Ann", "Bob", "Cy", "me", "--dice", "3,3,3,3", "--rules", "perudo", "--spot-on"]
    command = command_line("coach", *names, "--iterations", 5, "--serve", "--lan", "--host", HOST)
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment(), **pipes) as process:  # the process outlives each test of this file
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip(), process
        process.kill()


@pytest.fixture(scope="module")
def phones(chromium: Any, other: Phone, served: tuple[str, Any]) -> Iterator[Any]:
    """Yield the browser of the phone, and close it before the phone is removed."""
    running = chromium.browser_type.launch(executable_path=str(other.browser), chromium_sandbox=False)
    yield running
    running.close()


class Evening:
    """The page on the phone, and the dice of a real table, which are hidden from the page."""

    def __init__(self, tab: Any, seed: int) -> None:
        self.tab, self.chance = tab, random.Random(seed)
        self.taps = self.bids = 0
        self.rolls: dict[str, list[int]] = {}

    def tap(self, key: str) -> None:
        """Tap the element with this key, wait for the answer, and check that nothing is wider than the screen."""
        self.tab.locator(f'main [data-key="{key}"]').first.tap()
        self.taps += 1
        self.rest()

    def rest(self) -> None:
        self.tab.wait_for_selector("main[aria-busy=false]")
        assert self.tab.evaluate("document.documentElement.scrollWidth") <= WIDTH
        assert self.tab.inner_text("#error") == ""

    @property
    def heading(self) -> str:
        return str(self.tab.inner_text("#heading"))

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = self.tab.evaluate("desk.table")
        return found

    def roll(self) -> None:
        """Roll the dice of every player, and enter those of `me`."""
        self.rolls = {one["name"]: [self.chance.randint(1, 6) for _ in range(one["dice"])] for one in self.table()["players"]}
        for face in self.rolls["me"]:
            self.tap(f"face{face}")
        self.tap("rolled")

    def act(self) -> None:
        """Enter the recommended action, or a plausible action of another player."""
        table = self.table()
        if table["turn"] == "me":
            action = table["recommendation"]["action"]
            assert self.tab.inner_text("#advised").lower().startswith(("call", "bid", "say"))
            self.tap(f"move-{action}")
            return
        dice = sum(len(roll) for roll in self.rolls.values())
        last = table["history"][-1] if table["history"] else "0x0"
        if int(last.split("x")[0]) > dice * 0.4 or not table["bids"]:
            self.tap("call")
            return
        bid = self.chance.choice(table["bids"][:4])
        quantity, face = bid.split("x")
        before, self.bids = self.taps, self.bids + 1
        self.tap(f"quantity{quantity}")
        self.tap(f"face{face}")
        assert self.taps == before + 2
        assert self.table()["history"][-1] == bid

    def loser(self) -> str:
        """Return the loser after a call or spot-on, by the dice."""
        table = self.table()
        quantity, face = map(int, table["history"][-1].split("x"))
        wild = None if table["palifico"] else 1
        count = sum(die in (face, wild) for roll in self.rolls.values() for die in roll)
        stands = count != quantity if table["ended_by"] == "spot-on" else count >= quantity
        return str(table["between"][1 if stands else 0])


@pytest.fixture
def evening(phones: Any, served: tuple[str, Any]) -> Iterator[Evening]:
    """Yield the page on a phone. Page errors and requests to other addresses fail the test."""
    address, wrong = served[0], []
    context = phones.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    tab = context.new_page()
    tab.set_default_timeout(60_000)
    tab.on("console", lambda message: wrong.append(message.text) if "ERR_" not in message.text else None)
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("request", lambda asked: None if asked.url.startswith(address) else wrong.append(asked.url))
    tab.goto(address)
    tab.wait_for_selector("html[data-ready]")
    yield Evening(tab, 3)
    context.close()
    assert wrong == []


def test_a_phone_needs_the_secret(other: Phone, served: tuple[str, Any]) -> None:
    address = served[0]
    origin, secret = re.fullmatch(r"(http://[\d.]+:\d+)/([\w-]+)/", address).groups()  # type: ignore[union-attr]
    assert origin.startswith(f"http://{HOST}:")
    paths = ["", "say", "version", "app.webmanifest", "icon.png", "own/0123456789ab/"]
    without = [f"{origin}/{start}{path}" for start in ("", "x/", f"{secret[:-1]}/", f"{secret.lower()}/") for path in paths]
    ended = other.run(sys.executable, "-c", ASK, f"{address}", f"{address}icon.png", *without)
    assert ended.stdout.split() == ["200", "200", *["403"] * len(without)], ended.stderr


def test_the_page_is_served_only_at_the_given_host(served: tuple[str, Any]) -> None:
    elsewhere = served[0].replace(HOST, "127.0.0.1")
    ended = subprocess.run([sys.executable, "-c", ASK, elsewhere], capture_output=True, text=True, check=False, timeout=60)
    assert "200" not in ended.stdout
    assert "refused" in ended.stderr


def test_a_match_is_played_to_its_end(evening: Evening, other: Phone, tmp_path: Path) -> None:
    tab, rounds, seen = evening.tab, 0, set()

    def looked(name: str) -> None:
        """Save a screenshot of the first page of its kind, in both colour schemes."""
        if name not in seen:
            seen.add(name)
            for scheme in ("light", "dark"):
                tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                tab.screenshot(path=str(tmp_path / f"{name}-{scheme}.png"), full_page=True)

    while not evening.table()["over"]:
        rounds += 1
        looked("palifico" if evening.table()["palifico"] else "rolling")
        evening.roll()
        while evening.table()["turn"]:
            looked("advice" if evening.table()["recommendation"] else "bidding")
            if rounds == 2 and "lost" not in seen:
                lose_the_network(evening, other, looked)
                continue
            evening.act()
        assert evening.heading == "Who lost?"
        looked("who-lost")
        if rounds == 3 and "left" not in seen:
            leave_and_come_back(evening, looked)
        evening.tap(f"lost-{evening.loser()}")
        looked("lost-a-die")
        if not evening.table()["over"]:
            evening.tap("next")
    looked("over")
    assert rounds >= 3
    assert evening.bids > 5
    assert {"palifico", "lost", "left", "over"} <= seen or evening.table()["players"][-1]["dice"] == 0


def lose_the_network(evening: Evening, other: Phone, looked: Any) -> None:
    """Check that a bid entered without a network arrives exactly once after the network is back."""
    table = evening.table()
    other.unplug(True)
    bid = table["bids"][0]
    for key in (f"quantity{bid.split('x')[0]}", f"face{bid.split('x')[1]}"):
        evening.tab.locator(f'main [data-key="{key}"]').first.tap()
    evening.tab.locator("#lost", has_text="No connection to the program").wait_for()
    looked("lost")
    other.unplug(False)
    evening.tab.locator("#lost", has_text="Connected again").wait_for()
    evening.rest()
    assert evening.table()["history"] == [*table["history"], bid]


def leave_and_come_back(evening: Evening, looked: Any) -> None:
    """Check that a table left by mistake can be restored, even after the page is loaded again."""
    history = evening.table()["history"]
    evening.tab.locator("#leave").tap()
    evening.rest()
    evening.tab.reload()
    evening.tab.wait_for_selector("html[data-ready]")
    looked("left")
    evening.tap("back")
    assert evening.table()["history"] == history


def test_phones_can_share_a_table_or_have_their_own(phones: Any, served: tuple[str, Any]) -> None:
    tabs = [phones.new_context(has_touch=True, viewport={"width": WIDTH, "height": HEIGHT}).new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(served[0])
        tab.wait_for_selector("html[data-ready]")
    tabs[0].locator("#leave").tap()
    tabs[1].wait_for_selector("main [data-key=back]")
    tabs[1].locator("#own").tap()
    tabs[1].wait_for_url("**/own/*/")
    tabs[1].locator("main [data-key=begin]").tap()
    tabs[1].wait_for_selector("main[aria-busy=false] .seats")
    assert tabs[0].locator(".seats").count() == 0
    tabs[0].locator("main [data-key=back]").tap()
    tabs[0].wait_for_selector("main[aria-busy=false] .seats")
    assert "Cy" in tabs[0].inner_text(".seats")
    assert "Cy" not in tabs[1].inner_text(".seats")
    assert tabs[1].inner_text("#own") == "Shared table"
    for tab in tabs:
        tab.context.close()


def test_the_explorer_opens_on_the_phone_and_waits_for_the_network(phones: Any, other: Phone) -> None:
    process = start("explore", "--sides", 3, "--rules", "common", "--serve", "--lan", "--host", HOST, "-q")
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()
    origin = address.rsplit("/", 2)[0]
    ended = other.run(
        sys.executable, "-c", ASK, address, f"{address}after?history=", f"{origin}/after?history=", f"{address[:-2]}/"
    )
    assert ended.stdout.split() == ["200", "200", "403", "403"]
    tab = phones.new_context(has_touch=True, viewport={"width": WIDTH, "height": HEIGHT}).new_page()
    tab.goto(address)
    tab.wait_for_selector("html[data-ready]")
    other.unplug(True)
    tab.evaluate("location.hash = '1x2'")
    tab.locator("#lost", has_text="No connection to the program").wait_for()
    other.unplug(False)
    tab.locator("#lost", has_text="Connected again").wait_for()
    tab.wait_for_selector("#path a[aria-current]")
    tab.context.close()


def test_the_program_reports_connected_and_refused_visitors(served: tuple[str, Any]) -> None:
    process = served[1]
    process.terminate()
    _, said = process.communicate(timeout=60)
    lines = said.decode().splitlines()
    assert "\u2588" in lines[0]
    assert any(line.startswith(f"liarsdice: {PHONE} opened the page (") for line in lines)
    assert sum(line.startswith(f"liarsdice: {PHONE} was refused") for line in lines) == 1
    assert served[0].split("/")[3] not in said.decode()

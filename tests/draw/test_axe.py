"""axe-core finds no serious or critical violation on any page, in light and dark colours; `make pages` installs axe-core."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.library.coaching import warm
from liarsdice_cli.library.coaching_page import serve
from tests.support.command_line import KUHN
from tests.support.explorer_pages import served_here, until, written

AXE = Path(__file__).parents[1] / "pages" / "node_modules" / "axe-core" / "axe.min.js"
VIOLATIONS = """() => axe.run({ resultTypes: ["violations"] }).then((found) => found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes.length} times, first ${one.nodes[0].html.slice(0, 200)}`))"""
ROUND_WAITS = "Boolean(document.querySelector('.play .move:enabled, #next-round:enabled'))"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run `make pages`"),
]
schemes = pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])


def violations(tab: Any) -> list[str]:
    """Return the serious and critical violations; axe is evaluated because the page's policy allows no other script."""
    tab.evaluate(AXE.read_text("utf-8"))
    found: list[str] = tab.evaluate(VIOLATIONS)
    return found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function that returns the address of a kind of page; each is written once."""
    folder = tmp_path_factory.mktemp("axe")

    def kept(name: str, content: bytes) -> str:
        (folder / name).write_bytes(content)
        return (folder / name).as_uri()

    makers: dict[str, Callable[[], str]] = {
        "dice": lambda: kept("dice.html", ld.explore(ld.rules("common", 3)).dumps()),
        "spot-on": lambda: written(folder, ld.rules("common", 3, spot_on=True), "spot-on.html"),
        "many rolls": lambda: written(folder, ld.rules("joker", 6, (2, 1), max_quantity=1), "rolls.html"),
        "three players": lambda: written(folder, ld.rules("joker", 3, (1, 2, 1)), "three.html"),
        "game": lambda: kept("game.html", ld.explore(ld.read(str(KUHN))).dumps()),
        "tree": lambda: kept("tree.html", ld.picture(ld.read(str(KUHN)), infosets="dotted").dumps("tree.html")),
    }
    made: dict[str, str] = {}

    def address(kind: str) -> str:
        if kind not in made:
            made[kind] = makers[kind]()
        return made[kind]

    return address


@schemes
@pytest.mark.parametrize(
    ("kind", "place", "clicks"),
    [
        ("dice", "", ["#view-values", "#view-mistakes", "#to-keys"]),
        ("dice", "#1x2", ["#view-values", "#view-mistakes"]),
        ("dice", "#1x3,call", []),
        ("dice", "#1x2;1x3", []),
        ("dice", "#9x9", []),
        ("dice", "#quiz", [".cover", ".move >> nth=0"]),
        ("spot-on", "#1x2", []),
        ("spot-on", "#play", []),
        ("many rolls", "#1x2", ["#view-mistakes"]),
        ("three players", "#1x2,2x2", []),
        ("three players", "#play", [".play .move >> nth=-1"]),
        ("game", "", ["#view-values", "#view-mistakes", "#to-keys"]),
        ("game", "#bet", []),
        ("tree", "", ["[aria-level='2'] >> nth=0", "#all"]),
    ],
)
def test_no_page_has_a_serious_violation(
    opened: Any, pages: Callable[[str], str], kind: str, place: str, clicks: Sequence[str], scheme: str, width: int
) -> None:
    tab = opened(pages(kind) + place, scheme=scheme, width=width, motion="reduce")
    found = {}
    for click in ["opened", *clicks]:
        if click != "opened":
            tab.click(click)
        if place == "#play":
            until(tab, ROUND_WAITS)
        found[click] = violations(tab)
    assert not any(found.values()), found


@schemes
def test_a_served_page_has_no_serious_violation(opened: Any, scheme: str, width: int) -> None:
    game = ld.rules("common", 3)
    with served_here(game, Uniform(game)) as address:
        tab = opened(address + "#1x2", allowed=address, scheme=scheme, width=width, motion="reduce")
        assert violations(tab) == []


@schemes
def test_the_coach_has_no_serious_violation(opened: Any, scheme: str, width: int) -> None:
    warm()
    found = {}
    with serve(None, made=partial(ld.coach, iterations=10)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        tab = opened(server.address, allowed=server.address, scheme=scheme, width=width, motion="reduce")

        def tap(*names: str) -> None:
            for name in names:
                tab.get_by_role("button", name=name, exact=True).first.click()
                tab.wait_for_selector("main[aria-busy=false]")
            found[names] = violations(tab)

        tap()
        tap("Bob leaves", *["fewer dice of Ann", "fewer dice of me"] * 3)
        tap("Begin")
        tap("3")
        tap("4", "These are my dice")
        tap("1 die")
        tap("2")
        tap("4 dice", "3")
        tap("Ann calls 4x3")
        tap("Ann")
        server.shutdown()
    assert not any(found.values()), found

"""Displays in a notebook: self-contained pictures and tables, in which text from a game is escaped."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

import liarsdice_cli as ld
from liarsdice_cli.formats import efg

HOSTILE = "<script>alert(1)</script>|`x`"


def things() -> dict[str, Any]:
    game = ld.build(ld.rules("common", 2))
    solution = ld.solve(game)
    return {
        "rules": ld.rules("joker", 3),
        "game": game,
        "profile": solution.profile,
        "solution": solution,
        "judgement": solution.judgement,
        "facts": ld.game_info(ld.rules("classic", 6)),
        "picture": ld.picture(game),
        "explorer": ld.explore(ld.rules("common", 2)),
        "values": ld.values(ld.grid(["joker"], [2, 3], [(1, 1)])),
        "match": ld.match("joker", 2, (2, 1)),
        "arena": ld.tournament(ld.rules("common"), ["honest", "random"], rounds=20, seed=1),
        "safe_exploitation": ld.safe_exploitation(ld.rules("common", 2), "honest", 0),
        "coalition": ld.coalition(ld.rules("common", 2, (1, 1, 1)), "honest"),
        "nim": ld.impartial.nim([3, 4, 5]),
        "takeaway": ld.impartial.takeaway(7, [1, 2, 3]),
        "probability": ld.probability([2, 3], 3),
        "model": ld.model(3),
        "after": ld.strategy_at(ld.solve(ld.rules("common", 2), method="dcfr+", iterations=5).strategy(), "1x2"),
    }


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return things()


NAMES = (
    *(
        "rules",
        "game",
        "profile",
        "solution",
        "judgement",
        "facts",
        "picture",
        "explorer",
        "values",
        "match",
        "arena",
        "safe_exploitation",
    ),
    *("coalition", "nim", "takeaway", "probability", "model", "after"),
)
WORDS = {
    "rules": "1s are wild",
    "game": "125 nodes",
    "solution": "in exact fractions",
    "judgement": "the value for Player 1 is 1/2",
    "facts": "4,947,802,324,957 nodes",
    "values": "2/3",
    "match": "player 1 wins the match",
    "arena": "Elo",
    "safe_exploitation": "honest",
    "coalition": "see each other's dice",
    "nim": "nim-sum",
    "takeaway": "f(7) = W",
    "probability": "recommended",
    "model": "0.5775",
    "after": "after 1x2",
}


class Balanced(HTMLParser):
    """A parser that fails unless elements are closed in the right order. It records their tags."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("img", "br"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


@pytest.mark.parametrize("name", NAMES)
def test_every_result_has_html_markdown_and_text_for_a_terminal(name: str, shown: dict[str, Any]) -> None:
    thing, console = shown[name], Console(width=100)
    parser = Balanced()
    parser.feed(thing._repr_html_())
    assert not parser.opened
    assert "script" not in parser.seen
    with console.capture() as printed:
        console.print(thing)
    text = re.sub(r"\\(.)", r"\1", thing._repr_markdown_())
    for form in (thing._repr_html_(), text, printed.get()):
        assert "--full" not in form
        assert "\\n" not in form
    if name in WORDS:
        assert WORDS[name] in text
        assert WORDS[name] in printed.get()


def test_trees_and_profiles_are_drawn(shown: dict[str, Any]) -> None:
    for name in ("game", "profile", "picture"):
        svg = shown[name]._repr_svg_()
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        drawn = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', shown[name]._repr_html_())
        assert drawn is not None
        assert base64.b64decode(drawn[1]).decode() == svg
    assert shown["solution"]._repr_svg_() is None


def test_only_a_part_of_a_large_game_is_drawn() -> None:
    three = ld.build(ld.rules("classic", 3))
    root = ElementTree.fromstring(three._repr_svg_())
    assert float(root.attrib["height"]) <= 1500
    assert "9,208 nodes" in three._repr_html_()


@pytest.mark.slow
def test_a_very_large_game_is_not_drawn() -> None:
    four = ld.build(ld.rules("classic", 4))
    assert four._repr_svg_() is None
    assert "2,097,137 nodes" in four._repr_html_()


def test_labels_of_a_game_are_escaped() -> None:
    move = f'p "" 1 1 "{HOSTILE}" {{ "{HOSTILE}" "b" }} 0'
    text = f'EFG 2 R "{HOSTILE}" {{ "{HOSTILE}" }} {move} t "" 1 "a" {{ 1 }} t "" 2 "b" {{ 0 }}'
    game = efg.parse(text.encode())
    solution = ld.solve(game)
    for thing in (game, solution, solution.profile, ld.picture(game)):
        parser = Balanced()
        parser.feed(thing._repr_html_())
        assert parser.seen <= {"div", "img", "pre", "table", "thead", "tbody", "tr", "th", "td", "br"}
        assert "<script" not in thing._repr_markdown_()

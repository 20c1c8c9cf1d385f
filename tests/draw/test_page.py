"""Test the drawing as a page in a real browser: zoom, folding, highlighted information sets, and use without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.draw import choice, drawing, page
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.pictures import picture
from tests.support.command_line import KUHN

EVIL = b"""EFG 2 R "</script><script>window.hacked=1</script>" { "A" "<img src=x onerror='window.hacked=1'>" }
p "" 1 1 "</title>" { "${1}`" "R" } 0 t "" 0 t "" 0"""
NODE = "[data-kind=node]"
VISIBLE = """what => [...document.querySelectorAll(what)].filter(one => {
    const place = one.getBoundingClientRect();
    return place.width > 0 && place.height > 0 && getComputedStyle(one).visibility === "visible";
}).length"""


@pytest.fixture
def show(opened: Any, tmp_path: Path) -> Any:
    """Return a function that opens a drawing in the tab. Page errors and network requests fail the test."""

    def shown(content: bytes, width: int = 1280) -> Any:
        (tmp_path / "tree.html").write_bytes(content)
        return opened((tmp_path / "tree.html").as_uri(), width=width)

    return shown


def kuhn() -> bytes:
    return picture(efg.read(str(KUHN)), infosets="dotted").dumps("tree.html")


def visible(tab: Any) -> int:
    """Return the number of visible nodes. One query for all nodes is much faster than one for each."""
    count: int = tab.evaluate(VISIBLE, NODE)
    return count


def test_a_click_folds_a_subtree_and_another_unfolds_it(show: Any) -> None:
    tab = show(kuhn())
    nodes, height = visible(tab), tab.evaluate("svg.viewBox.baseVal.height")
    assert nodes == 55
    first = tab.query_selector_all('[aria-level="2"]')[0]
    first.click()
    assert first.get_attribute("aria-expanded") == "false"
    assert visible(tab) == nodes - 8
    assert first.text_content().strip().endswith("+8")
    assert tab.evaluate("svg.viewBox.baseVal.height") < height
    first.click()
    assert (visible(tab), tab.evaluate("svg.viewBox.baseVal.height")) == (nodes, height)


@pytest.mark.slow
def test_unfolding_restores_the_drawing(show: Any) -> None:
    tab = show(kuhn())
    branches = "[...document.querySelectorAll('[data-kind=branch] path, [data-kind=link]')].map((one) => one.getAttribute('d'))"
    before = [ends(way) for way in tab.evaluate(branches)]
    tab.click("#all")
    assert visible(tab) == 7  # chance and six deals
    assert len(tab.query_selector_all("[data-kind=link]:not([hidden])")) == 3
    tab.click("#all")
    assert [ends(way) for way in tab.evaluate(branches)] == before


def ends(way: str) -> tuple[float, ...]:
    """Return where a path begins and ends; the text of the same path may differ."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", way)]
    return round(numbers[0], 1), round(numbers[1], 1), round(numbers[-1], 1)


@pytest.mark.slow
def test_pointer_and_focus_highlight_all_nodes_of_an_information_set(show: Any) -> None:
    tab = show(kuhn())
    second = tab.query_selector_all('[aria-label^="pass: Player 2, set"]')
    second[0].hover()
    lit = [one.get_attribute("aria-label") for one in tab.query_selector_all(f"{NODE}.same")]
    assert len(lit) == 2
    assert {words.split(",")[1] for words in lit} == {" set 2 (card 2"}
    assert "2 nodes are in this information set" in tab.inner_text("#read")
    second[1].focus()
    other = [one.get_attribute("aria-label") for one in tab.query_selector_all(f"{NODE}.same")]
    assert set(other) != set(lit)


@pytest.mark.slow
def test_keys_move_through_the_tree_fold_and_zoom(show: Any) -> None:
    tab = show(kuhn())
    label = "document.activeElement.getAttribute('aria-label')"
    assert len(tab.query_selector_all('[role=treeitem][tabindex="0"]')) == 1
    tab.focus('[role=treeitem][tabindex="0"]')
    root = tab.evaluate(label)
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(label).startswith("12: Player 1")
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("ArrowLeft")
    assert tab.evaluate(label) == root
    nodes = visible(tab)
    tab.keyboard.press("Enter")
    assert visible(tab) == 1
    tab.keyboard.press("Enter")
    assert visible(tab) == nodes
    tab.keyboard.press("End")
    assert tab.evaluate(label).split(":")[1].startswith(" the end")
    before = tab.inner_text("#scale")
    tab.keyboard.press("+")
    assert tab.inner_text("#scale") != before
    tab.keyboard.press("0")
    assert tab.evaluate("Math.abs(svg.getBoundingClientRect().width - paper.clientWidth) < 1")


@pytest.mark.slow
def test_panels_fold_together(show: Any) -> None:
    game = build(rules("classic", 2))
    tab = show(picture(game).dumps("tree.html"))
    nodes = visible(tab)
    tab.query_selector_all('[aria-level="2"].inner')[0].click()
    assert (nodes - visible(tab)) % 4 == 0 < nodes - visible(tab)


@pytest.mark.slow
def test_a_large_tree_first_shows_only_a_part(show: Any) -> None:
    tab = show(picture(build(rules("classic", 3))).dumps("tree.html"))
    assert visible(tab) < len(tab.query_selector_all(NODE)) / 4
    tab.click("#all")
    assert visible(tab) == len(tab.query_selector_all(NODE)) == 512


def of_panels() -> bytes:
    return picture(build(rules("classic", 3)), reached_only=True).dumps("tree.html")


@pytest.mark.slow
@pytest.mark.parametrize("content", [kuhn, of_panels])
def test_the_page_fits_a_phone(show: Any, content: Callable[[], bytes]) -> None:
    tab = show(content(), 390)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    for button in tab.query_selector_all("button"):
        assert button.bounding_box()["height"] >= 40


@pytest.mark.slow
def test_the_page_works_without_scripts(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "tree.html").write_bytes(kuhn())
    tab = chromium.new_page(java_script_enabled=False)
    tab.goto((tmp_path / "tree.html").as_uri())
    assert not tab.query_selector("#tools").is_visible()
    assert tab.query_selector("svg").is_visible()
    assert visible(tab) == 55
    tab.close()


def test_labels_are_never_executed(show: Any) -> None:
    tree = efg.parse(EVIL)
    part = SubtreeView.whole(tree, from_sets(tree, {}))
    tab = show(page.dumps(drawing.scene(choice.diagram_of(part))))
    assert tab.evaluate("window.hacked") is None
    assert "</script>" in tab.title()
    tab.focus('[role=treeitem][tabindex="0"]')
    assert "</title>" in tab.inner_text("#read")

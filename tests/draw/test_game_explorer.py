"""Test the explorer of any game in a real browser: public histories, information sets, and values in the game's payoffs."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw.explorer import game as game_page
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.formats.registry import read_game as read
from liarsdice_cli.library import explorer as library
from liarsdice_cli.library import pictures
from liarsdice_cli.library.explorer import GameExplorer, explore
from liarsdice_cli.library.pictures import picture
from tests.support.explorer_pages import EVIL, until
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow

ROOT = Path(__file__).parents[2]
KUHN = ROOT / "docs" / "gambit-catalog" / "catalog" / "books" / "kuhn1950" / "kuhn_poker.efg"
SAMPLES = sorted(path.stem for path in (ROOT / "sample_games").glob("*.efg"))
OF_DICE = re.compile(r"\b(rolls?|bids?|dice|bluffs?|wild|wins)\b", re.IGNORECASE)


def made(tmp_path: Path, file: Path | str, *options: str) -> str:
    """Write the page of a game file with the command line, and return its address."""
    page = tmp_path / "page.html"
    assert run(["explore", str(file), "-o", str(page), "-q", *options]) == 0
    return page.as_uri()


def test_kuhn_poker_has_a_page_for_every_public_history_and_a_line_for_every_card(opened, tmp_path):
    tab = opened(made(tmp_path, KUHN))
    assert tab.inner_text("h1") == "Kuhn poker explorer"
    assert tab.inner_text("h2") == "Player 1 moves first"
    assert tab.locator(".facts li").all_inner_texts()[1:] == [
        "-0.056 is the expected payoff of Player 1",
        "0.056 is the expected payoff of Player 2",
    ]
    assert tab.locator(".row .named").all_inner_texts() == ["card 1", "card 2", "card 3"]
    tab.click(".move:has-text('pass')")
    until(tab, "document.querySelector('h2').textContent === 'Player 2 moves after pass'")
    tab.click("a.move:has-text('bet')")
    until(tab, "document.querySelector('h2').textContent === 'Player 1 moves after pass, bet'")
    assert tab.evaluate("location.hash") == "#pass,bet"
    tab.keyboard.press("ArrowLeft")
    until(tab, "location.hash === '#pass'")


def test_moves_that_cost_nothing_are_explained_from_kuhns_family_of_equilibria(opened, tmp_path):
    """In equilibrium the highest card is bet with any probability, and the middle one never after a pass."""
    tab = opened(made(tmp_path, KUHN))
    tab.click("[data-row]:has-text('card 3')")
    assert tab.inner_text(".why") == "pass costs nothing: another equilibrium takes it."
    tab = opened(made(tmp_path, KUHN) + "#pass")
    tab.click("[data-row]:has-text('card 2')")
    assert tab.inner_text(".why") == (
        "bet costs nothing, but no equilibrium that gets here takes it. The others have a better answer to a player who does."
    )


@pytest.mark.slow
def test_the_page_shows_values_and_beliefs_after_a_bet(opened, tmp_path):
    tab = opened(made(tmp_path, KUHN) + "#bet")
    tab.click("[data-row]:has-text('card 2')")
    cells = [row.locator("td").all_inner_texts() for row in tab.locator(".detail tbody tr").all()]
    assert [cell[1:] for cell in cells] == [["-1", "0"], ["-1", "0"]]  # player 2 with the middle card is indifferent
    held = dict(zip(tab.locator(".words").all_inner_texts(), tab.locator(".beliefs .number").all_inner_texts(), strict=True))
    assert held == {"12": "25 %", "32": "75 %"}  # player 1 bets a third of the lowest cards and every highest one
    tab.click("#fractions")
    assert tab.locator(".beliefs .number").first.inner_text() == "3/4"
    tab.click("#view-mistakes")
    highest = tab.locator(".costs thead th").all_inner_texts().index("card 3, after bet")
    assert tab.locator(".costs tbody tr").first.locator("th, td").nth(highest).inner_text() == "3"  # to pass with the best card


def test_fractions_of_the_profile_are_not_replaced_by_nearby_ones(opened, tmp_path):
    """Ann calls with probability 1000/2001. One node of her information set has a probability near 1/3."""
    file, nearly = tmp_path / "coin.efg", Fraction(333333333334, 10**12)
    branch = 'p "" 1 1 "" {{ "call" "fold" }} 0 t "" {0} "" {{ {1}, 0 }} t "" 3 "" {{ 0, 1 }}'
    coin = f'c "" 1 "" {{ "heads" {nearly} "tails" {1 - nearly} }} 0'
    file.write_text(f'EFG 2 R "coin" {{ "Ann" "Bob" }} {coin} {branch.format(1, "2/7")} {branch.format(2, "4/9")}')
    game = read(str(file))
    profile = from_sets(game, {1: [Fraction(1000, 2001), Fraction(1001, 2001)]})
    page = tmp_path / "page.html"
    page.write_bytes(explore(game, profile=profile).dumps())
    tab = opened(page.as_uri())
    tab.click("#fractions")
    assert tab.locator(".move small").all_inner_texts()[:1] == ["1000/2001"]
    assert tab.locator(".beliefs .number").all_inner_texts() == ["66.7 %", "33.3 %"]  # too long as fractions
    value = nearly * Fraction(2, 7) + (1 - nearly) * Fraction(4, 9)
    placed = tab.evaluate("readingsAt(FIRST)[0].values.map(([value]) => value.text ?? String(value))")
    assert placed == [str(value), "0"]


@pytest.mark.slow
def test_a_game_that_is_not_constant_sum_shows_the_payoffs_of_each_player(opened, tmp_path):
    tab = opened(made(tmp_path, ROOT / "sample_games" / "twice-repeated-prisoners-dilemma.efg"))
    assert tab.locator(".facts li").all_inner_texts()[1:] == [
        "2 is the expected payoff of Player 1",
        "2 is the expected payoff of Player 2",
    ]
    assert tab.locator("a.move").all_inner_texts() == ["C or D\n100 %"]
    tab.click("a.move")
    until(tab, "document.querySelectorAll('a.move').length === 4")
    names = [text.split("\n")[0] for text in tab.locator("a.move").all_inner_texts()]
    assert names == ["C C", "C D", "D C", "D D"]  # both moves are revealed at once
    tab.click("a.move:has-text('D D')")
    until(tab, "document.querySelector('h2').textContent.includes('after C or D, D D')")
    assert "%" not in "".join(tab.locator(".detail td:nth-child(n+3)").all_inner_texts())


def test_bars_of_beliefs_are_aligned(opened, tmp_path):
    """The labels before the bars have different lengths."""
    file = tmp_path / "coin.efg"
    branch = 'p "" 1 1 "" { "L" "R" } 0 t "" 1 "" { 1, 0 } t "" 2 "" { 0, 1 }'
    file.write_text(f'EFG 2 R "coin" {{ "Ann" "Bob" }} c "" 1 "" {{ "h" 1/2 "a long name of a side" 1/2 }} 0 {branch} {branch}')
    tab = opened(made(tmp_path, file))
    bars = tab.evaluate("[...document.querySelectorAll('.belief')].map((bar) => bar.getBoundingClientRect().left)")
    assert len(bars) == 2
    assert len(set(bars)) == 1


def test_a_set_that_is_visited_twice_counts_once(opened, tmp_path):
    game = read(str(ROOT / "sample_games" / "absent-minded-driver.efg"))
    page = tmp_path / "page.html"
    page.write_bytes(explore(game, profile=from_sets(game, {0: [Fraction(0), Fraction(1)]})).dumps())
    tab = opened(page.as_uri())
    assert tab.locator(".row small").all_inner_texts() == ["100 %"]


@pytest.mark.slow
def test_moves_that_end_the_game_show_the_payoffs(opened, tmp_path):
    tab = opened(made(tmp_path, ROOT / "sample_games" / "myerson-card-game.efg"))
    ends = ["fold", "33.3 %", "ends", "Player 1 -1", "Player 2 1"]
    assert [text.split("\n") for text in tab.locator("span.move").all_inner_texts()] == [ends]
    assert tab.inner_text(".moves > p") == "Next moves and their probabilities; where the game ends, expected payoffs"


@pytest.mark.parametrize("name", mostly_slow(SAMPLES, 20))
def test_pages_of_sample_games_can_be_navigated_and_do_not_mention_dice(opened, tmp_path, name, monkeypatch):
    monkeypatch.setattr(library, "_SECONDS", 600.0)  # enough on a busy machine
    tab = opened(made(tmp_path, ROOT / "sample_games" / f"{name}.efg"))
    for _ in range(12):
        words = tab.inner_text("main") + tab.inner_text("#keys")
        if "liars-dice" not in name:
            assert not OF_DICE.search(words), OF_DICE.search(words)
        assert tab.locator(".row").count() > 0
        before = tab.evaluate("location.hash")
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(20)
        if tab.evaluate("location.hash") == before:
            break
    assert tab.locator(".move").count() > 0


@pytest.mark.slow
def test_a_node_that_is_never_reached_has_values(opened, tmp_path):
    tab = opened(made(tmp_path, ROOT / "sample_games" / "take-away-7.efg") + "#take%201")
    assert tab.locator(".facts li").all_inner_texts() == [
        "0 % of games get here",
        "0 is the expected payoff of A",
        "1 is the expected payoff of B",
    ]
    assert "unknown" not in tab.inner_text(".note")
    shares = dict(text.split("\n")[:2] for text in tab.locator(".move").all_inner_texts())
    assert shares == {"take 1": "0 %", "take 2": "100 %", "take 3": "0 %"}
    assert [row.locator("td").nth(2).inner_text() for row in tab.locator(".detail tbody tr").all()] == ["1", "0", "1"]


@pytest.mark.slow
def test_public_chance_moves_come_first(opened, tmp_path):
    file = tmp_path / "coin.efg"
    branch = 'p "" 1 %d "" { "L" "R" } 0 t "" 1 "" { 1, 0 } t "" 2 "" { 0, 1 }'
    file.write_text(f'EFG 2 R "coin" {{ "Ann" "Bob" }} c "" 1 "" {{ "heads" 1/4 "tails" 3/4 }} 0 {branch % 1} {branch % 2}')
    tab = opened(made(tmp_path, file))
    assert tab.inner_text("h2") == "Chance moves first, and everybody sees what it does"
    assert tab.locator("a.move").all_inner_texts() == ["heads\n25 %", "tails\n75 %"]
    tab.click("a.move:has-text('tails')")
    until(tab, "document.querySelector('h2').textContent === 'Ann moves after tails'")
    tab.click("#path a")
    until(tab, "document.querySelectorAll('a.move').length === 2")


@pytest.mark.parametrize("width", mostly_slow([390, 1280]))
def test_nothing_is_wider_than_the_window(opened, tmp_path, width):
    for address in ("", "#pass,bet"):
        for view in ("strategy", "values"):
            tab = opened(made(tmp_path, KUHN) + address, width=width)
            tab.click(f"#view-{view}")
            assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.slow
def test_a_page_of_limited_depth_ends_there(opened, tmp_path):
    tab = opened(made(tmp_path, KUHN, "--depth", "1") + "#pass")
    assert tab.locator("a.move").count() == 0
    assert tab.get_attribute("span.move >> nth=0", "title") == "this page ends here"
    wrong = opened(tab.url.split("#")[0] + "#pass,bet")
    assert "names no state of this page" in wrong.inner_text("[role=alert]")


@pytest.mark.slow
def test_the_page_names_a_given_profile(opened, tmp_path):
    profile = tmp_path / "profile.json"
    assert run(["solve", str(KUHN), "--method", "lp", "-o", str(profile), "-q"]) == 0
    tab = opened(made(tmp_path, KUHN, "--profile", str(profile)))
    assert tab.inner_text("#source").startswith(f"profile {profile}; an equilibrium")


def test_labels_are_never_executed(opened, tmp_path):
    file = tmp_path / "evil.efg"
    evil = EVIL.replace("\\", "").replace('"', '\\"')
    file.write_text(
        f'EFG 2 R "{evil}" {{ "{evil}" "B" }} "{evil}" p "{evil}" 1 1 "{evil}" {{ "{evil}" "b" }} 0 '
        't "" 1 "" { 1, 0 } p "" 2 1 "" { "x" "y" } 0 t "" 1 t "" 2 "" { 0, 1 }',
        encoding="utf-8",
    )
    tab = opened(made(tmp_path, file))
    assert tab.evaluate("window.hacked") is None
    assert "<img src=x" in tab.inner_text("h1")


def test_a_game_too_large_for_a_page_is_refused(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(game_page, "MOST_NODES", 50)
    assert run(["explore", str(KUHN), "-o", str(tmp_path / "x.html")]) == 1
    assert "55 nodes are more than the 50 that fit on a page" in capsys.readouterr().err


def test_explore_in_python_and_with_json_output(tmp_path, capsys):
    shown = explore(read(str(KUHN)))
    assert isinstance(shown, GameExplorer)
    assert b"</html>" in shown.dumps()
    assert run(["explore", str(KUHN), "-o", str(tmp_path / "x.html"), "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 55


FORGETFUL = (
    'EFG 2 R "forgets" { "A" } p "" 1 1 "" { "l" "r" } 0 '
    'p "" 1 2 "" { "l" "r" } 0 t "" 1 "" { 0 } t "" 1 p "" 1 2 0 t "" 1 t "" 1'
)
"""A game with imperfect recall of the first move, which has four pure agent equilibria."""


@pytest.mark.slow
def test_the_search_stops_at_the_first_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """With imperfect recall the search runs over pure profiles, and even a small game can have millions of equilibria."""
    monkeypatch.setattr(library, "_SECONDS", 600.0)  # enough on a busy machine
    monkeypatch.setattr(pictures, "SECONDS", 600.0)
    tree, progress = efg.parse(FORGETFUL.encode()), Recorded()
    explore(tree, progress=progress)
    picture(tree, progress=progress)
    assert progress.counts == [1, 1]
    assert progress.begun == [("solving", None, "profiles")] * 2


def test_if_no_profile_is_found_the_error_asks_for_one() -> None:
    """The game is matching pennies and imperfect recall of player 1; no pure profile is an equilibrium."""
    after = ['p "" 1 2 "" { "x" } 0 t "" 1 "" { 1 -1 } ', 'p "" 1 2 "" { "x" } 0 t "" 2 "" { -1 1 } ']
    after += [f'p "" 1 2 0 t "" {outcome} ' for outcome in (2, 1)]
    second = 'p "" 2 1 "" { "h" "t" } 0 '
    text = "".join((second, *after[:2], second, *after[2:]))
    tree = efg.parse(f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "h" "t" }} 0 {text}'.encode())
    with pytest.raises(LiarsDiceError, match="method enumpure-agent found no profile: give profile"):
        explore(tree)


@pytest.mark.parametrize("moves", ["", 'c "" 1 "" { "l" 1/2 "r" 1/2 } 0 '])
@pytest.mark.parametrize(("names", "payoffs"), [("", ""), ('"A" "B"', "1 2")])
def test_a_game_without_decisions_has_no_page(moves: str, names: str, payoffs: str) -> None:
    ends = f't "" 1 "" {{ {payoffs} }} ' + ('t "" 1' if moves else "")
    tree = efg.parse(f'EFG 2 R "" {{ {names} }} {moves}{ends}'.encode())
    with pytest.raises(LiarsDiceError, match="no player moves in this game"):
        explore(tree)
    with pytest.raises(LiarsDiceError, match="no player moves in this game"):
        explore(tree, profile=from_sets(tree, {})).dumps()


def game_that_pays(first: str, second: str, on_the_way: str = "0") -> GameTree:
    text = f'EFG 2 R "" {{ "A" }} p "" 1 1 "" {{ "l" "r" }} {on_the_way} t "" 1 "" {{ {first} }} t "" 2 "" {{ {second} }}'
    return efg.parse(text.encode())


def test_large_payoffs_are_written_exactly() -> None:
    page = explore(game_that_pays("1e300", "-1e307")).dumps().decode()
    assert "Infinity" not in page
    assert f'"payoffs":["-1{"0" * 307}","1{"0" * 300}"]' in re.sub(r"\s", "", page)


@pytest.mark.parametrize(
    "tree", [game_that_pays("1e400", "1"), game_that_pays("1e308", "1", '3 "" { 1e308 }')], ids=["a payoff", "a sum"]
)
def test_payoffs_too_large_for_floats_are_refused(tree: GameTree) -> None:
    with pytest.raises(LiarsDiceError, match="too large for floats"):
        explore(tree, profile=from_sets(tree, {})).dumps()

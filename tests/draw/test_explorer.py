"""The explorer in a real browser: what it says is what `reading` says, and it can be clicked, typed, linked to and read."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw.colours import rgb
from liarsdice_cli.draw.explorer import page, server
from liarsdice_cli.draw.explorer.bids import bid_colours
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.sentences import brief
from liarsdice_cli.games.liarsdice.strategy import Equal, actions, history_of
from tests.support.command_line import end_by, start
from tests.support.house_rules import each_house_of_any
from tests.support.properties import mostly_slow

ROOT = Path(__file__).parents[2]
EVIL = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\u2028${1}`\"'&lt;"


class Seeded:
    """Some behaviour that leaves actions out, the same for the same seed."""

    def __init__(self, game, seed=1):
        self.rules, self.seed = game, seed

    def at(self, history):
        shape = Equal(self.rules).at(history).shape
        generator = np.random.default_rng([self.seed, len(history), *history])
        said = generator.random(shape) * (generator.random(shape) < 0.7) + 1e-3
        return said / said.sum(axis=0)


@pytest.fixture(scope="module")
def six(tmp_path_factory) -> Path:
    """The page of one die each with six sides, through the command line."""
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    assert run(["explore", "--sides", "6", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def only_tab(chromium) -> Any:
    """A tab for all tests: each that is opened takes a third of a second of processor time."""
    tab = chromium.new_page()
    tab.set_default_timeout(10_000)
    return tab


@pytest.fixture
def opened(only_tab) -> Iterator[Any]:
    """Opens addresses in the tab, one after the other, which must stay free of errors and of requests to anywhere."""
    wrong, fine = [], ["about:blank"]
    heard = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda asked: asked.url.startswith(tuple(fine)) or wrong.append(asked.url),
    }
    for event, listener in heard.items():
        only_tab.on(event, listener)

    def open_address(address, allowed="file:", width=1280, scheme="light"):
        only_tab.goto("about:blank")
        fine.append(allowed)
        only_tab.set_viewport_size({"width": width, "height": 800})
        only_tab.emulate_media(media="screen", color_scheme=scheme)
        only_tab.goto(address)
        only_tab.wait_for_selector("html[data-ready]")
        return only_tab

    yield open_address
    only_tab.goto("about:blank")
    for event, listener in heard.items():
        only_tab.remove_listener(event, listener)
    assert wrong == []


def written(tmp_path, game, name="page.html", title="a game", source="somewhere", depth=None) -> str:
    everything = beliefs.whole(Seeded(game))
    path = tmp_path / name
    path.write_bytes(page.of_file(everything, title, source, False, depth))
    return path.as_uri()


def percent(share: float) -> str:
    """A probability as the page writes it."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def chance(text: str) -> float:
    """The probability that the page writes so."""
    return float(text.removesuffix(" %").removeprefix("< ")) / 100


def until(tab, expression) -> None:
    """Wait for it to be true; the page's policy forbids the way in which Playwright does that."""
    for _ in range(200):
        if tab.evaluate(expression):
            return
        tab.wait_for_timeout(25)
    pytest.fail(f"never came about: {expression}")


# What the page says


@pytest.mark.parametrize("preset", ["joker", "common"])
def test_the_page_says_what_is_wild_and_how_bids_rise(opened, tmp_path, preset):
    game = rules(preset, 3)
    assert opened(written(tmp_path, game)).inner_text("#rules") == brief(game)


EVERYWHERE = [
    ("classic", 3, (1, 1)),
    ("joker", 3, (2, 1)),
    ("face-first", 2, (1, 2)),
    ("joker", 3, (1, 2, 1)),
    ("common", 2, (1, 1, 1, 1)),
]


@pytest.mark.parametrize(("preset", "sides", "dice"), mostly_slow(EVERYWHERE))
def test_the_page_unpacks_every_reading(opened, tmp_path, preset, sides, dice):
    check_readings(opened, tmp_path, rules(preset, sides, dice))


@each_house_of_any
def test_so_it_does_under_house_rules_and_offers_what_may_be_done(opened, tmp_path, game):
    check_readings(opened, tmp_path, game)


def check_readings(opened, tmp_path, game):
    tab = opened(written(tmp_path, game))
    everything = beliefs.whole(Seeded(game))
    chosen = [*game.bidding.histories()][:: 1 + game.bidding.history_count // 40]
    said = tab.evaluate("async (all) => Promise.all(all.map(async (one) => source(one)))", chosen)
    for history, one in zip(chosen, said, strict=True):
        expected = everything.after(history)
        assert one["actions"] == actions(game, history)
        assert np.allclose(one["probabilities"], expected.probabilities, atol=1e-6)
        assert np.allclose(one["values"], expected.values, atol=1e-6)
        for player in range(game.players):
            assert np.allclose(one["reaches"][player], expected.reaches[player], atol=1e-6)
    history = [game.bidding.openings[1]]
    odds = tab.evaluate(
        "async (h) => { const r = await source(h); return page.rolls[1].map((_, roll) => oddsWith(r, 1, roll)) }", history
    )
    assert np.allclose(odds, everything.after(history).last_bid_true, atol=1e-6)


def test_an_address_that_house_rules_forbid_shows_the_opening(opened, tmp_path):
    page = written(tmp_path, rules("perudo", 3))
    assert "names no history" in opened(page + "#1x1").inner_text("[role=alert]")
    assert opened(page + "#2x3,1x1").inner_text("h2") == "Player 1 moves after 2x3 1x1"


def test_numbers_on_the_page_are_those_of_the_reading(opened, tmp_path):
    game = rules("common", 3)
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = beliefs.after(Seeded(game), history_of(game, ["1x2"]))
    facts = tab.inner_text(".facts")
    assert f"{expected.reach:.1%}".replace("%", " %") in facts
    assert f"{percent(expected.beliefs(1) @ expected.value)} is the chance of Player 2 to win" in facts
    assert f"{expected.beliefs(1) @ expected.last_bid_true:.1%}".replace("%", " %") in facts
    assert tab.locator(".roll .number").all_inner_texts() == [percent(worth) for worth in expected.value]
    held = [f"{100 * chance:.1f}".removesuffix(".0") + " %" for chance in expected.beliefs(0)]
    assert tab.locator(".beliefs .number").all_inner_texts() == held
    tab.click("#view-mistakes")
    cells = tab.locator(".costs tbody tr").all()
    assert [chance(cell) for cell in cells[1].locator("td").all_inner_texts()] == pytest.approx(expected.costs[1], abs=6e-4)
    tab.click("#view-values")
    cells = tab.locator(".values tbody tr").all()
    assert [chance(cell) for cell in cells[0].locator("td").all_inner_texts()] == pytest.approx(expected.values[0], abs=6e-4)


def test_of_three_players_each_is_shown_with_what_they_hold(opened, tmp_path):
    game = rules("joker", 3, (1, 2, 1))
    tab = opened(written(tmp_path, game) + "#1x2,2x2")
    expected = beliefs.after(Seeded(game), history_of(game, ["1x2", "2x2"]))
    assert tab.inner_text("h2") == "Player 3 moves after 1x2 2x2"
    assert tab.locator(".beliefs h3").all_inner_texts() == ["What Player 1 holds", "What Player 2 holds"]
    held = [f"{100 * chance:.1f}".removesuffix(".0") + " %" for other in (0, 1) for chance in expected.beliefs(other)]
    assert tab.locator(".beliefs .number").all_inner_texts() == held
    true = expected.beliefs(2) @ expected.last_bid_true
    assert f"{100 * true:.1f} % that 2x2 is true" in tab.inner_text(".facts")
    colours = [
        tab.evaluate(f"getComputedStyle(document.querySelector('.beliefs.player{one}')).getPropertyValue('--player')")
        for one in (1, 2)
    ]
    assert len(set(colours)) == 2


def test_a_call_among_three_says_who_loses(opened, tmp_path):
    game = rules("common", 2, (1, 1, 1))
    tab = opened(written(tmp_path, game) + "#1x2,2x2,3x1,call")
    assert tab.inner_text("h2") == "Player 1 calls 3x1"
    ends = tab.locator(".facts li").all_inner_texts()[1:]
    assert [end[end.index("that") :] for end in ends] == ["that 3x1 is true and Player 1 loses", "that Player 3 loses"]
    assert tab.locator(".beliefs h3").all_inner_texts() == [f"What Player {one} holds" for one in (1, 2, 3)]


def test_the_quiz_covers_the_dice_of_each_of_the_others(opened, tmp_path):
    tab = opened(written(tmp_path, rules("common", 2, (1, 1, 1))) + "#quiz")
    assert tab.locator(".cover").count() == 2
    tab.locator(".cover").first.click()
    assert tab.locator(".cover").count() == 1
    tab.locator(".moves button").first.click()
    assert "cost" in tab.inner_text(".verdict")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_six_players_have_six_colours_that_can_be_read(opened, tmp_path, scheme):
    game = rules("common", 2, (1,) * 6, max_quantity=2)
    tab = opened(written(tmp_path, game) + "#1x1", scheme=scheme)
    shown = "[...document.querySelectorAll('h2 b, h3 b')].map((e) => getComputedStyle(e).color)"
    assert len(set(tab.evaluate(shown))) == 6
    assert tab.evaluate(CONTRAST) == []


def test_numbers_that_are_no_fractions_are_not_offered_as_such(opened, tmp_path):
    assert not opened(written(tmp_path, rules("common", 2))).is_visible("#fractions")


def test_bars_are_as_wide_as_the_probabilities_and_keep_their_colours(opened, tmp_path):
    game = rules("common", 3)
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = beliefs.after(Seeded(game), history_of(game, ["1x2"])).probabilities
    parts = tab.evaluate(
        "[...document.querySelectorAll('.bar')].map((bar) =>"
        " [...bar.children].map((part) => [part.textContent, part.getBoundingClientRect().width, part.style.background]))"
    )
    colours = {}
    for roll, bar in enumerate(parts):
        total = sum(width for _, width, _ in bar)
        assert [width / total for _, width, _ in bar] == pytest.approx(expected[:, roll].tolist(), abs=0.02)
        for name, _, colour in bar:
            assert colours.setdefault(name, colour) == colour
    assert len(set(colours.values())) == len(colours) == len(expected)


def test_fractions_are_found_again_in_what_was_solved(opened, six):
    tab = opened(six.as_uri())
    assert "44.4 % is the chance of Player 1 to win" in tab.inner_text(".facts")
    assert tab.inner_text(".facts").startswith("100 %")
    tab.click("#fractions")
    assert "4/9 is the chance of Player 1 to win" in tab.inner_text(".facts")
    assert tab.evaluate("[0.5, 1/3, -7/258, 0, 1, 0.123456, 1/3 + 1e-9].map(fraction)") == [
        "1/2",
        "1/3",
        "-7/258",
        "0",
        "1",
        None,
        None,
    ]


def test_payoffs_of_another_scale_are_shown_as_they_are_and_explained(opened, tmp_path):
    game = rules("common", 2, payoffs="zero-sum")
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = beliefs.after(Seeded(game), [1])
    worth = float(expected.beliefs(1) @ expected.value)
    assert f"{worth:.3f} is what Player 2 gains a game on average: {percent((worth + 1) / 2)} won" in tab.inner_text(".facts")
    tab.click("#view-values")
    assert "from -1 (lost) to 1 (won)" in tab.inner_text("caption")


def test_the_scale_of_beliefs_is_the_same_after_every_bid_and_the_prior_is_marked(opened, tmp_path):
    address = written(tmp_path, rules("common", 3, (2, 2)))
    marks = "[...document.querySelectorAll('.belief')].map((e) => e.style.getPropertyValue('--dealt'))"
    opening = opened(address).evaluate(marks)
    assert opened(address + "#1x2,2x3").evaluate(marks) == opening
    assert len(set(opening)) == 2  # doubles, and two different faces


def test_moves_over_all_rolls_with_their_bluffs_and_truth(opened, tmp_path):
    game = rules("joker", 3, (2, 1))
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = beliefs.after(Seeded(game), [0])
    held = expected.beliefs(1)
    made = expected.probabilities @ held
    assert percent(made[0]) + " calls" in tab.inner_text(".overall p")
    matching = matching_table(game, 1)
    for row in tab.locator(".overall tbody tr").all():
        name, *cells = row.inner_text().split("\t")
        if name == "call":
            continue
        at = 1 + [str(bid) for bid in game.bids[1:]].index(name)
        weights = held * expected.probabilities[at]
        true = beliefs.chances_true(game, at, 1, expected.reaches) / expected.reaches[0].sum()
        bluff = weights[matching[at] == 0].sum() / weights.sum()
        assert cells == [percent(made[at]), percent(bluff), percent(weights @ true / weights.sum())]


def test_a_move_that_costs_nothing_and_is_never_taken_is_explained(opened, six):
    assert "cost nothing and are never taken" in opened(six.as_uri() + "#1x4").inner_text(".why")


def test_every_colour_beside_another_can_be_told_apart_from_it():
    for game in (rules("joker", 6, (2, 2)), rules("common", 6, (3, 3)), rules("common", 9)):
        colours = [np.array(rgb(colour)) for colour in bid_colours(game)]
        assert len({tuple(colour) for colour in colours}) == game.bid_count
        assert min(abs(one - other).sum() for one, other in pairwise(colours)) > 40


def test_near_an_equilibrium_a_thousandth_costs_nothing(opened, tmp_path, six):
    costs = "[4e-6, 9e-4, 2e-3].map(isNothing)"
    assert opened(six.as_uri()).evaluate(costs) == [True, False, False]
    assert opened(written(tmp_path, rules("common", 2))).evaluate(costs) == [True, True, False]


# Getting around


def test_clicks_the_back_button_and_deep_links(opened, six):
    tab = opened(six.as_uri())
    assert tab.inner_text("h2") == "Player 1 opens"
    tab.click(".move:has-text('1x4')")
    until(tab, "location.hash === '#1x4'")
    tab.click(".move:has-text('1x6')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 moves after 1x4 1x6'")
    assert tab.inner_text("#path ol").split() == ["Opening", "1x4", "1x6"]
    assert tab.evaluate("document.activeElement.id") == "heading"
    tab.click(".move:has-text('call')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 calls 1x6'")
    assert "that Player 1 wins" in tab.inner_text(".facts")
    tab.go_back()
    until(tab, "location.hash === '#1x4,1x6' && document.querySelectorAll('.roll').length === 6")
    tab.click("#path a:has-text('Opening')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 opens'")
    linked = opened(six.as_uri() + "#1x2,2x3")
    assert linked.inner_text("h2") == "Player 1 moves after 1x2 2x3"
    assert "1x2 2x3" in linked.title()


ADDRESSES = ["#<img src=x onerror=alert(1)>", "#2x3,1x2", "#9x9", "#call", "#%E0%A4%A", "#1x2,1x2"]


@pytest.mark.parametrize("address", mostly_slow(ADDRESSES, 3))
def test_an_address_of_no_history_shows_the_opening_and_says_so(opened, six, address):
    tab = opened(six.as_uri() + address)
    assert "names no history" in tab.inner_text("[role=alert]")
    assert tab.inner_text("h2") == "Player 1 opens"


def test_the_keyboard_goes_everywhere(opened, six):
    tab = opened(six.as_uri())
    press = tab.keyboard.press
    press("ArrowRight")
    until(tab, "location.hash === '#1x4'")
    until(tab, "document.activeElement.id === 'heading'")
    press("ArrowDown")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Roll 2: ")
    press("ArrowUp")
    press("ArrowUp")
    assert tab.get_attribute(".roll[aria-pressed=true]", "aria-label").startswith("Roll 6: ")
    for key, table in (("m", ".costs"), ("v", ".values"), ("s", ".strategy")):
        press(key)
        assert tab.is_visible(table)
    press("ArrowLeft")
    until(tab, "location.hash === '#' || location.hash === ''")
    press("?")
    assert tab.is_visible("#keys")
    press("Escape")
    assert not tab.is_visible("#keys")
    press("q")
    tab.wait_for_selector(".cover")
    press("Home")
    tab.wait_for_selector(".strategy")
    for _ in range(12):
        press("Tab")
    assert tab.evaluate("document.activeElement.matches('a, button')")


def test_rolls_are_filtered_sorted_and_grouped(opened, tmp_path):
    game = rules("joker", 6, (2, 1), max_quantity=1)
    tab = opened(written(tmp_path, game) + "#1x2,1x3")
    expected = beliefs.after(Seeded(game), history_of(game, ["1x2", "1x3"]))
    shown = "[...document.querySelectorAll('.roll')].map((e) => Number(e.dataset.roll))"
    rolls = [roll for roll, _ in game.rolls(0)]
    assert tab.evaluate(shown) == list(range(21))
    tab.select_option("#rolls-filter", "1")
    assert "wild" in tab.inner_text("#rolls-filter option:checked") or tab.locator("#rolls-filter").input_value() == "1"
    assert [rolls[roll] for roll in tab.evaluate(shown)] == [roll for roll in rolls if 1 in roll]
    tab.select_option("#rolls-filter", "plain")
    assert all(1 not in rolls[roll] for roll in tab.evaluate(shown))
    tab.select_option("#rolls-filter", "all")
    tab.select_option("#rolls-sort", "worth")
    worths = [expected.value[roll] for roll in tab.evaluate(shown)]
    assert worths == sorted(worths, reverse=True)
    tab.select_option("#rolls-group", "counting")
    assert tab.locator(".strategy h4").first.inner_text().startswith("2 of these dice count for 1x3")
    tab.click("#view-mistakes")
    assert tab.locator(".costs thead button").count() == 21
    tab.keyboard.press("Escape")
    tab.locator("#heading").focus()
    before = tab.evaluate("chosen.roll")
    tab.keyboard.press("ArrowDown")
    order = tab.evaluate("shownRolls(shown.reading)")
    assert order.index(tab.evaluate("chosen.roll")) == (order.index(before) + 1) % 21


def test_two_histories_are_set_side_by_side(opened, six):
    tab = opened(six.as_uri() + "#1x2")
    tab.click("#keep")
    tab.click("#path a:has-text('Opening')")
    until(tab, "document.querySelector('#compare') !== null")
    tab.click("#compare")
    until(tab, "location.hash === '#1x2;'")
    assert tab.locator(".side h3").first.inner_text() == "Player 2 after 1x2"
    tab.click(".side:nth-child(2) .move:has-text('1x4')")
    until(tab, "location.hash === '#1x2;1x4' && document.querySelectorAll('.side').length === 2")
    assert tab.locator(".side").nth(1).locator(".roll").count() == 6
    tab.click(".side:nth-child(2) [data-roll='3']")
    assert tab.evaluate("document.activeElement.closest('.side') === document.querySelectorAll('.side')[1]")
    names = tab.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(set(names)) == len(names)
    tab.click(".side:nth-child(2) >> text=Only this")
    until(tab, "location.hash === '#1x4'")
    wrong = opened(six.as_uri() + "#1x2;9x9")
    assert "names no history" in wrong.inner_text("[role=alert]")


def test_the_page_explains_itself_on_a_telephone(opened, six):
    tab = opened(six.as_uri(), width=390)
    tab.click("#to-keys")
    said = tab.inner_text("#keys")
    assert "How often a move wins for who moves" in said
    assert "Bluffs" in said
    assert tab.evaluate("document.activeElement.id") == "keys-title"


def test_the_quiz_takes_digits_and_counts_what_goes_well(opened, six):
    tab = opened(six.as_uri() + "#quiz")
    roll = "quiz.question.rolls[quiz.question.reading.mover]"
    best = f"quiz.question.reading.actions.map((_, at) => costOf(quiz.question.reading, at, {roll}))"
    for good, streak in ((True, 1), (True, 2), (False, 0)):
        tab.wait_for_selector(".cover")
        costs = tab.evaluate(best)
        while not good and max(costs) < 1e-3:
            tab.evaluate("ask()")
            costs = tab.evaluate(best)
        place = costs.index(min(costs) if good else max(costs[:10]))
        if place >= 10:
            tab.locator(".move").nth(place).click()
        else:
            tab.keyboard.press(str((place + 1) % 10))
        until(tab, "quiz.answer !== null")
        assert f"In a row: {streak}," in tab.inner_text("#tally")
        if streak:
            tab.keyboard.press("n")
            until(tab, "quiz.answer === null")
    assert "at most 2" in tab.inner_text("#tally")
    assert "1 mistake" in tab.inner_text(".weak li")


def test_the_quiz_hides_the_dice_until_asked_and_says_what_a_guess_costs(opened, six):
    tab = opened(six.as_uri() + "#quiz")
    for question in range(1, 4):
        tab.wait_for_selector(".cover")
        assert "costs" not in tab.inner_text("main")
        state = "quiz.question.reading.values.map((v) => v[quiz.question.rolls[quiz.question.reading.mover]])"
        values = tab.evaluate(state)
        guess = values.index(min(values))
        tab.locator(".move").nth(guess).click()
        cost = max(values) - min(values)
        words = "costs nothing" if cost < 5e-6 else f"costs {percent(cost)}"
        assert words in tab.inner_text("[role=status]")
        assert f"of {question} answers" in tab.inner_text("#tally")
        hidden = tab.evaluate("quiz.question.rolls[1 - quiz.question.reading.mover]") + 1
        assert tab.locator(".cover").count() == 1
        tab.click(".cover")
        assert tab.locator(".deal dd").nth(1).inner_text() == str(hidden)
        tab.click("#next")
        until(tab, "quiz.answer === null")


# Reading it


@pytest.mark.parametrize("width", mostly_slow([360, 1280, 768]))
def test_nothing_is_cut_off_at_any_width(opened, six, width):
    tab = opened(six.as_uri(), width=width)
    beyond = "[...document.querySelectorAll('main *, header *')].filter((e) => !e.closest('.hidden'))"
    for address in ("", "1x4", "1x2,2x3", "1x4,call", "1x4;1x2,2x3", "quiz"):
        tab.evaluate(f"moved.done = false; location.hash = '{address}'; moved().then(() => {{ moved.done = true }})")
        until(tab, "moved.done")
        for view in ("strategy", "values", "mistakes"):
            if tab.locator(f"#view-{view}").count():
                tab.click(f"#view-{view}")
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert tab.evaluate(f"{beyond}.every((e) => e.getBoundingClientRect().right <= innerWidth + 1)")


CONTRAST = """() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map((part) => Number(part) / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
  };
  const written = "h1, h2, h3, .facts li, .captions span, .bar i, .number, footer p, .tools button, #path a";
  return [...document.querySelectorAll(written)]
    .filter((e) => e.innerText && !e.closest(".never")).map((e) => {
      const [one, two] = [light(getComputedStyle(e).color), light(ground(e))].sort((a, b) => b - a);
      return [e.innerText, (one + 0.05) / (two + 0.05)];
    }).filter(([, contrast]) => contrast < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_follow_the_system_and_the_button(opened, six, scheme):
    tab = opened(six.as_uri() + "#1x4", scheme=scheme)
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {"light": "rgb(244, 245, 247)", "dark": "rgb(13, 17, 23)"}
    assert tab.evaluate(ground) == grounds[scheme]
    assert tab.evaluate(CONTRAST) == []
    for chosen in ("light", "dark"):
        tab.click("#theme")
        assert tab.evaluate(ground) == grounds[chosen]
    tab.click("#theme")
    assert tab.evaluate(ground) == grounds[scheme]


def test_everything_has_a_name_to_be_heard(opened, six):
    tab = opened(six.as_uri() + "#1x4")
    nameless = (
        "[...document.querySelectorAll('a, button')].filter((e) => e.checkVisibility() &&"
        " !(e.getAttribute('aria-label') || e.innerText.trim())).map((e) => e.outerHTML)"
    )
    for view in ("strategy", "values", "mistakes"):
        tab.click(f"#view-{view}")
        assert tab.evaluate(nameless) == []
    tab.click("#view-strategy")
    heard = tab.locator("main").aria_snapshot()
    assert re.search(r'button "Roll 1: call 100 %; wins 50 %"', heard)
    assert 'heading "Player 2 moves after 1x4"' in heard
    assert tab.evaluate("document.documentElement.lang") == "en"


def test_it_prints_on_light_paper_and_photographs(opened, six, tmp_path):
    tab = opened(six.as_uri() + "#1x4", scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    assert not tab.is_visible("#to-quiz")
    assert tab.is_visible("#address")
    assert tab.evaluate("getComputedStyle(document.querySelector('h2')).color") == "rgb(31, 35, 40)"
    assert tab.pdf()[:5] == b"%PDF-"
    tab.emulate_media(media="screen")
    picture = tab.screenshot()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 20_000


# Nothing from outside


def test_no_label_is_ever_executed(opened, tmp_path):
    tab = opened(written(tmp_path, rules("common", 2), title=EVIL, source=EVIL))
    assert tab.inner_text("#source").replace("\n", "\u2028") == EVIL
    assert tab.inner_text("#about") != ""
    assert tab.evaluate("window.hacked") is None
    assert tab.locator("img").count() == 0
    assert tab.evaluate("document.scripts.length") == 2


def test_the_policy_stops_scripts_and_requests(chromium, tmp_path):
    tab = chromium.new_page()
    said = []
    tab.on("console", lambda message: said.append(message.text))
    tab.goto(written(tmp_path, rules("common", 2)))
    tab.wait_for_selector("html[data-ready]")
    added = "const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s)"
    assert tab.evaluate(f"{added}; window.hacked") is None
    assert tab.evaluate("fetch('data:text/plain,x').then(() => 'sent', () => 'stopped')") == "stopped"
    assert all("Content Security Policy" in one for one in said)
    assert len(said) >= 2
    tab.close()


def test_the_page_is_one_file_without_addresses(six):
    text = six.read_text("utf-8")
    assert len(text) < 1_000_000
    assert set(re.findall(r"https?://[^\"' )]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe|base)\b|@import|\bsrc=", text)
    assert text.count("<script") == text.count("</script>") == 2


# Size


def test_a_page_of_some_depth_ends_there(opened, tmp_path):
    game = rules("common", 3)
    whole, cut = (Path(written(tmp_path, game, f"{depth}.html", depth=depth)[7:]) for depth in (None, 1))
    assert cut.stat().st_size < whole.stat().st_size
    tab = opened(cut.as_uri() + "#1x2")
    assert tab.locator("a.move").all_inner_texts()[0].startswith("call")
    assert tab.locator("a.move").count() == 1
    assert tab.locator("span.move[title='this page ends here']").count() == 4
    assert tab.inner_text(".ends").startswith("This page ends after 1 bid;")
    expected = beliefs.after(Seeded(game), history_of(game, ["1x2"]))
    assert tab.locator(".roll .number").all_inner_texts() == [percent(worth) for worth in expected.value]
    too_deep = opened(cut.as_uri() + "#1x2,1x3")
    assert "names no history" in too_deep.inner_text("[role=alert]")


# Serving


@pytest.fixture
def served() -> tuple[str, subprocess.Popen[bytes]]:
    process = start("explore", "--sides", 3, "--rules", "common", "--serve")
    assert process.stdout is not None
    return process.stdout.readline().decode().strip(), process


def answer(address: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_the_server_answers_this_machine_and_ends_when_asked(served):
    address, process = served
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    assert answer(address)[1].startswith("<!doctype html>")
    status, text = answer(address + "after?history=1x2,2x3")
    assert status == 200
    assert set(json.loads(text)) == {"probabilities", "values", "reaches"}
    assert answer(address + "after?history=2x3,1x2")[0] == 400
    assert answer(address + "../../etc/passwd")[0] == 404
    assert answer(address + "liarsdice_cli/")[0] == 404
    assert answer(address, Host="evil.example")[0] == 403
    assert end_by(process, "SIGINT") == (130, "", "liarsdice: interrupted\n")


def test_a_served_page_asks_for_what_it_shows(opened, served):
    address, _ = served
    tab = opened(address + "#1x2", allowed=address)
    assert tab.inner_text("h2") == "Player 2 moves after 1x2"
    tab.click(".move:has-text('2x3')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 moves after 1x2 2x3'")
    tab.keyboard.press("q")
    tab.wait_for_selector(".cover")


def test_a_game_too_large_for_a_page_is_served_without_the_values_that_nobody_computed(opened):
    game = rules("common", 6, (2, 2))
    strategy = Equal(game)
    answers = server.Server(0, page.of_server(game, "large", "", False), game, lambda bids: beliefs.after(strategy, bids, 1000))
    with answers:
        threading.Thread(target=answers.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        tab = opened(answers.address + "#1x2", allowed=answers.address)
        assert "Too many bids can follow" in tab.inner_text(".note")
        assert tab.locator(".roll").count() == 21
        assert tab.locator(".roll .number").first.inner_text() == "\u2013"
        tab = opened(answers.address + "#1x2,4x1", allowed=answers.address)
        expected = beliefs.after(strategy, history_of(game, ["1x2", "4x1"]))
        assert tab.locator(".roll .number").all_inner_texts() == [percent(worth) for worth in expected.value]
        tab.evaluate("location.hash = 'quiz'")
        tab.wait_for_selector(".cover")
        answers.shutdown()

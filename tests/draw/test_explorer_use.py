"""Test the explorer in a real browser: mouse, keyboard, links, serving, and protection against injected code."""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from liarsdice_cli.draw.explorer import page, shell
from liarsdice_cli.draw.explorer.server import Server
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from tests.support.command_line import end_by
from tests.support.explorer_pages import EVIL, Seeded, percent, served_here, until, written
from tests.support.properties import mostly_slow

ROOT = Path(__file__).parents[2]


# Navigation


def test_clicks_the_back_button_and_deep_links_work(opened, four):
    tab = opened(four.as_uri())
    assert tab.inner_text("h2") == "Player 1 opens"
    tab.click(".move:has-text('1x3')")
    until(tab, "location.hash === '#1x3'")
    tab.click(".move:has-text('1x4')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 moves after 1x3 1x4'")
    assert tab.inner_text("#path ol").split() == ["Opening", "1x3", "1x4"]
    assert tab.evaluate("document.activeElement.id") == "heading"
    tab.click(".move:has-text('call')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 calls 1x4'")
    assert "that Player 1 wins" in tab.inner_text(".facts")
    tab.go_back()
    until(tab, "location.hash === '#1x3,1x4' && document.querySelectorAll('.row').length === 4")
    tab.click("#path a:has-text('Opening')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 opens'")
    linked = opened(four.as_uri() + "#1x2,2x3")
    assert linked.inner_text("h2") == "Player 1 moves after 1x2 2x3"
    assert "1x2 2x3" in linked.title()


ADDRESSES = ["#<img src=x onerror=alert(1)>", "#2x3,1x2", "#9x9", "#call", "#%E0%A4%A", "#1x2,1x2"]


@pytest.mark.parametrize("address", mostly_slow(ADDRESSES, len(ADDRESSES)))
def test_an_invalid_address_shows_the_opening_and_an_alert(opened, four, address):
    tab = opened(four.as_uri() + address)
    assert "names no history" in tab.inner_text("[role=alert]")
    assert tab.inner_text("h2") == "Player 1 opens"


@pytest.mark.slow
def test_the_page_can_be_used_with_the_keyboard(opened, six):
    tab = opened(six.as_uri())
    press = tab.keyboard.press
    press("ArrowRight")  # the most frequent bid, which depends on the equilibrium found
    until(tab, "/^#1x[1-6]$/.test(location.hash)")
    until(tab, "document.activeElement.id === 'heading'")
    press("ArrowDown")
    assert tab.evaluate("document.activeElement.textContent").startswith("Roll 2: ")
    press("ArrowUp")
    press("ArrowUp")
    assert tab.text_content(".row[aria-pressed=true]").startswith("Roll 6: ")
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


@pytest.mark.slow
def test_rolls_are_filtered_sorted_and_grouped(opened, tmp_path):
    game = rules("joker", 6, (2, 1), max_quantity=1)
    tab = opened(written(tmp_path, game) + "#1x2,1x3")
    expected = continuations.after(Seeded(game), BettingState.parse(game, ["1x2", "1x3"]).history)
    shown = "[...document.querySelectorAll('.row')].map((e) => Number(e.dataset.row))"
    rolls = [roll for roll, _ in game.rolls(0)]
    assert tab.evaluate(shown) == list(range(21))
    tab.select_option("#rolls-filter", "1")
    assert "wild" in tab.inner_text("#rolls-filter option:checked")
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
    before = tab.evaluate("chosen.row")
    tab.keyboard.press("ArrowDown")
    order = tab.evaluate("shownRows(shown.reading)")
    assert order.index(tab.evaluate("chosen.row")) == (order.index(before) + 1) % 21


@pytest.mark.slow
def test_two_histories_can_be_compared(opened, six):
    tab = opened(six.as_uri() + "#1x2")
    tab.click("#keep")
    tab.click("#path a:has-text('Opening')")
    until(tab, "document.querySelector('#compare') !== null")
    tab.click("#compare")
    until(tab, "location.hash === '#1x2;'")
    assert tab.locator(".side h3").first.inner_text() == "Player 2 after 1x2"
    tab.click(".side:nth-child(2) .move:has-text('1x4')")
    until(tab, "location.hash === '#1x2;1x4' && document.querySelectorAll('.side').length === 2")
    assert tab.locator(".side").nth(1).locator(".row").count() == 6
    tab.click(".side:nth-child(2) [data-row='3']")
    assert tab.evaluate("document.activeElement.closest('.side') === document.querySelectorAll('.side')[1]")
    names = tab.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(set(names)) == len(names)
    tab.click(".side:nth-child(2) >> text=Only this")
    until(tab, "location.hash === '#1x4'")
    wrong = opened(six.as_uri() + "#1x2;9x9")
    assert "names no history" in wrong.inner_text("[role=alert]")


def test_keys_and_rows_act_within_the_comparison(opened, four):
    tab = opened(four.as_uri() + "#1x2;1x3")
    press = tab.keyboard.press
    right, left = ".side:nth-child(2)", ".side:nth-child(1)"
    marked = "[...document.querySelectorAll('.side')].map((side) => side.getAttribute('aria-current'))"
    assert tab.evaluate(marked) == [None, "true"]

    press("ArrowRight")
    until(tab, "/^#1x2;1x3,[12]x[1-4]$/.test(location.hash)")
    until(tab, "document.activeElement.matches('.side:nth-child(2) h3')")
    press("ArrowLeft")
    until(tab, "location.hash === '#1x2;1x3' && document.activeElement.innerText === 'Player 2 after 1x3'")
    press("ArrowDown")
    assert tab.evaluate(f"document.activeElement.matches('{right} .row')")

    tab.click(f"{left} [data-row='3']")
    assert tab.evaluate(marked) == ["true", None]
    assert [card.inner_text().split()[0] for card in tab.locator(".side .detail").all()] == ["With", "With"]
    assert tab.locator(f"{left} .detail h3 .hidden").text_content() == "4"
    tab.locator(f"{left} [data-row='1']").focus()
    press("Enter")
    assert tab.locator(f"{left} .detail h3 .hidden").text_content() == "2"
    assert tab.evaluate("new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size") == tab.locator("[id]").count()

    press("ArrowLeft")
    until(tab, "location.hash === '#;1x3' && document.activeElement.innerText === 'Player 1 opens'")
    tab.reload()
    tab.wait_for_selector(".side")
    assert tab.locator(".side h3:first-child").first.inner_text() == "Player 1 opens"
    tab.go_back()
    until(tab, "location.hash === '#1x2;1x3' && document.querySelector('.side h3').innerText === 'Player 2 after 1x2'")


def test_the_likeliest_bid_is_next_in_a_comparison_even_if_a_call_is_likelier(opened, four):
    tab = opened(four.as_uri() + "#1x2;2x3")
    tab.keyboard.press("ArrowRight")
    until(tab, "location.hash === '#1x2;2x3,2x4'")
    tab.keyboard.press("ArrowRight")  # only a call is left
    assert tab.evaluate("location.hash") == "#1x2;2x3,2x4"


@pytest.mark.slow
def test_the_help_can_be_opened_on_a_phone(opened, six):
    tab = opened(six.as_uri(), width=390)
    tab.click("#to-keys")
    said = tab.inner_text("#keys")
    assert "How often a move wins for the mover" in said
    assert "Bluffs" in said
    assert tab.evaluate("document.activeElement.id") == "keys-title"


@pytest.mark.slow
def test_the_quiz_accepts_digits_and_counts_good_answers(opened, six):
    tab = opened(six.as_uri() + "#quiz")
    roll = "quiz.question.rolls[quiz.question.reading.mover]"
    best = f"quiz.question.reading.actions.map((_, at) => Number(costOf(quiz.question.reading, at, {roll})))"
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
        assert f"Current streak: {streak}," in tab.inner_text("#tally")
        if streak:
            tab.keyboard.press("n")
            until(tab, "quiz.answer === null")
    assert "longest: 2" in tab.inner_text("#tally")
    assert "1 mistake" in tab.inner_text(".weak li")


@pytest.mark.slow
def test_the_quiz_ignores_digits_while_the_help_is_open(opened, six):
    tab = opened(six.as_uri() + "#quiz")
    tab.wait_for_selector(".cover")
    tab.keyboard.press("?")
    tab.keyboard.press("1")
    assert tab.evaluate("quiz.answer") is None
    tab.keyboard.press("Escape")
    tab.keyboard.press("1")
    assert tab.evaluate("quiz.answer") == 0


@pytest.mark.slow
def test_the_quiz_hides_the_dice_until_asked_and_shows_the_cost_of_a_guess(opened, six):
    tab = opened(six.as_uri() + "#quiz")
    for question in range(1, 4):
        tab.wait_for_selector(".cover")
        assert "costs" not in tab.inner_text("main")
        state = "quiz.question.reading.values.map((v) => Number(v[quiz.question.rolls[quiz.question.reading.mover]]))"
        values = tab.evaluate(state)
        guess = values.index(min(values))
        tab.locator(".move").nth(guess).click()
        cost = max(values) - min(values)
        words = "costs nothing" if cost < 5e-6 else f"costs {percent(cost)}"
        assert words in tab.inner_text("main [role=status]")
        assert f"of {question} answers" in tab.inner_text("#tally")
        hidden = tab.evaluate("quiz.question.rolls[1 - quiz.question.reading.mover]") + 1
        assert tab.evaluate("document.activeElement.id") == "next"
        assert tab.locator(".cover").count() == 1
        tab.click(".cover")
        assert tab.locator(".deal dd").nth(1).inner_text() == str(hidden)
        assert tab.evaluate("document.activeElement.id").startswith("dice-")
        tab.click("#next")
        until(tab, "quiz.answer === null && document.activeElement.id === 'heading'")


# Protection against injected code


def test_labels_are_never_executed(opened, tmp_path):
    tab = opened(written(tmp_path, rules("common", 2), title=EVIL, source=EVIL))
    assert tab.inner_text("#source").replace("\n", "\u2028") == EVIL
    assert tab.inner_text("#about") != ""
    assert tab.evaluate("window.hacked") is None
    assert tab.locator("img").count() == 0
    assert tab.evaluate("document.scripts.length") == 2


@pytest.mark.parametrize("place", ["#1x1", "#quiz"])
def test_a_late_answer_does_not_replace_the_page_shown_since(chromium, place):
    """The server holds back its answers about later histories until the test permits them."""
    game, may, asked = rules("common", 2), threading.Event(), threading.Event()

    def after(bids):
        if bids:
            asked.set()
            may.wait(60)
        return continuations.after(Seeded(game), bids)

    server = Server(0, shell.html(page.of_server(game, "a game", "", False)), game, after)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    with server:
        tab = chromium.new_page()
        tab.goto(server.address)
        tab.wait_for_selector("html[data-ready]")
        shown = "document.title + document.getElementById('heading').innerText"
        opening = tab.evaluate(shown)
        tab.evaluate(f"location.hash = {place!r}")
        assert asked.wait(60)
        tab.evaluate("location.hash = ''")
        until(tab, f"{shown} === {json.dumps(opening)}")
        with tab.expect_response("**/after*"):
            may.set()
        tab.wait_for_load_state("networkidle")
        assert tab.evaluate(shown) == opening
        tab.close()
        server.shutdown()


def test_the_content_security_policy_stops_scripts_and_requests(chromium, tmp_path):
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


def test_the_page_is_one_file_without_external_references(four):
    text = four.read_text("utf-8")
    assert len(text) < 1_000_000
    assert set(re.findall(r"https?://[^\"' )]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe|base)\b|@import|\bsrc=", text)
    assert text.count("<script") == text.count("</script>") == 2


# Size


@pytest.mark.slow
def test_a_page_of_limited_depth_ends_there(opened, tmp_path):
    game = rules("common", 3)
    whole, cut = (Path(written(tmp_path, game, f"{depth}.html", depth=depth)[7:]) for depth in (None, 1))
    assert cut.stat().st_size < whole.stat().st_size
    tab = opened(cut.as_uri() + "#1x2")
    assert tab.locator("a.move").all_inner_texts()[0].startswith("call")
    assert tab.locator("a.move").count() == 1
    assert tab.locator("span.move[title='this page ends here']").count() == 4
    assert tab.inner_text(".ends").startswith("This page ends after 1 bid;")
    expected = continuations.after(Seeded(game), BettingState.parse(game, ["1x2"]).history)
    assert tab.locator(".row .number").all_inner_texts() == [percent(worth) for worth in expected.value]
    too_deep = opened(cut.as_uri() + "#1x2,1x3")
    assert "names no history" in too_deep.inner_text("[role=alert]")


# Serving


def answer(address: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.slow
def test_the_server_answers_this_machine_and_ends_when_interrupted(served):
    address, process = served
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/", address)
    assert answer(address)[1].startswith("<!doctype html>")
    status, text = answer(address + "after?history=1x2,2x3")
    assert status == 200
    assert set(json.loads(text)) == {"probabilities", "values", "reaches", "mistaken"}
    assert answer(address + "after?history=2x3,1x2")[0] == 400
    assert answer(address + "../../etc/passwd")[0] == 404
    assert answer(address + "liarsdice_cli/")[0] == 404
    assert answer(address, Host="evil.example")[0] == 403
    assert end_by(process, "SIGINT") == (130, "", "liarsdice: interrupted\n")


@pytest.mark.slow
def test_a_served_page_requests_the_histories_that_it_shows(opened, served):
    address, _ = served
    tab = opened(address + "#1x2", allowed=address)
    assert tab.inner_text("h2") == "Player 2 moves after 1x2"
    tab.click(".move:has-text('2x3')")
    until(tab, "document.querySelector('h2').innerText === 'Player 1 moves after 1x2 2x3'")
    tab.keyboard.press("q")
    tab.wait_for_selector(".cover")


@pytest.mark.slow
def test_a_large_game_is_served_without_values_while_too_many_bids_can_follow(opened):
    game = rules("common", 6, (2, 2))
    strategy = Uniform(game)
    with served_here(game, strategy) as address:
        tab = opened(address + "#1x2", allowed=address)
        assert "Too many bids can follow" in tab.inner_text("main .note")
        assert tab.locator(".row").count() == 21
        assert tab.locator(".row .number").first.inner_text() == "\u2013"
        tab = opened(address + "#1x2,4x1", allowed=address)
        expected = continuations.after(strategy, BettingState.parse(game, ["1x2", "4x1"]).history)
        assert tab.locator(".row .number").all_inner_texts() == [percent(worth) for worth in expected.value]
        tab.evaluate("location.hash = 'quiz'")
        tab.wait_for_selector(".cover")

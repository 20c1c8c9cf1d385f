"""Test play in a real browser: rounds against the strategy, costs of mistakes, and tables of three players."""

from __future__ import annotations

import pytest

from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.explorer_pages import CONTRAST, LISTEN, NAMELESS, SMALL, Seeded, served_here, until, written
from tests.support.properties import mostly_slow

ENDED = "hasEnded(play.round) && !play.round.isGoingOn"
ASKED = "isReaders(play.round) && play.round.isRolled && !play.round.isGoingOn"
HIGHEST = "Math.random = () => 1 - 1e-9"
"""Make the strategy sample its last action with positive probability, the highest bid."""


def asked(tab):
    """Wait for the reader's turn, in a round that does not end before it."""
    until(tab, f"isPlay() && play.round && {ASKED}")


def finish(tab, move=0):
    """Make the same move at each of the reader's turns until the round ends."""
    while not tab.evaluate(ENDED):
        tab.evaluate(f"void takeTurn({move})")
        until(tab, f"{ASKED} || {ENDED}")


@pytest.mark.parametrize(("page", "key", "move"), mostly_slow([("four", "7", 6), ("six", "0", 9)]))
def test_a_round_played_with_keys_shows_costs_and_the_score(opened, request, page, key, move):
    tab = opened(request.getfixturevalue(page).as_uri(), motion="reduce")
    tab.click("#to-play")
    asked(tab)
    assert tab.evaluate("document.activeElement.id") == "heading"
    costs = tab.evaluate(
        "play.round.reading.actions.map((_, at) => Number(costOf(play.round.reading, at, play.round.rolls[0])))"
    )
    tab.keyboard.press(key)
    until(tab, f"play.round.moves.length && ({ASKED} || {ENDED})")
    cost = tab.evaluate("Number(play.round.moves[0].cost)")
    assert cost == costs[move]
    said = "costs nothing" if cost < 5e-6 else f"costs {tab.evaluate(f'lost({cost})')}"
    assert said in tab.inner_text("[role=log] p:nth-child(2)")
    while not tab.evaluate(ENDED):
        tab.keyboard.press("c")
        until(tab, f"{ASKED} || {ENDED}")
    assert tab.inner_text("#results") in ("1 won, 0 lost", "0 won, 1 lost")
    tab.keyboard.press("n")
    until(tab, f"play.round.seat === 1 && ({ASKED} || {ENDED})")


@pytest.mark.slow
def test_a_finished_round_of_three_players_fits_a_phone(opened, tmp_path):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))) + "#play", width=390, motion="reduce")
    asked(tab)
    finish(tab)
    assert "round" in tab.inner_text(".verdict")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_seats_of_three_players_link_to_the_beliefs_about_them(opened, tmp_path):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))) + "#1x2,2x2")
    assert tab.locator(".seat button").all_inner_texts() == ["Player 1", "Player 2", "Player 3"]
    assert "moves" in tab.inner_text(".seat.turns")
    tab.click("[data-seat='1']")
    assert tab.evaluate("document.activeElement.id") == "holds-1"


# Other pages


@pytest.mark.slow
def test_a_round_on_a_served_page_is_played_to_its_end(opened, served):
    address, _ = served
    tab = opened(address + "#play", allowed=address, motion="reduce")
    asked(tab)
    finish(tab)
    assert tab.evaluate("isShown(play.round)")
    assert tab.inner_text("#results") in ("1 won, 0 lost", "0 won, 1 lost")
    assert tab.locator("[role=log] p").count() == tab.evaluate("play.round.moves.length") + 2, "the roll, and how it ends"


@pytest.mark.slow
def test_a_failed_request_for_the_strategy_can_be_retried(opened):
    game = rules("common", 3)
    with served_here(game, Seeded(game)) as address:
        tab = opened(address + "#play", allowed=address, motion="reduce")
        asked(tab)
        tab.evaluate("[source, kept] = [() => Promise.reject(new Error('nobody there')), source], void takeTurn(0)")
        until(tab, "play.round.trouble && !play.round.isGoingOn")
        assert tab.inner_text(".verdict") == "The strategy does not answer: nobody there"
        tab.evaluate("void (source = kept)")
        tab.focus("#retry")
        tab.keyboard.press("Enter")
        until(tab, f"{ASKED} || {ENDED}")
        assert tab.evaluate("play.round.trouble") is None
        assert tab.evaluate("document.activeElement.id") == "heading"


@pytest.mark.slow
def test_a_round_beyond_the_depth_of_the_page_is_not_counted(opened, tmp_path):
    tab = opened(written(tmp_path, rules("common", 3), depth=1) + "#play", motion="reduce")
    asked(tab)
    tab.evaluate(HIGHEST)
    tab.keyboard.press("1")
    until(tab, ENDED)
    assert tab.inner_text(".verdict").startswith("This page ends after 1 bid: the round is not counted.")
    assert "2x3" in tab.inner_text("[role=log] p:last-child")
    assert tab.locator(".seat .die text").count() == 1, "the other's die stays hidden"
    tab.click("#next-round")
    until(tab, f"play.finished.length === 1 && {ASKED}")
    assert tab.inner_text("#heading") == "Round 2: you are Player 2"
    assert tab.inner_text("#results") == "0 won, 0 lost"
    assert tab.inner_text("#mistakes").endswith("of 1 move")


# The seat


@pytest.mark.slow
def test_a_new_seat_takes_effect_at_once_or_after_the_first_move_in_the_next_round(opened, six):
    tab = opened(six.as_uri() + "#play", motion="reduce")
    asked(tab)
    tab.focus("#play-seat")
    tab.select_option("#play-seat", "1")
    asked(tab)
    assert tab.inner_text("#heading") == "Round 1: you are Player 2"
    assert tab.evaluate("document.activeElement.id") == "play-seat"
    tab.evaluate("void takeTurn(1)")
    tab.select_option("#play-seat", "0")
    assert tab.inner_text("#heading") == "Round 1: you are Player 2"
    assert tab.inner_text(".choices [role=status]") == "from the next round"
    until(tab, f"{ASKED} || {ENDED}")
    finish(tab)
    for _ in range(2):
        tab.click("#next-round")
        asked(tab)
        assert tab.evaluate("play.round.seat") == 0
        finish(tab)
    tab.select_option("#play-seat", "")
    tab.click("#next-round")
    until(tab, "play.round.seat === 1")


# Appearance and accessibility


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_round_is_legible_and_has_accessible_names(opened, tmp_path, scheme):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))) + "#play", width=360, scheme=scheme, motion="reduce")
    asked(tab)
    assert tab.evaluate(SMALL) == []
    assert tab.evaluate(NAMELESS) == []
    assert tab.evaluate(CONTRAST) == []
    heard = tab.locator("main").aria_snapshot()
    for name in ('combobox "Your seat"', 'region "Your move"', 'group "Moves"', 'log "This round"', 'region "Score"'):
        assert name in heard
    assert 'list "Seats, in the order of play"' in heard
    finish(tab)
    assert tab.evaluate(SMALL) == []
    assert tab.evaluate(NAMELESS) == []
    assert tab.evaluate(CONTRAST) == []


@pytest.mark.slow
def test_a_round_is_announced_once(opened, tmp_path):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))), motion="reduce")
    tab.evaluate(LISTEN)
    tab.evaluate(HIGHEST)
    tab.keyboard.press("p")
    asked(tab)
    assert sorted(tab.evaluate("spoken.splice(0)")) == ["You roll 3.", "Your move: you open."]
    tab.locator(".play .move", has_text="2x3").focus()
    tab.keyboard.press("Enter")
    until(tab, f"({ASKED} || {ENDED}) && play.round.moves.length > 1")
    heard = tab.evaluate("spoken.splice(0)")
    assert [words for words in heard if words.startswith("You bid 2x3: ")]
    assert heard.count("Player 2 bids 4x3.") == 1
    assert tab.evaluate("document.activeElement.id") == "heading"
    finish(tab)
    heard += tab.evaluate("spoken.splice(0)")
    assert heard.count(tab.inner_text(".verdict")) == 1
    assert sum("loses the round" in words or "lose the round" in words for words in heard) == 1
    assert [words for words in heard if "so 4x3 is " in words]
    assert len(set(heard)) == len(heard), "nothing is said twice"
    tab.focus("#next-round")
    tab.keyboard.press("Enter")
    until(tab, f"play.finished.length && ({ASKED} || {ENDED})")
    assert tab.evaluate("document.activeElement.id") == "heading"


@pytest.mark.slow
def test_five_dice_lie_in_a_row_and_seats_do_not_overlap(opened, tmp_path):
    game = rules("joker", 2, (5, 5))
    tab = opened(written(tmp_path, game, depth=1) + "#play", width=390, motion="reduce")
    asked(tab)
    tops = "new Set([...document.querySelectorAll('.seat:first-child .die')].map((e) => e.getBoundingClientRect().top)).size"
    assert tab.evaluate(tops) == 1
    tab.evaluate("void takeTurn(0)")
    boxes = "[...document.querySelectorAll('.seat, .middle > *')].map((e) => e.getBoundingClientRect())"
    apart = "boxes.every((one, at) => boxes.slice(at + 1).every((two) => one.bottom <= two.top || two.bottom <= one.top))"
    until(tab, ENDED)
    assert tab.evaluate(f"(() => {{ const boxes = {boxes}; return {apart}; }})()")


ROLLING = "[...document.querySelectorAll('.seat .die')].flatMap((die) => die.getAnimations()).length"


@pytest.mark.slow
def test_dice_are_animated_by_default(opened, six):
    tab = opened(six.as_uri())
    tab.evaluate("PACE.turns = Infinity, faces = new Set(), location.hash = 'play'")
    until(tab, "faces.add(document.querySelector('.seat:first-child .die')?.innerHTML).size > 3")
    assert tab.evaluate(ROLLING) == 2
    assert tab.inner_text(".verdict") == "The dice are rolling."
    tab.evaluate("PACE.turns = 0")
    asked(tab)
    assert tab.evaluate(ROLLING) == 0


@pytest.mark.slow
def test_dice_are_not_animated_with_reduced_motion(opened, six):
    tab = opened(six.as_uri(), motion="reduce")
    tab.evaluate("PACE.turns = Infinity, location.hash = 'play'")
    asked(tab)
    tab.evaluate("document.querySelector('.seat').classList.add('rolling')")
    assert tab.evaluate(ROLLING) == 0

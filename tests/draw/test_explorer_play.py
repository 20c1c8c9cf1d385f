"""Play in a real browser: rounds against the strategy, what mistakes cost, and the table of three and more players."""

from __future__ import annotations

from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.explorer_pages import until, written

ENDED = "hasEnded(play.round) && !play.round.isGoingOn"
ASKED = "isReaders(play.round) && play.round.isRolled && !play.round.isGoingOn"


def test_a_round_is_played_priced_and_scored_by_keys(opened, six):
    tab = opened(six.as_uri())
    tab.emulate_media(reduced_motion="reduce")
    tab.click("#to-play")
    until(tab, f"isPlay() && play.round && {ASKED}")
    assert tab.evaluate("document.activeElement.id") == "heading"
    costs = tab.evaluate("play.round.reading.actions.map((_, at) => costOf(play.round.reading, at, play.round.rolls[0]))")
    tab.keyboard.press("0")
    until(tab, f"play.round.moves.length && ({ASKED} || {ENDED})")
    cost = tab.evaluate("play.round.moves[0].cost")
    assert cost == costs[9]
    said = "costs nothing" if cost < 5e-6 else f"costs {tab.evaluate(f'lost({cost})')}"
    assert said in tab.inner_text("[role=log] p:first-child")
    while not tab.evaluate(ENDED):
        tab.keyboard.press("c")
        until(tab, f"{ASKED} || {ENDED}")
    assert tab.inner_text("#results") in ("1 won, 0 lost", "0 won, 1 lost")
    tab.keyboard.press("n")
    until(tab, f"play.round.seat === 1 && ({ASKED} || {ENDED})")


def test_a_finished_round_of_three_fits_a_telephone(opened, tmp_path):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))) + "#play", width=390)
    tab.emulate_media(reduced_motion="reduce")
    until(tab, f"play.round && {ASKED}")
    while not tab.evaluate(ENDED):
        tab.evaluate("void takeTurn(0)")
        until(tab, f"{ASKED} || {ENDED}")
    assert "round" in tab.inner_text(".verdict")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_three_players_sit_around_a_table_with_what_is_believed_of_each(opened, tmp_path):
    tab = opened(written(tmp_path, rules("joker", 3, (1, 2, 1))) + "#1x2,2x2")
    assert tab.locator(".seat button").all_inner_texts() == ["Player 1", "Player 2", "Player 3"]
    assert "moves" in tab.inner_text(".seat.turns")
    tab.click("[data-seat='1']")
    assert tab.evaluate("document.activeElement.id") == "holds-1"

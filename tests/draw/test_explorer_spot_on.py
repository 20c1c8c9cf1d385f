"""Test the explorer of games with spot-on in a real browser: numbers, texts, and rounds that end with spot-on."""

from __future__ import annotations

import re
from itertools import product
from math import prod

import numpy as np
import pytest

from liarsdice_cli.draw import colours
from liarsdice_cli.draw.explorer import sheet
from liarsdice_cli.draw.explorer.bids import bid_colours
from liarsdice_cli.draw.scene import Box, Text
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from tests.support.explorer_pages import CONTRAST, NAMELESS, Seeded, chance, until, written
from tests.support.properties import mostly_slow

TWO = rules("perudo", 2, (2, 1), spot_on=True)
THREE = rules("ones-low", 2, (1, 1, 1), spot_on=True)
ENDED = "hasEnded(play.round) && !play.round.isGoingOn"
ASKED = "isReaders(play.round) && play.round.isRolled && !play.round.isGoingOn"
INK = colours.SPOT_ON
CLOSE = {"abs": 1e-3}


def odds(reading, ending, reaches=None):
    """Return how likely the last bid stands against a call or spot-on, and the reach probability, by enumerating all rolls."""
    game, bid = reading.rules, reading.rules.bids[reading.history[-1]]
    standing = total = 0.0
    for rolls in product(*map(range, map(game.roll_count, range(game.players)))):
        weight = prod(float(reach[roll]) for reach, roll in zip(reaches or reading.reaches, rolls, strict=True))
        dice = [game.rolls(player)[roll][0] for player, roll in enumerate(rolls)]
        standing += weight * game.holds(bid, dice, ending)
        total += weight
    return standing / total, total


def table_of(tab, selector):
    """Return the rows of a table of numbers by name."""
    rows = [row.inner_text().split("\t") for row in tab.locator(f"{selector} tbody tr").all()]
    return {name.strip(): cells for name, *cells in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bids"), [(THREE, ["1x2", "2x1"]), (TWO, ["2x2", "1x1"])], ids=["three players", "two players"]
)
def test_every_number_of_a_decision_and_of_its_outcome_matches_python(opened, tmp_path, game, bids):
    history = BettingState.parse(game, bids).history
    expected, mover = continuations.all_continuations(Seeded(game)).after(history), len(bids) % game.players
    names = BettingState(game, history).action_names
    assert names[:2] == ["call", "spot-on"]
    tab = opened(written(tmp_path, game) + "#" + ",".join(bids))
    held = expected.beliefs(mover)
    true, just = odds(expected, CALL)[0], 1 - odds(expected, SPOT_ON)[0]
    facts = tab.locator(".facts strong").all_inner_texts()
    assert [chance(fact) for fact in facts] == pytest.approx([expected.reach, held @ expected.value, true, just], **CLOSE)
    assert tab.locator(".facts li").last.inner_text().endswith("that it is spot-on")
    likely = expected.probabilities @ held
    assert tab.locator(".moves .move > span").all_inner_texts() == names
    assert [chance(text) for text in tab.locator(".moves small").all_inner_texts()] == pytest.approx(likely, **CLOSE)
    words = tab.inner_text(".overall p")
    verbs = [re.findall(r"[a-z -]+[a-z]", part)[0] for part in words.split(". A bluff")[0].split(", ")]
    assert verbs == ["calls", "says spot-on", "raises"]
    said = tab.locator(".overall p strong").all_inner_texts()
    assert [chance(text) for text in said] == pytest.approx([*likely[:2], likely[2:].sum()], **CLOSE)
    assert table_of(tab, ".overall")["spot-on"][1:] == ["", ""]
    if game.players > 2:
        assert chance(tab.locator(".middle small").last.inner_text().split("spot-on ")[1]) == pytest.approx(just, **CLOSE)
    row = tab.evaluate("chosen.row")
    own = [np.eye(len(held))[row] if player == mover else reach for player, reach in enumerate(expected.reaches)]
    sure = tab.locator(".detail p strong").all_inner_texts()
    assert [chance(text) for text in sure] == pytest.approx(
        [odds(expected, CALL, own)[0], 1 - odds(expected, SPOT_ON, own)[0]], **CLOSE
    )
    for view, numbers in (("values", expected.values), ("mistakes", expected.values.max(axis=0) - expected.values)):
        tab.click(f"#view-{view}")
        cells = table_of(tab, ":is(.values, .costs)")
        assert list(cells) == names
        for name, entry_count in zip(names, numbers, strict=True):
            assert [chance(cell) for cell in cells[name]] == pytest.approx(entry_count, **CLOSE)
    tab.click(".move:has-text('spot-on')")
    until(tab, f"document.title.startsWith('{' '.join(bids)} spot-on')")
    assert tab.inner_text("h2") == f"Player {mover + 1} says that {bids[-1]} is spot-on"
    ended = [reach * expected.probabilities[1] if player == mover else reach for player, reach in enumerate(expected.reaches)]
    standing, reach = odds(expected, SPOT_ON, ended)
    facts = tab.locator(".facts strong").all_inner_texts()
    assert [chance(fact) for fact in facts] == pytest.approx([reach, 1 - standing, standing], **CLOSE)
    right, wrong = tab.locator(".facts li").all_inner_texts()[1:]
    bidder = (mover - 1) % game.players
    one, other, verb = (mover, bidder, "wins") if game.players == 2 else (bidder, mover, "loses")
    assert right.endswith(f"that {bids[-1]} is spot-on and Player {one + 1} {verb}")
    assert wrong.endswith(f"that Player {other + 1} {verb}")


@pytest.mark.slow
def test_call_and_spot_on_are_offered_after_the_highest_bid(opened, tmp_path):
    game = rules("common", 3, (1, 1), spot_on=True)
    tab = opened(written(tmp_path, game) + "#2x3")
    assert tab.locator(".moves .move > span").all_inner_texts() == ["call", "spot-on"]
    shown = tab.evaluate("[...document.querySelectorAll('.moves .swatch')].map((e) => getComputedStyle(e).backgroundColor)")
    assert len(set(shown)) == 2
    tab.keyboard.press("ArrowRight")
    until(tab, "shown.ending !== null && /#2x3,(call|spot-on)/.test(location.hash)")
    tab.keyboard.press("ArrowLeft")
    until(tab, "shown.ending === null && location.hash === '#2x3'")
    assert "names no history" in opened(written(tmp_path, game) + "#spot-on").inner_text("[role=alert]")
    assert "names no history" in opened(written(tmp_path, rules("common", 3)) + "#2x3,spot-on").inner_text("[role=alert]")


@pytest.mark.slow
def test_rolls_can_be_sorted_and_grouped_by_spot_on(opened, tmp_path):
    game = rules("common", 4, (1, 2), max_quantity=1, spot_on=True)
    tab = opened(written(tmp_path, game) + "#1x2")
    chances = continuations.after(Seeded(game), BettingState.parse(game, ["1x2"]).history).probabilities
    tab.select_option("#rolls-sort", "spot-on")
    listed = tab.evaluate("[...document.querySelectorAll('.row')].map((row) => Number(row.dataset.row))")
    assert sorted(listed) == list(range(10))
    assert chances[1][listed].tolist() == sorted(chances[1], reverse=True)
    tab.select_option("#rolls-group", "likeliest")
    groups = tab.locator(".strategy h4").all_inner_texts()
    names = ["calls", "says spot-on", "bids 1x3", "bids 1x4"]
    counts = np.bincount(chances.argmax(axis=0), minlength=4)
    assert groups == [f"{name} ({count})" for name, count in zip(names, counts, strict=True) if count]


@pytest.mark.slow
@pytest.mark.parametrize("spot_on", [True, False])
def test_every_action_has_its_colour(opened, tmp_path, spot_on):
    game = rules("common", 2, spot_on=spot_on)
    tab = opened(written(tmp_path, game))
    ink = f"light-dark({INK.light},{INK.dark})"
    expected = [colours.CALL.light, *[ink] * spot_on, *bid_colours(game)[1:]]
    assert tab.evaluate("actionsAfter([0]).map((action) => colourOf(action)[0])") == expected


# Play


def begun(tab):
    until(tab, f"isPlay() && play.round && ({ASKED} || {ENDED})")


def dealt(tab, bid, exactly):
    """Set rolls for which the bid is exact, or is not, and return the number of dice that count."""
    return tab.evaluate(
        """([bid, exactly]) => {
          const deals = page.rolls.reduce((all, rolls) => all.flatMap((deal) => rolls.map((_, roll) => [...deal, roll])), [[]]);
          const count = (rolls) => sum(rolls.map((roll, who) => page.matching[who][roll][bid]));
          play.round.rolls = deals.find((rolls) => (String(count(rolls)) === nameOf(bid).split("x")[0]) === exactly);
          return count(play.round.rolls);
        }""",
        [bid, exactly],
    )


@pytest.mark.parametrize("exactly", mostly_slow([True, False]))
def test_the_reader_says_spot_on_by_key_and_sees_its_cost_and_the_outcome(opened, tmp_path, exactly):
    game = rules("common", 3, (1, 1), spot_on=True)
    tab = opened(written(tmp_path, game) + "#play", motion="reduce")
    begun(tab)
    tab.select_option("#play-seat", "1")
    until(tab, f"play.round.seat === 1 && {ASKED}")
    history = tab.evaluate("bidsOf(play.round)")
    bid = str(game.bids[history[0]])
    choices = "say spot-on, or bid higher" if history[0] < game.bid_count - 1 else "or say spot-on"
    assert tab.inner_text(".verdict") == f"Your move: call {bid}, {choices}."
    count = dealt(tab, history[0], exactly)
    roll = tab.evaluate("play.round.rolls[1]")
    tab.keyboard.press("s")
    until(tab, ENDED)
    values = continuations.all_continuations(Seeded(game)).after(history).values[:, roll]
    assert tab.evaluate("play.round.moves.at(-1).cost") == pytest.approx(values.max() - values[1], abs=1e-6)
    log = tab.locator("[role=log] p").all_inner_texts()
    assert log[-2].startswith(f"You say that {bid} is spot-on: ")
    outcome = "You win the round." if exactly else "You lose the round."
    counts = "1 die counts" if count == 1 else f"{count} dice count"
    assert log[-1].endswith(f"{counts}, so {bid} is {'' if exactly else 'not '}spot-on.")
    assert tab.inner_text(".verdict") == outcome
    assert tab.inner_text("#results") == ("1 won, 0 lost" if exactly else "0 won, 1 lost")
    assert "says spot-on" in tab.inner_text(".seat:first-child")


@pytest.mark.slow
@pytest.mark.parametrize("exactly", [False, True])
def test_only_one_of_three_players_loses_after_an_opponents_spot_on(opened, tmp_path, exactly):
    tab = opened(written(tmp_path, THREE) + "#play", width=360, scheme="dark", motion="reduce")
    begun(tab)
    tab.evaluate("void (ofStrategy = (reading) => Math.max(0, reading.actions.indexOf(SPOT_ON)))")
    dealt(tab, 0, exactly)
    tab.evaluate("void takeTurn(0)")
    until(tab, ENDED)
    log = tab.locator("[role=log] p").all_inner_texts()
    assert log[-2] == "Player 2 says that 1x1 is spot-on."
    assert tab.inner_text(".verdict") == ("You lose the round." if exactly else "Player 2 loses the round; you are safe.")
    assert [("loses" in seat, "says spot-on" in seat) for seat in tab.locator(".seat").all_inner_texts()] == [
        (exactly, False),
        (not exactly, True),
        (False, False),
    ]
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.evaluate(CONTRAST) == []


# Appearance and accessibility


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_legible_and_accessible_on_a_phone(opened, tmp_path, scheme):
    tab = opened(written(tmp_path, THREE) + "#1x1,1x2", width=360, scheme=scheme)
    assert tab.evaluate(CONTRAST) == []
    assert tab.evaluate(NAMELESS) == []
    cut = "[...document.querySelectorAll('.move')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)"
    assert tab.evaluate(cut) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_the_guide_mentions_spot_on_only_in_games_with_it(opened, tmp_path):
    for game, speaks in ((THREE, True), (rules("common", 2), False)):
        tab = opened(written(tmp_path, game))
        tab.keyboard.press("?")
        said = tab.inner_text("#keys")
        assert ("s to say spot-on" in said, "the player who says spot-on wins" in said) == (speaks, speaks)


def test_a_sheet_without_a_likely_opening_shows_the_opening():
    drawn = sheet.scene(Uniform(rules("common", 100, (1, 2))), "a game", "somewhere")
    words = [run[0] for mark in drawn.marks if isinstance(mark, Text) for run in mark.runs]
    assert any("opening" in one for one in words), words


def test_the_sheet_is_light_and_scrolls_on_small_screens(tmp_path):
    page = tmp_path / "sheet.html"
    page.write_bytes(sheet.html(sheet.scene(Seeded(TWO), "a game", "somewhere")))
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme" not in text
    assert "Somewhere" in text
    assert "min-width:720px" in text


def test_the_sheet_shows_spot_on_in_its_own_colour():
    boxes = [mark for mark in sheet.scene(Seeded(TWO), "a game", "somewhere").marks if isinstance(mark, Box)]
    said = {box.colour for box in boxes if box.title.startswith("spot-on ")}
    assert said == {INK}
    assert INK not in {box.colour for box in boxes if not box.title.startswith("spot-on ")}

"""Test the explorer in a real browser: its numbers match Python's, and it can be read in any colours and at any width."""

from __future__ import annotations

import re
import threading
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.draw.colours import rgb
from liarsdice_cli.draw.explorer.bids import bid_colours
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice import beliefs, continuations
from liarsdice_cli.games.liarsdice.continuations import Continuations
from liarsdice_cli.games.liarsdice.exact_strategy import ExactStrategy
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.sentences import brief
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.explorer import Explorer, explore
from tests.support.explorer_pages import CONTRAST, NAMELESS, Seeded, chance, percent, until, written
from tests.support.house_rules import HOUSE, HOUSE_OF_MORE
from tests.support.properties import mostly_slow

ROOT = Path(__file__).parents[2]


# Content


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["joker", "common"])
def test_the_page_summarises_the_rules(opened, tmp_path, preset):
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
def test_the_data_of_the_page_match_python(opened, tmp_path, preset, sides, dice):
    check_readings(opened, tmp_path, rules(preset, sides, dice))


@pytest.mark.parametrize("game", mostly_slow([*HOUSE, *HOUSE_OF_MORE], 12), ids=str)
def test_the_data_of_the_page_match_python_under_house_rules(opened, tmp_path, game):
    check_readings(opened, tmp_path, game)


def check_readings(opened, tmp_path, game):
    tab = opened(written(tmp_path, game))
    everything = continuations.all_continuations(Seeded(game))
    chosen = [*game.bidding.histories()][:: 1 + game.bidding.history_count // 40]
    said = tab.evaluate("async (all) => Promise.all(all.map(async (one) => source(one)))", chosen)
    for history, one in zip(chosen, said, strict=True):
        expected = everything.after(history)
        assert one["actions"] == BettingState(game, history).actions
        assert np.allclose(one["probabilities"], expected.probabilities, atol=1e-6)
        assert np.allclose(one["values"], expected.values, atol=1e-6)
        for player in range(game.players):
            assert np.allclose(one["reaches"][player], expected.reaches[player], atol=1e-6)
    history = [game.bidding.openings[1]]
    odds = tab.evaluate(
        "async (h) => { const r = await source(h); return page.rolls[1].map((_, roll) => oddsWith(r, 1, roll)) }", history
    )
    assert np.allclose(odds, everything.after(history).last_bid_true, atol=1e-6)


@pytest.mark.slow
def test_an_address_that_house_rules_forbid_is_reported(opened, tmp_path):
    page = written(tmp_path, rules("perudo", 3))
    assert "names no history" in opened(page + "#1x1").inner_text("[role=alert]")
    assert opened(page + "#2x3,1x1").inner_text("h2") == "Player 1 moves after 2x3 1x1"


def test_displayed_numbers_match_python(opened, tmp_path):
    game = rules("common", 3)
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = continuations.after(Seeded(game), BettingState.parse(game, ["1x2"]).history)
    facts = tab.inner_text(".facts")
    assert f"{expected.reach:.1%}".replace("%", " %") in facts
    assert f"{percent(expected.beliefs(1) @ expected.value)} is the probability that Player 2 wins" in facts
    assert f"{expected.beliefs(1) @ expected.last_bid_true:.1%}".replace("%", " %") in facts
    assert tab.locator(".row .number").all_inner_texts() == [percent(worth) for worth in expected.value]
    held = [f"{100 * chance:.1f}".removesuffix(".0") + " %" for chance in expected.beliefs(0)]
    assert tab.locator(".beliefs .number").all_inner_texts() == held
    tab.click("#view-mistakes")
    cells = tab.locator(".costs tbody tr").all()
    costs = expected.values.max(axis=0) - expected.values[1]
    assert [chance(cell) for cell in cells[1].locator("td").all_inner_texts()] == pytest.approx(costs, abs=6e-4)
    tab.click("#view-values")
    cells = tab.locator(".values tbody tr").all()
    assert [chance(cell) for cell in cells[0].locator("td").all_inner_texts()] == pytest.approx(expected.values[0], abs=6e-4)


@pytest.mark.slow
def test_beliefs_about_each_of_three_players_are_shown(opened, tmp_path):
    game = rules("joker", 3, (1, 2, 1))
    tab = opened(written(tmp_path, game) + "#1x2,2x2")
    expected = continuations.after(Seeded(game), BettingState.parse(game, ["1x2", "2x2"]).history)
    assert tab.inner_text("h2") == "Player 3 moves after 1x2 2x2"
    assert tab.locator(".beliefs h3").all_inner_texts() == ["What Player 1 holds", "What Player 2 holds"]
    held = [f"{100 * chance:.1f}".removesuffix(".0") + " %" for other in (0, 1) for chance in expected.beliefs(other)]
    assert tab.locator(".beliefs .number").all_inner_texts() == held
    true = expected.beliefs(2) @ expected.last_bid_true
    assert f"{100 * true:.1f} % is the chance that 2x2 is true" in tab.inner_text(".facts")
    colours = [
        tab.evaluate(f"getComputedStyle(document.querySelector('.beliefs.player{one}')).getPropertyValue('--player')")
        for one in (1, 2)
    ]
    assert len(set(colours)) == 2


@pytest.mark.slow
def test_a_call_among_three_players_names_the_loser(opened, tmp_path):
    game = rules("common", 2, (1, 1, 1))
    tab = opened(written(tmp_path, game) + "#1x2,2x2,3x1,call")
    assert tab.inner_text("h2") == "Player 1 calls 3x1"
    ends = tab.locator(".facts li").all_inner_texts()[1:]
    assert [end[end.index("that") :] for end in ends] == ["that 3x1 is true and Player 1 loses", "that Player 3 loses"]
    assert tab.locator(".beliefs h3").all_inner_texts() == [f"What Player {one} holds" for one in (1, 2, 3)]


@pytest.mark.slow
def test_the_quiz_covers_the_dice_of_every_other_player(opened, tmp_path):
    tab = opened(written(tmp_path, rules("common", 2, (1, 1, 1))) + "#quiz")
    assert tab.locator(".cover").count() == 2
    tab.locator(".cover").first.click()
    assert tab.locator(".cover").count() == 1
    tab.locator(".moves button").first.click()
    assert "cost" in tab.inner_text(".verdict")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_six_players_have_six_legible_colours(opened, tmp_path, scheme):
    game = rules("common", 2, (1,) * 6, max_quantity=2)
    tab = opened(written(tmp_path, game) + "#1x1", scheme=scheme)
    shown = "[...document.querySelectorAll('h2 b, h3 b')].map((e) => getComputedStyle(e).color)"
    assert len(set(tab.evaluate(shown))) == 6
    assert tab.evaluate(CONTRAST) == []


@pytest.mark.slow
def test_a_page_without_fractions_does_not_offer_them(opened, tmp_path):
    assert not opened(written(tmp_path, rules("common", 2))).is_visible("#fractions")


@pytest.mark.slow
def test_bars_are_proportional_to_probabilities_and_each_action_keeps_its_colour(opened, tmp_path):
    game = rules("common", 3)
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = continuations.after(Seeded(game), BettingState.parse(game, ["1x2"]).history).probabilities
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


@pytest.mark.slow
def test_fractions_are_shown_for_an_exact_solution(opened, six):
    tab = opened(six.as_uri())
    assert "44.4 % is the probability that Player 1 wins" in tab.inner_text(".facts")
    assert tab.inner_text(".facts").startswith("100 %")
    tab.click("#fractions")
    assert "4/9 is the probability that Player 1 wins" in tab.inner_text(".facts")
    assert tab.inner_text(".facts").startswith("1 ")


def near_a_third(game: Rules, nearly: Fraction) -> Explorer:
    """Return the explorer of a profile in which Player 1 opens 1x1 with this probability after every roll."""
    tree = build(game)
    opening = [nearly, *[(1 - nearly) / (game.bid_count - 1)] * (game.bid_count - 1)]
    rows = [tree.row_called(f"P1 roll {roll} opening") for roll in range(1, game.sides + 1)]
    return explore(game, profile=from_sets(tree, dict.fromkeys(rows, opening)))


@pytest.mark.parametrize(("above", "below"), [(333333333333, 10**12), (333334, 1000001)])
def test_a_number_near_a_simple_fraction_is_not_shown_as_that_fraction(opened, tmp_path, above, below):
    page = tmp_path / "page.html"
    page.write_bytes(near_a_third(rules("common", 2), Fraction(above, below)).dumps())
    tab = opened(page.as_uri())
    tab.click("#fractions")
    shown = tab.inner_text(".move >> nth=0").split()[1:]
    assert shown == (["33.3", "%"] if below == 10**12 else [f"{above}/{below}"])  # the first fraction is too long to show


TEXTS = """async (histories) => Promise.all(histories.map(async (history) => {
  const text = (number) => (number instanceof Fraction ? number.text : String(number));
  const reading = await source(history);
  const rolls = page.rolls[reading.mover].map((_, roll) => roll);
  const table = (number) => reading.actions.map((_, at) => rolls.map((roll) => text(number(at, roll))));
  return {
    probabilities: table((at, roll) => reading.probabilities[at][roll]),
    values: reading.values && table((at, roll) => reading.values[at][roll]),
    costs: reading.values && table((at, roll) => costOf(reading, at, roll)),
    value: reading.values && rolls.map((roll) => text(worthOf(reading, roll))),
    beliefs: players.map((player) => beliefs(reading, player)?.map(text) ?? null),
    truth: history.length && !players.some((player) => beliefs(reading, player) === null) ? rolls.map((roll) => text(oddsWith(reading, reading.mover, roll))) : null,
    reach: text(reachOf(reading)),
    mistaken: reading.mistaken,
  };
}))"""  # noqa: E501
"""All numbers that the page holds or computes after histories, written as fractions."""


def texts(numbers):
    return None if numbers is None else numbers.astype(str).tolist()


@pytest.mark.parametrize("served", mostly_slow([False, True]))
@pytest.mark.parametrize("game", mostly_slow([rules("joker", 3), rules("common", 2, (2, 1), payoffs="zero-sum")]), ids=str)
def test_every_fraction_of_a_page_matches_python(opened, tmp_path, game, served):
    """Numbers that the page computes are compared too: beliefs, costs, the probability of a history."""
    shown = explore(game)
    everything = Continuations(ExactStrategy(game, shown.profile))
    histories = [*game.bidding.histories()]
    if served:
        with shown.serve() as answers:
            threading.Thread(target=answers.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            said = opened(answers.address, allowed=answers.address).evaluate(TEXTS, histories)
            answers.shutdown()
    else:
        page = tmp_path / "page.html"
        page.write_bytes(shown.dumps())
        said = opened(page.as_uri()).evaluate(TEXTS, histories)
    for history, one in zip(histories, said, strict=True):
        expected = everything.after(history)
        held = [expected.beliefs(player) for player in range(game.players)]
        assert one == {
            "probabilities": texts(expected.probabilities),
            "values": texts(expected.values),
            "costs": None if expected.values is None else texts(expected.values.max(axis=0) - expected.values),
            "value": texts(expected.value),
            "beliefs": [texts(belief) for belief in held],
            "truth": None if any(belief is None for belief in held) else texts(expected.last_bid_true),
            "reach": str(0 if expected.mistaken else prod(reach.sum() for reach in expected.reaches)),
            "mistaken": list(expected.mistaken),
        }


def test_arithmetic_with_fractions_matches_python(opened, four):
    numbers = [
        Fraction(0),
        Fraction(1),
        Fraction(-7, 258),
        Fraction(1, 3),
        Fraction(10**30 + 1, 3 * 10**30),
        Fraction(1, 10**200),
    ]
    pairs = [*product(numbers, repeat=2)]
    said = opened(four.as_uri()).evaluate(
        """(pairs) => pairs.map(([one, other]) => {
          const [a, b] = [one, other].map(numberOf);
          const text = (number) => (number instanceof Fraction ? number.text : String(number));
          return [...[plus, minus, times].map((work) => text(work(a, b))), b ? text(over(a, b)) : "", isMore(a, b), Number(a)];
        })""",
        [[str(one), str(other)] for one, other in pairs],
    )
    for (one, other), found in zip(pairs, said, strict=True):
        quotient = str(one / other) if other else ""
        assert found[:5] == [str(one + other), str(one - other), str(one * other), quotient, one > other]
        assert found[5] == pytest.approx(float(one), rel=1e-14)
    mixed = "typeof plus(ONE, 0.5) + typeof times(0.5, numberOf('1/3')) + typeof minus(numberOf('1/3'), 1 / 3)"
    assert opened(four.as_uri()).evaluate(mixed) == "number" * 3


@pytest.mark.slow
def test_zero_sum_payoffs_are_shown_unscaled_and_explained(opened, tmp_path):
    game = rules("common", 2, payoffs="zero-sum")
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = continuations.after(Seeded(game), [1])
    worth = float(expected.beliefs(1) @ expected.value)
    assert f"{worth:.3f} is what Player 2 gains a game on average: {percent((worth + 1) / 2)} won" in tab.inner_text(".facts")
    tab.click("#view-values")
    assert "from -1 (lost) to 1 (won)" in tab.inner_text("caption")


@pytest.mark.slow
def test_the_scale_of_beliefs_is_the_same_after_every_bid_and_the_prior_is_marked(opened, tmp_path):
    address = written(tmp_path, rules("common", 3, (2, 2)))
    marks = "[...document.querySelectorAll('.belief')].map((e) => e.style.getPropertyValue('--dealt'))"
    opening = opened(address).evaluate(marks)
    assert opened(address + "#1x2,2x3").evaluate(marks) == opening
    assert len(set(opening)) == 2  # doubles, and two different faces


@pytest.mark.slow
def test_the_table_of_moves_shows_their_frequency_bluffs_and_truth(opened, tmp_path):
    game = rules("joker", 3, (2, 1))
    tab = opened(written(tmp_path, game) + "#1x2")
    expected = continuations.after(Seeded(game), [0])
    held = expected.beliefs(1)
    made = expected.probabilities @ held
    assert "calls " + percent(made[0]) in tab.inner_text(".overall p")
    matching = matching_table(game, 1)
    for row in tab.locator(".overall tbody tr").all():
        name, *cells = row.inner_text().split("\t")
        if name == "call":
            continue
        at = 1 + [str(bid) for bid in game.bids[1:]].index(name)
        weights = held * expected.probabilities[at]
        true = beliefs.standing_probabilities(game, at, 1, expected.reaches) / expected.reaches[0].sum()
        bluff = weights[matching[at] == 0].sum() / weights.sum()
        assert cells == [percent(made[at]), percent(bluff), percent(weights @ true / weights.sum())]


@pytest.mark.slow
def test_an_unused_move_without_cost_is_explained_only_as_far_as_proved(opened, tmp_path):
    page = tmp_path / "page.html"
    write(explore(rules("classic", 3)), str(page))
    tab = opened(page.as_uri())
    assert tab.inner_text(".why") == "1x2, 1x3, 2x1 cost nothing: each is taken in another equilibrium."
    assert opened(page.as_uri() + "#1x1,3x3").locator(".why").count() == 0


def test_neighbouring_colours_can_be_distinguished():
    for game in (rules("joker", 6, (2, 2)), rules("common", 6, (3, 3)), rules("common", 9)):
        colours = [np.array(rgb(colour)) for colour in bid_colours(game)]
        assert len({tuple(colour) for colour in colours}) == game.bid_count
        assert min(abs(one - other).sum() for one, other in pairwise(colours)) > 40


@pytest.mark.slow
def test_a_cost_below_a_thousandth_counts_as_nothing_only_on_inexact_pages(opened, tmp_path, six):
    costs = "[0, 9e-4, 2e-3].map(isNothing)"
    assert opened(six.as_uri()).evaluate(costs) == [True, False, False]
    assert opened(written(tmp_path, rules("common", 2))).evaluate(costs) == [True, True, False]


# Appearance and accessibility


@pytest.mark.parametrize(("page", "width"), mostly_slow([("four", 360), ("six", 360), ("six", 1280), ("six", 768)]))
def test_nothing_is_cut_off_at_any_width(opened, request, page, width):
    tab = opened(request.getfixturevalue(page).as_uri(), width=width)
    beyond = "[...document.querySelectorAll('main *, header *')].filter((e) => !e.closest('.hidden'))"
    for address in ("", "1x4", "1x2,2x3", "1x4,call", "1x4;1x2,2x3", "quiz"):
        tab.evaluate(f"moved.done = false; location.hash = '{address}'; moved().then(() => {{ moved.done = true }})")
        until(tab, "moved.done")
        for view in ("strategy", "values", "mistakes"):
            if tab.locator(f"#view-{view}").count():
                tab.click(f"#view-{view}")
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert tab.evaluate(f"{beyond}.every((e) => e.getBoundingClientRect().right <= innerWidth + 1)")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
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


def test_every_control_has_an_accessible_name(opened, four):
    tab = opened(four.as_uri() + "#1x4")
    for view in ("strategy", "values", "mistakes"):
        tab.click(f"#view-{view}")
        assert tab.evaluate(NAMELESS) == []
    tab.click("#view-strategy")
    heard = tab.locator("main").aria_snapshot()
    assert re.search(r'button "Roll 1: (call|\dx\d) \d+ %.*; wins \d+ %"', heard)
    assert 'heading "Player 2 moves after 1x4"' in heard
    assert tab.evaluate("document.documentElement.lang") == "en"


@pytest.mark.slow
def test_the_page_is_printed_in_light_colours(opened, six, tmp_path):
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

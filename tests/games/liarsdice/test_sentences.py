"""The rules in words: against the rules themselves, for all presets and changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import ORDERS, PAYOFFS, Rules, rules
from liarsdice_cli.games.liarsdice.sentences import brief, example, example_lines, features, sentences
from tests.support.properties import examples


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    name, sides = draw(st.sampled_from([*PRESETS])), draw(st.integers(2, 12))
    wild = draw(st.none() | st.just("none") | st.integers(1, sides))
    assume((name, sides, wild) != ("snyd", 2, 2))  # 2 is the only face that can be bid, and no player could open
    return rules(
        name,
        sides,
        draw(st.lists(st.integers(1, 4), min_size=2, max_size=6)),
        wild=wild,
        max_quantity=draw(st.none() | st.integers(1, 8)),
        order=draw(st.none() | st.sampled_from(ORDERS)),
        payoffs=draw(st.sampled_from(PAYOFFS)),
        wild_opening=draw(st.sampled_from([None, False])),
        stairs=draw(st.sampled_from([None, True])),
        fixed_face=draw(st.booleans()),
        spot_on=draw(st.booleans()),
    )


@examples()
@given(some_rules())
def test_the_example_is_a_legal_deal_with_a_true_and_a_false_bid(game: Rules) -> None:
    shown = example(game)
    dice = [die for roll in shown.dice for die in roll]
    assert tuple(map(len, shown.dice)) == game.dice
    assert set(dice) <= set(range(1, game.sides + 1))
    assert game.wild is None or game.wild in dice
    assert game.holds(shown.true, shown.dice)
    _, true, *false = example_lines(game)
    assert f"calls {shown.true} of player 1: true" in true
    assert true.endswith("player 1 wins." if game.players == 2 else "player 2 loses.")
    later = game.bids[game.bids.index(shown.true) + 1 :]
    if game.fixed_face:
        later = tuple(bid for bid in later if bid.face == shown.true.face)
    if shown.false is None:
        assert all(game.holds(bid, shown.dice) for bid in later)
        assert false == []
    else:
        assert shown.false in later
        assert not game.holds(shown.false, shown.dice)
        assert f"calls {shown.false} of player 1: false" in false[0]
        assert false[0].endswith("player 2 wins." if game.players == 2 else "player 1 loses.")


@examples()
@given(some_rules())
def test_sentences_name_the_range_of_bids_and_the_house_rules(game: Rules) -> None:
    text = " ".join(sentences(game))
    assert ("The opening bid cannot be on" in text) == ("The opening bid cannot be on" in brief(game)) != game.wild_opening
    if game.fixed_face:
        assert "keep the face of the opening" in text
        assert "keep the face of the opening" in brief(game)
        assert "rise by face" not in text
        return
    lowest, highest = re.findall(r"The lowest is (\S+), the highest (\S+)\.", text)[0]
    assert (lowest, highest) == (str(game.bids[0]), str(game.bids[-1]))
    assert (f"{game.wild}s are wild" in text) == (game.wild is not None)
    assert ("cannot be bid" in text) == (game.wild is not None and game.wild not in game.faces)
    assert ("says spot-on" in text) == game.spot_on
    assert ("together show 1, 2, 3, ..." in text) == game.stairs
    assert ("is never true" in text) == (game.max_quantity > game.most_matching)
    assert f"from {lowest} to {highest}." in brief(game)
    assert max(map(len, sentences(game))) <= 80
    if len(game.bids) > 1 and game.max_quantity > 1 and len(game.faces) > 1:
        assert ("rise by quantity, and bids of the same quantity by face" in text) == (game.order != "face")
    doubled = game.order == "halving" and game.wild in game.faces
    assert ("ranks after the other bids of twice its quantity" in text) == ("as twice the quantity" in brief(game)) == doubled


@examples()
@given(some_rules())
def test_features_describe_the_rules(game: Rules) -> None:
    def numbers(text: str) -> list[int]:
        ends = [list(map(int, part.split(".."))) for part in text.split(", ")]
        return [number for run in ends for number in range(run[0], run[-1] + 1)]

    said = features(game)
    assert said.wild == str(game.wild or "none")
    assert tuple(numbers(said.faces)) == game.faces
    assert numbers(said.quantities) == list(range(1, game.max_quantity + 1))
    assert said.order == game.order


@pytest.mark.parametrize(
    ("payoffs", "said"), [("win", "gets 0, each of the others 1."), ("zero-sum", "gets -1, each of the others 1/2.")]
)
def test_the_payoffs_of_three_players_are_stated(payoffs: str, said: str) -> None:
    assert [*sentences(rules("common", 6, (1, 1, 1), payoffs=payoffs))][-1] == f"The loser {said}"


def test_no_false_bid_is_shown_if_every_bid_is_true() -> None:
    assert example(rules("common", 1)).false is None

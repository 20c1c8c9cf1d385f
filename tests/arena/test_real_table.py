"""A match as it is heard: whose turn it is, who lost, who opens the next round."""

from __future__ import annotations

import pytest

from liarsdice_cli.arena.real_table import RealTable
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules


def table(*dice: int, opener: int = 0) -> RealTable:
    names = (*("Ann", "Bob")[: len(dice) - 1], "me")
    return RealTable.start(rules("common", 6, dice), opener=opener, names=names, me=len(dice) - 1)


def test_turns_go_round_from_the_one_who_opens_past_those_without_dice() -> None:
    whole = table(1, 1, 2)
    out = whole.act(0).act(CALL).lose(0).next_round()
    assert (out.dice, out.who(out.opener)) == ((0, 1, 2), "Bob")
    assert [out.who(one.turn) for one in (out, out.act(0), out.act(0).act(1))] == ["Bob", "me", "Bob"]
    assert str(out.rules) == "common rules, 6 sides, dice 1,2, payoffs win"


def test_who_lost_opens_with_a_die_less() -> None:
    after = table(2, 2, 2).act(0).act(1).act(CALL).lose(1).next_round()
    assert (after.dice, after.opener, after.number, after.own, after.history) == ((2, 1, 2), 1, 2, None, ())
    assert table(2, 2, 2).next_round(2).opener == 2
    assert table(2, 2, 2).next_round(2).number == 1


@pytest.mark.parametrize(("faces", "loser"), [([5, 6], "me"), ([1, 6], "Ann"), ([1, 2, 5, 6], "me")])
def test_shown_dice_say_who_lost(faces: list[int], loser: str) -> None:
    """Ann bid 2x5, and `me` called with 1 and 5, or, where all dice are shown, with whatever they are."""
    called = table(2, 2).with_own([5, 1]).act(10).act(CALL)
    if len(faces) == 4:
        faces = [1, 5, *faces[2:]]
    assert called.who(called.shown(faces).loser) == loser


def test_stairs_count_one_more_in_the_hand_of_one() -> None:
    """Ann's 1, 2 counts as three dice of every face; 1 and 2 in two hands do not."""
    called = RealTable.start(rules("snyd", 6, (2, 2)), names=("Ann", "me"), me=1).with_own([5, 5])
    called = called.act([str(bid) for bid in called.rules.bids].index("3x4")).act(CALL)
    assert called.who(called.shown([1, 2]).loser) == "me"
    assert called.who(called.shown([1, 5, 2, 5]).loser) == "Ann"
    three = RealTable.start(rules("snyd", 6, (2, 1, 2)), names=("Ann", "me", "Bob"), me=1).with_own([5])
    three = three.act([str(bid) for bid in three.rules.bids].index("4x4")).act(CALL)
    assert three.who(three.shown([1, 2, 3, 4]).loser) == "me"  # Ann's stairs, and Bob's 4
    assert three.who(three.shown([1, 3, 2, 4]).loser) == "Ann"


def test_who_comes_down_to_one_die_opens_a_palifico_round() -> None:
    for played in (True, False):
        whole = RealTable.start(rules("perudo", 6, (2, 2)), MatchRules(played), names=("Ann", "me"), me=1)
        assert not whole.rules.is_palifico
        assert whole.lose(0).next_round().rules.is_palifico == played


def test_only_one_of_both_can_lose_a_call() -> None:
    called = table(1, 1, 1).act(3).act(CALL)
    with pytest.raises(UsageError, match="Bob called Ann, so Ann or Bob lost, not you"):
        called.lose(2)
    assert table(1, 1, 1).act(3).lose(2).loser == 2  # by rules of the house, without a call


def test_a_match_ends_where_one_has_dice_or_the_own_are_gone() -> None:
    assert table(1, 1).lose(0).is_over
    assert table(2, 1, 1).lose(2).is_over
    assert not table(2, 1, 1).lose(1).is_over
    with pytest.raises(UsageError, match="the match is over"):
        table(1, 1).lose(0).next_round()


def test_names_may_be_short_where_one_is_meant() -> None:
    assert table(1, 1, 1).seat("b") == 1
    with pytest.raises(UsageError, match="not one of the players: Ann, Bob, me"):
        table(1, 1, 1).seat("")
    alike = RealTable.start(rules("common", 6, (1, 1, 1)), names=("An", "Anna", "me"), me=2)
    assert (alike.seat("an"), alike.seat("ANNA")) == (0, 1)
    with pytest.raises(UsageError):
        RealTable.start(rules("common", 6, (1, 1, 1)), names=("Anne", "Anna", "me"), me=2).seat("ann")


@pytest.mark.parametrize(("faces", "loser"), [([5, 1], "Ann"), ([5, 5], "me"), ([1, 2], "me")])
def test_who_says_spot_on_loses_unless_exactly_so_many_count(faces, loser):
    said = RealTable.start(rules("common", 6, (2, 2), spot_on=True), names=("Ann", "me"), me=1).with_own([5, 1])
    said = said.act([str(bid) for bid in said.rules.bids].index("2x5")).act(SPOT_ON)
    assert said.called
    assert said.turn is None
    assert said.who(said.shown(faces).loser) == loser


def test_dice_of_the_others_do_not_suffice_if_the_own_are_unknown() -> None:
    called = table(2, 2).act(0).act(1).act(CALL)
    with pytest.raises(UsageError, match="your own are not known, so give all 4, or a name"):
        called.shown([2, 2])
    assert called.who(called.shown([1, 1, 2, 2]).loser) == "Ann"
